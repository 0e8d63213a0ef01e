/** Faults in looking before something is made, and in what an unanswered create may have made. */
import type { SeededFault } from '../fault.ts'

export const looking: readonly SeededFault[] = [
  {
    name: 'make without a look',
    rule: 'it is looked by marker before anything is made',
    file: 'reconcile/create.ts',
    find: "  const first = await lookBefore(pass)\n  if ('is' in first) return first\n",
    replace:
      "  const looked: Looked | Performed = { ours: [], unsure: [], rows: [], placeOf: () => undefined }\n  const first = pass.key === '' ? await lookBefore(pass) : looked\n  if ('is' in first) return first\n",
    shows: [{ scenario: 'namesakes' }, { scenario: 'retain-again' }, { scenario: 'bucket' }],
  },
  {
    name: 'rows without a description belong to nobody',
    rule: 'rows without a name or a description are read exactly',
    file: 'reconcile/look.ts',
    find: '  if (!pass.kind.reads.hasExact(sessionOf(pass))) return row\n',
    replace: "  if (subject !== '') return row\n",
    shows: { test: 'test/unit/reconcile/look.test.ts' },
  },
  {
    name: 'the younger of two',
    rule: 'of several with our marker the oldest is kept',
    file: 'reconcile/look.ts',
    find: 'marked.sort((a, b) => byTime(a.createdAt, b.createdAt))',
    replace: 'marked.sort((a, b) => byTime(b.createdAt, a.createdAt))',
    shows: { test: 'test/unit/reconcile/look.test.ts' },
  },
  {
    name: 'take what another object owns',
    rule: 'an id in the status of an object belongs to that object, whatever a copied description says',
    file: 'reconcile/look.ts',
    find: '      !isOwned(pass, row.id) &&\n',
    replace: '',
    shows: { test: 'test/unit/reconcile/look.test.ts' },
  },
  {
    name: 'with the status lost it waits instead of looking',
    rule: 'our finalizer without a status means that something may exist',
    file: 'reconcile/reconcile.ts',
    find: 'const unsure = wasToldLost(pass) ||',
    replace: "const unsure = (wish.is !== 'ready' && wasToldLost(pass)) ||",
    shows: [{ scenario: 'overwritten' }],
  },
  {
    name: 'a machine that nobody knows brought its disk',
    rule: 'what was put to use before its status was lost is a candidate',
    file: 'kinds/disk/kind.ts',
    find: 'if (machine === undefined) return !standsForLost(operation)',
    replace: "if (machine === undefined) return operation?.verb !== ''",
    shows: [{ scenario: 'booted-and-lost', profile: 'documented' }],
  },
  {
    name: 'a disk that a machine boots from came with it',
    rule: 'what was put to use before its status was lost is a candidate',
    file: 'kinds/disk/kind.ts',
    find: 'return machine.spec.source?.diskRef?.name !== name ||',
    replace: "return machine.spec.source?.diskRef?.name !== '' ||",
    shows: [
      {
        scenario: 'disk-boots',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudvms/status web', nth: 1 },
            do: { person: { do: 'wipeStatus', object: { kind: 'CloudDisk', name: 'boot' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'whatever has the name was made by the create',
    rule: 'what was named by an answer is told by more than its name',
    file: 'reconcile/resolve.ts',
    find: 'return seen !== undefined && sameObject(pass, seen) ?',
    replace: 'return seen !== undefined ?',
    shows: [
      {
        scenario: 'bucket',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudbuckets/status assets', nth: 3 },
            do: { person: { do: 'takenInCloud', object: { kind: 'CloudBucket', name: 'assets' } } },
          },
          {
            at: { port: 'cloud', call: 'GET /storage/bucket', nth: 2 },
            do: { read: { lagMs: 30_000, everything: true } },
          },
        ],
      },
    ],
  },
  {
    name: 'confirm whatever has the name',
    rule: 'what was named by an answer is told by more than its name',
    file: 'reconcile/reconcile.ts',
    find: 'seen === undefined || !sameObject(pass, seen) ?',
    replace: 'seen === undefined ?',
    shows: [
      {
        scenario: 'bucket',
        perturbations: [
          {
            at: { port: 'cloud', call: 'GET /storage/bucket', nth: 3 },
            do: { person: { do: 'takenInCloud', object: { kind: 'CloudBucket', name: 'assets' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'an answer is about what was asked',
    rule: 'an answer about another object ends the sequence',
    file: 'reconcile/operation.ts',
    find: 'if (sent.seen.id === pass.draft.id && sameObject(pass, sent.seen)) return sent',
    replace: "if (sent.seen.id !== '') return sent",
    shows: [
      {
        scenario: 'ip-move',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /network/ip_addresses/:id/assign', nth: 2 },
            do: { person: { do: 'takenInCloud', object: { kind: 'CloudFloatingIP', name: 'public' } } },
          },
        ],
      },
    ],
  },
  {
    name: 'adopt what another object has',
    rule: 'one cloud object has one owner',
    file: 'reconcile/adopt.ts',
    find: '  if (owner !== undefined) {\n',
    replace: "  if (owner?.metadata.name === '') {\n",
    shows: [{ scenario: 'adopt-twice' }],
  },
  {
    name: 'adopt past the marker of another owner',
    rule: 'what carries the marker of another owner is taken over only where that is said',
    file: 'reconcile/adopt.ts',
    find: 'if (marker === undefined || marker === pass.marker || takeover) return undefined',
    replace: 'if (marker !== pass.key as string || takeover) return undefined',
    shows: [{ scenario: 'adopt-marked' }],
  },
  {
    name: 'forget what was there before',
    rule: 'an unmarked create knows what was there before',
    file: 'reconcile/look.ts',
    find: '  return { baseline: recent.map((row) => row.id), ...(newest !== undefined && { baselineNewest: newest }) }',
    replace: '  return { baseline: recent.slice(recent.length).map((row) => row.id) }',
    shows: [
      {
        scenario: 'disk-beside-another',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { answer: 'reset', effect: 'never' },
          },
        ],
      },
    ],
  },
  {
    name: 'take the only candidate of a shared account',
    rule: 'what may be somebody else\u2019s is left for a person to tell',
    file: 'reconcile/resolve.ts',
    find: 'accepted || dedicated',
    replace: 'accepted || session.dedicated !== undefined || dedicated',
    shows: [
      {
        scenario: 'disk',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { answer: 'reset', effect: 'never' },
          },
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: {
              person: { do: 'cloud', change: { do: 'create', kind: 'disk', name: 'by-hand', sizeGib: 10 } },
            },
          },
        ],
      },
    ],
  },
  {
    name: 'take one of several candidates',
    rule: 'what may be somebody else\u2019s is left for a person to tell',
    file: 'reconcile/resolve.ts',
    find: 'const only = ids.length === 1 ? ids[0] : undefined',
    replace: 'const only = ids[0]',
    shows: [
      {
        scenario: 'disks-alike',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { person: { do: 'cloud', change: { do: 'create', kind: 'disk', name: 'one', sizeGib: 10 } } },
          },
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { person: { do: 'cloud', change: { do: 'create', kind: 'disk', name: 'two', sizeGib: 10 } } },
          },
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { answer: 'reset', effect: 'never' },
          },
        ],
      },
    ],
  },
  {
    name: 'a candidate of another size',
    rule: 'a candidate is equal in every field that was sent',
    file: 'kinds/disk/kind.ts',
    find: ': mayBeCreated(details, row)',
    replace: ': row.sizeGiB !== undefined || mayBeCreated(details, row)',
    shows: [
      {
        scenario: 'disks-alike',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { person: { do: 'cloud', change: { do: 'create', kind: 'disk', name: 'one', sizeGib: 30 } } },
          },
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { answer: 'reset', effect: 'never' },
          },
        ],
      },
    ],
  },
  {
    name: 'give the id of a new object up',
    rule: 'the id of a new object is stored at once, until it is stored',
    file: 'reconcile/create.ts',
    find: '    if (!(await stillOpen(pass, operation, seen))) return\n',
    replace: '    if (waitMs > 0) throw new Error(operation.id)\n',
    shows: { test: 'test/seeded/stories/stored.test.ts' },
  },
  {
    name: 'store no id before the exact read',
    rule: 'the id of a new object is stored at once, until it is stored',
    file: 'reconcile/create.ts',
    find: '  await recordID(pass, operation, sent.seen)\n',
    replace: '  patchDraft(pass, { id: sent.seen.id })\n',
    shows: { test: 'test/seeded/stories/stored.test.ts' },
  },
  {
    name: 'the wish of a moment ago',
    rule: 'right before a call leaves the wish is asked again',
    file: 'reconcile/send.ts',
    find: "        if (!stillWished(pass)) throw new Error('the object changed before the call could leave')\n",
    replace: '',
    shows: { test: 'test/seeded/stories/wishes.test.ts' },
  },
  {
    name: 'ask nothing before a call leaves',
    rule: 'right before a call leaves the lease is asked again',
    file: 'reconcile/send.ts',
    find: '      beforeDispatch: () => {\n',
    replace: '      beforeDispatch: () => {\n        if (facts.words !== undefined) return\n',
    shows: [
      {
        scenario: 'network',
        leaders: 'two',
        perturbations: [
          { at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 1 }, do: { pauseMs: 20_000 } },
        ],
      },
    ],
  },
  {
    name: 'the count of an intent from its dispatch',
    rule: 'an intent older than 10 s is not sent',
    file: 'reconcile/send.ts',
    find: 'const begun = pass.intent?.id === operationID ? pass.intent : { id: operationID, ...moment(env.clock) }',
    replace: 'const begun = { id: operationID, ...moment(env.clock) }',
    shows: [
      {
        scenario: 'network',
        perturbations: [
          { at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 1 }, do: { pauseMs: 20_000 } },
        ],
      },
    ],
  },
]
