/** Objects of ours and stores of them, for tests. */
import { KINDS, type Kind } from '../../../src/api/group.ts'
import type { CommonStatus } from '../../../src/api/shared.ts'
import { pipelineKinds } from '../../../src/kinds/all.ts'
import type { CloudResource } from '../../../src/reconcile/kind.ts'
import type { References } from '../../../src/reconcile/references.ts'
import { createReferences } from '../../../src/reconcile/references.ts'
import { createStores, type Watched } from '../../../src/watch.ts'

export interface Wish {
  readonly kind?: Kind
  readonly name?: string
  readonly uid?: string
  readonly version?: number
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: CommonStatus
  readonly deleting?: boolean
  readonly finalizers?: readonly string[]
}

export function object(wish: Wish = {}): CloudResource {
  const { kind = 'CloudVM', name = 'web', version = 1, spec = {}, status } = wish
  return {
    apiVersion: 'cloud-operator.dev/v1alpha1',
    kind,
    metadata: {
      name,
      namespace: 'team',
      uid: wish.uid ?? `${kind}-${name}`,
      resourceVersion: String(version),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(wish.finalizers !== undefined && { finalizers: [...wish.finalizers] }),
      ...(wish.deleting === true && { deletionTimestamp: '2026-01-02T00:00:00Z' }),
    },
    spec,
    ...(status !== undefined && { status }),
  }
}

export function storesWith(
  ...objects: readonly CloudResource[]
): Watched & { readonly references: References } {
  const watched = createStores(pipelineKinds)
  for (const kind of KINDS) {
    const list = watched.stores[kind].replace('1', false)
    list.add(objects.filter((each) => each.kind === kind))
    list.finish()
  }
  return { ...watched, references: createReferences(watched.live) }
}
