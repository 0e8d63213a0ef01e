/** Faults in what a row, an absent row or another key is taken for. */
import type { SeededFault } from '../fault.ts'

export const reading: readonly SeededFault[] = [
  {
    name: 'let a row decide',
    rule: 'a row only proposes: an exact read decides',
    file: 'reconcile/converge.ts',
    find: '  return { seen: await readExactly(pass, id), exact: true }\n',
    replace: '  return { seen: row ?? (await readExactly(pass, id)), exact: true }\n',
    shows: [
      { scenario: 'vm-resize', groups: ['read'], at: 'cloud GET /user-resource/vm' },
      { scenario: 'vm-power', groups: ['read'], at: 'cloud GET /user-resource/vm' },
    ],
  },
  {
    name: 'an absent row is gone',
    rule: 'an absent row proves nothing without an exact read',
    file: 'reconcile/converge.ts',
    find: '  return { seen: await readExactly(pass, id), exact: true }\n',
    replace: '  return { seen: row && (await readExactly(pass, id)), exact: true }\n',
    shows: [
      {
        scenario: 'network-waits',
        perturbations: [
          {
            at: { port: 'cloud', call: 'GET /network/networks', nth: 4, times: 2_000 },
            do: { read: 'omitLast' },
          },
        ],
      },
    ],
  },
  {
    name: 'under another key it is gone',
    rule: 'another identity makes nothing absent',
    file: 'reconcile/enter.ts',
    find: '(draft.account.endpoint !== session.endpoint || draft.account.userID !== session.userID)',
    replace: 'draft.account.endpoint !== session.endpoint',
    shows: { test: 'test/seeded/stories/another-key.test.ts' },
  },
  {
    name: 'one miss is enough',
    rule: 'what vanished is believed only after the absence proof',
    file: 'reconcile/reconcile.ts',
    find: "    : env.proofs.absent(subject, sessionOf(pass).settleMs, Number.NEGATIVE_INFINITY)\n  if (proof !== 'proven') {",
    replace:
      "    : env.proofs.absent(subject, sessionOf(pass).settleMs, Number.NEGATIVE_INFINITY)\n  if (proof !== 'proven' && listed) {",
    shows: { test: 'test/seeded/stories/asked.test.ts' },
  },
  {
    name: 'make again what held data',
    rule: 'what held data is never made again by itself',
    file: 'kinds/disk/kind.ts',
    find: '  remakes: () => false,\n',
    replace: '  remakes: () => true,\n',
    shows: [{ scenario: 'disk-vanished' }],
  },
  {
    name: 'a sparse record is different',
    rule: 'an absent field is unknown, never different',
    file: 'kinds/disk/plan.ts',
    find: '  return seen !== undefined && seen !== wanted\n',
    replace: '  return seen !== wanted\n',
    shows: [{ scenario: 'disk', profile: 'documented' }],
  },
  {
    name: 'no pinned place',
    rule: 'identity and location are on record before anything is sent',
    file: 'reconcile/pass.ts',
    find: '    ...(pass.location !== undefined && { location: pass.location }),\n  })',
    replace: '  })',
    shows: [{ scenario: 'place-moves' }],
  },
  {
    name: 'go on after a write that met an older state',
    rule: 'a status is written only over the state it was made from',
    file: 'kube/requests.ts',
    find: '  if (isDeepStrictEqual(unwritten(before, writes), unwritten(answer, writes))) return answer\n',
    replace: '  if (isDeepStrictEqual(before.kind, answer.kind)) return answer\n',
    // The person's write gets the very version that was read before the restore.
    shows: [
      {
        scenario: 'vm-disk-grows',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudvms/status web', nth: 5 },
            do: { restoreEtcd: { agoMs: 8_000 } },
          },
          {
            at: { port: 'kube', call: 'update cloudvms/status web', nth: 5 },
            do: { person: { do: 'stripFinalizer', object: { kind: 'CloudVM', name: 'web' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'resume over an outage that others saw',
    rule: 'a stream is not resumed over an outage of the server',
    file: 'kube/reflector.ts',
    find: 'early || interruptions.since(listedMs)',
    replace: 'early',
    shows: { test: 'test/unit/kube/reflector-streams.test.ts' },
  },
  {
    name: 'believe a version once more',
    rule: 'a version says nothing about what a restored server holds',
    file: 'kube/store.ts',
    find: ' && isDeepStrictEqual(known, object)\n',
    replace: ' && isDeepStrictEqual(known.metadata.uid, object.metadata.uid)\n',
    shows: { test: 'test/unit/kube/store.test.ts' },
  },
]
