/** Short forms for timelines. */
import type { CloudChange, IdOf, Manifest, Named, PersonStep, Step } from '../steps.ts'

export type Spec = Readonly<Record<string, unknown>>

export const settle: Step = { do: 'settle' }
export const wait = (seconds: number): Step => ({ do: 'wait', ms: seconds * 1_000 })
export const apply = (...objects: readonly Manifest[]): PersonStep => ({ do: 'apply', objects })
export const edit = (object: Named, spec: Spec): PersonStep => ({ do: 'edit', object: named(object), spec })
export const remove = (object: Named): PersonStep => ({ do: 'delete', object: named(object) })
export const annotate = (object: Named, annotations: Readonly<Record<string, string>>): PersonStep => ({
  do: 'annotate',
  object: named(object),
  annotations,
})
export const cloud = (change: CloudChange): PersonStep => ({ do: 'cloud', change })
export const idOf = (object: Named, field?: string): IdOf => ({
  idOf: named(object),
  ...(field !== undefined && { field }),
})
/** Of a manifest only what names it. */
export const named = ({ kind, name }: Named): Named => ({ kind, name })

/** As if nothing was ever known. */
export const wipe = (object: Named): PersonStep => ({ do: 'wipeStatus', object: named(object) })

/** Each edit is settled before the next. */
export const oneByOne = (...steps: readonly Step[]): readonly Step[] =>
  steps.flatMap((step) => [step, settle])

const manifest =
  (kind: string) =>
  (name: string, spec: Spec = {}): Manifest => ({ kind, name, spec })

export const network = manifest('CloudNetwork')
export const disk = manifest('CloudDisk')
export const floatingIP = manifest('CloudFloatingIP')
export const loadBalancer = manifest('CloudLoadBalancer')
export const bucket = manifest('CloudBucket')

/** The smallest machine, with `more` in its spec. */
export const vm = (name: string, more: Spec = {}): Manifest => ({
  kind: 'CloudVM',
  name,
  spec: {
    image: { os: 'ubuntu', version: '24.04' },
    vcpus: 1,
    memoryMiB: 1_024,
    bootDisk: { sizeGiB: 20 },
    username: 'admin',
    publicKey: 'ssh-ed25519 AAAA test',
    ...more,
  },
})

export const ref = (object: Named) => ({ name: object.name })
