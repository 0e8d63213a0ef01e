/** The wish of a pass: links resolved, secrets read, the kind's own reading of its spec. */
import { INDEX } from './references.ts'
import type { CloudResource, LinkState, SecretState, Wish } from './kind.ts'
import { isAsked, sessionOf, type Pass } from './pass.ts'
import { needed } from './needed.ts'

export async function readWish(pass: Pass): Promise<Wish<unknown>> {
  const { env, kind, object } = pass
  const links = new Map<string, LinkState>()
  for (const link of kind.links(object)) {
    if (link.needed === 'create' && pass.draft.id !== undefined) continue
    links.set(link.field, env.references.resolve(object, link))
  }
  const secrets = new Map<string, SecretState>()
  for (const link of kind.secrets(object)) {
    const { from = 'Secret', key, name } = link
    const { namespace } = object.metadata
    const found = await env.secrets.read(namespace, name, key, secretAge(pass), from)
    switch (found.is) {
      case 'missing':
        return waitFor(
          `${link.field}: ${from} ${name} does not exist in namespace ${namespace}; create it, it is looked for again by itself`,
        )
      case 'withoutKey': {
        const message = `${link.field}: ${from} ${name} has no key ${key}, or it is empty; add it, it is read again by itself`
        return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
      }
      case 'forbidden': {
        const message = `${link.field}: the operator is not allowed to read ${from} ${name} in namespace ${namespace}; give it the right to get ${from}s there`
        return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
      }
      case 'there':
        pass.secrets.set(link.field, found.value)
        secrets.set(link.field, { uid: found.uid, version: found.version })
    }
  }
  return kind.want(object, {
    marker: pass.marker,
    session: sessionOf(pass),
    location: needed(pass.location),
    link: (field) => links.get(field),
    secret: (field) => secrets.get(field),
    peers: () => peersOf(pass),
    referrers: () => env.references.referrers(object),
  })
}

function waitFor(message: string): Wish<unknown> {
  return { is: 'waiting', wait: { reason: 'WaitingForDependency', message } }
}

/** Nearly anew when somebody asks for a look, or while the last look was not good; else once per interval. */
function secretAge(pass: Pass): number {
  const asked = isAsked(pass)
  const ready =
    pass.draft.conditions?.some((each) => each.type === 'Synced' && each.status === 'True') ?? false
  return asked || !ready ? pass.env.durations.pollMs : sessionOf(pass).syncMs / 2
}

function peersOf(pass: Pass): readonly CloudResource[] {
  const all = pass.env.stores[pass.kind.kind].byIndex(INDEX.account, sessionOf(pass).account)
  const living = all.filter((each) => each.metadata.deletionTimestamp === undefined)
  return [...living].sort(
    (a, b) =>
      a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp) ||
      a.metadata.uid.localeCompare(b.metadata.uid),
  )
}
