/** What people do: in the timeline of a scenario, or in the middle of somebody else's work. Plain data. */
import type { Change } from '../../src/simulator/changes.ts'
import type { Profile } from '../../src/simulator/state/model.ts'
import type { Strangers } from '../../src/simulator/strangers.ts'

/** An object of ours, by kind and name. */
export interface Named {
  readonly kind: string
  readonly name: string
}

/** In a spec: the cloud id of one of the scenario's strangers, by its name. */
export interface StrangerID {
  readonly stranger: string
}

export interface Manifest extends Named {
  readonly spec: Readonly<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** In a cloud change: the cloud id (status.id) of an object of ours, or a field of its status. */
export interface IdOf {
  readonly idOf: Named
  /** 'id' when absent. */
  readonly field?: string
}

/** A change of the simulator whose ids may be those of our objects. */
export type CloudChange = {
  readonly [Field in string]: string | number | boolean | IdOf | object
} & { readonly do: Change['do'] }

/** An answer to what an object asks: right ones, and such as people give by mistake. */
export interface AnswerStep {
  readonly do: 'answer'
  readonly object: Named
  readonly with: 'own' | 'none' | 'stale' | 'claim' | 'recreate' | 'recreateAnother' | 'takeover' | 'approve'
}

export type PersonStep =
  | { readonly do: 'apply'; readonly objects: readonly Manifest[] }
  | { readonly do: 'edit'; readonly object: Named; readonly spec: Readonly<Record<string, unknown>> }
  | {
      readonly do: 'annotate'
      readonly object: Named
      readonly annotations: Readonly<Record<string, string | null>>
    }
  | { readonly do: 'delete'; readonly object: Named }
  | { readonly do: 'secret'; readonly name: string; readonly data: Readonly<Record<string, string>> }
  | { readonly do: 'wipeStatus'; readonly object: Named }
  | { readonly do: 'stripFinalizer'; readonly object: Named }
  /** The same spec under another name: a copied manifest; or with its status, as a backup tool does. */
  | {
      readonly do: 'copy'
      readonly object: Named
      readonly to: string
      readonly withStatus?: true
      readonly withAnnotations?: true
      /** What differs in its spec. */
      readonly spec?: Readonly<Record<string, unknown>>
    }
  /** The status of another object over its own, or fields of it; null takes one away. */
  | {
      readonly do: 'overwrite'
      readonly object: Named
      readonly from?: Named
      readonly status?: Readonly<Record<string, unknown>>
    }
  /** As in a cluster built anew: the object is another one, and nobody cleaned up. */
  | { readonly do: 'rebuild'; readonly object: Named }
  | AnswerStep
  /** It is deleted in the cloud, and a stranger gets its name, and its address. */
  | { readonly do: 'takenInCloud'; readonly object: Named }
  /** The CRD is deleted, and with it every object of the kind. */
  | { readonly do: 'deleteCRD'; readonly kind: string }
  /** Deleted, and applied again at once. */
  | { readonly do: 'again'; readonly object: Named }
  | { readonly do: 'cloud'; readonly change: CloudChange }
  /** Paused by the annotation for so long. */
  | { readonly do: 'pauseFor'; readonly object: Named; readonly ms: number }

export type Step =
  | PersonStep
  /** Until nothing is going on any more. */
  | { readonly do: 'settle' }
  | { readonly do: 'wait'; readonly ms: number }

export interface End {
  /** Any when absent. */
  readonly kind?: string
  readonly reason: string
  readonly because: string
}

export interface Scenario {
  readonly name: string
  /** Both when absent. */
  readonly profiles?: readonly Profile[]
  /** Spec fields of CloudAccount default beyond the rig's own. */
  readonly account?: Readonly<Record<string, unknown>>
  /** Made in the cloud by hand before anything else, to be adopted. */
  readonly strangers?: readonly Strangers[]
  readonly timeline: readonly Step[]
  /** States in which objects of this scenario stand at its end, besides those that every scenario may end in. */
  readonly ends?: readonly End[]
  /** Oracles that cannot hold of this scenario, each with its reason. */
  readonly excused?: Readonly<Record<string, string>>
  /** Oracles that cannot hold of this scenario where a read does not show what is, each with its reason. */
  readonly unseen?: Readonly<Record<string, string>>
}
