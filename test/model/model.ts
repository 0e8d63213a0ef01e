/**
 * The planners, walked through from every state of a small world. A state is a wish, what the cloud truly has, what it shows
 * of that, and what is remembered; a walk does what the pipeline does with the kind's own plan, facts, effect and report,
 * against a service of a few lines per kind, written from its interface alone. Nothing here opens a connection, waits, or
 * shares a line with the simulator.
 */
import type { Kind } from '../../src/api/group.ts'
import type { CommonStatus, Operation } from '../../src/api/shared.ts'
import type { CloudResource, KindDefinition, Patch, Seen } from '../../src/reconcile/kind.ts'
import type { StepBase } from '../../src/reconcile/plan.ts'

/** The types of one kind. `cloud`: what is truly there, shown or not. */
export interface Words {
  readonly object: CloudResource
  readonly want: unknown
  readonly cloud: object
  readonly seen: Seen
  readonly step: StepBase
  readonly status: CommonStatus
}

/** Of a kind all that decides. */
export type Planner<W extends Words> = Pick<
  KindDefinition<W['object'], W['want'], W['seen'], W['step'], W['status']>,
  'plan' | 'planGone' | 'facts' | 'effect' | 'report' | 'usability' | 'remember' | 'refused' | 'refusedWait'
>

/**
 * What becomes of the operation that is open at the start. arrives: its effect comes late. lost: it was never answered and
 * never happened. overdue: it was answered and has shown no effect in its time.
 */
export type Fate = 'arrives' | 'lost' | 'overdue'

export interface State<W extends Words> {
  readonly want: W['want']
  /** Undefined: nothing is there. */
  readonly cloud: W['cloud'] | undefined
  readonly status: W['status']
  /** Of status.operation. */
  readonly fate?: Fate
  /** The step that was accepted twice without an effect before. */
  readonly fought?: string
  readonly outlived?: readonly string[]
  readonly appliedBefore?: boolean
  /** The spec says that nothing may be done. */
  readonly observes?: boolean
}

export type Served<W extends Words> =
  | {
      readonly is: 'done'
      /** Undefined: it is gone. */
      readonly cloud: W['cloud'] | undefined
      /** The reply, where it shows other things than a read would. */
      readonly answer?: W['seen']
      /** What is recorded besides, of a create. */
      readonly learned?: Patch<W['status']>
      /** Ids of what was destroyed and was not the object's own to destroy. */
      readonly lost?: readonly string[]
      /** Accepted, and nothing comes of it before time has passed, if ever. */
      readonly later?: true
    }
  | { readonly is: 'refused'; readonly text: string }

/** A precondition that the interface states, or a rule of ours that protects something. */
export interface Rule<W extends Words> {
  readonly says: string
  /** The steps it is about; undefined: all. */
  readonly of?: readonly W['step']['do'][]
  /** Judged by what truly is, before the step. */
  readonly kept: (state: State<W>, step: W['step']) => boolean
}

export type EndAs =
  'done' | 'deleted' | 'wait' | 'block' | 'pending' | 'unusable' | 'refused' | 'drifted' | 'observed'

/** Where a walk may end. */
export interface End<W extends Words> {
  readonly as: EndAs
  /** The reason of a wait, a block or something pending, or the step that was refused or fought over. */
  readonly reason?: string
  /** A part of the message, where several ends have the same reason. */
  readonly says?: string
  /** Whether a walk may end so: by the state it ends in and the one it began in. */
  readonly when: (end: State<W>, start: State<W>) => boolean
  /** Why this is an end, in words. */
  readonly why: string
}

export interface Model<W extends Words> {
  readonly kind: Kind
  readonly planner: Planner<W>
  readonly states: () => Iterable<State<W>>
  /** What the plan of a deletion reads of the spec. */
  readonly object: (want: W['want']) => W['object']
  readonly look: (cloud: W['cloud']) => W['seen']
  readonly serve: (state: State<W>, step: W['step']) => Served<W>
  /** What time alone changes; the same object: nothing. */
  readonly elapse: (cloud: W['cloud']) => W['cloud']
  /** The wish once the object exists. */
  readonly made: (want: W['want']) => W['want']
  /** The step that an open operation is of. */
  readonly stepOf: (operation: Operation, state: State<W>) => W['step'] | undefined
  /** Virtual machines that the call of a step names, as the interface has it. */
  readonly names: (step: W['step'], cloud: W['cloud'] | undefined) => readonly string[]
  /** Whether a step stops a running machine in a way that an approval may be needed for; undefined: no matter. */
  readonly stops?: (state: State<W>, step: W['step']) => boolean | undefined
  readonly rules: readonly Rule<W>[]
  readonly ends: readonly End<W>[]
  /** Steps that no walk exceeds. */
  readonly most: number
}
