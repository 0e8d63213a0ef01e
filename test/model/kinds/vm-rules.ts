/** What must be true of a virtual machine before a step: the interface's conditions, and ours that protect data. */
import type { Rule, State } from '../model.ts'
import type { Machine, VmWords } from './vm.ts'

/** The machine was stopped for its size, and is to run again. */
export function ranBefore({ status }: State<VmWords>): boolean {
  return status.resize?.wasRunning === true
}

/** The password that the spec asks for is on record as set, after all that replaced the disk it was on. */
export function hasPassword({ status, want }: State<VmWords>): boolean {
  const { password } = want
  const applied = status.passwordApplied
  return (
    password === undefined ||
    (applied?.secretUID === password.uid &&
      applied.secretVersion === password.version &&
      (password.operations ?? []).every((uid) => applied.operations?.includes(uid) === true))
  )
}

function isShown(cloud: Machine | undefined, field: keyof Machine['hides']): cloud is Machine {
  return cloud !== undefined && cloud.hides[field] !== true
}

function bootDiskOf({ disks }: Machine) {
  return disks.find(({ boots }) => boots)
}

export const vmRules: readonly Rule<VmWords>[] = [
  {
    says: 'a machine is made only where there is none, and where one is to be made',
    of: ['create'],
    kept: ({ cloud, want }) => cloud === undefined && want.create !== undefined,
  },
  {
    says: 'nothing is sent into a transition of a machine',
    kept: ({ cloud }) => cloud === undefined || cloud.power === 'running' || cloud.power === 'stopped',
  },
  {
    says: 'a size is changed only while the machine is shown to be stopped',
    of: ['resize'],
    kept: ({ cloud }) => isShown(cloud, 'power') && cloud.power === 'stopped',
  },
  {
    says: 'of a size only what is shown and differs is sent',
    of: ['resize'],
    kept: ({ cloud }, step) =>
      cloud !== undefined &&
      step.do === 'resize' &&
      (step.vcpus ?? step.memoryMiB) !== undefined &&
      (step.vcpus === undefined || (isShown(cloud, 'vcpus') && cloud.vcpus !== step.vcpus)) &&
      (step.memoryMiB === undefined || (isShown(cloud, 'memoryMiB') && cloud.memoryMiB !== step.memoryMiB)),
  },
  {
    says: 'a password is set only while the machine is shown to run, and for a user who is known',
    of: ['setPassword'],
    kept: ({ cloud, want }, step) =>
      isShown(cloud, 'power') &&
      cloud.power === 'running' &&
      step.do === 'setPassword' &&
      (want.username === step.username || (isShown(cloud, 'username') && cloud.username === step.username)),
  },
  {
    says: 'a password that is on record as set is not set again',
    of: ['setPassword'],
    kept: (state, step) => step.do === 'setPassword' && !hasPassword(state),
  },
  {
    says: 'a machine is stopped only while it is shown to run',
    of: ['stop', 'forceStop'],
    kept: ({ cloud }) => isShown(cloud, 'power') && cloud.power === 'running',
  },
  {
    says: 'a machine is stopped for its size only if another size is shown that was not refused before',
    of: ['stop', 'forceStop'],
    kept: ({ cloud, status, want }, step) => {
      if ((step.do !== 'stop' && step.do !== 'forceStop') || step.because !== 'size') return true
      const cpus = want.vcpus !== undefined && isShown(cloud, 'vcpus') && cloud.vcpus !== want.vcpus
      const memory =
        want.memoryMiB !== undefined && isShown(cloud, 'memoryMiB') && cloud.memoryMiB !== want.memoryMiB
      const { resize } = status
      const refused =
        resize?.refused !== undefined &&
        resize.target.vcpus === step.target?.vcpus &&
        resize.target.memoryMiB === step.target.memoryMiB
      return (cpus || memory) && !refused && want.powerState !== 'Stopped'
    },
  },
  {
    says: 'a machine is stopped for its power only if the spec asks for that',
    of: ['stop', 'forceStop'],
    kept: ({ want }, step) =>
      (step.do !== 'stop' && step.do !== 'forceStop') ||
      step.because !== 'power' ||
      want.powerState === 'Stopped',
  },
  {
    says: 'the power is cut only where the spec lets it, or a machine that is deleted does not end',
    of: ['forceStop'],
    kept: ({ want, status }, step) => {
      if (step.do !== 'forceStop') return false
      if (want.stopMode === 'Force') return true
      // Asked before, and its time is over; or cut before.
      const asked = status.operation?.verb === 'stop' || status.operation?.verb === 'forceStop'
      const letsCut = want.stopMode === 'GracefulThenForce' || step.because === 'deletion'
      return asked && (letsCut || status.operation?.verb === 'forceStop')
    },
  },
  {
    says: 'a machine is started only while it is shown to be stopped',
    of: ['start'],
    kept: ({ cloud }) => isShown(cloud, 'power') && cloud.power === 'stopped',
  },
  {
    says: 'a machine is started only if the spec asks for that, or it was stopped for its size',
    of: ['start'],
    kept: (state) =>
      state.want.powerState === 'Running' || (state.want.powerState === undefined && ranBefore(state)),
  },
  {
    says: 'a boot disk never shrinks, and grows only from a size that is shown',
    of: ['growBootDisk'],
    kept: ({ cloud }, step) =>
      isShown(cloud, 'disks') &&
      step.do === 'growBootDisk' &&
      cloud.hides.diskSizes === undefined &&
      (bootDiskOf(cloud)?.sizeGiB ?? 0) < step.sizeGiB,
  },
  {
    says: 'only the disk that the machine is shown to boot from is grown here',
    of: ['growBootDisk'],
    kept: ({ cloud }, step) =>
      isShown(cloud, 'boots') && step.do === 'growBootDisk' && bootDiskOf(cloud)?.uuid === step.diskID,
  },
  {
    says: 'backups are toggled only where they are shown to differ',
    of: ['toggleBackups'],
    kept: ({ cloud, want }, step) =>
      isShown(cloud, 'backups') &&
      step.do === 'toggleBackups' &&
      want.backups === step.to &&
      cloud.backups !== step.to,
  },
  {
    says: 'a machine is renamed only where another name is shown',
    of: ['rename'],
    kept: ({ cloud }, step) => isShown(cloud, 'name') && step.do === 'rename' && cloud.name !== step.name,
  },
  {
    says: 'only a disk that is shown to be attached is detached, and never the one the machine boots from',
    of: ['detachDisk'],
    kept: ({ cloud }, step) =>
      isShown(cloud, 'disks') &&
      step.do === 'detachDisk' &&
      cloud.disks.some(({ uuid, boots }) => uuid === step.diskID && !boots),
  },
  {
    says: 'a machine is deleted only while it is shown to be stopped',
    of: ['delete'],
    kept: ({ cloud }) => isShown(cloud, 'power') && cloud.power === 'stopped',
  },
  {
    says: 'a machine is deleted only once it shows its disks, and none but its own boot disk',
    of: ['delete'],
    kept: ({ cloud }) =>
      isShown(cloud, 'disks') && cloud.disks.length === 1 && bootDiskOf(cloud) !== undefined,
  },
]
