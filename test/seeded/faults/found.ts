/** Faults in what is taken for ours, and in what is done to what was found again after its status was lost. */
import type { SeededFault } from '../fault.ts'

/** A person's own snapshot of the same machine. */
const BESIDE = {
  do: 'addReplica',
  vm: { idOf: { kind: 'CloudVM', name: 'web' } },
  type: 'snapshot',
} as const

export const found: readonly SeededFault[] = [
  {
    name: 'take the first candidate at once',
    rule: 'a candidate is taken only once lists must show ours as well',
    file: 'reconcile/resolve.ts',
    find: 'only !== undefined && certain && settled',
    replace: 'only !== undefined && certain',
    shows: [
      {
        scenario: 'snapshot',
        perturbations: [
          {
            at: { port: 'cloud', call: 'GET /user-resource/vm/replica', nth: 2 },
            do: { person: { do: 'cloud', change: BESIDE } },
          },
          {
            at: { port: 'cloud', call: 'GET /user-resource/vm/replica', nth: 2, times: 3 },
            do: { read: 'omitLast' },
          },
        ],
      },
    ],
  },
  {
    name: 'create although something new is there',
    rule: 'what came about between the looks is known before the create',
    file: 'reconcile/create.ts',
    find: 'if (isBare(pass, operation) && candidates(',
    replace: "if (isBare(pass, operation) && operation.id === '' && candidates(",
    shows: [
      {
        scenario: 'snapshot',
        perturbations: [
          {
            at: { port: 'cloud', call: 'GET /user-resource/vm/replica', nth: 2 },
            do: { person: { do: 'cloud', change: BESIDE } },
          },
        ],
      },
    ],
  },
  {
    name: 'go on at once after a lost status',
    rule: 'what was sent before a status was lost is given its time',
    file: 'reconcile/lost.ts',
    find: '    LOST,\n    sessionOf(pass).settleMs,',
    replace: '    LOST,\n    0,',
    shows: [
      {
        scenario: 'disk-grow',
        profile: 'extended',
        seed: 907236,
        perturbations: [
          {
            at: { port: 'kube', call: 'update clouddisks/status data', nth: 8 },
            do: { person: { do: 'wipeStatus', object: { kind: 'CloudVM', name: 'web' } } },
          },
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/stop', nth: 1 },
            do: { answer: 'reset', effect: { afterMs: 1000 } },
          },
        ],
      },
    ],
  },
  {
    name: 'take the wish for what was sent',
    rule: 'what stands in for a lost status says nothing of what was sent',
    file: 'kinds/vm/companions.ts',
    find: 'standsForLost(operation)',
    replace: "operation.id === ''",
    shows: [
      {
        scenario: 'vm-approves',
        profile: 'documented',
        seed: 17_528,
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudvms/status web', nth: 4 },
            do: { person: { do: 'wipeStatus', object: { kind: 'CloudVM', name: 'web' } } },
          },
          {
            at: { port: 'kube', call: 'update cloudvms/status web', nth: 9 },
            do: { kill: 'committed' },
          },
          {
            at: { port: 'cloud', call: 'GET /user-resource/vm/list', nth: 3, times: 4 },
            do: { read: 'omitLast' },
          },
        ],
      },
    ],
  },
  {
    name: 'hold by the name of the disk',
    rule: 'a disk that a machine boots from is told by its id',
    file: 'reconcile/bootdisk.ts',
    find: 'if (bootID !== undefined && id !== undefined) return bootID === id',
    replace: "if (bootID === '') return bootID === id",
    shows: [{ scenario: 'boots-adopted' }],
  },
  {
    name: 'delete a machine whose disk was let go',
    rule: 'a machine whose boot disk no object has on record is not deleted',
    file: 'kinds/vm/kind.ts',
    find: 'if (own || id === undefined ||',
    replace: "if (own || id !== '' ||",
    shows: [{ scenario: 'boots-let-go' }],
  },
  {
    name: 'two machines from one disk',
    rule: 'one machine at a time boots from a disk',
    file: 'kinds/vm/steps.ts',
    find: "    ...('diskID' in from && { locks: [from.diskID] }),\n",
    replace: '',
    shows: [
      {
        scenario: 'disk-boots',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudvms/status web', nth: 1 },
            do: { person: { do: 'copy', object: { kind: 'CloudVM', name: 'web' }, to: 'web-copy' } },
          },
        ],
      },
    ],
  },
  {
    name: 'let a kept machine go while it is stopped',
    rule: 'what was stopped for something else is not left off when its object goes',
    file: 'reconcile/deletion.ts',
    find: 'isCopied(pass) ? undefined : await partFrom(pass)',
    replace: 'isCopied(pass) ? await partFrom(pass) : undefined',
    shows: { test: 'test/seeded/stories/parting.test.ts' },
  },
  {
    name: 'let go of what may have been adopted',
    rule: 'whether something was adopted, once the status is lost, is a question to a person',
    file: 'reconcile/deletion.ts',
    find: 'found === undefined && operation !== undefined && standsForLost(operation)',
    replace: "found === '' && operation !== undefined && standsForLost(operation)",
    shows: { test: 'test/seeded/stories/adopted.test.ts' },
  },
  {
    name: 'let a snapshot go before its machine is found',
    rule: 'a snapshot is looked for as long as its machine may be found again',
    file: 'reconcile/lost.ts',
    find: "return wish.is === 'waiting' && leaderIsLost(pass) ?",
    replace: "return wish.is === 'ready' && leaderIsLost(pass) ?",
    shows: [
      {
        scenario: 'wiped-snapshot',
        profile: 'documented',
        seed: 491_526,
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/stop', nth: 1 },
            do: { person: { do: 'wipeStatus', object: { kind: 'CloudVM', name: 'web' } } },
          },
          {
            at: { port: 'cloud', call: 'GET /user-resource/host_pool/list', nth: 1, times: 3 },
            do: { answer: 'html', effect: 'never' },
          },
        ],
      },
    ],
  },
  {
    name: 'match the wish of today after a lost status',
    rule: 'what stands in for a lost status says nothing of what was sent',
    file: 'kinds/loadbalancer/made.ts',
    find: '  if (standsForLost(operation)) return true\n',
    replace: "  if (standsForLost(operation) && want.name === '') return true\n",
    shows: [
      {
        scenario: 'wiped-early',
        profile: 'documented',
        seed: 25_372,
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudloadbalancers/status front', nth: 4 },
            do: {
              person: {
                do: 'cloud',
                change: {
                  do: 'delete',
                  kind: 'network',
                  id: { idOf: { kind: 'CloudNetwork', name: 'net' } },
                },
              },
            },
          },
        ],
      },
    ],
  },
  {
    name: 'no look under an account that leaves',
    rule: 'with its account leaving what a lost status knew of is still looked for',
    file: 'reconcile/enter.ts',
    find: ' && !looksForLost(pass)',
    replace: " && !(looksForLost(pass) && name === '')",
    shows: [
      {
        scenario: 'wiped-unmarked',
        seed: 826_330,
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/clone', nth: 1 },
            do: { person: { do: 'delete', object: { kind: 'CloudAccount', name: 'default' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'start what is only observed',
    rule: 'who only observes changes nothing',
    file: 'reconcile/parting.ts',
    find: '    isPaused(object) ||\n    observesOnly(pass)\n',
    replace: '    isPaused(object)\n',
    shows: [
      {
        scenario: 'vm-resize',
        profile: 'extended',
        seed: 1,
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/stop', nth: 1 },
            do: {
              person: {
                do: 'edit',
                object: { kind: 'CloudVM', name: 'web' },
                spec: { lifecycle: { management: 'ObserveOnly' } },
              },
            },
          },
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/stop', nth: 1 },
            do: { person: { do: 'delete', object: { kind: 'CloudVM', name: 'web' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'assign an address that was given away meanwhile',
    rule: 'an address is told by its id after the intent as well',
    file: 'reconcile/operation.ts',
    find: 'kind.keyIsReused === true ?',
    replace: 'kind.keyIsReused === undefined ?',
    shows: [
      {
        scenario: 'attached-together',
        profile: 'documented',
        seed: 572_071,
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudfloatingips/status public', nth: 3 },
            do: { person: { do: 'takenInCloud', object: { kind: 'CloudFloatingIP', name: 'public' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'count a lost operation from its creation',
    rule: 'with the status lost a one-shot counts as sent at the last moment',
    file: 'kinds/vmoperation/progress.ts',
    find: 'issuedAt: timestamp(pass.env.clock),',
    replace: 'issuedAt: created,',
    shows: { test: 'test/seeded/stories/parting.test.ts' },
  },
]
