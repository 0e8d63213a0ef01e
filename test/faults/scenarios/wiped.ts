/** Stories of statuses that are emptied while what they know of may not show yet. */
import type { End, PersonStep, Scenario } from '../steps.ts'
import {
  apply,
  cloud,
  disk,
  edit,
  floatingIP,
  idOf,
  loadBalancer,
  named,
  network,
  oneByOne,
  ref,
  remove,
  settle,
  vm,
  wait,
  wipe,
} from './words.ts'

const net = network('net')
const web = vm('web')
const data = disk('data', { sizeGiB: 10 })
const address = floatingIP('public')
const balancer = loadBalancer('front', {
  networkRef: ref(net),
  rules: [{ sourcePort: 80, targetPort: 8_080 }],
})
const clone = { kind: 'CloudVM', name: 'clone', spec: { source: { vmRef: ref(web) } } }
const snapshot = { kind: 'CloudSnapshot', name: 'snap', spec: { vmRef: ref(web) } }

const old = {
  kind: 'CloudVM',
  name: 'old',
  spec: { adopt: { id: { stranger: 'old-vm' } }, lifecycle: { onDelete: 'Delete' } },
}

/** Long enough for a create to be answered, and not for a list that lags to show it. */
const SOON = wait(2)

/** The original is gone in the cloud; a clone of it, which belongs to no object, has its description. */
const CLONE_STAYS = [
  apply(web),
  apply({ ...clone, spec: { ...clone.spec, lifecycle: { onDelete: 'Retain' } } }),
  remove(clone),
  cloud({ do: 'delete', kind: 'vm', id: idOf(web) }),
]
const NONE_OF_THESE: PersonStep = { do: 'answer', object: named(web), with: 'none' }

const GONE: End = {
  kind: 'CloudVM',
  reason: 'ExternallyDeleted',
  because: 'with its status there again, or never lost, it says what a person did in the cloud',
}

const ASKED: End = {
  reason: 'CreateOutcomeUnknown',
  because: 'what shows no name is told by a person once the status is lost',
}

export const wipedScenarios: readonly Scenario[] = [
  {
    name: 'wiped-early',
    timeline: [
      ...oneByOne(apply(net)),
      apply(web, data, address, balancer),
      SOON,
      ...oneByOne(wipe(web), wipe(data), wipe(address), wipe(balancer), wipe(net)),
    ],
    ends: [ASKED],
  },
  {
    name: 'wiped-network',
    timeline: [apply(net), SOON, ...oneByOne(wipe(net))],
  },
  {
    name: 'wiped-leaving',
    timeline: [
      apply(net, web, address),
      SOON,
      wipe(web),
      wipe(address),
      wipe(net),
      remove(web),
      remove(address),
      ...oneByOne(remove(net)),
    ],
    excused: { counts: 'what is deleted within a moment may not have been made' },
  },
  {
    name: 'wiped-unmarked',
    timeline: [
      ...oneByOne(apply(web, data)),
      apply(clone, snapshot),
      SOON,
      wipe(clone),
      wipe(snapshot),
      settle,
    ],
    ends: [ASKED],
    excused: { counts: 'what a person is asked about stays: it depends on the moment of the loss' },
  },
  {
    // What a snapshot is looked for by is its machine.
    name: 'wiped-snapshot',
    timeline: [
      ...oneByOne(apply(web), apply(snapshot)),
      edit(web, { powerState: 'Stopped' }),
      // The stop is under way.
      wait(1),
      wipe(snapshot),
      ...oneByOne(remove(snapshot)),
    ],
    ends: [ASKED],
    excused: { counts: 'what a person is asked about stays' },
  },
  {
    name: 'wiped-elsewhere',
    timeline: oneByOne(
      apply(net, web, address),
      edit({ kind: 'CloudAccount', name: 'default' }, { defaultLocation: 'sgp01' }),
      wipe(web),
      wipe(address),
      wipe(net),
      edit(web, { name: 'renamed' }),
    ),
  },
  {
    name: 'wiped-adopted-leaving',
    strangers: [{ kind: 'vm', name: 'old-vm', description: 'made by hand' }],
    timeline: [...oneByOne(apply(old)), wipe(old), remove(old), settle],
    ends: [
      { kind: 'CloudVM', reason: 'AdoptionConflict', because: 'whether it was adopted went with the status' },
      { kind: 'CloudAccount', reason: 'WaitingForDependents', because: 'the machine still uses it' },
    ],
    excused: { leak: 'what was adopted goes with its object, as the spec says' },
  },
  {
    name: 'wiped-adopted',
    strangers: [{ kind: 'network', name: 'old-net' }],
    timeline: [
      ...oneByOne(
        apply(
          network('net', {
            adopt: { id: { stranger: 'old-net' } },
            name: 'ours',
            lifecycle: { onDelete: 'Delete' },
          }),
        ),
      ),
      wipe(net),
      ...oneByOne(remove(net)),
    ],
    excused: { leak: 'what was adopted goes with its object, as the spec says' },
  },
  {
    name: 'clone-stays',
    timeline: oneByOne(...CLONE_STAYS, wipe(web), NONE_OF_THESE),
    ends: [ASKED, GONE],
    excused: { leak: 'the clone is retained' },
  },
  {
    name: 'clone-stays-leaving',
    timeline: [...oneByOne(...CLONE_STAYS), wipe(web), ...oneByOne(remove(web), NONE_OF_THESE)],
    ends: [ASKED, GONE],
    excused: { leak: 'the clone is retained' },
  },
]
