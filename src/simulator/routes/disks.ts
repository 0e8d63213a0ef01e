/** Block storage disks. A JSON body is ignored here: only forms are read. */
import type { ApiCall, Reply, Route } from '../http/route.ts'
import { rowsOf } from '../http/rows.ts'
import { diskRecord } from '../records/disk.ts'
import { changeDisk, createDisk, deleteDisk, disksOf, diskToShow } from '../state/disks.ts'
import type { Disk } from '../state/model.ts'

const common = { family: 'disk', slug: 'both' } as const

const collection: readonly Route[] = [
  {
    ...common,
    method: 'POST',
    path: '/storage/disks',
    reads: 'form',
    handle: (call) => {
      const { body, world } = call
      const disk = createDisk(call, {
        sizeGib: body.whole('size_gb'),
        billingAccount: body.whole('billing_account_id'),
        sourceType: body.text('source_image_type'),
        source: body.text('source_image'),
        displayName: displayName(call),
      })
      return { ...answer(call, disk, false), status: world.profile === 'extended' ? 201 : 200 }
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/storage/disks',
    reads: 'none',
    handle: (call) => ({
      status: 200,
      rows: rowsOf(disksOf(call), (disk) => diskRecord(disk, call.world.profile, true)),
    }),
  },
]

function single(path: string): Route[] {
  return [
    {
      ...common,
      method: 'GET',
      path,
      reads: 'none',
      handle: (call) => answer(call, diskToShow(call, uuidOf(call)), true),
    },
    {
      ...common,
      method: 'PATCH',
      path,
      reads: 'form',
      handle: (call) => {
        const { body } = call
        const name = displayName(call)
        const billingAccount =
          name === undefined ? body.requiredWhole('billing_account_id') : body.whole('billing_account_id')
        return answer(call, changeDisk(call, uuidOf(call), { billingAccount, displayName: name }), false)
      },
    },
    {
      ...common,
      method: 'DELETE',
      path,
      reads: 'none',
      handle: (call) => {
        deleteDisk(call, uuidOf(call))
        return { status: 204 }
      },
    },
  ]
}

export const diskRoutes: readonly Route[] = [
  ...collection,
  ...single('/storage/disks/:uuid'),
  ...single('/storage/disk/:uuid').map((route) => ({ ...route, extendedOnly: true })),
]

function uuidOf(call: ApiCall): string {
  return call.params['uuid'] ?? ''
}

/** Only newer deployments have a name for disks. */
function displayName(call: ApiCall): string | undefined {
  return call.world.profile === 'extended' ? call.body.text('display_name') : undefined
}

function answer(call: ApiCall, disk: Disk, withSnapshots: boolean): Reply {
  return { status: 200, body: diskRecord(disk, call.world.profile, withSnapshots) }
}
