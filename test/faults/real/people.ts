/** Carries out what people do, through the API server. What cannot be done (it is gone, it is refused) is noted and left. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ANNOTATIONS, API_VERSION, DONE_FINALIZER, FINALIZER } from '../../../src/api/group.ts'
import { isObject, mergePatch, type ModelObject } from '../kube/objects.ts'
import { resourceOf, targetOf } from '../kube/resources.ts'
import { stepFor } from '../answers.ts'
import { EPOCH_MS } from '../process.ts'
import { changeCloud, Impossible, takeInCloud, withIDs, withIDsIn, type Touched } from '../named.ts'
import type { Manifest, Named, PersonStep } from '../steps.ts'
import { ApiRefusal } from './api.ts'
import { realMs } from './pace.ts'
import type { World } from './world.ts'

export async function carryOutStep(world: World, step: PersonStep): Promise<void> {
  let done: Touched | string
  try {
    done = await act(world, step)
  } catch (error) {
    if (!(error instanceof ApiRefusal || error instanceof Impossible)) throw error
    done = error.message
  }
  world.entries.push({
    is: 'person',
    at: world.now(),
    what: typeof done === 'string' ? `${step.do}: could not: ${done}` : JSON.stringify(step),
    lost: world.service.newlyLost(),
    ids: typeof done === 'string' ? [] : done.ids,
    ...(typeof done === 'string' && { undone: true }),
    ...(typeof done !== 'string' && done.made.length > 0 && { made: done.made }),
  })
}

const NOTHING: Touched = { ids: [], made: [] }

/** What the person touched in the cloud. */
async function act(world: World, step: PersonStep): Promise<Touched> {
  switch (step.do) {
    case 'apply':
      for (const each of step.objects) await create(world, each)
      return NOTHING
    case 'edit':
      await patch(world, step.object, { spec: concrete(world, step.spec) })
      return NOTHING
    case 'annotate':
      await patch(world, step.object, { metadata: { annotations: step.annotations } })
      return NOTHING
    case 'delete':
      await write(world, 'DELETE', step.object)
      return NOTHING
    case 'secret':
      await writeSecret(world, step)
      return NOTHING
    case 'wipeStatus':
      await putStatus(world, step.object, {})
      return NOTHING
    case 'stripFinalizer': {
      const finalizers = find(world, step.object).metadata.finalizers ?? []
      await patch(world, step.object, {
        metadata: { finalizers: finalizers.filter((each) => each !== FINALIZER && each !== DONE_FINALIZER) },
      })
      return NOTHING
    }
    case 'copy':
      await copy(world, step)
      return NOTHING
    case 'overwrite': {
      const { status } = find(world, step.from ?? step.object)
      await putStatus(world, step.object, mergePatch(status, step.status ?? {}))
      return NOTHING
    }
    case 'rebuild':
      throw new Impossible('between two requests a living operator has its say')
    case 'answer':
      return act(world, stepFor(step, find(world, step.object), world.entries))
    case 'takenInCloud':
      return takeInCloud(world, find(world, step.object))
    case 'deleteCRD':
      throw new Impossible('all cases share the CRDs')
    case 'again': {
      const { spec = {} } = find(world, step.object)
      await write(world, 'DELETE', step.object)
      void createOnceGone(world, { ...step.object, spec })
      return NOTHING
    }
    case 'cloud':
      return changeCloud(
        world,
        withIDs((named) => find(world, named), step.change),
      )
    case 'pauseFor': {
      const { object } = step
      await patch(world, object, { metadata: { annotations: { [ANNOTATIONS.paused]: 'true' } } })
      const unpause: PersonStep = { do: 'annotate', object, annotations: { [ANNOTATIONS.paused]: null } }
      setTimeout(() => void carryOutStep(world, unpause).catch(() => undefined), realMs(step.ms))
      return NOTHING
    }
  }
}

async function putStatus(world: World, object: Named, status: unknown): Promise<void> {
  const { apiVersion, kind, metadata } = find(world, object)
  const { name, uid, resourceVersion } = metadata
  const body = { apiVersion, kind, metadata: { name, uid, resourceVersion }, status }
  await write(world, 'PUT', object, body, '/status')
}

/** With a status it is paused until that is there: the operator would begin, and its writes would be in the way. */
async function copy(world: World, step: Extract<PersonStep, { do: 'copy' }>): Promise<void> {
  const { metadata, spec = {}, status = {} } = find(world, step.object)
  const copied = { kind: step.object.kind, name: step.to }
  const annotations = step.withAnnotations === true ? metadata.annotations : undefined
  const whole = { ...copied, spec: { ...spec, ...step.spec } }
  if (step.withStatus !== true) return create(world, { ...whole, ...(annotations && { annotations }) })
  await create(world, { ...whole, annotations: { ...annotations, [ANNOTATIONS.paused]: 'true' } })
  await write(world, 'PATCH', copied, { status }, '/status')
  await patch(world, copied, {
    metadata: { annotations: { [ANNOTATIONS.paused]: annotations?.[ANNOTATIONS.paused] ?? null } },
  })
}

function concrete(world: World, value: unknown): unknown {
  return atThisTime(withIDsIn(world.strangers, (named) => find(world, named), value))
}

/** Stories tell times as in virtual time, which begins at its epoch: as far from now as those are from then. */
function atThisTime(value: unknown): unknown {
  if (!isObject(value)) return value
  const { expiresAt } = value
  if (typeof expiresAt !== 'string') return value
  const moved = new Date(Date.now() + Date.parse(expiresAt) - EPOCH_MS).toISOString()
  return { ...value, expiresAt: moved.replace(/\.\d+Z$/, 'Z') }
}

const TRY_AGAIN_MS = 50

/** As `kubectl replace --force` does: as soon as the old one is gone. */
async function createOnceGone(world: World, manifest: Manifest): Promise<void> {
  while (!world.over() && world.shadow.get(manifest.kind, manifest.name) !== undefined)
    await sleep(TRY_AGAIN_MS)
  if (!world.over()) await create(world, manifest).catch(() => undefined)
}

async function create(world: World, { kind, name, spec, annotations }: Manifest): Promise<void> {
  const metadata = { name, ...(annotations && { annotations }) }
  const body = { apiVersion: API_VERSION, kind, metadata, spec: concrete(world, spec) }
  const path = pathOf(world, kind)
  const answer = await world.rig.api.asAdmin('POST', path, body)
  note(world, undefined, written(world, path, answer), { kind, name })
}

async function patch(world: World, object: Named, change: unknown): Promise<void> {
  await write(world, 'PATCH', object, change)
}

async function write(world: World, method: string, object: Named, body?: unknown, sub = ''): Promise<void> {
  const path = pathOf(world, object.kind, object.name)
  const before = find(world, object)
  const answer = await world.rig.api.asAdmin(method, `${path}${sub}`, body)
  note(world, before, written(world, path, answer), object)
}

function written({ shadow }: World, path: string, answer: unknown): ModelObject | undefined {
  const target = targetOf(path)
  return target && shadow.wrote(target, answer)
}

async function writeSecret(
  world: World,
  { name, data: texts }: Extract<PersonStep, { do: 'secret' }>,
): Promise<void> {
  world.secrets.push(...Object.values(texts))
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  )
  try {
    await world.rig.api.asAdmin('POST', pathOf(world, 'Secret'), { metadata: { name }, data })
  } catch (error) {
    if (!(error instanceof ApiRefusal && error.status === 409)) throw error
    await world.rig.api.asAdmin('PATCH', pathOf(world, 'Secret', name), { data })
  }
}

function note(
  world: World,
  before: ModelObject | undefined,
  after: ModelObject | undefined,
  { kind, name }: Named,
): void {
  world.entries.push({
    is: 'write',
    at: world.now(),
    process: 0,
    label: 'person',
    kind,
    name,
    status: 200,
    body: '',
    ...(before && { before }),
    ...(after && { after }),
  })
}

/** The path of one object, or of all of its kind when `name` is absent. */
export function pathOf({ namespace }: Pick<World, 'namespace'>, kind: string, name?: string): string {
  const { group, version, plural } = resourceOf(kind)
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return `${root}/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${name}`}`
}

function find({ shadow }: World, { kind, name }: Named): ModelObject {
  const found = shadow.get(kind, name)
  if (found === undefined) throw new Impossible(`${kind} ${name} does not exist`)
  return found
}
