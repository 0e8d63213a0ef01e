/** Runs kubectl as a user would. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface KubectlResult {
  code: number
  stdout: string
  stderr: string
}

/** What is needed of a control plane: the whole one, or what a shared one provides to tests. */
export interface KubectlTarget {
  kubectl: string
  directory: string
  adminKubeconfig: string
}

/** Runs kubectl as the admin, or as whom `kubeconfig` names; `input` goes to its standard input (`-f -`). Never rejects. */
export function runKubectl(
  target: KubectlTarget,
  args: readonly string[],
  options: { kubeconfig?: string; input?: string } = {},
): Promise<KubectlResult> {
  return new Promise((resolve) => {
    const child = spawn(target.kubectl, args, {
      env: {
        ...process.env,
        KUBECONFIG: options.kubeconfig ?? target.adminKubeconfig,
        // The usual cache is keyed by host and port, and another server may have had the port before.
        KUBECACHEDIR: join(target.directory, 'kubectl-cache'),
      },
    })
    const result: KubectlResult = { code: 1, stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (result.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text))
    child.stdin.on('error', () => undefined) // kubectl ended without reading it
    child.stdin.end(options.input ?? '')
    child.once('error', (error) => resolve({ ...result, stderr: error.message }))
    child.once('close', (code) => resolve({ ...result, code: code ?? 1 }))
  })
}

/** The standard output; rejects with kubectl's own words when it fails. */
export async function kubectl(
  target: KubectlTarget,
  args: readonly string[],
  options: { kubeconfig?: string; input?: string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await runKubectl(target, args, options)
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: code ${code}\n${stderr}${stdout}`)
  return stdout
}
