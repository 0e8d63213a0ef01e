/** The calls an operation on a machine can make, and the facts of each. Pure. */
import type { Image, Operation } from '../../api/shared.ts'
import type { StepFacts } from '../../reconcile/plan.ts'
import type { SeenMachine } from './seen.ts'

export type StopMode = 'Graceful' | 'GracefulThenForce' | 'Force'

export type OperationStep =
  | { readonly do: 'stop' | 'forceStop' | 'start' }
  | { readonly do: 'rescueStart' }
  /** Neither: the system the machine was made from. */
  | { readonly do: 'reinstall'; readonly image?: Image; readonly baseOSImage?: string }
  | { readonly do: 'rebuild'; readonly replica: string; readonly snapshot: string }

/** The boot disk is made anew. */
const DESTROYS = { stops: true, slow: true, onlyOnce: true } as const

export function operationFacts(step: OperationStep, seen: SeenMachine): StepFacts {
  const locks = [seen.id]
  switch (step.do) {
    case 'stop':
      return { nature: 'oneShot', words: 'shut the virtual machine down', locks, stops: true }
    case 'forceStop':
      return { nature: 'oneShot', words: 'cut the power of the virtual machine', locks, stops: true }
    case 'start':
      return { nature: 'set', words: 'start the virtual machine', locks }
    case 'rescueStart':
      return { nature: 'oneShot', words: 'start the rescue system', locks }
    case 'reinstall':
      return { nature: 'oneShot', words: `install ${systemWords(step)} anew`, locks, ...DESTROYS }
    case 'rebuild': {
      const words = `put the boot disk back to CloudSnapshot ${step.snapshot}`
      return { nature: 'oneShot', words, locks, ...DESTROYS }
    }
  }
}

function systemWords({ image, baseOSImage }: Extract<OperationStep, { do: 'reinstall' }>): string {
  if (image !== undefined) return `${image.os} ${image.version}`
  return baseOSImage ?? 'the operating system'
}

/** What a read can show: only that a machine is off. */
export function operationEffect({ verb }: Operation, seen: SeenMachine): boolean {
  switch (verb) {
    case 'stop':
    case 'forceStop':
      return seen.power === 'stopped'
    case 'rescueStart':
      return seen.power === 'running'
    default:
      return false
  }
}
