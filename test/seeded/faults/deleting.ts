/** Faults in deleting, and in leaving alone. */
import type { SeededFault } from '../fault.ts'

export const deleting: readonly SeededFault[] = [
  {
    name: 'release the finalizer on an error',
    rule: 'a failed read is no reason to let an object go',
    file: 'reconcile/deletion.ts',
    find: '  const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), id)\n  if (seen === undefined || !sameObject(pass, seen)) return gone(pass, id)',
    replace:
      "  const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), id).catch(() => 'failed' as const)\n  if (seen === 'failed') return release(pass)\n  if (seen === undefined || !sameObject(pass, seen)) return gone(pass, id)",
    shows: [{ scenario: 'network-brief', groups: ['read answer'], at: 'cloud GET /network/network/:id' }],
  },
  {
    name: 'delete without the fresh read',
    rule: 'nothing is deleted but after an exact read',
    file: 'reconcile/deletion.ts',
    find: '  const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), id)\n  if (seen === undefined || !sameObject(pass, seen)) return gone(pass, id)',
    replace:
      '  const seen = await pass.kind.reads.row(readContext(pass, { maxAgeMs: 3_600_000 }), id)\n  if (seen === undefined || !sameObject(pass, seen)) return gone(pass, id)',
    shows: [
      {
        scenario: 'network-brief',
        profile: 'extended',
        leaders: 'one',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 4 },
            do: { kill: 'committed' },
          },
        ],
      },
      { scenario: 'network-brief' },
      { scenario: 'disk' },
    ],
  },
  {
    name: 'the settle time counts from the intent',
    rule: 'the settle time counts from when the request can have left',
    file: 'reconcile/send.ts',
    find: "        if (facts.nature !== 'set') env.ages.begin({ id: operationID })\n",
    replace: '',
    shows: [{ scenario: 'network-used', at: 'cloud DELETE', trouble: '120000' }],
  },
  {
    name: 'the request of another process left with its intent',
    rule: 'the settle time counts from when the request can have left',
    file: 'reconcile/ages.ts',
    find: 'clock.now() - issuedMs - CUT_OFF_MS - intentMs',
    replace: 'clock.now() - issuedMs - CUT_OFF_MS',
    shows: { test: 'test/unit/reconcile/ages.test.ts' },
  },
  {
    name: 'delete what was seen before the intent',
    rule: 'after its intent it is looked again before a deletion is sent',
    file: 'reconcile/deletion.ts',
    find: 'const lastLook = destroys ? () => stillPlanned(pass, step, id) : undefined',
    replace: 'const lastLook = undefined',
    shows: [
      {
        scenario: 'ip',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudfloatingips/status public', nth: 5 },
            do: { person: { do: 'takenInCloud', object: { kind: 'CloudFloatingIP', name: 'public' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'let an object go and never look again',
    rule: 'an object that was let go is looked for once more',
    file: 'reconcile/pass.ts',
    find: '  env.wake(kind.kind, key, pass.session?.syncMs ?? env.durations.pollMaxMs)\n',
    replace: '',
    shows: [{ scenario: 'charged', at: 'kube patch cloudbuckets', trouble: '"agoMs":50' }],
  },
  {
    name: 'ignore Retain',
    rule: 'what is to be retained is never deleted',
    file: 'reconcile/deletion.ts',
    find: "return spec.lifecycle?.onDelete ?? (spec.adopt === undefined ? fallback : 'Retain')",
    replace: "return spec.adopt === undefined ? fallback : 'Retain'",
    shows: [{ scenario: 'retain' }],
  },
  {
    name: 'delete what was adopted',
    rule: 'what was adopted is retained unless the spec says otherwise',
    file: 'reconcile/deletion.ts',
    find: "return spec.lifecycle?.onDelete ?? (spec.adopt === undefined ? fallback : 'Retain')",
    replace: 'return spec.lifecycle?.onDelete ?? fallback',
    shows: [{ scenario: 'adopt' }],
  },
  {
    name: 'delete without resolving the create',
    rule: 'what is deleted in the ambiguous window is resolved first',
    file: 'reconcile/deletion.ts',
    find: "if (operation?.verb === 'create' && !waitsForAnswer(pass)) {",
    replace: "if (operation?.verb === 'never' && !waitsForAnswer(pass)) {",
    shows: [
      {
        scenario: 'network-brief',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /network/network', nth: 1 },
            do: { answer: 'reset', effect: { afterMs: 30_000 } },
          },
          {
            at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 2 },
            do: { person: { do: 'delete', object: { kind: 'CloudNetwork', name: 'net' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'delete a machine with its data disks',
    rule: 'each disk but its own boot disk is detached before a machine is deleted',
    file: 'kinds/vm/plan.ts',
    find: "      ...foreign.map((each): VmStep => ({ do: 'detachDisk', diskID: each.uuid })),\n",
    replace: '',
    shows: [{ scenario: 'disk-vm-deleted' }],
  },
  {
    name: 'delete a machine that runs',
    rule: 'a machine is stopped before it is deleted',
    file: 'kinds/vm/plan.ts',
    find: '      ...stop,\n      ...foreign.map(',
    replace: '      ...foreign.map(',
    shows: [{ scenario: 'vm' }],
  },
  {
    name: 'tombstone adopted',
    rule: 'a tombstone is absent',
    file: 'cloud/absent.ts',
    find: "return 'deleted' in record && record.deleted === true ? undefined : record",
    replace: 'return record',
    shows: [{ scenario: 'vm' }],
  },
  {
    name: 'leave the reserved address behind',
    rule: 'the address made along with a machine goes with it',
    file: 'kinds/vm/companions.ts',
    find: 'return [address, disk].filter((step) => step !== undefined)',
    replace: 'return [disk].filter((step) => step !== undefined)',
    shows: [{ scenario: 'vm-address' }],
  },
  {
    name: 'a second DELETE at once',
    rule: 'an unclear delete is not sent again before the settle time',
    file: 'reconcile/deletion.ts',
    find: "if (operation?.verb === 'delete' && ageOf(pass, operation) < sessionOf(pass).settleMs) {",
    replace: "if (operation?.verb === 'never') {",
    shows: [{ scenario: 'network-brief', groups: ['late effect'], at: 'cloud DELETE', trouble: '30000' }],
  },
  {
    name: 'one look at what is gone',
    rule: 'what costs money is gone only when two looks agree',
    file: 'reconcile/proof.ts',
    find: 'const AGREEING_READS = 2',
    replace: 'const AGREEING_READS = 1',
    shows: { test: 'test/unit/reconcile/proof.test.ts' },
  },
  {
    name: 'delete the default network',
    rule: 'a default network is not deleted',
    file: 'kinds/network/plan.ts',
    find: '  if (seen.isDefault === true) {',
    replace: '  if (seen.id === undefined) {',
    shows: [{ scenario: 'default-deleted' }],
  },
  {
    name: 'delete a bucket with objects',
    rule: 'a bucket that holds objects is not deleted',
    file: 'kinds/bucket/plan.ts',
    find: 'return (seen.objects ?? 0) > 0 ? waiting(NOT_EMPTY.reason, NOT_EMPTY.message) :',
    replace: 'return',
    shows: [{ scenario: 'full-bucket' }],
  },
  {
    name: 'delete a disk with its snapshots',
    rule: 'snapshots hold their disk unless the spec says otherwise',
    file: 'kinds/disk/plan.ts',
    find: "if (snapshots === 'Hold') {",
    replace: "if (snapshots === 'Never') {",
    shows: [{ scenario: 'disk-held' }],
  },
  {
    name: 'give an assigned address back',
    rule: 'an address is unassigned before it is deleted',
    file: 'kinds/floatingip/plan.ts',
    find: "return steps({ do: 'unassign', from: current }, { do: 'delete' })",
    replace: "return steps({ do: 'delete' })",
    shows: { test: 'test/unit/kinds/floatingip/plan.test.ts' },
  },
  {
    name: 'leave the address of a load balancer behind',
    rule: 'the address made along with a load balancer goes with it',
    file: 'kinds/loadbalancer/seen.ts',
    find: 'if (reservedIP === undefined) return undefined',
    replace: 'return undefined',
    shows: [{ scenario: 'lb-address' }],
  },
  {
    name: 'delete a machine whose disks are unknown',
    rule: 'an unknown list of disks is no reason to delete',
    file: 'kinds/vm/plan.ts',
    find: 'if (seen.storage === undefined || boot === undefined) {',
    replace:
      "if (seen.storage === undefined || boot === undefined) return { steps: [...stop, { do: 'delete' }] }\n  if (seen.storage === undefined) {",
    shows: { test: 'test/unit/kinds/vm/gone.test.ts' },
  },
]
