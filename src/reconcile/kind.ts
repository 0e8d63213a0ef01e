/** The interface every kind fulfils. The pipeline knows kinds only through it; a kind knows the pipeline only by these types. */
import type { Kind as KindName } from '../api/group.ts'
import type { Resource } from '../api/object.ts'
import type { CommonStatus, Lifecycle, Operation, Reference } from '../api/shared.ts'
import type { Send } from '../cloud/client.ts'
import type { ResourceType } from '../kube/object.ts'
import type { Follows } from './follow.ts'
import type { Marker } from './marker.ts'
import type { Block, Plan, StepBase, StepFacts, Wait } from './plan.ts'
import type { Session } from './session.ts'

/** What the pipeline reads of every spec; each kind's own schema is stricter. */
export interface CommonSpec {
  readonly accountRef?: Reference
  readonly location?: string
  readonly name?: string
  readonly billingAccount?: number
  readonly adopt?: { readonly id: string; readonly takeover?: boolean }
  readonly lifecycle?: Lifecycle & { readonly disruption?: 'Allow' | 'RequireApproval' }
}
export type CloudResource = Resource<CommonSpec, CommonStatus>

/** What the cloud has, as far as read. An absent field is unknown, never different. */
export interface Seen {
  readonly id: string
  /** The text that carries a marker where the service shows one: a name or a description. */
  readonly label?: string
  /** Display name where the label is another text. It may carry the marker itself, and then it alone counts. */
  readonly name?: string
  /** False: this record can never carry a marker, by what the service showed. Absent: it may. */
  readonly showsLabel?: boolean
  readonly createdAt?: string
  readonly billingAccount?: number
}

/** A reference to another object of ours, by the field that holds it. */
export interface Link {
  readonly field: string
  readonly kind: KindName
  readonly name: string
  /** create: needed only to make the object, never compared later. always: part of the wish. */
  readonly needed: 'create' | 'always'
}

export type LinkState =
  | { readonly state: 'ready'; readonly id: string; readonly object: CloudResource }
  /** Being deleted: counts as absent. */
  | { readonly state: 'leaving'; readonly object: CloudResource }
  | { readonly state: 'waiting'; readonly message: string }

/** A text under a key of a Secret or a ConfigMap. */
export interface SecretLink {
  readonly field: string
  /** Absent: a Secret. */
  readonly from?: 'Secret' | 'ConfigMap'
  readonly name: string
  readonly key: string
}

/** Identity and content version of a Secret's key; the value itself never enters a wish, a plan or a status. */
export interface SecretState {
  readonly uid: string
  readonly version: string
}

export interface WishFacts {
  readonly marker: Marker
  readonly session: Session
  readonly location: string
  readonly link: (field: string) => LinkState | undefined
  readonly secret: (field: string) => SecretState | undefined
  /** Living objects of the same kind and account, oldest first, this one included. */
  readonly peers: () => readonly CloudResource[]
  /** Objects that refer to this one. */
  readonly referrers: () => readonly CloudResource[]
}

export type Wish<Want> =
  | { readonly is: 'ready'; readonly want: Want }
  /** `mayBeOurs`: what it waits for may be held by what this object made, and has lost from its status. */
  | { readonly is: 'waiting'; readonly wait: Wait; readonly mayBeOurs?: boolean }
  | { readonly is: 'blocked'; readonly block: Block }

/** How recent a list must be: an age in milliseconds, or begun after a moment of the monotonic clock. */
export type Freshness = { readonly maxAgeMs: number } | { readonly startedAfter: number }

export interface ReadContext<Status> {
  readonly session: Session
  readonly location: string
  readonly freshness: Freshness
  readonly status: Status | undefined
}

export interface CallContext<Status> {
  readonly session: Session
  readonly location: string
  readonly marker: Marker
  readonly send: Send
  readonly status: Status | undefined
  /** Value of a secret the object refers to, by field; only for the body of the call. */
  readonly secretValue: (field: string) => string | undefined
  /** Whether a cloud object of this kind belongs to another object of ours. */
  readonly isOwned: (id: string) => boolean
}

/** What the object remembers across passes, and what the pipeline knows of a stuck operation. */
export interface Memory<Status> {
  readonly status: Status | undefined
  /** The last open operation of this verb outlived its time-out without its effect. */
  readonly overdue?: string
  /** A step of nature set and this verb was accepted twice and has shown no effect: it is not sent again. */
  readonly fought?: string
  /** This generation was applied in full before: a difference was made outside. */
  readonly appliedBefore: boolean
  /** Ids in status.retiring whose time is over. */
  readonly outlived?: readonly string[]
  /** Those of them that have had time enough to show themselves: what is not listed any more is gone. */
  readonly forgettable?: readonly string[]
}

export interface Usability {
  readonly usable: boolean
  readonly reason: 'Available' | 'Stopped'
  /** Why it is usable, or what is missing. */
  readonly message: string
}

/**
 * Reads of a kind. `rows` are list rows and may be sparse; `exact` is one object, undefined when the service says that
 * exactly this one is gone; both throw CloudError for everything else.
 */
export interface Reads<S extends Seen, Status> {
  rows(context: ReadContext<Status>): Promise<readonly S[]>
  /** One row of the same list by id, without a walk over all of them. */
  row(context: ReadContext<Status>, id: string): Promise<S | undefined>
  exact(context: ReadContext<Status>, id: string): Promise<S | undefined>
  /** False where the service has no exact read of this kind: lists stand for it. */
  readonly hasExact: (session: Session) => boolean
  /** A `row` of some age may be what was recorded of the object: `exact` is due now and then, although lists stand for it. */
  readonly rowsRemember?: true
}

/** What is on record beside the object that creates: by then its result may have been put to use. */
export interface Known {
  readonly object: CloudResource
  /** The object that has this cloud id. */
  readonly holderOf: (kind: KindName, id: string) => CloudResource | undefined
}

export interface Creation<R, S extends Seen, Want> {
  /** marker: the label proves ownership; name: the name is the identity (bucket); baseline: neither, ids are compared. */
  identity(session: Session): 'marker' | 'name' | 'baseline'
  /** name identity only: the id the new object will have. */
  idFor?(object: R): string
  /**
   * A row that may be the result of this create: equal in every field sent, absent fields aside. `operation` is the open
   * create: its details say what was sent, while `want` may have been edited since.
   */
  candidate(want: Want, row: S, operation?: Operation, known?: Known): boolean
  /**
   * marker only: the marker does not stay (a clone carries it in its name until its id is stored). Without its status what
   * the object made is then told like the result of an unmarked create.
   */
  labelGoes?(object: R): boolean
  /** marker only: what carries it may be a copy, made in the cloud, of what carried it first: the label is copied along. */
  mayBeCopy?(object: R, row: S): boolean
  /** Ids to note before the create as `operation.companions` (nameless addresses), told apart from what comes with it. */
  companionsBefore?(context: ReadContext<unknown>, want?: Want): Promise<readonly string[]>
}

/** What an object of this kind is for: values of the service, kept in a Secret. They go nowhere else. */
export interface Delivery<R, Status> {
  secretName(object: R): string
  /** Keys of the Secret whose values are secret. */
  readonly hidden: readonly string[]
  /** What the Secret is to hold for the cloud object `id`; undefined: the service does not show it at the moment. */
  contents(
    context: ReadContext<Status>,
    id: string,
    object: R,
  ): Promise<Readonly<Record<string, string>> | undefined>
}

export interface KindDefinition<
  R extends CloudResource,
  Want,
  S extends Seen,
  Step extends StepBase,
  Status extends CommonStatus = NonNullable<R['status']> & CommonStatus,
> {
  readonly kind: KindName
  readonly type: ResourceType
  /** Noun in messages: "virtual machine". */
  readonly noun: string
  readonly reads: Reads<S, Status>
  readonly creation: Creation<R, S, Want>
  /** Absent: the spec names account and location. */
  readonly follows?: Follows
  /** Present: what exists is delivered into a Secret of the object's own, and can be rotated. */
  readonly delivery?: Delivery<R, Status>

  links(object: R): readonly Link[]
  secrets(object: R): readonly SecretLink[]
  /** Pure. */
  want(object: R, facts: WishFacts): Wish<Want>
  /** Pure. Status fields that reads need before anything exists; stored with the intent. */
  pins?(want: Want): Patch<Status>
  /** Pure. Without `seen` nothing exists: the plan begins with the step of nature create. */
  plan(want: Want, seen: S | undefined, memory: Memory<Status>): Plan<Step>
  /** Pure. The steps to delete what is seen; needs no reference and no valid spec. */
  planGone(seen: S, memory: Memory<Status>, object: R): Plan<Step>
  facts(step: Step, seen: S | undefined): StepFacts
  /** One HTTP call; answers with the next observation, merged from the reply; undefined for a create that was accepted and names nothing. */
  act(
    context: CallContext<Status>,
    step: Step,
    want: Want | undefined,
    seen: S | undefined,
  ): Promise<S | undefined>
  /** Pure. Whether the effect of an open operation (nature move, toggle or oneShot) is visible. */
  effect(operation: Operation, seen: S): boolean
  /** Pure. Milliseconds after which an operation without a visible effect is overdue; absent: the settle time. */
  overdueAfterMs?(operation: Operation, object: R): number | undefined
  /** Pure. Status fields from an observation; unknown fields are left out, `undefined` values clear. */
  report(seen: S, memory: Memory<Status>, want: Want | undefined): Patch<Status>
  usability(seen: S, want: Want | undefined): Usability
  /** Pure. Status fields to write together with the intent of a step. */
  remember?(step: Step, seen: S | undefined, memory: Memory<Status>): Patch<Status>
  /** Pure. Status fields after the service refused a step; undefined: the refusal says it all. */
  refused?(step: Step, text: string, memory: Memory<Status>): Patch<Status> | undefined
  /** Pure. What a refused step waits for, where the refusal is one that time or another object changes. */
  refusedWait?(step: Step, text: string): Wait | undefined
  /** What to do about a refusal, where the spec cannot be corrected any more. */
  readonly refusedRemedy?: string
  /** Pure. The field of the spec that a refusal is about, by the service's text and the parameter it names. */
  refusedField?(step: Step, text: string, parameter: string | undefined): string | undefined
  /** After a create: finds what came with it. `wait` while it is not visible yet, for `atMostMs` or the settle time. */
  confirm?(
    context: ReadContext<Status>,
    operation: Operation,
    seen: S,
    object: R,
  ): Promise<{ readonly patch: Patch<Status>; readonly wait?: string; readonly atMostMs?: number }>
  /** Steps that remove what the object leaves behind after its own deletion is proven. */
  leftovers?(context: ReadContext<Status>, object: R): Promise<readonly Step[]>
  /** Pure. What must not be left as it is when the object goes and its cloud object stays. */
  readonly parting?: {
    unfinished(status: Status): boolean
    /** Undefined: nothing is left to do. */
    next(seen: S, memory: Memory<Status>): Step | 'wait' | undefined
  }
  /** Living objects of ours that hold its deletion: kinds and the field that refers to it. */
  readonly heldBy?: readonly Dependant[]
  /** After the cloud object vanished behind our back: made again only where nothing of value is lost. */
  remakes(object: R): boolean
  /** Pure. What spec.adopt.id takes for it; absent: its id. */
  adoptID?(seen: S): string
  /** Finds what spec.adopt.id names, or says what is wrong with that; absent: `exact` with that id. */
  findToAdopt?(
    context: ReadContext<Status>,
    adoptID: string,
  ): Promise<S | { readonly refuses: Block } | undefined>
  /** Status fields that are written only along with another change. */
  readonly slowFields?: readonly (keyof Status & string)[]
  /** Calls name it by a key that the service gives out again, to others as well: it is looked at once more after each intent. */
  readonly keyIsReused?: true
  /** Pure. Identity check beyond the id (a bucket's creation time): false when it is another object under the same key. */
  same?(status: Status, seen: S): boolean
}

export interface Dependant {
  readonly kind: KindName
  /** Name of the object of this kind that the one being deleted itself refers to; asked besides those that refer to it. */
  named?(target: CloudResource): string | undefined
  /** Cloud ids by which further objects of this kind have to do with it, each with the index that leads to them. */
  related?(target: CloudResource): readonly (readonly ['cloudID' | 'adopts' | 'boots', string])[]
  /** Asked although nothing of it may exist yet: it says what it is about to be. */
  claims?(dependant: CloudResource): boolean
  /** In words, why the deletion is held although none of `asked` holds it; absent, undefined: it is not. */
  missing?(target: CloudResource, asked: readonly CloudResource[]): string | undefined
  /** Whether this object holds the deletion. */
  holds(dependant: CloudResource, target: CloudResource, keeps: Keeps): boolean
  /** It holds the target also where the target's cloud object is to be kept. */
  readonly evenIfKept?: true
  /** How the matter ends, as the rest of "still used by …;". */
  readonly until: string
}

/** Whether an object's cloud object stays when the object is deleted. */
export type Keeps = (object: CloudResource) => boolean

/** Fields to set; an explicit undefined clears a field. */
export type Patch<Status> = { readonly [Field in keyof Status]?: Status[Field] | undefined }
