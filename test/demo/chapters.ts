/** The story: what happens to the examples once they are ready. Each chapter tells, acts, waits and checks. */
import type { InventoryRow } from '../../src/simulator/inventory.ts'
import { copyOf, toText, type Manifest } from './manifests.ts'
import { StoryFailed, type Scene } from './scene.ts'

export interface Chapter {
  readonly title: string
  readonly play: (scene: Scene, examples: readonly Manifest[]) => Promise<void>
}

export const chapters: readonly Chapter[] = [
  {
    title: 'A VM gets bigger',
    play: async (scene) => {
      scene.tell(
        'The service changes CPUs and memory of a stopped VM only. So the operator stops web-1, changes it and',
      )
      scene.tell('starts it again; it is the same VM afterwards.')
      const before = await row(scene, 'CloudVM', 'web-1')
      await patch(scene, 'cloudvm', 'web-1', { vcpus: 4, memoryMiB: 4096 })
      await scene.settled('CloudVM', 'web-1', 'has 4 CPUs', ({ spec }) => spec.vcpus === 4)
      const after = await row(scene, 'CloudVM', 'web-1')
      scene.check(
        'the cloud shows 4 CPUs and 4096 MiB, and the same VM running',
        after['vcpu'] === 4 &&
          after['memoryMib'] === 4096 &&
          after['status'] === 'running' &&
          after['uuid'] === before['uuid'],
      )
      const order = effectsOf(scene, after)
      scene.check(`in this order: ${order.join(', ')}`, order.join() === 'stopped,changed,started')
    },
  },
  {
    title: 'A disk grows',
    play: async (scene) => {
      scene.tell(
        'The service grows a disk only through the VM that has it, and never shrinks one: the API server',
      )
      scene.tell('refuses that before the operator sees it.')
      await patch(scene, 'clouddisk', 'web-data', { sizeGiB: 80 })
      await scene.settled('CloudDisk', 'web-data', 'has 80 GiB', ({ status }) => status?.sizeGiB === 80)
      scene.check('the cloud shows 80 GiB', (await row(scene, 'CloudDisk', 'web-data'))['sizeGib'] === 80)
      const refusal = await scene.refused(patchArguments('clouddisk', 'web-data', { sizeGiB: 10 }))
      scene.check('10 GiB are refused', refusal.includes('sizeGiB'))
    },
  },
  {
    title: 'The disk moves to another VM',
    play: async (scene, examples) => {
      scene.tell(
        'The disk is told to be on web-2 before web-2 is there: it stays where it is and waits. Then it is',
      )
      scene.tell('detached, seen detached, and attached; its data comes along.')
      const before = await row(scene, 'CloudDisk', 'web-data')
      await patch(scene, 'clouddisk', 'web-data', { vmRef: { name: 'web-2' } })
      scene.tell('Now web-2, a copy of the manifest of web-1:')
      await scene.kubectl(['apply', '--filename=-'], toText([copyOf(examples, 'CloudVM', 'web-1', 'web-2')]))
      await scene.settled(
        'CloudDisk',
        'web-data',
        'is on web-2',
        ({ status }) => status?.attachedTo?.name === 'web-2',
      )
      const vm = await row(scene, 'CloudVM', 'web-2')
      const after = await row(scene, 'CloudDisk', 'web-data')
      scene.check('the cloud shows the disk on web-2', after['attachedTo'] === vm['uuid'])
      scene.check('its data is the same', after['dataToken'] === before['dataToken'])
    },
  },
  {
    title: 'The floating IP moves',
    play: async (scene) => {
      scene.tell('The same address, now to web-2: unassigned, seen unassigned, assigned.')
      const before = await row(scene, 'CloudFloatingIP', 'web')
      await patch(scene, 'cloudfloatingip', 'web', { vmRef: { name: 'web-2' } })
      await scene.settled(
        'CloudFloatingIP',
        'web',
        'is on web-2',
        ({ status }) => status?.assignedTo?.name === 'web-2',
      )
      const vm = await row(scene, 'CloudVM', 'web-2')
      const after = await row(scene, 'CloudFloatingIP', 'web')
      scene.check(
        `the cloud shows ${String(after['address'])} on web-2`,
        after['assignedTo'] === vm['uuid'] && after['address'] === before['address'],
      )
    },
  },
  {
    title: 'Somebody changes the cloud behind our back',
    play: async (scene) => {
      scene.tell(
        'In the console of the service somebody takes the address off web-2 and gives web-1 another name. Within',
      )
      scene.tell(
        'the sync interval of 5 s the operator sees both and puts them right; nobody touches Kubernetes.',
      )
      const ip = await row(scene, 'CloudFloatingIP', 'web')
      const vm = await row(scene, 'CloudVM', 'web-1')
      const address = String(ip['address'])
      await scene.meddle({ do: 'unassignIp', address })
      await scene.meddle({ do: 'rename', kind: 'vm', id: String(vm['uuid']), name: 'renamed-by-hand' })
      const seen = (effect: string) => scene.changes().some((call) => call.effect === effect) || undefined
      await scene.until('the address is assigned again', () => seen(`assigned floating ip ${address}`))
      await scene.until('the VM gets its name back', () => seen(`changed vm ${String(vm['uuid'])}`))
      await scene.settled(
        'CloudFloatingIP',
        'web',
        'says so',
        ({ status }) => status?.assignedTo?.name === 'web-2',
      )
      const again = await row(scene, 'CloudFloatingIP', 'web')
      scene.check(`the cloud shows ${address} on web-2 again`, again['assignedTo'] === ip['assignedTo'])
      scene.check('and the old name', (await row(scene, 'CloudVM', 'web-1'))['name'] === vm['name'])
    },
  },
  {
    title: 'Everything is deleted',
    play: async (scene) => {
      scene.tell('The disk is protected by lifecycle.protection: the API server refuses to delete it.')
      const refusal = await scene.refused(['delete', 'clouddisk', 'web-data'])
      scene.check('refused', refusal.includes('is protected'))
      await patch(scene, 'clouddisk', 'web-data', { lifecycle: { protection: 'None' } })
      scene.tell('Now all at once, in any order: what is in use waits for its users; the account goes last.')
      await scene.kubectl(['delete', 'cloud', '--all', '--wait=false'])
      await scene.until('every object is gone', () => scene.objects.list().length === 0 || undefined)
      scene.check('no object is left in Kubernetes', true)
    },
  },
]

function patchArguments(resource: string, name: string, spec: unknown): string[] {
  return ['patch', resource, name, '--type=merge', `--patch=${JSON.stringify({ spec })}`]
}

function patch(scene: Scene, resource: string, name: string, spec: unknown): Promise<void> {
  return scene.kubectl(patchArguments(resource, name, spec))
}

const families = { CloudVM: 'vms', CloudDisk: 'disks', CloudFloatingIP: 'floatingIps' } as const

/** The cloud's own row of an object: found by the id in its status, never by its name. */
async function row(scene: Scene, kind: keyof typeof families, name: string): Promise<InventoryRow> {
  const id = scene.objects.get(kind, name)?.status?.id
  const cloud = await scene.cloud()
  const found = cloud[families[kind]].find((each) => [each['uuid'], String(each['id'])].includes(id))
  if (found === undefined) throw new StoryFailed(`the cloud has no ${kind} ${name} (id ${id ?? 'not known'})`)
  return found
}

/** The first word of each effect on a VM in this chapter. */
function effectsOf(scene: Scene, vm: InventoryRow): string[] {
  const effects = scene.changes().flatMap(({ effect }) => effect?.split('; ') ?? [])
  const ours = effects.filter((effect) => effect.endsWith(` vm ${String(vm['uuid'])}`))
  return ours.map((effect) => effect.split(' ')[0] ?? '')
}
