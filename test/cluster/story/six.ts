/** One object of each kind that refer to each other, for stories: manifests, checks, and what must hold of every story. */
import { expect } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, type AnyObject, type Story } from '../story.ts'
import { onProfile } from './differences.ts'

/** The common part of every machine here. */
export const SMALL_VM = {
  image: { os: 'ubuntu', version: '24.04' },
  vcpus: 1,
  memoryMiB: 1024,
  bootDisk: { sizeGiB: 20 },
  username: 'admin',
  publicKey: 'ssh-ed25519 AAAA test',
} as const

/** Users before what they use: the order in which the fewest references are there yet. */
export const SIX = [
  ['cloudloadbalancer', 'entry'],
  ['cloudfloatingip', 'public'],
  ['clouddisk', 'data'],
  ['cloudbucket', 'assets'],
  ['cloudvm', 'web'],
  ['cloudnetwork', 'front'],
] as const

/** Manifests of the six, each with `more` in its spec. */
export function theSix(story: Story, more: Readonly<Record<string, unknown>> = {}): string[] {
  const network = { networkRef: { name: 'front' } }
  const vm = { vmRef: { name: 'web' } }
  const rules = [{ sourcePort: 80, targetPort: 8080 }]
  return [
    manifest('CloudLoadBalancer', 'entry', { ...network, rules, targets: [{ name: 'web' }], ...more }),
    manifest('CloudFloatingIP', 'public', { ...vm, ...more }),
    manifest('CloudDisk', 'data', { ...vm, sizeGiB: 30, ...more }),
    manifest('CloudBucket', 'assets', { bucketName: `${story.namespace}-assets`, ...more }),
    manifest('CloudVM', 'web', { ...SMALL_VM, ...network, ...more }),
    manifest('CloudNetwork', 'front', { ...more }),
  ]
}

/** Waits until all six are Ready; by kind. */
export async function sixReady(story: Story): Promise<Record<(typeof SIX)[number][0], AnyObject>> {
  const objects: Partial<Record<(typeof SIX)[number][0], AnyObject>> = {}
  for (const [kind, name] of SIX) objects[kind] = await story.ready(kind, name)
  return objects as Record<(typeof SIX)[number][0], AnyObject>
}

/**
 * Of the six while they are being deleted: where the service cannot delete the load balancer, it is held with the remedy
 * and its network with it; it is let go, and once a person has deleted it in the console the network goes by itself.
 */
export function loadBalancerLetGo(story: Story): Promise<void> {
  return onProfile(story, 'load balancers stay', {
    extended: () => Promise.resolve(),
    documented: async () => {
      const { control } = story.simulator
      const stuck = await story.reason('cloudloadbalancer', 'entry', 'Unsupported')
      expect(conditionOf(stuck, 'Ready')?.message).toMatch(
        /delete it in the console, or set .*onDelete: Retain/,
      )
      expect(conditionOf(stuck, 'Stalled')?.status).toBe('True')
      const id = String(stuck.status?.['id'])
      await story.edit('cloudloadbalancer', 'entry', { spec: { lifecycle: { onDelete: 'Retain' } } })
      await story.gone('cloudloadbalancer', 'entry')
      expect(control.inventory().loadBalancers.map((each) => each['uuid'])).toEqual([id])
      const held = await story.reason('cloudnetwork', 'front', 'NotEmpty')
      expect(conditionOf(held, 'Ready')?.message).toContain('only when nothing is in it')
      control.mutate({ do: 'delete', kind: 'loadBalancer', id })
    },
  })
}

/** Number of things made since the call number `since`, by what they are. */
export function madeSince(story: Story, since = 0): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { effect = '' } of story.simulator.control.calls({ since, mutationsOnly: true })) {
    for (const [, what = ''] of effect.matchAll(/created (\S+(?: balancer| ip)?) /g)) {
      counts[what] = (counts[what] ?? 0) + 1
    }
  }
  return counts
}

/** Every changing call so far, or since a number: method, path and effect, for comparing and for a readable failure. */
export function changes(story: Story, since = 0): string[] {
  return story.simulator.control
    .calls({ since, mutationsOnly: true })
    .map(({ method, path, effect, status }) => `${method} ${path} ${status}: ${effect ?? ''}`)
}

/** The number of the last call: what `since` takes. */
export function lastCall(story: Story): number {
  return story.simulator.control.calls().at(-1)?.seq ?? 0
}

/** What holds of every story: no bug, no rule of the service overlooked, never two changes at once on one thing. */
export function expectOrderly(story: Story): void {
  const { preconditionsViolated, overlaps } = story.simulator.control.counters()
  expect({ preconditionsViolated, overlaps }).toEqual({ preconditionsViolated: 0, overlaps: [] })
  expect(story.operator.process.exitCode).toBeNull()
  expect(story.operator.lines.filter((line) => /"level":"?(?:error|50)/.test(line))).toEqual([])
}

/** Ends a story whatever comes of that check. */
export async function endOrderly(story: Story): Promise<void> {
  try {
    expectOrderly(story)
  } finally {
    await story.end()
  }
}

/** Asks for a look now, waits until it is echoed, and answers with the object then. */
export async function lookedAt(story: Story, kind: string, name: string): Promise<AnyObject> {
  const token = `look-${Math.random().toString(36).slice(2)}`
  const annotation = `cloud-operator.dev/reconcile-requested-at=${token}`
  await story.run('annotate', kind, name, annotation, '--overwrite', '--field-manager=cloud-operator')
  return story.until(kind, name, `looked at (${token})`, (each) => {
    return each.status?.['lastHandledReconcileAt'] === token
  })
}

export async function annotate(
  story: Story,
  kind: string,
  name: string,
  annotation: string,
  value?: string,
): Promise<void> {
  const change = `cloud-operator.dev/${annotation}${value === undefined ? '-' : `=${value}`}`
  await story.run('annotate', kind, name, change, '--overwrite', '--field-manager=cloud-operator')
}
