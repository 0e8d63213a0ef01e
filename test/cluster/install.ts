/** Puts the shipped definitions, roles and policies into the shared control plane; several test files may at once. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { kubectlAs, succeeded } from './kubectl.ts'
import type { SharedControlPlane } from './setup.ts'

const root = join(import.meta.dirname, '../..')
const files = ['deploy/base/namespace.yaml', 'crds', 'deploy/base/rbac.yaml', 'deploy/base/admission.yaml']

/** Resolves when the definitions are served and the policies refuse. Once done, it is not done again: nobody undoes it. */
export async function installOperator(plane: SharedControlPlane): Promise<void> {
  const done = join(plane.directory, 'operator-installed')
  if (existsSync(done)) return
  const kubectl = kubectlAs(plane, 'admin', 'cloud-operator-system')
  const patience = { timeout: 30_000, interval: 200 }
  const named = files.map((file) => `--filename=${join(root, file)}`)
  // Two that apply at once may conflict, and a policy may come before the definition of its parameter is served.
  await vi.waitFor(
    async () => succeeded(await kubectl(['apply', '--server-side', '--force-conflicts', ...named])),
    patience,
  )
  const crds = succeeded(await kubectl(['get', 'crds', '-o', 'name'])).split('\n')
  const ours = crds.filter((name) => name.endsWith('.cloud-operator.dev'))
  succeeded(await kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...ours]))
  await vi.waitFor(async () => {
    const { stderr } = await kubectl(['delete', '--dry-run=server', ...ours])
    if (!stderr.includes('denied request')) throw new Error(`the policies do not refuse yet: ${stderr}`)
  }, patience)
  await writeFile(done, '')
}
