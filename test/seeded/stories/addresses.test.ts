/** The address that comes with a machine: recorded only where it can be told, deleted only while nobody else uses it. */
import { expect, test } from 'vitest'
import { vm } from '../../faults/scenarios/words.ts'
import { begin, type Story } from './drive.ts'

const web = vm('web', { publicIP: 'Reserve' })
const db = vm('db')

const addresses = ({ world }: Story) => world.service.control.inventory().floatingIps

function assignTo(story: Story, address: unknown, to: unknown): void {
  const { control } = story.world.service
  control.mutate({ do: 'assignIp', address: String(address), to: String(to), type: 'virtual_machine' })
}

/** To the new machine. */
function canAssign(story: Story, address: unknown): boolean {
  const uuid = story.world.service.control.inventory().vms.find(({ name }) => name === 'web')?.['uuid']
  if (uuid === undefined) return false
  try {
    assignTo(story, address, uuid)
    return true
  } catch {
    return false
  }
}

test('with two of them on a new machine none is taken for ours', async () => {
  const story = begin()
  const { control } = story.world.service
  story.world.start()
  await story.until(() => story.isGood({ kind: 'CloudAccount', name: 'default' }))
  control.mutate({ do: 'create', kind: 'floatingIp', apiKey: story.world.apiKey, name: 'second' })
  const second = addresses(story).find(({ name }) => name === 'second')?.['address']
  story.apply(web)
  // As soon as the service lets it: before the operator looks for what came with the machine.
  await story.until(() => canAssign(story, second))
  control.mutate({ do: 'rename', kind: 'floatingIp', id: String(second), name: '' })
  await story.until(() => story.isGood(web))
  expect(story.object(web)?.status?.['reservedIP']).toBeUndefined()
})

test('one that another machine has by now outlives its own', async () => {
  const story = begin()
  const { control } = story.world.service
  story.world.start()
  story.apply(web, db)
  await story.until(() => story.isGood(web) && story.isGood(db))
  const reserved = story.object(web)?.status?.['reservedIP'] as { readonly address: string }
  control.mutate({ do: 'unassignIp', address: reserved.address })
  assignTo(story, reserved.address, story.object(db)?.status?.['id'])
  story.person({ do: 'delete', object: web })
  await story.until(() => story.object(web) === undefined)
  expect(addresses(story).map(({ address }) => address)).toContain(reserved.address)
})
