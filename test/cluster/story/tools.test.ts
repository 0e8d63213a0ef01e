/** kubectl as people use it: wait, diff, get, explain, events. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { succeeded } from '../kubectl.ts'
import { startStory, type AnyObject, type Story } from '../story.ts'
import { endOrderly, loadBalancerLetGo, SIX, sixReady, theSix } from './six.ts'

let story: Story
let six: Awaited<ReturnType<typeof sixReady>>
beforeAll(async () => {
  story = await startStory('tools')
  await story.apply(...theSix(story))
})
afterAll(() => endOrderly(story))

test('kubectl wait: for Ready, and for a field', async () => {
  const all = SIX.map(([kind, name]) => `${kind}/${name}`)
  const waited = await story.run('wait', '--for=condition=Ready', '--timeout=60s', ...all)
  expect(waited.trim().split('\n')).toHaveLength(6)
  await story.run('wait', '--for=condition=Synced', '--timeout=60s', ...all)
  await story.run('wait', '--for=jsonpath={.status.powerState}=Running', '--timeout=60s', 'cloudvm/web')
  await story.run('wait', '--for=jsonpath={.status.attachedTo.name}=web', '--timeout=60s', 'clouddisk/data')
  six = await sixReady(story)
})

test('kubectl diff is empty after every reconcile, and applying again changes nothing', async () => {
  const text = theSix(story).join('\n---\n')
  const diff = await story.kubectl(['diff', '-f', '-'], text)
  expect(diff).toMatchObject({ code: 0, stdout: '' })
  expect(
    await story.kubectl(
      ['diff', '--server-side', '--field-manager=kubectl-client-side-apply', '-f', '-'],
      text,
    ),
  ).toMatchObject({
    code: 0,
    stdout: '',
  })
  const applied = succeeded(await story.kubectl(['apply', '-f', '-'], text))
  expect(
    applied
      .trim()
      .split('\n')
      .filter((line) => !line.endsWith(' unchanged')),
  ).toEqual([])
})

/** Rows of one table by name, each as its columns. */
function table(text: string): Record<string, Record<string, string>> {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const starts = [...head.matchAll(/\S+/g)].map(({ 0: title, index }) => ({ title, index }))
  const cells = (line: string) =>
    Object.fromEntries(
      starts.map(({ title, index }, column) => [title, line.slice(index, starts[column + 1]?.index).trim()]),
    )
  return Object.fromEntries(lines.map((line) => [cells(line)['NAME'] ?? '', cells(line)]))
}

test('kubectl get shows in columns what each is and how it is', async () => {
  const rows: Record<string, Record<string, string>> = {}
  const titles: Record<string, string[]> = {}
  for (const [kind, name] of SIX) {
    const row = table(await story.run('get', kind))[name] ?? {}
    rows[kind] = row
    titles[kind] = Object.keys(row)
  }
  expect(titles).toEqual({
    cloudvm: ['NAME', 'READY', 'REASON', 'POWER', 'CPU', 'MEMORY', 'IP', 'AGE'],
    clouddisk: ['NAME', 'READY', 'REASON', 'SIZE', 'VM', 'AGE'],
    cloudbucket: ['NAME', 'READY', 'REASON', 'ENDPOINT', 'AGE'],
    cloudnetwork: ['NAME', 'READY', 'REASON', 'SUBNET', 'DEFAULT', 'AGE'],
    cloudfloatingip: ['NAME', 'READY', 'REASON', 'ADDRESS', 'TARGET', 'AGE'],
    cloudloadbalancer: ['NAME', 'READY', 'REASON', 'ADDRESS', 'TARGETS', 'AGE'],
  })
  for (const [kind] of SIX) expect(rows[kind]).toMatchObject({ READY: 'True', REASON: 'Available' })
  const { status: vm } = six.cloudvm
  expect(rows['cloudvm']).toMatchObject({ POWER: 'Running', CPU: '1', MEMORY: '1024', IP: vm?.['privateIP'] })
  expect(rows['clouddisk']).toMatchObject({ SIZE: '30', VM: 'web' })
  expect(rows['cloudbucket']?.['ENDPOINT']).toBe(six.cloudbucket.status?.['endpoint'])
  expect(rows['cloudnetwork']).toMatchObject({
    SUBNET: six.cloudnetwork.status?.['subnet'],
    DEFAULT: 'false',
  })
  expect(rows['cloudfloatingip']).toMatchObject({
    ADDRESS: six.cloudfloatingip.status?.['address'],
    TARGET: 'web',
  })
  expect(rows['cloudloadbalancer']).toMatchObject({
    TARGETS: '1',
    ADDRESS: six.cloudloadbalancer.status?.['privateAddress'],
  })
})

test('kubectl get cloud shows all of them, and -o wide the rest', async () => {
  const names = (await story.run('get', 'cloud', '-o', 'name')).trim().split('\n')
  expect(names).toContain('cloudaccount.cloud-operator.dev/default')
  expect(names).toHaveLength(7)
  expect(await story.run('get', 'all')).toBe('')
  const row = table(await story.run('get', 'cvm', '-o', 'wide'))['web']
  expect(row).toMatchObject({
    SYNCED: 'True',
    ID: six.cloudvm.status?.['id'],
    LOCATION: 'jkt01',
    MESSAGE: 'The cloud equals the spec.',
  })
})

test('kubectl get selects by fields', async () => {
  const found = await story.run('get', 'clouddisk', '--field-selector=spec.vmRef.name=web', '-o', 'name')
  expect(found.trim()).toBe('clouddisk.cloud-operator.dev/data')
  const id = String(six.cloudvm.status?.['id'])
  expect((await story.run('get', 'cvm', `--field-selector=status.id=${id}`, '-o', 'name')).trim()).toBe(
    'cloudvm.cloud-operator.dev/web',
  )
})

test('kubectl explain explains each kind and its fields', async () => {
  for (const [kind] of SIX) {
    const text = await story.run('explain', kind, '--recursive')
    expect(text).toMatch(/DESCRIPTION:\n {4}\S/)
    expect(text).toContain('spec')
    expect(await story.run('explain', `${kind}.spec.lifecycle.onDelete`)).toMatch(
      /Delete or Retain.*Default/s,
    )
    expect(await story.run('explain', `${kind}.status.conditions.reason`)).toMatch(/closed set/)
  }
  expect(await story.run('explain', 'cloudvm.spec.memoryMiB')).toMatch(
    /Memory in MiB.*Mutable.*Example: 2048/s,
  )
  expect(await story.run('explain', 'clouddisk.spec.vmRef')).toMatch(/attached to/)
})

test('kubectl events tell what happened, once each', async () => {
  const events = JSON.parse(await story.run('get', 'events.events.k8s.io', '-o', 'json')) as {
    items: { regarding: { name: string; kind: string }; reason: string; note: string; type: string }[]
  }
  const ofVM = events.items
    .filter(({ regarding }) => regarding.kind === 'CloudVM')
    .map(({ reason }) => reason)
  expect(ofVM).toContain('Creating')
  expect(ofVM).toContain('Available')
  expect(new Set(ofVM).size).toBe(ofVM.length)
  expect(events.items.filter(({ type }) => type === 'Warning')).toEqual([])
})

test('status does not move while nothing changes', async () => {
  const versions = async () =>
    (JSON.parse(await story.run('get', 'cloud', '-o', 'json')) as { items: AnyObject[] }).items.map(
      ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
    )
  const before = await versions()
  const since = story.simulator.control.calls().length
  const lists = () =>
    story.simulator.control
      .calls()
      .slice(since)
      .filter(({ path }) => path.endsWith('/vm/list'))
  await expect.poll(() => lists().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
  expect(await versions()).toEqual(before)
})

test('kubectl wait for deletion', async () => {
  const all = SIX.map(([kind, name]) => `${kind}/${name}`)
  await story.run('delete', '--wait=false', ...all)
  await loadBalancerLetGo(story)
  await story.run('wait', '--for=delete', '--timeout=90s', ...all)
  for (const [kind, name] of SIX) expect(await story.get(kind, name)).toBeUndefined()
})
