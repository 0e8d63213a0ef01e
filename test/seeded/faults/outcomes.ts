/** Faults in what an answer, or none, is taken for. */
import type { SeededFault } from '../fault.ts'

export const outcomes: readonly SeededFault[] = [
  {
    name: 'an unreadable success is a refusal',
    rule: 'a success that cannot be read is unclear',
    file: 'cloud/errors.ts',
    find: "{ when: (_, r) => within(r, 200, 299), then: { class: 'unclear' } },",
    replace: '{ when: (_, r) => within(r, 200, 299), then: refused },',
    shows: { test: 'test/unit/cloud/classify.test.ts' },
  },
  {
    name: 'a redirect is a refusal',
    rule: 'a redirected change is unclear',
    file: 'cloud/errors.ts',
    find: "{ when: (c, r) => within(r, 300, 399) && c.mutation, then: { class: 'unclear' } },",
    replace: '{ when: (c, r) => within(r, 300, 399) && c.mutation, then: refused },',
    shows: { test: 'test/unit/cloud/classify.test.ts' },
  },
  {
    name: 'a time-out is a refusal',
    rule: 'every 5xx is unclear',
    file: 'cloud/errors.ts',
    find: '{ when: (_, r) => r.status === 408 || !within(r, 400, 499),',
    replace: '{ when: (_, r) => !within(r, 400, 499),',
    shows: { test: 'test/unit/cloud/classify.test.ts' },
  },
  {
    name: 'the denied is gone',
    rule: 'a key that is refused makes nothing absent',
    file: 'cloud/errors.ts',
    find: "{ when: (_, r) => r.status === 401 || r.status === 403, then: { class: 'denied' } },",
    replace: "{ when: (_, r) => r.status === 401 || r.status === 403, then: { class: 'absent' } },",
    shows: { test: 'test/unit/cloud/classify.test.ts' },
  },
  {
    name: 'no look at a busy create',
    rule: 'busy is believed only after one look',
    file: 'reconcile/send.ts',
    find: "  return lookedFirst(pass, tried, () => {\n    const reason = error.class === 'busy'",
    replace:
      "  patchDraft(pass, { operation: undefined })\n  return lookedFirst(pass, tried, () => {\n    const reason = error.class === 'busy'",
    shows: [
      { scenario: 'disk', profile: 'documented', at: 'cloud POST', trouble: '"status":409},"effect":"done"' },
    ],
  },
  {
    name: 'a disk is made anew again after a busy answer',
    rule: 'what makes a disk anew is not sent again after a busy answer',
    file: 'reconcile/send.ts',
    find: 'facts.onlyOnce === true',
    replace: 'facts.onlyOnce === undefined && facts.slow === true',
    shows: [
      {
        scenario: 'reinstall',
        profile: 'extended',
        at: 'cloud POST /user-resource/vm/reinstall',
        trouble: '"status":409},"effect":"done"',
      },
    ],
  },
  {
    name: 'a busy service is asked at once',
    rule: 'Retry-After is honoured',
    file: 'cloud/attempt.ts',
    find: 'return error.retryAfterMs ?? ownMs',
    replace: 'return ownMs',
    shows: { test: 'test/unit/cloud/slow-down.test.ts' },
  },
  {
    name: 'no word of the operation in the call',
    rule: 'each change carries the id of its operation',
    file: 'cloud/attempt.ts',
    find: "...(send === undefined ? {} : { 'x-operation-id': send.operationID }),",
    replace: '',
    shows: [{ scenario: 'network' }],
  },
  {
    name: 'sent means that a connection was made',
    rule: 'not sent means that the headers never left',
    file: 'cloud/transport.ts',
    find: 'if (flight !== undefined) flight.sent = true',
    replace: 'if (flight !== undefined) flight.sent = false',
    shows: { test: 'test/unit/cloud/sent.test.ts' },
  },
  {
    name: 'a change on a shared connection',
    rule: 'each change goes on a connection of its own',
    file: 'cloud/transport.ts',
    find: 'const client = new Client(endpoint, { ...wireOptions, connect: guarded, pipelining: 0 })\n      return exchange(clock, client, request, receive, flight).finally(() => void client.destroy())',
    replace:
      'void guarded\n      const refusal = lastWord(beforeDispatch)\n      if (refusal !== undefined) return Promise.reject(refusal)\n      return exchange(clock, pool, request, receive, flight)',
    shows: { test: 'test/unit/cloud/sent.test.ts' },
  },
  {
    name: 'a failed read counts as one that shows nothing',
    rule: 'a failed read starts a proof of absence anew',
    file: 'reconcile/proof.ts',
    find: 'reset: (subject) => void progress.delete(subject),',
    replace: 'reset: (subject) => void progress.has(subject),',
    shows: { test: 'test/unit/reconcile/proof.test.ts' },
  },
  {
    name: 'three reads at once',
    rule: 'reads that prove absence are apart',
    file: 'reconcile/proof.ts',
    find: 'const spacing = settleMs / SPACING\n',
    replace: 'const spacing = settleMs / SPACING / 1_000\n',
    shows: { test: 'test/unit/reconcile/proof.test.ts' },
  },
  {
    name: 'a proof by the wall clock',
    rule: 'a stepped clock neither hurries a proof nor holds it up',
    file: 'reconcile/proof.ts',
    find: '      const now = clock.monotonic()\n      const spacing',
    replace: '      const now = clock.now()\n      const spacing',
    shows: { test: 'test/unit/reconcile/proof.test.ts' },
  },
  {
    name: 'an answer to any question',
    rule: 'an answer is bound to the operation that it is about',
    file: 'reconcile/answers.ts',
    find: '  const prefix = `${subject}=`\n  return texts.find((text) => text?.startsWith(prefix) === true)?.slice(prefix.length)',
    replace:
      "  const found = texts.find((text) => text?.includes('=') === true || text === subject)\n  return found?.slice(found.indexOf('=') + 1)",
    shows: [
      {
        scenario: 'answer-to-another',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { answer: 'reset', effect: 'done' },
          },
        ],
      },
    ],
  },
  {
    name: 'tell nobody that an account went',
    rule: 'who waits for an account is told when it goes',
    file: 'reconcile/accounts.ts',
    find: 'if (told.includes(true)) changed(key)',
    replace: 'told.pop()',
    shows: { test: 'test/unit/reconcile/accounts.test.ts' },
  },
  {
    name: 'a stalled object says nothing of its missing account',
    rule: 'without its account a stalled object says so',
    file: 'reconcile/conditions.ts',
    find: "  if (stalled && verdict.reason !== 'AccountUnavailable') return keptLines\n",
    replace: '  if (stalled) return keptLines\n',
    shows: [
      {
        scenario: 'vm',
        profile: 'extended',
        seed: 472438,
        perturbations: [
          {
            at: { port: 'kube', call: 'patch cloudaccounts default', nth: 2 },
            do: { restoreEtcd: { agoMs: 8_000 } },
          },
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/stop', nth: 1 },
            do: { answer: { status: 403 }, effect: 'never' },
          },
        ],
      },
    ],
  },
]
