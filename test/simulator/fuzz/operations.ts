/** Every operation of the service's interface, and how to ask for it in a way that can succeed. */
import { networkOperations } from './network-operations.ts'
import type { Operation } from './operation.ts'
import { storageOperations } from './storage-operations.ts'
import { vmOperations } from './vm-operations.ts'

export const operations: readonly Operation[] = [...vmOperations, ...storageOperations, ...networkOperations]
