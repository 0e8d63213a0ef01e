/** Puts the operator's shipped manifests into the API server. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kubectl, runKubectl } from '../controlplane/kubectl.ts'
import type { ControlPlane } from '../controlplane/start.ts'

/** What deploy/base/kustomization.yaml names, but for the Deployment. */
const files = ['deploy/base/namespace.yaml', 'crds', 'deploy/base/rbac.yaml', 'deploy/base/admission.yaml']

const limitMs = 30_000
const pollMs = 200

/** Resolves when the definitions are served. Rejects with kubectl's words when that takes over half a minute. */
export async function installOperator(plane: ControlPlane, root: string, signal: AbortSignal): Promise<void> {
  const named = files.map((file) => `--filename=${join(root, file)}`)
  const deadline = performance.now() + limitMs
  for (;;) {
    // A policy is refused until the definition of its parameter is served.
    const { code, stderr } = await runKubectl(plane, ['apply', '--server-side', ...named])
    if (code === 0) break
    if (performance.now() > deadline) throw new Error(`deploy/ could not be installed: ${stderr}`)
    await sleep(pollMs, undefined, { signal })
  }
  const crds = await kubectl(plane, ['get', 'crds', '--output=name'])
  const ours = crds.split('\n').filter((name) => name.endsWith('.cloud-operator.dev'))
  await kubectl(plane, ['wait', '--for=condition=Established', `--timeout=${limitMs / 1000}s`, ...ours])
}
