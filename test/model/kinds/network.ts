/** Networks: named, one of them the default, deleted only while neither default nor in use. */
import type { CloudNetwork, NetworkStatus } from '../../../src/api/network.ts'
import { networkKind } from '../../../src/kinds/network/kind.ts'
import type { NetworkStep, WantedNetwork } from '../../../src/kinds/network/plan.ts'
import type { SeenNetwork } from '../../../src/kinds/network/seen.ts'
import type { Model, Rule, Served, State } from '../model.ts'
import { FIELD, isEqual, isHidden, product } from '../product.ts'

export interface Network {
  readonly name: string
  readonly isDefault: boolean
  readonly vmIDs: readonly string[]
  /** Load balancers and others are counted, and not listed. */
  readonly others: number
  readonly hides: {
    readonly name?: true
    readonly isDefault?: true
    readonly vmIDs?: true
    readonly resources?: true
  }
  readonly deaf?: true
}

export interface NetworkWords {
  object: CloudNetwork
  want: WantedNetwork
  cloud: Network
  seen: SeenNetwork
  step: NetworkStep
  status: NetworkStatus
}

const NAME = 'net-marker'

function look({ name, isDefault, vmIDs, others, hides }: Network): SeenNetwork {
  return {
    id: 'network',
    ...(hides.name !== true && { label: name }),
    ...(hides.isDefault !== true && { isDefault }),
    ...(hides.vmIDs !== true && { vmIDs }),
    ...(hides.resources !== true && { resources: vmIDs.length + others }),
  }
}

function serve({ cloud }: State<NetworkWords>, step: NetworkStep): Served<NetworkWords> {
  if (step.do === 'create') {
    // Whether it is the first one is not the planner's to know: here it is.
    return { is: 'done', cloud: { name: step.name, isDefault: true, vmIDs: [], others: 0, hides: {} } }
  }
  if (cloud === undefined) throw new Error('there is no network')
  if (step.do === 'delete') {
    return cloud.isDefault || cloud.vmIDs.length + cloud.others > 0
      ? { is: 'refused', text: 'the network is the default one or holds resources' }
      : { is: 'done', cloud: undefined }
  }
  if (cloud.deaf === true) return { is: 'done', cloud }
  return {
    is: 'done',
    cloud: step.do === 'rename' ? { ...cloud, name: step.name } : { ...cloud, isDefault: true },
  }
}

function* states(): Generator<State<NetworkWords>> {
  const wishes = { makeDefault: [false, true], olderDefault: [undefined, 'older'] } as const
  for (const wish of product({ ...wishes, name: [undefined, NAME] as const })) {
    yield { want: wish, cloud: undefined, status: {} }
  }
  const axes = {
    ...wishes,
    name: FIELD,
    isDefault: [false, true],
    members: [0, 1, 2],
    others: [0, 1],
    hidesDefault: [false, true],
    hidesVms: [false, true],
    hidesResources: [false, true],
    deaf: [false, true],
    observes: [false, true],
  } as const
  for (const each of product(axes)) {
    yield {
      want: {
        name: each.name === 'unmanaged' ? undefined : NAME,
        makeDefault: each.makeDefault,
        olderDefault: each.makeDefault ? each.olderDefault : undefined,
      },
      cloud: {
        name: isEqual(each.name) ? NAME : 'other',
        isDefault: each.isDefault,
        vmIDs: ['vm-1', 'vm-2'].slice(0, each.members),
        others: each.others,
        hides: {
          ...(isHidden(each.name) && { name: true }),
          ...(each.hidesDefault && { isDefault: true }),
          ...(each.hidesVms && { vmIDs: true }),
          ...(each.hidesResources && { resources: true }),
        },
        ...(each.deaf && { deaf: true }),
      },
      status: {},
      observes: each.observes,
    }
  }
}

const rules: readonly Rule<NetworkWords>[] = [
  {
    says: 'a network is created with a name: without one the shared default network is answered',
    of: ['create'],
    kept: ({ cloud }, step) => cloud === undefined && step.do === 'create' && step.name !== '',
  },
  {
    says: 'a network is renamed only where another name is shown',
    of: ['rename'],
    kept: ({ cloud }, step) =>
      step.do === 'rename' && cloud?.hides.name === undefined && cloud?.name !== step.name,
  },
  {
    says: 'a network is made the default only where it shows that it is not, and no older object claims that',
    of: ['makeDefault'],
    kept: ({ cloud, want }) =>
      cloud?.hides.isDefault === undefined &&
      cloud?.isDefault === false &&
      want.makeDefault &&
      want.olderDefault === undefined,
  },
  {
    says: 'a network that shows that it is the default is not deleted',
    of: ['delete'],
    kept: ({ cloud }) => cloud?.isDefault === false || cloud?.hides.isDefault === true,
  },
  {
    says: 'a network that shows members is not deleted',
    of: ['delete'],
    kept: ({ cloud }) => cloud !== undefined && shownMembers(cloud) === 0,
  },
]

export function shownMembers({ vmIDs, others, hides }: Network): number {
  if (hides.resources !== true) return vmIDs.length + others
  return hides.vmIDs === true ? 0 : vmIDs.length
}

export const networkModel: Omit<Model<NetworkWords>, 'ends'> = {
  kind: 'CloudNetwork',
  planner: networkKind,
  states,
  object: () => ({ spec: {} }) as CloudNetwork,
  look,
  serve,
  elapse: (cloud) => cloud,
  made: (want) => want,
  stepOf: () => undefined,
  names: () => [],
  rules,
  most: 4,
}
