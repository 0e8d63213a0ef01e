import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorUser } from './identities.ts'
import { kubectl, runKubectl } from './kubectl.ts'
import { startControlPlane } from './start.ts'
import type { ControlPlane } from './start.ts'

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function configMap(name: string, value: string): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } })
}

describe('a control plane', () => {
  let plane: ControlPlane
  const admin = (...args: string[]) => kubectl(plane, args)
  const valueOf = (name: string) => admin('get', 'configmap', name, '-o', 'jsonpath={.data.value}')

  beforeAll(async () => {
    plane = await startControlPlane({ auditLog: true })
  })
  afterAll(() => plane.stop())

  test('keeps what kubectl applies', async () => {
    await kubectl(plane, ['apply', '-f', '-'], { input: configMap('applied', 'one') })
    expect(await valueOf('applied')).toBe('one')
  })

  test('gives the operator only what is bound to its service account', async () => {
    const asOperator = { kubeconfig: plane.operatorKubeconfig }
    const list = ['get', 'configmaps']
    const denied = await runKubectl(plane, list, asOperator)
    expect(denied.code).not.toBe(0)
    expect(denied.stderr).toContain('Forbidden')
    expect(denied.stderr).toContain(operatorUser)

    await admin('create', 'role', 'reader', '--verb=get,list', '--resource=configmaps')
    await admin(
      'create',
      'rolebinding',
      'reader',
      '--role=reader',
      '--serviceaccount=cloud-operator-system:cloud-operator',
    )
    await expect
      .poll(async () => (await runKubectl(plane, list, asOperator)).code, { timeout: 10_000 })
      .toBe(0)
    expect((await runKubectl(plane, ['get', 'secrets'], asOperator)).stderr).toContain('Forbidden')
  })

  test('gives the tenant nothing', async () => {
    const denied = await runKubectl(plane, ['get', 'configmaps'], { kubeconfig: plane.tenantKubeconfig })
    expect(denied.stderr).toContain('User "tenant" cannot list resource "configmaps"')
  })

  test('finishes the deletion of a namespace and of dependants', async () => {
    await admin('create', 'namespace', 'short')
    await kubectl(plane, ['apply', '-n', 'short', '-f', '-'], { input: configMap('inside', 'x') })
    await admin('delete', 'namespace', 'short', '--timeout=60s')
    expect((await runKubectl(plane, ['get', 'namespace', 'short'])).stderr).toContain('NotFound')

    await kubectl(plane, ['apply', '-f', '-'], { input: configMap('owner', 'x') })
    const uid = await admin('get', 'configmap', 'owner', '-o', 'jsonpath={.metadata.uid}')
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }
    const owned = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owned', ownerReferences: [owner] },
    }
    await kubectl(plane, ['apply', '-f', '-'], { input: JSON.stringify(owned) })
    await admin('delete', 'configmap', 'owner')
    await admin('wait', '--for=delete', 'configmap/owned', '--timeout=60s')
  })

  test.for(['SIGTERM', 'SIGKILL'] as const)(
    'keeps its data and address when the API server ends by %s',
    async (signal) => {
      const value = `before ${signal}`
      await kubectl(plane, ['apply', '-f', '-'], { input: configMap('kept', value) })
      const running = plane.pids()
      await plane.stopApiServer(signal)
      expect(plane.pids()).toHaveLength(running.length - 1)
      expect((await runKubectl(plane, ['get', 'configmap', 'kept'])).stderr).toContain('refused')
      await plane.startApiServer()
      expect(await valueOf('kept')).toBe(value)
      expect(plane.pids()).toHaveLength(running.length)
    },
  )

  test('tells who did what in the audit log', async () => {
    await kubectl(plane, ['apply', '-f', '-'], { input: configMap('audited', 'x') })
    if (plane.auditLog === undefined) throw new Error('no audit log')
    const lines = (await readFile(plane.auditLog, 'utf8')).trim().split('\n')
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events).toContainEqual(
      expect.objectContaining({
        level: 'Metadata',
        stage: 'ResponseComplete',
        verb: 'create',
        user: expect.objectContaining({ username: 'admin' }) as unknown,
        objectRef: expect.objectContaining({ resource: 'configmaps', name: 'audited' }) as unknown,
      }),
    )
    expect(events.filter((event) => event['stage'] === 'RequestReceived')).toEqual([])
  })

  test('stops every process and removes its directory', async () => {
    const pids = plane.pids()
    expect(pids).toHaveLength(3)
    await plane.stop()
    expect(pids.filter(alive)).toEqual([])
    expect(plane.pids()).toEqual([])
    expect(existsSync(plane.directory)).toBe(false)
  })
})

test('a control plane does not outlive a process that is killed', async () => {
  const program = `
    import { startControlPlane } from ${JSON.stringify(fileURLToPath(new URL('start.ts', import.meta.url)))}
    const plane = await startControlPlane()
    console.log(JSON.stringify({ pids: plane.pids(), directory: plane.directory }))
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { pids, directory } = await new Promise<{ pids: number[]; directory: string }>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      resolve(JSON.parse(text) as { pids: number[]; directory: string })
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code ?? 'a signal'}`)))
  })
  expect(pids.filter(alive)).toEqual(pids)
  child.kill('SIGKILL')
  await expect.poll(() => pids.filter(alive), { timeout: 20_000 }).toEqual([])
  await expect.poll(() => existsSync(directory), { timeout: 20_000 }).toBe(false)
})
