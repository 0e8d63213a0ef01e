/** Faults in making things exactly once. */
import type { SeededFault } from '../fault.ts'

export const creating: readonly SeededFault[] = [
  {
    name: 'drop the compare-and-swap',
    rule: 'a status is written with the version it was read at',
    file: 'kube/requests.ts',
    find: "metadata: { name, ...(namespace !== '' && { namespace }), uid, resourceVersion },",
    replace: "metadata: { name, ...(namespace !== '' && { namespace }), uid },",
    shows: [{ scenario: 'network' }],
  },
  {
    name: 'take the latest version for a status',
    rule: 'a status is written only over the state it was made from',
    file: 'kube/requests.ts',
    find: "metadata: { name, ...(namespace !== '' && { namespace }), uid, resourceVersion },",
    replace:
      "metadata: { name, ...(namespace !== '' && { namespace }), uid, resourceVersion: ((await getRaw(type, namespace, name)) as T | undefined)?.metadata.resourceVersion ?? resourceVersion },",
    // A server that came back with an older state: what was made from the newer one is written over it.
    shows: [
      {
        scenario: 'network',
        perturbations: [
          {
            at: { port: 'cloud', call: 'DELETE /network/network/:id', nth: 1 },
            do: { restoreEtcd: { agoMs: 8_000 } },
          },
        ],
      },
    ],
  },
  {
    name: 'release a finalizer whoever has the name',
    rule: 'finalizers are changed with the uid of the object as precondition',
    file: 'kube/requests.ts',
    find: 'body: { metadata: { uid, resourceVersion, finalizers } },',
    replace: 'body: { metadata: { resourceVersion, finalizers } },',
    shows: [{ scenario: 'network' }],
  },
  {
    name: 'retry a POST',
    rule: 'no HTTP layer repeats a change',
    file: 'cloud/client.ts',
    find: 'return tracked(attempt(request, { lane, limitMs: slow ? limitsMs.slowMs : limitsMs.changeMs, send }))',
    replace:
      'return tracked(repeated(clock, () => attempt(request, { lane, limitMs: slow ? limitsMs.slowMs : limitsMs.changeMs, send })))',
    shows: [{ scenario: 'network', at: 'cloud POST', trouble: 'reset' }],
  },
  {
    name: 'the name instead of the UID in the marker',
    rule: 'a marker says which object owns, never which name',
    file: 'reconcile/pass.ts',
    find: 'marker: markerOf(env.clusterID, object.metadata.uid),',
    replace: 'marker: markerOf(env.clusterID, keyOf(object)),',
    shows: [{ scenario: 'retain-again' }],
  },
  {
    name: 'no intent',
    rule: 'a create or delete is preceded by its intent in the status',
    file: 'reconcile/operation.ts',
    find: '  await writeStatus(pass)\n  pass.began = true',
    replace: '  pass.began = true',
    shows: [{ scenario: 'network' }],
  },
  {
    name: 'no finalizer before a create',
    rule: 'the finalizer is on before anything is made',
    file: 'reconcile/create.ts',
    find: '  await holdObject(pass)\n  // Whatever',
    replace: '  // Whatever',
    shows: [
      {
        scenario: 'network',
        profile: 'extended',
        leaders: 'one',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 3 },
            do: { person: { do: 'delete', object: { kind: 'CloudNetwork', name: 'net' } } },
          },
        ],
      },
      { scenario: 'network', groups: ['people'], trouble: '"delete"' },
    ],
  },
  {
    name: 'clear the intent on unclear',
    rule: 'an unclear outcome leaves the intent open',
    file: 'reconcile/send.ts',
    find: "    case 'unclear':\n",
    replace: "    case 'unclear':\n      patchDraft(pass, { operation: undefined })\n",
    shows: [{ scenario: 'network', groups: ['late effect'], at: 'cloud POST', trouble: '30000' }],
  },
  {
    name: 'no settle time',
    rule: 'absence is proven only after the settle time',
    file: 'reconcile/proof.ts',
    find: 'const settledAt = current.firstAt + settleMs - current.passedMs',
    replace: 'const settledAt = current.firstAt',
    shows: [{ scenario: 'network', groups: ['late effect'], at: 'cloud POST', trouble: '30000' }],
  },
  {
    name: 'one read proves absence',
    rule: 'absence takes three reads',
    file: 'reconcile/proof.ts',
    find: 'const READS = 3',
    replace: 'const READS = 1',
    shows: { test: 'test/unit/reconcile/proof.test.ts' },
  },
  {
    name: 'take a same-named stranger',
    rule: 'a name is no proof of ownership',
    file: 'reconcile/look.ts',
    find: '      markerOn(pass, row) === marker &&\n',
    replace:
      '      (markerOn(pass, row) === marker || (row.name ?? row.label) === pass.object.metadata.name) &&\n',
    shows: [{ scenario: 'namesakes' }],
  },
  {
    name: 'skip the second look',
    rule: 'after the intent it is looked again before anything is sent',
    file: 'reconcile/create.ts',
    find: 'const second = await lookBefore(pass).catch(',
    replace: 'const second = await Promise.resolve<Looked | Performed>(first).catch(',
    shows: [{ scenario: 'bucket' }],
  },
  {
    name: 'no look at a refused create',
    rule: 'a refusal is believed only after one look',
    file: 'reconcile/send.ts',
    find: '  if (await happened(pass, operation, want))\n',
    replace: '  if (pass.kind.kind === undefined)\n',
    shows: [{ scenario: 'bucket', at: 'cloud PUT', trouble: '"status":400},"effect":"done"' }],
  },
  {
    name: 'ignore the lease',
    rule: 'a process without the lease begins nothing',
    file: 'operator.ts',
    find: 'const leading = () => !stopping && (lease?.held() ?? !config.lease.enabled)',
    replace: 'const leading = () => !stopping',
    shows: [
      {
        scenario: 'network',
        profile: 'extended',
        leaders: 'two',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 1 },
            do: { pauseMs: 20000, suspended: true },
          },
        ],
      },
      { scenario: 'network', leaders: 'two', groups: ['leaders'], trouble: '45000' },
    ],
  },
  {
    name: 'the lease by one clock',
    rule: 'time of the lease is the larger of the two clocks',
    file: 'kube/lease.ts',
    find: 'return Math.max(now.wall - since.wall, now.monotonic - since.monotonic)',
    replace: 'return now.monotonic - since.monotonic',
    shows: [
      {
        scenario: 'network',
        profile: 'extended',
        leaders: 'two',
        perturbations: [
          {
            at: { port: 'kube', call: 'update cloudnetworks/status net', nth: 1 },
            do: { pauseMs: 20000, suspended: true },
          },
        ],
      },
      { scenario: 'network', leaders: 'two', groups: ['leaders'], trouble: 'suspended' },
    ],
  },
  {
    name: 'the marker of a copied description',
    rule: 'a clone is told by its name, because its description is a copy',
    file: 'reconcile/look.ts',
    find: 'return ofThisCluster(pass, row.name) ? markerIn(row.name) : markerIn(row.label)',
    replace: 'return markerIn(row.label)',
    shows: [{ scenario: 'vm-clone', groups: ['cloud answer'], at: 'cloud POST /user-resource/vm/clone' }],
  },
  {
    name: 'bare creates at the same time',
    rule: 'where nothing tells results apart, creates go one at a time',
    file: 'reconcile/create.ts',
    find: "if (identity === 'marker') return undefined",
    replace: "if (kind.creation.identity(session) !== 'never') return undefined",
    shows: [
      {
        scenario: 'disks-alike',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 1 },
            do: { answer: 'reset', effect: 'never' },
          },
          {
            at: { port: 'cloud', call: 'POST /storage/disks', nth: 2 },
            do: { answer: 'hang', effect: 'done' },
          },
        ],
      },
    ],
  },
  {
    name: 'take the bucket that has the name',
    rule: 'a bucket found before an intent is a stranger',
    file: 'reconcile/create.ts',
    find: 'if (stranger === undefined) return { ours: [], unsure: [], rows: [], placeOf: () => pass.location }',
    replace:
      "if (stranger !== undefined) return { is: 'seen', seen: stranger }\n    if (stranger === undefined) return { ours: [], unsure: [], rows: [], placeOf: () => pass.location }",
    shows: [{ scenario: 'namesake-bucket' }],
  },
  {
    name: 'make another beside a namesake',
    rule: 'a namesake whose owner is not here is a question to a person',
    file: 'reconcile/create.ts',
    find: 'if (namesake !== undefined) return namesake',
    replace: '',
    shows: [{ scenario: 'retain-again' }],
  },
  {
    name: 'send a create whose wish was overtaken',
    rule: 'with the intent on record the wish is read again',
    file: 'reconcile/create.ts',
    find: '  if (overtaken !== undefined) {',
    replace: "  if (overtaken?.is === 'seen') {",
    shows: { test: 'test/seeded/stories/overtaken.test.ts' },
  },
  {
    name: 'send an intent that is too old',
    rule: 'an intent older than 10 s is not sent',
    file: 'reconcile/send.ts',
    find: 'elapsedMs(env.clock, begun) > env.durations.intentMs',
    replace: 'elapsedMs(env.clock, begun) > Number.POSITIVE_INFINITY',
    shows: [1, 2, 3, 4, 5, 6].map((nth) => ({
      scenario: 'vm',
      perturbations: [{ at: { port: 'cloud', call: 'GET /network/networks', nth }, do: { pauseMs: 30_000 } }],
    })),
  },
  {
    name: 'a 500 is a refusal',
    rule: 'every 5xx is unclear',
    file: 'cloud/errors.ts',
    find: "{ when: (_, r) => r.status === 408 || !within(r, 400, 499), then: { class: 'unclear' } },",
    replace: "{ when: (_, r) => r.status === 408, then: { class: 'unclear' } },",
    shows: [
      {
        scenario: 'bucket',
        groups: ['late effect', 'cloud answer'],
        at: 'cloud PUT',
        trouble: '"status":500',
      },
    ],
  },
  {
    name: 'a reset was not sent',
    rule: 'not sent means that the headers never left',
    file: 'cloud/errors.ts',
    find: "class: failure.sent ? 'unclear' : 'notSent',",
    replace: "class: 'notSent',",
    shows: [{ scenario: 'network', groups: ['late effect'], at: 'cloud POST', trouble: 'reset' }],
  },
  {
    name: 'no reserve_public_ip of a machine',
    rule: 'reserve_public_ip is always sent',
    file: 'cloud/vms.ts',
    find: '        reserve_public_ip: vm.reservePublicIP,\n',
    replace: '',
    shows: [{ scenario: 'vm' }],
  },
  {
    name: 'no reserve_public_ip of a load balancer',
    rule: 'reserve_public_ip is always sent',
    file: 'cloud/loadbalancers.ts',
    find: '        reserve_public_ip: balancer.reservePublicIP,\n',
    replace: '',
    shows: [{ scenario: 'lb' }],
  },
  {
    name: 'a network without a name',
    rule: 'a network is never made without a name',
    file: 'cloud/networks.ts',
    find: 'query: { name },',
    replace: 'query: {},',
    shows: [{ scenario: 'network' }],
  },
  {
    name: 'empty network_uuid',
    rule: 'the network of a machine is always sent',
    file: 'cloud/vms.ts',
    find: 'network_uuid: vm.networkUUID,\n        reserve_public_ip',
    replace: 'reserve_public_ip',
    shows: { test: 'test/unit/cloud/contract-vms.test.ts' },
  },
]
