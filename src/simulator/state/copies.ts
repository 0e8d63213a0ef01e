/** Operations that replace or copy what is on a VM: reinstall, rebuild, clone. */
import { billingAccountFor, checkQuota } from './caller.ts'
import { addDisk, linkDisk, loseContent } from './disks.ts'
import { checkAddress, ipsAssignedTo } from './floatingips.ts'
import { checkImage, splitImage } from './locations.ts'
import type { Caller, Vm } from './model.ts'
import { networkForVm } from './networks.ts'
import { begin } from './power.ts'
import { findReplica, systemOf } from './replicas.ts'
import { addVm, reserveIpFor } from './vmcreate.ts'
import { bootDiskOf, checkCapacity, idleVm, vmsOf } from './vms.ts'

export interface Reinstall {
  osName: string | undefined
  osVersion: string | undefined
  /** `<os>_<version>`, in place of the other two. */
  baseOsImage: string | undefined
}

/** A fresh system on the boot disk: what was there is lost. */
export function beginReinstall(caller: Caller, uuid: string, wish: Reinstall): Vm {
  const vm = idleVm(caller, uuid)
  const image = wish.baseOsImage === undefined ? undefined : splitImage(wish.baseOsImage, 'base_os_image')
  const osName = image?.os ?? wish.osName ?? vm.osName
  const osVersion = image?.version ?? wish.osVersion ?? vm.osVersion
  checkImage(osName, osVersion, 'os_version')
  const disk = bootDiskOf(caller, vm)
  loseContent(caller, disk)
  disk.content += 1
  disk.sourceType = 'OS_BASE'
  disk.source = `${osName}_${osVersion}`
  vm.osName = osName
  vm.osVersion = osVersion
  caller.note(`reinstalled vm ${uuid}`)
  return begin(vm, 'reinstalling').vm
}

/** Throws the present content away and restores that of the replica. */
export function beginRebuild(caller: Caller, uuid: string, replicaUuid: string): Vm {
  const vm = idleVm(caller, uuid)
  const { disk, replica } = findReplica(caller, vm, replicaUuid, 'replica_uuid')
  loseContent(caller, disk)
  disk.content += 1
  disk.sourceType = replica.sourceType
  disk.source = replica.source
  Object.assign(vm, systemOf(replica, vm))
  caller.note(`rebuilt vm ${uuid}`)
  return begin(vm, 'rebuilding').vm
}

/** A copy under another name, with the boot disk, the description and a public address if the source has one. */
export function beginClone(caller: Caller, uuid: string, name: string): Vm {
  const source = idleVm(caller, uuid)
  const bootDisk = bootDiskOf(caller, source)
  const hasIp = ipsAssignedTo(caller, uuid).length > 0
  billingAccountFor(caller, source.billingAccount)
  checkQuota(caller, 'vms', () => vmsOf(caller).length)
  checkCapacity(caller, source.vcpu, source.memoryMib)
  if (hasIp) checkAddress(caller)
  const { billingAccount, sizeGib, sourceType } = bootDisk
  const disk = addDisk(caller, { billingAccount, sizeGib, sourceType, source: bootDisk.source })
  const vm = addVm(caller, networkForVm(caller, source.networkUuid), { ...pick(source), name })
  linkDisk(caller, vm, disk, true)
  if (hasIp) reserveIpFor(caller, vm)
  return vm
}

function pick(source: Vm) {
  const { billingAccount, description, backup, username, passwordSha256, publicKey, cloudInit } = source
  const { memoryMib, vcpu, osName, osVersion, pool } = source
  return {
    ...{ billingAccount, description, backup, username, passwordSha256, publicKey, cloudInit },
    ...{ memoryMib, vcpu, osName, osVersion, pool },
  }
}
