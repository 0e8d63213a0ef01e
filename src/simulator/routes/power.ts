/** Operations that take a VM through its states: start, stop, rescue, reinstall, rebuild, clone. */
import type { ApiCall, Reply, Route, Underway } from '../http/route.ts'
import { vmRecord } from '../records/vm.ts'
import { beginClone, beginRebuild, beginReinstall } from '../state/copies.ts'
import { beginRescue, beginStart, beginStop, settle, type Begun } from '../state/power.ts'
import { finished } from './vms.ts'

const common = { family: 'vm', slug: 'both', method: 'POST', reads: 'form', slow: true } as const

export const powerRoutes: readonly Route[] = [
  {
    ...common,
    path: '/user-resource/vm/start',
    handle: (call) => starting(call, beginStart(call, uuidOf(call))),
  },
  {
    ...common,
    path: '/user-resource/vm/rescue_start',
    handle: (call) => starting(call, beginRescue(call, uuidOf(call))),
  },
  {
    ...common,
    path: '/user-resource/vm/stop',
    handle: (call) => {
      const { vm, underway } = beginStop(call, uuidOf(call), call.body.flag('force') ?? false)
      const answer = (): Reply => ({ status: 200, body: vmRecord(call, vm) })
      if (!underway) return answer()
      const finish = (now: number): Reply => {
        settle(vm, 'stopped', now)
        return answer()
      }
      return { pace: 'vmStop', finish }
    },
  },
  {
    ...common,
    path: '/user-resource/vm/reinstall',
    handle: (call) => {
      const vm = beginReinstall(call, uuidOf(call), {
        osName: call.body.text('os_name'),
        osVersion: call.body.text('os_version'),
        baseOsImage: call.body.text('base_os_image'),
      })
      return { pace: 'vmCreate', finish: (now) => finished(call, vm, now) }
    },
  },
  {
    ...common,
    path: '/user-resource/vm/rebuild',
    handle: (call) => {
      const vm = beginRebuild(call, uuidOf(call), call.body.requiredText('replica_uuid'))
      return { pace: 'vmCreate', finish: (now) => finished(call, vm, now) }
    },
  },
  {
    ...common,
    path: '/user-resource/vm/clone',
    handle: (call) => {
      const vm = beginClone(call, uuidOf(call), call.body.requiredText('name'))
      return { pace: 'vmCreate', finish: (now) => finished(call, vm, now) }
    },
  },
]

function uuidOf(call: ApiCall): string {
  return call.body.requiredText('uuid')
}

/** Starts answer with the VM as deployed; the interface shows no body. */
function starting(call: ApiCall, { vm, underway }: Begun): Reply | Underway {
  const answer = (): Reply =>
    call.world.profile === 'extended' ? { status: 200, body: vmRecord(call, vm) } : { status: 200 }
  if (!underway) return answer()
  const finish = (now: number): Reply => {
    settle(vm, 'running', now)
    return answer()
  }
  return { pace: 'vmStart', finish }
}
