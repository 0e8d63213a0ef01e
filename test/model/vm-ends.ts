/** Where a walk of a virtual machine may end: the rest of the closed list of ends.ts. */
import { DELETED } from './ends.ts'
import type { VmWords } from './kinds/vm.ts'
import { hasPassword, ranBefore } from './kinds/vm-rules.ts'
import type { End, State } from './model.ts'

type Now = State<VmWords>

/** The sizes are as wished as far as is shown. */
function isSized({ cloud, want }: Now): boolean {
  return (
    cloud !== undefined &&
    (want.vcpus === undefined || cloud.hides.vcpus === true || cloud.vcpus === want.vcpus) &&
    (want.memoryMiB === undefined || cloud.hides.memoryMiB === true || cloud.memoryMiB === want.memoryMiB)
  )
}

/** The machine is on or off as it was wanted, whoever stopped it for its size in between. */
function isPowered(end: Now, start: Now): boolean {
  const { cloud, want } = end
  if (cloud === undefined || cloud.hides.power === true) return true
  if (want.powerState === 'Running') return cloud.power === 'running'
  if (want.powerState === 'Stopped') return cloud.power === 'stopped'
  // One that a walk finds running, or that was stopped for its size before, runs again.
  const ran = start.cloud?.power === 'running' || start.cloud?.power === 'starting' || ranBefore(start)
  return !ran || cloud.power === 'running' || wasGoingOff(start)
}

/** A stop of somebody's is open or under way at the start, and nothing says that the machine is to run after it. */
function wasGoingOff(start: Now): boolean {
  return start.status.operation !== undefined && start.fate === 'arrives' && !ranBefore(start)
}

function bootSize({ cloud }: Now): number | undefined {
  if (cloud === undefined || cloud.hides.disks === true || cloud.hides.diskSizes === true) return undefined
  return cloud.hides.boots === true ? undefined : cloud.disks.find(({ boots }) => boots)?.sizeGiB
}

function isQuiet(end: Now): boolean {
  const { cloud, want } = end
  const size = bootSize(end)
  return (
    cloud !== undefined &&
    (want.name === undefined || cloud.hides.name === true || cloud.name === want.name) &&
    (want.backups === undefined || cloud.hides.backups === true || cloud.backups === want.backups) &&
    (want.bootDiskGiB === undefined || size === undefined || size >= want.bootDiskGiB)
  )
}

function isRefused({ status, cloud, want }: Now): boolean {
  return (
    status.resize?.refused !== undefined &&
    status.resize.target.vcpus === (want.vcpus ?? cloud?.vcpus) &&
    status.resize.target.memoryMiB === (want.memoryMiB ?? cloud?.memoryMiB)
  )
}

export const vmEnds: readonly End<VmWords>[] = [
  {
    as: 'done',
    when: (end, start) => isSized(end) && isPowered(end, start) && isQuiet(end) && hasPassword(end),
    why: 'Size, power, name, backups, boot disk and password are as wished, as far as is shown.',
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
    says: 'waiting until it is running or stopped',
    when: ({ cloud }) => cloud?.power === 'migrating',
    why: 'Nothing is sent into a transition; only the service ends it.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    says: 'whether the virtual machine runs',
    when: (end) => end.cloud?.hides.power === true,
    why: 'Sizes, passwords and deletions depend on whether it runs, which is not shown.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    says: 'the guest was asked to shut down',
    when: ({ cloud, want }) =>
      cloud?.power === 'running' && cloud.guest === 'deaf' && want.stopMode === 'Graceful',
    why: 'The guest does not shut down, and the spec does not allow to cut its power.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    says: 'which disks the virtual machine has',
    when: ({ cloud }, start) => {
      if (cloud === undefined) return false
      const boot = cloud.disks.find(({ boots }) => boots)
      const recorded = start.status.disks?.some(({ id, primary }) => id === boot?.uuid && primary === true)
      return (
        cloud.hides.disks === true ||
        boot === undefined ||
        cloud.allBoot === true ||
        (cloud.hides.boots === true && recorded !== true)
      )
    },
    why: 'A disk that may be somebody’s data would be destroyed with the machine.',
  },
  {
    as: 'block',
    reason: 'QuotaExceeded',
    when: (end, start) => isRefused(end) && isPowered(end, start),
    why: 'The service refused the size: the machine is as it was, and is not stopped for that size again.',
  },
  {
    as: 'block',
    reason: 'InvalidSpec',
    when: (end, start) => isRefused(end) && isPowered(end, start),
    why: 'The service took the size twice and gave another: the machine is not stopped for it again.',
  },
  {
    as: 'drifted',
    reason: 'resize',
    when: (end) =>
      end.cloud?.sizes === 'rounded' && end.cloud.power === 'stopped' && end.want.powerState !== 'Running',
    why: 'A machine that is to be off was given another size twice and shows the old one: writing stops.',
  },
  {
    as: 'refused',
    reason: 'resize',
    when: ({ cloud, want }, start) =>
      cloud?.sizes === 'refused' &&
      cloud.power === 'stopped' &&
      (want.powerState === 'Stopped' || (want.powerState === undefined && !ranBefore(start))),
    why: 'The service refused the size of a machine that is off and stays so: asking again needs no stop, and comes only after its time.',
  },
  {
    as: 'drifted',
    when: ({ cloud }) => cloud?.deaf === true,
    why: 'The service accepted the same harmless change twice and shows the old state: writing stops until the spec changes.',
  },
  {
    as: 'block',
    reason: 'ReplacementRequired',
    says: 'spec.billingAccount',
    when: ({ cloud, want }) =>
      want.billingAccount !== undefined &&
      cloud?.hides.billingAccount === undefined &&
      cloud?.billingAccount !== want.billingAccount,
    why: 'The service moves no machine to another billing account.',
  },
  {
    as: 'block',
    reason: 'ReplacementRequired',
    says: 'spec.pool',
    when: ({ cloud, want }) => cloud?.hides.poolID === undefined && cloud?.poolID !== want.pool,
    why: 'The service moves no machine to another pool.',
  },
  {
    as: 'pending',
    reason: 'StartRequired',
    when: ({ cloud, want }) =>
      cloud?.power === 'stopped' && want.password !== undefined && want.powerState !== 'Running',
    why: 'A password is set only while the machine runs, and it is not started for that.',
  },
  {
    as: 'pending',
    reason: 'Unsupported',
    says: 'the name of the user',
    when: ({ cloud, want }) =>
      want.password !== undefined && want.username === undefined && cloud?.hides.username === true,
    why: 'A password is set for a user, whose name neither the spec nor the service says.',
  },
  {
    as: 'pending',
    reason: 'Unsupported',
    says: 'a disk can only grow',
    when: (end) => (bootSize(end) ?? 0) > (end.want.bootDiskGiB ?? 0),
    why: 'A disk never shrinks.',
  },
  DELETED,
]
