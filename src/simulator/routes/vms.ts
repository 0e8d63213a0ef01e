/** Virtual machines: list, get, create, change, delete, password, backups. */
import type { ApiCall, Reply, Route } from '../http/route.ts'
import { isObject } from '../http/fields.ts'
import { rowsOf } from '../http/rows.ts'
import { vmRecord, vmRow } from '../records/vm.ts'
import { settle } from '../state/power.ts'
import { Refusal } from '../state/refusal.ts'
import { beginCreate, type NewVm } from '../state/vmcreate.ts'
import type { Vm } from '../state/model.ts'
import { changeVm, deleteVm, setPassword, toggleBackup, vmsOf, vmToShow } from '../state/vms.ts'

const common = { family: 'vm', slug: 'both' } as const

export const vmRoutes: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: '/user-resource/vm/list',
    reads: 'none',
    handle: (call) => ({ status: 200, rows: rowsOf(vmsOf(call), (vm) => vmRow(call, vm)) }),
  },
  {
    ...common,
    method: 'GET',
    path: '/user-resource/vm',
    reads: 'none',
    handle: (call) => one(call, vmToShow(call, call.query.requiredText('uuid'))),
  },
  {
    ...common,
    method: 'POST',
    path: '/user-resource/vm',
    reads: 'form',
    readsJsonToo: true,
    slow: true,
    handle: (call) => {
      const vm = beginCreate(call, newVm(call))
      return { pace: 'vmCreate', finish: (now) => finished(call, vm, now) }
    },
  },
  {
    ...common,
    method: 'PATCH',
    path: '/user-resource/vm',
    reads: 'form',
    handle: (call) => {
      const { body } = call
      const change = { name: body.text('name'), memoryMib: body.whole('ram'), vcpu: body.whole('vcpu') }
      return one(call, changeVm(call, body.requiredText('uuid'), change))
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: '/user-resource/vm',
    reads: 'form',
    handle: (call) => {
      deleteVm(call, call.body.requiredText('uuid'))
      return call.world.profile === 'extended' ? { status: 200, body: { success: true } } : { status: 200 }
    },
  },
  {
    ...common,
    method: 'PATCH',
    path: '/user-resource/vm/user',
    reads: 'form',
    handle: (call) => {
      const { body } = call
      setPassword(
        call,
        body.requiredText('uuid'),
        body.requiredText('username'),
        body.requiredText('password'),
      )
      return { status: 200, body: { success: true } }
    },
  },
  {
    ...common,
    method: 'POST',
    path: '/user-resource/vm/backup',
    reads: 'form',
    handle: (call) => one(call, toggleBackup(call, call.body.requiredText('uuid'))),
  },
]

/** Ends an operation after which the VM runs, and answers with the VM. */
export function finished(call: ApiCall, vm: Vm, now: number): Reply {
  settle(vm, 'running', now)
  return one(call, vm)
}

export function one(call: ApiCall, vm: Vm): Reply {
  return { status: 200, body: vmRecord(call, vm) }
}

function newVm({ body }: ApiCall): NewVm {
  const cloudInit = body.raw('cloud_init')
  return {
    name: body.requiredText('name'),
    osName: body.text('os_name'),
    osVersion: body.text('os_version'),
    sizeGib: body.isEmpty('disks') ? undefined : body.whole('disks'),
    vcpu: body.whole('vcpu'),
    memoryMib: body.whole('ram'),
    username: body.text('username'),
    password: body.text('password'),
    publicKey: body.text('public_key'),
    description: body.text('description'),
    backup: body.flag('backup') ?? false,
    billingAccount: body.whole('billing_account_id'),
    pool: body.text('designated_pool_uuid'),
    sourceUuid: body.text('source_uuid'),
    sourceReplica: body.text('source_replica'),
    diskUuid: body.text('disk_uuid'),
    reservePublicIp: body.flag('reserve_public_ip') ?? true,
    networkUuid: body.isEmpty('network_uuid') ? undefined : body.text('network_uuid'),
    cloudInit: isObject(cloudInit) ? textOf(cloudInit) : body.text('cloud_init'),
  }
}

/** JSON can be read deeper than it can be written. */
function textOf(cloudInit: object): string {
  try {
    return JSON.stringify(cloudInit)
  } catch {
    throw new Refusal('Is too deep', { field: 'cloud_init' })
  }
}
