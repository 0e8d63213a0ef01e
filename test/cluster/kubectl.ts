/** kubectl as a person uses it, on the control plane that the cluster tests share. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { SharedControlPlane } from './setup.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs kubectl; `input` goes to its standard input. Never rejects because of an exit code. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<Ran>

export type Who = 'admin' | 'operator' | 'tenant'

/** kubectl as somebody, in a namespace. */
export function kubectlAs(plane: SharedControlPlane, who: Who, namespace: string): Kubectl {
  const kubeconfig = {
    admin: plane.adminKubeconfig,
    operator: plane.operatorKubeconfig,
    tenant: plane.tenantKubeconfig,
  }[who]
  const common = [
    `--kubeconfig=${kubeconfig}`,
    // The usual folder is kept by host and port: it may know another run's server.
    `--cache-dir=${join(plane.directory, 'kubectl-cache')}`,
    `--namespace=${namespace}`,
  ]
  return (args, input) => run(plane.kubectl, [...common, ...args], input)
}

/** A fresh namespace, as the admin; `cleanUp` deletes it without waiting. */
export async function freshNamespace(
  plane: SharedControlPlane,
  purpose: string,
): Promise<{ name: string; cleanUp: () => Promise<void> }> {
  const name = `${purpose}-${randomBytes(4).toString('hex')}`
  const kubectl = kubectlAs(plane, 'admin', 'default')
  succeeded(await kubectl(['create', 'namespace', name]))
  const cleanUp = async () => {
    await kubectl(['delete', 'namespace', name, '--wait=false'])
  }
  return { name, cleanUp }
}

/** What it printed; fails with what it complained about. */
export function succeeded({ code, stdout, stderr }: Ran): string {
  if (code !== 0) throw new Error(`kubectl ended with ${code}: ${stderr}${stdout}`)
  return stdout
}

/** A manifest as text, for `apply -f -`. */
export function manifest(kind: string, name: string, spec: unknown, annotations = {}): string {
  return stringify({
    apiVersion: 'cloud-operator.dev/v1alpha1',
    kind,
    metadata: { name, annotations },
    spec,
  })
}

function run(program: string, args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({
        code: code ?? -1,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      })
    })
    child.stdin.on('error', () => undefined) // it may end without reading
    child.stdin.end(input)
  })
}
