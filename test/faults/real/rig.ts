/** What all cases of a run share: a control plane with the operator's manifests, and the operator's bundle. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWatchdog, type Watchdog } from '../../controlplane/watchdog.ts'
import { createApi, tokenOf, type Api } from './api.ts'

export interface Rig {
  readonly api: Api
  readonly bundle: string
  /** For processes of the operator: with compiled code at hand each starts in two thirds of the time. */
  readonly environment: Readonly<Record<string, string>>
  /** Ends processes of the operator that outlive this one. */
  readonly watchdog: Pick<Watchdog, 'add' | 'drop'>
  /** A kubeconfig of the operator's service account for a server of ours over plain http; its path. */
  kubeconfigFor(url: string): Promise<string>
  close(): Promise<void>
}

export interface Plane {
  readonly adminKubeconfig: string
  readonly operatorKubeconfig: string
}

export async function openRig(plane: Plane, bundle: string): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-real-'))
  const watchdog = startWatchdog(folder)
  const api = await createApi(plane.adminKubeconfig)
  const token = await tokenOf(plane.operatorKubeconfig)
  const environment = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  await compile(bundle, environment)
  let written = 0
  return {
    api,
    bundle,
    environment,
    watchdog,
    kubeconfigFor: async (server) => {
      const path = join(folder, `${++written}.kubeconfig`)
      const config = {
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'proxy', cluster: { server } }],
        users: [{ name: 'operator', user: { token } }],
        contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'operator' } }],
        'current-context': 'proxy',
      }
      await writeFile(path, JSON.stringify(config), { mode: 0o600 })
      return path
    },
    close: async () => {
      api.close()
      await watchdog.end()
    },
  }
}

/** Only a process that ends by itself leaves its compiled code behind: one that finds no kubeconfig. */
async function compile(bundle: string, environment: Rig['environment']): Promise<void> {
  const flags = ['--allow-endpoint=http://127.0.0.1:1', '--kubeconfig=/nowhere']
  const env = { ...process.env, ...environment }
  await once(spawn(process.execPath, [bundle, 'run', ...flags], { stdio: 'ignore', env }), 'exit')
}
