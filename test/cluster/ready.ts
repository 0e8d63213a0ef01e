/** Runs before each cluster test file: fails it when there is no control plane. Tests never skip for that. */
import { inject } from 'vitest'

const error = inject('controlPlaneError')
if (error !== '') throw new Error(error)
