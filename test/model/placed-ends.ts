/** Where a walk of what is put somewhere may end: addresses, disks and load balancers. As in ends.ts. */
import { DEAF_WHY, DELETED, OBSERVED } from './ends.ts'
import type { Disk, DiskWords } from './kinds/disk.ts'
import { isOurs, type FloatingIpWords } from './kinds/floatingip.ts'
import type { LoadBalancer, LoadBalancerWords } from './kinds/loadbalancer.ts'
import type { End } from './model.ts'

export const floatingIpEnds: readonly End<FloatingIpWords>[] = [
  {
    as: 'done',
    when: ({ cloud, want }) => {
      if (cloud === undefined) return false
      const { target } = want
      const settled =
        (want.name === undefined || cloud.hides.name === true || cloud.name === want.name) &&
        (want.billingAccount === undefined ||
          cloud.hides.billingAccount === true ||
          cloud.billingAccount === want.billingAccount)
      const placed =
        target.is === 'unmanaged' ||
        (target.is === 'nothing' && cloud.assignedTo === undefined) ||
        (target.is === 'ready' && cloud.assignedTo === target.id)
      return settled && placed && (cloud.enabled || cloud.hides.enabled === true)
    },
    why: 'It has its name and account as far as is shown, and is assigned to what the spec says.',
  },
  {
    as: 'wait',
    reason: 'WaitingForDependency',
    when: ({ want }) => want.target.is === 'waiting',
    why: 'What it is to be assigned to is not there yet; its object wakes this one.',
  },
  {
    as: 'block',
    reason: 'InvalidSpec',
    when: ({ cloud, want }) => cloud === undefined && want.name === undefined,
    why: 'A new address is told by its name: it needs one.',
  },
  {
    as: 'block',
    reason: 'AdoptionConflict',
    when: (end) => end.cloud?.assignedTo !== undefined && !isOurs(end, end.cloud.assignedTo),
    why: 'Something that this object did not assign it to relies on the address: a person decides.',
  },
  {
    as: 'block',
    reason: 'Suspended',
    when: ({ cloud }) => cloud?.enabled === false && cloud.hides.enabled === undefined,
    why: 'Only the provider or the payer of the account enables an address again.',
  },
  {
    as: 'pending',
    reason: 'Unsupported',
    when: ({ want }) =>
      want.target.is === 'ready' && want.target.kind === 'CloudLoadBalancer' && !want.assignsLoadBalancers,
    why: 'This service assigns no address to a load balancer.',
  },
  { as: 'drifted', when: ({ cloud }) => cloud?.deaf === true, why: DEAF_WHY },
  OBSERVED,
  DELETED,
]

function isQuiet({ cloud, want }: Parameters<End<DiskWords>['when']>[0]): boolean {
  return (
    cloud !== undefined &&
    (want.name === undefined || cloud.hides.name === true || cloud.name === want.name) &&
    (want.billingAccount === undefined ||
      cloud.hides.billingAccount === true ||
      cloud.billingAccount === want.billingAccount)
  )
}

function vmIDsOf(cloud: Disk): readonly string[] {
  return cloud.attachments.map(({ vmID }) => vmID)
}

export const diskEnds: readonly End<DiskWords>[] = [
  {
    as: 'done',
    when: (end) => {
      const { cloud, want } = end
      if (cloud === undefined || !isQuiet(end)) return false
      const ids = vmIDsOf(cloud)
      const placed =
        want.vm.is === 'ready'
          ? ids.length === 1 && ids[0] === want.vm.id
          : ids.length === 0 ||
            cloud.attachments.some(({ boots }) => boots) ||
            cloud.hides.attachments === true
      const sized =
        want.sizeGiB === undefined || cloud.hides.sizeGiB === true || cloud.sizeGiB === want.sizeGiB
      return placed && sized
    },
    why: 'Name, account, size and place are as wished as far as is shown; a disk that a machine boots from stays with it.',
  },
  {
    as: 'block',
    reason: 'NotFoundToAdopt',
    when: ({ cloud, want }) => cloud === undefined && want.create === undefined,
    why: 'What is to be taken over is not there, and none is made in its place.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    says: 'waiting until it is active',
    when: ({ cloud }) => cloud?.word === 'error',
    why: 'Nothing is sent into a state that is not Active; only the service ends it.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    says: 'which virtual machine the disk is attached to',
    when: ({ cloud }) => cloud?.hides.attachments === true,
    why: 'A disk that may be attached anywhere is neither attached, grown nor deleted.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    says: 'whether virtual machine',
    when: ({ cloud }) => cloud?.hides.boots === true && cloud.attachments.length > 0,
    why: 'A disk that a machine may boot from is not taken from it.',
  },
  {
    as: 'wait',
    reason: 'WaitingForDependency',
    when: ({ want }) => want.vm.is === 'waiting',
    why: 'The machine it is to be attached to is not there yet; its object wakes this one.',
  },
  {
    as: 'wait',
    reason: 'WaitingForDependents',
    when: ({ cloud }) =>
      cloud?.attachments.some(({ boots }) => boots) === true ||
      (cloud?.hides.boots === true && cloud.attachments.length > 0),
    why: 'A machine boots, or may boot, from the disk: it goes with that machine.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    says: 'whether the disk has snapshots',
    when: ({ cloud, want }) => cloud?.hides.snapshots === true && want.snapshotsOnDelete === 'Hold',
    why: 'Snapshots that are not shown would be deleted with it, and the spec does not allow that.',
  },
  {
    as: 'wait',
    reason: 'NotEmpty',
    when: ({ cloud, want }) => (cloud?.snapshots ?? 0) > 0 && want.snapshotsOnDelete === 'Hold',
    why: 'Its snapshots would be deleted with it, and the spec does not allow that.',
  },
  {
    as: 'block',
    reason: 'ReferenceInvalid',
    when: ({ cloud, want }) =>
      want.vm.is === 'ready' && cloud?.attachments.some(({ boots }) => boots) === true,
    why: 'A machine boots from the disk: it cannot be attached as data, here or elsewhere.',
  },
  {
    as: 'pending',
    reason: 'AttachRequired',
    when: ({ cloud, want }) =>
      want.vm.is === 'none' &&
      cloud !== undefined &&
      cloud.sizeGiB < (want.sizeGiB ?? 0) &&
      vmIDsOf(cloud).length === 0,
    why: 'The service grows a disk only through a machine that has it, and the spec names none.',
  },
  {
    as: 'pending',
    reason: 'Unsupported',
    when: ({ cloud, want }) => want.sizeGiB !== undefined && (cloud?.sizeGiB ?? 0) > want.sizeGiB,
    why: 'A disk never shrinks.',
  },
  { as: 'drifted', when: ({ cloud }) => cloud?.deaf === true, why: DEAF_WHY },
  DELETED,
]

function isForwarding({ rules, hides }: LoadBalancer, want: LoadBalancerWords['want']): boolean {
  if (want.rules === undefined || hides.rules === true) return true
  const text = (list: readonly { sourcePort: number; targetPort: number }[]) =>
    list
      .map(({ sourcePort, targetPort }) => `${sourcePort}:${targetPort}`)
      .sort()
      .join(' ')
  return text(rules) === text(want.rules)
}

function isServing({ targets, hides }: LoadBalancer, want: LoadBalancerWords['want']): boolean {
  if (want.targets === undefined || hides.targets === true) return true
  const { ready } = want.targets
  return (
    ready.every(({ id }) => targets.includes(id)) &&
    targets.every((id) => ready.some((each) => each.id === id))
  )
}

function isLabelled({ name, billingAccount, hides }: LoadBalancer, want: LoadBalancerWords['want']): boolean {
  return (
    (want.name === undefined || hides.name === true || name === want.name) &&
    (want.billingAccount === undefined ||
      hides.billingAccount === true ||
      billingAccount === want.billingAccount)
  )
}

export const loadBalancerEnds: readonly End<LoadBalancerWords>[] = [
  {
    as: 'done',
    when: ({ cloud, want }) =>
      cloud !== undefined && isForwarding(cloud, want) && isServing(cloud, want) && isLabelled(cloud, want),
    why: 'Rules, targets, name and account are as wished, as far as is shown.',
  },
  {
    as: 'wait',
    reason: 'WaitingForDependency',
    when: ({ cloud, want }) =>
      (want.targets?.waiting.length ?? 0) > 0 || (cloud === undefined && want.network.is === 'waiting'),
    why: 'Its network or a target is not there yet; their objects wake this one.',
  },
  {
    as: 'block',
    reason: 'InvalidSpec',
    when: ({ cloud, want }) =>
      cloud === undefined && (want.name === undefined || (want.rules ?? []).length === 0),
    why: 'A new load balancer needs a name, by which it is told, and rules.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    when: ({ cloud, want }) => cloud?.hides.ruleIDs === true && !isForwarding(cloud, want),
    why: 'A rule is removed by its id, which this service does not show.',
  },
  {
    as: 'pending',
    reason: 'Unsupported',
    when: ({ cloud }) => cloud?.extended === false,
    why: 'The service only lists and creates load balancers: a person changes or deletes it in the console.',
  },
  { as: 'drifted', when: ({ cloud }) => cloud?.deaf === true, why: DEAF_WHY },
  DELETED,
]
