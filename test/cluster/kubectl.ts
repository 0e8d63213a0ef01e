/** kubectl as a person uses it, on the control plane that the cluster tests share. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
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

/** A manifest as text, for `--filename=-`. In JSON: kubectl's YAML takes On and Off for booleans. */
export function manifest(kind: string, name: string, spec: unknown): string {
  return JSON.stringify({ apiVersion: 'cloud-operator.dev/v1alpha1', kind, metadata: { name }, spec })
}

/** Several manifests as one text. */
export function manifests(each: readonly string[]): string {
  return each.join('\n---\n')
}

/** What kubectl complains of, one line per manifest of the input, without its preamble. */
export function refusals({ stderr }: Ran): { name: string; text: string }[] {
  const lines = stderr.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [, name = '', text = line] = /"([^"]*)" is invalid: (.*)$/.exec(line) ?? []
    return { name, text: text.replace(/^\[(.*)\]$/, '$1') }
  })
}

/** What is left of a refusal without these causes and without the remark that others hide; '' when these are all. */
export function unexplained(text: string, causes: readonly string[]): string {
  const remark =
    /<nil>: Invalid value: null: some validation rules were not checked[^,]*; correct the existing errors to complete validation/
  const rest = causes.reduce((left, cause) => left.replace(cause, () => ''), text.replace(remark, ''))
  return rest.replace(/^[, ]+$/, '')
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
