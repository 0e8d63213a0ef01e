/** Carries out what people do, at once. What cannot be done (the object is gone, an edit is refused) is noted and left. */
import { ANNOTATIONS, API_VERSION, DONE_FINALIZER, FINALIZER } from '../../src/api/group.ts'
import { mergePatch, type ModelObject } from './kube/objects.ts'
import { KubeRefusal } from './kube/refusal.ts'
import { resourceOf } from './kube/resources.ts'
import { stepFor } from './answers.ts'
import { changeCloud, Impossible, takeInCloud, withIDs, withIDsIn, type Touched } from './named.ts'
import type { Manifest, Named, PersonStep } from './steps.ts'
import { NAMESPACE, type World } from './world.ts'

export function carryOutStep(world: World, step: PersonStep): void {
  const { scheduler, entries, service } = world
  let done: Touched | string
  try {
    done = act(world, step)
  } catch (error) {
    if (!(error instanceof KubeRefusal || error instanceof Impossible)) throw error
    done = error.message
  }
  entries.push({
    is: 'person',
    at: scheduler.now(),
    what: typeof done === 'string' ? `${step.do}: could not: ${done}` : JSON.stringify(step),
    lost: service.newlyLost(),
    ids: typeof done === 'string' ? [] : done.ids,
    ...(typeof done === 'string' && { undone: true }),
    ...(typeof done !== 'string' && done.made.length > 0 && { made: done.made }),
  })
}

const NOTHING: Touched = { ids: [], made: [] }

/** What the person touched in the cloud. */
function act(world: World, step: PersonStep): Touched {
  const { model, scheduler, secrets } = world
  switch (step.do) {
    case 'apply':
      for (const each of step.objects) create(world, each)
      return NOTHING
    case 'edit':
      patch(world, step.object, { spec: concrete(world, step.spec) })
      return NOTHING
    case 'annotate':
      patch(world, step.object, { metadata: { annotations: step.annotations } })
      return NOTHING
    case 'delete':
      written(world, step.object, (before) => {
        model.delete(resourceOf(before.kind), NAMESPACE, before.metadata.name)
      })
      return NOTHING
    case 'secret': {
      secrets.push(...Object.values(step.data))
      const entries = Object.entries(step.data).map(([key, value]) => [
        key,
        Buffer.from(value).toString('base64'),
      ])
      const data = Object.fromEntries(entries) as Record<string, string>
      const resource = resourceOf('Secret')
      if (model.get(resource, NAMESPACE, step.name) === undefined)
        model.create(resource, NAMESPACE, { metadata: { name: step.name }, data })
      else model.patch(resource, NAMESPACE, step.name, { data })
      return NOTHING
    }
    case 'wipeStatus':
      putStatus(world, step.object, {})
      return NOTHING
    case 'stripFinalizer':
      patch(world, step.object, {
        metadata: {
          finalizers: (find(world, step.object).metadata.finalizers ?? []).filter(
            (each) => each !== FINALIZER && each !== DONE_FINALIZER,
          ),
        },
      })
      return NOTHING
    case 'copy': {
      const { metadata, spec = {}, status = {} } = find(world, step.object)
      const copy = { kind: step.object.kind, name: step.to }
      const annotations = step.withAnnotations === true ? metadata.annotations : undefined
      create(world, { ...copy, spec: { ...spec, ...step.spec }, ...(annotations && { annotations }) })
      if (step.withStatus === true) putStatus(world, copy, status)
      return NOTHING
    }
    case 'overwrite': {
      const { status } = find(world, step.from ?? step.object)
      putStatus(world, step.object, mergePatch(status, step.status ?? {}))
      return NOTHING
    }
    case 'rebuild': {
      const { spec = {} } = find(world, step.object)
      act(world, { do: 'stripFinalizer', object: step.object })
      act(world, { do: 'delete', object: step.object })
      createOnceGone(world, { ...step.object, spec })
      return NOTHING
    }
    case 'answer':
      return act(world, stepFor(step, find(world, step.object), world.entries))
    case 'takenInCloud':
      return takeInCloud(world, find(world, step.object))
    case 'deleteCRD':
      deleteCRD(world, step.kind)
      return NOTHING
    case 'again': {
      const { spec = {} } = find(world, step.object)
      act(world, { do: 'delete', object: step.object })
      createOnceGone(world, { ...step.object, spec })
      return NOTHING
    }
    case 'cloud': {
      const change = withIDs((named) => find(world, named), step.change)
      return changeCloud(world, change)
    }
    case 'pauseFor': {
      const paused = (value: string | null) => ({
        metadata: { annotations: { [ANNOTATIONS.paused]: value } },
      })
      patch(world, step.object, paused('true'))
      scheduler.after(step.ms, 'unpause', () => {
        carryOutStep(world, {
          do: 'annotate',
          object: step.object,
          annotations: { [ANNOTATIONS.paused]: null },
        })
      })
      return NOTHING
    }
  }
}

function putStatus(world: World, object: Named, status: unknown): void {
  written(world, object, ({ kind, metadata: { uid, resourceVersion, name } }) => {
    world.model.putStatus(resourceOf(kind), NAMESPACE, name, { metadata: { uid, resourceVersion }, status })
  })
}

/** The CRD stays, being deleted, as long as anything holds it; here for good. */
function deleteCRD(world: World, kind: string): void {
  const { model } = world
  const [crds, own] = [resourceOf('CustomResourceDefinition'), resourceOf(kind)]
  const name = `${own.plural}.${own.group}`
  model.patch(crds, '', name, {
    metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
  })
  model.delete(crds, '', name)
  for (const { metadata } of model.list(own, NAMESPACE))
    act(world, { do: 'delete', object: { kind, name: metadata.name } })
}

function concrete(world: World, value: unknown): unknown {
  return withIDsIn(world.strangers, (named) => find(world, named), value)
}

const TRY_AGAIN_MS = 500

/** As `kubectl replace --force` does: as soon as the old one is gone. */
function createOnceGone(world: World, manifest: Manifest): void {
  const there = world.model.get(resourceOf(manifest.kind), NAMESPACE, manifest.name)
  if (there === undefined) create(world, manifest)
  else if (!world.over())
    world.scheduler.after(TRY_AGAIN_MS, 'apply again', () => createOnceGone(world, manifest))
}

function create(world: World, { kind, name, spec, annotations }: Manifest): void {
  const metadata = { name, ...(annotations && { annotations }) }
  const { model } = world
  const after = model.create(resourceOf(kind), NAMESPACE, {
    apiVersion: API_VERSION,
    kind,
    metadata,
    spec: concrete(world, spec),
  })
  note(world, undefined, after)
}

function patch(world: World, object: Named, change: unknown): void {
  written(world, object, ({ kind, metadata }) => {
    world.model.patch(resourceOf(kind), NAMESPACE, metadata.name, change)
  })
}

function written(world: World, object: Named, write: (before: ModelObject) => void): void {
  const before = find(world, object)
  write(before)
  note(world, before, world.model.get(resourceOf(object.kind), NAMESPACE, object.name))
}

function note(
  { entries, scheduler }: World,
  before: ModelObject | undefined,
  after: ModelObject | undefined,
): void {
  const { kind = '', metadata } = after ?? before ?? {}
  entries.push({
    is: 'write',
    at: scheduler.now(),
    process: 0,
    label: 'person',
    kind,
    name: metadata?.name ?? '',
    status: 200,
    body: '',
    ...(before && { before }),
    ...(after && { after }),
  })
}

function find({ model }: World, { kind, name }: Named): ModelObject {
  const found = model.get(resourceOf(kind), NAMESPACE, name)
  if (found === undefined) throw new Impossible(`${kind} ${name} does not exist`)
  return found
}
