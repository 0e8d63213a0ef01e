/** Carries out what people do, at once. What cannot be done (the object is gone, an edit is refused) is noted and left. */
import { ANNOTATIONS, API_VERSION, FINALIZER } from '../../src/api/group.ts'
import type { ModelObject } from './kube/objects.ts'
import { KubeRefusal } from './kube/refusal.ts'
import { resourceOf } from './kube/resources.ts'
import { changeCloud, Impossible, withIDs, withStrangers } from './named.ts'
import type { Manifest, Named, PersonStep } from './steps.ts'
import { NAMESPACE, type World } from './world.ts'

export function carryOutStep(world: World, step: PersonStep): void {
  const { scheduler, entries, service } = world
  let done: readonly string[] | string
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
    ids: typeof done === 'string' ? [] : done,
  })
}

/** Ids of cloud objects that the person touched. */
function act(world: World, step: PersonStep): readonly string[] {
  const { model, scheduler, secrets } = world
  switch (step.do) {
    case 'apply':
      for (const each of step.objects) create(world, each)
      return []
    case 'edit':
      patch(world, step.object, { spec: withStrangers(world.strangers, step.spec) })
      return []
    case 'annotate':
      patch(world, step.object, { metadata: { annotations: step.annotations } })
      return []
    case 'delete':
      written(world, step.object, (before) => {
        model.delete(resourceOf(before.kind), NAMESPACE, before.metadata.name)
      })
      return []
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
      return []
    }
    case 'wipeStatus':
      written(world, step.object, (before) => {
        const { uid, resourceVersion, name } = before.metadata
        model.putStatus(resourceOf(before.kind), NAMESPACE, name, {
          metadata: { uid, resourceVersion },
          status: {},
        })
      })
      return []
    case 'stripFinalizer':
      patch(world, step.object, {
        metadata: {
          finalizers: (find(world, step.object).metadata.finalizers ?? []).filter(
            (each) => each !== FINALIZER,
          ),
        },
      })
      return []
    case 'copy':
      create(world, { kind: step.object.kind, name: step.to, spec: find(world, step.object).spec ?? {} })
      return []
    case 'again': {
      const { spec = {} } = find(world, step.object)
      act(world, { do: 'delete', object: step.object })
      createOnceGone(world, { ...step.object, spec })
      return []
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
      return []
    }
  }
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
    spec: withStrangers(world.strangers, spec),
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
