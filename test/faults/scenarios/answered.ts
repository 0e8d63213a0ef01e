/** Stories in which a person answers what only a person can decide, rightly or not. */
import type { AnswerStep, Named, PersonStep, Scenario } from '../steps.ts'
import {
  apply,
  bucket,
  cloud,
  disk,
  edit,
  floatingIP,
  idOf,
  network,
  oneByOne,
  settle,
  vm,
  wait,
  wipe,
} from './words.ts'

const web = vm('web')
const net = network('net')
const data = disk('data', { sizeGiB: 10 })
const assets = bucket('assets', { bucketName: 'work-assets' })
const address = floatingIP('public')
const answer = (object: Named, how: AnswerStep['with']): AnswerStep => ({
  do: 'answer',
  object: { kind: object.kind, name: object.name },
  with: how,
})
const rebuild = ({ kind, name }: Named): PersonStep => ({ do: 'rebuild', object: { kind, name } })

/** Under trouble the answer may come before the question, and the next one never. */
const unanswered = (reason: string): Pick<Scenario, 'ends'> => ({
  ends: [{ reason, because: 'the answer came before the question' }],
})

export const answeredScenarios: readonly Scenario[] = [
  {
    name: 'rebuilt-takeover',
    ...unanswered('AdoptionConflict'),
    timeline: oneByOne(
      apply(net, web, address),
      rebuild(net),
      rebuild(web),
      rebuild(address),
      wait(70),
      answer(net, 'stale'),
      answer(net, 'takeover'),
      answer(web, 'takeover'),
      answer(address, 'takeover'),
    ),
    excused: { counts: 'what is taken over is not deleted', leak: 'what is taken over is kept' },
  },
  {
    name: 'rebuilt-none',
    ...unanswered('AdoptionConflict'),
    timeline: oneByOne(
      apply(net, web),
      rebuild(net),
      rebuild(web),
      wait(70),
      answer(net, 'none'),
      answer(web, 'none'),
    ),
  },
  {
    name: 'disk-resolved',
    ...unanswered('CreateOutcomeUnknown'),
    profiles: ['documented'],
    timeline: oneByOne(
      apply(data),
      wipe(data),
      wait(120),
      answer(data, 'stale'),
      wait(10),
      answer(data, 'own'),
    ),
  },
  {
    name: 'lost-recreated',
    ...unanswered('ExternallyDeleted'),
    timeline: oneByOne(
      apply(web, data, assets, address),
      cloud({ do: 'delete', kind: 'vm', id: idOf(web) }),
      cloud({ do: 'delete', kind: 'disk', id: idOf(data) }),
      cloud({ do: 'delete', kind: 'bucket', id: 'work-assets' }),
      cloud({ do: 'delete', kind: 'floatingIp', id: idOf(address, 'address') }),
      wait(90),
      answer(web, 'recreateAnother'),
      answer(web, 'recreate'),
      answer(data, 'recreate'),
      answer(assets, 'recreate'),
      answer(address, 'recreate'),
    ),
  },
  {
    name: 'taken-in-cloud',
    timeline: [
      ...oneByOne(apply(assets, address)),
      { do: 'takenInCloud', object: { kind: 'CloudBucket', name: 'assets' } },
      { do: 'takenInCloud', object: { kind: 'CloudFloatingIP', name: 'public' } },
      wait(90),
      settle,
    ],
    ends: [
      { reason: 'ExternallyDeleted', because: 'making another is a decision' },
      { kind: 'CloudBucket', reason: 'AdoptionConflict', because: 'the name is a stranger’s now' },
    ],
  },
  {
    name: 'vm-approves',
    ...unanswered('ApprovalRequired'),
    timeline: oneByOne(
      apply(vm('web', { lifecycle: { disruption: 'RequireApproval' } })),
      edit(web, { vcpus: 2 }),
      wait(10),
      answer(web, 'approve'),
    ),
  },
  {
    name: 'crd-deleted',
    timeline: [
      ...oneByOne(apply(net, vm('web', { networkRef: { name: 'net' } }), data, assets, address)),
      ...['CloudVM', 'CloudDisk', 'CloudBucket', 'CloudFloatingIP', 'CloudNetwork'].flatMap((kind) => [
        { do: 'deleteCRD' as const, kind },
        settle,
      ]),
    ],
  },
]
