/**
 * CloudVMOperation: something done once to a machine. It has no cloud object of its own, so its passes are its own too:
 * it waits for its turn, carries its calls out, each at most once, and ends for good.
 */
import type { CloudVM } from '../../api/vm.ts'
import type { VmOperationStatus } from '../../api/vmoperation.ts'
import type { KindDefinition } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { readVm } from '../../reconcile/vmrecords.ts'
import { actOperation } from './act.ts'
import { operationLinks, VM, type OperationObject } from './links.ts'
import type { Purpose } from './plan.ts'
import { seenMachine, type SeenMachine } from './seen.ts'
import { operationEffect, operationFacts, type OperationStep, type StopMode } from './steps.ts'

/** What the pipeline's parts need to know of it; creating, comparing and deleting are not among them. */
export const vmOperationKind = {
  kind: 'CloudVMOperation',
  type: resourceType('CloudVMOperation'),
  noun: 'virtual machine',
  follows: {
    kind: 'CloudVM',
    field: VM('').field,
    name: (object) => (object as OperationObject).spec.vmRef.name,
  },
  links: ({ spec }) => operationLinks(spec),
  secrets: () => [],
  reads: {
    hasExact: () => true,
    rows: () => Promise.resolve([]),
    row: () => Promise.resolve(undefined),
    exact: async (context, id) => {
      const record = await readVm(context, id)
      return record && seenMachine(record)
    },
  },
  facts: (step, seen) => operationFacts(step, needed(seen)),
  act: (context, step, _want, seen) => actOperation(context, step, needed(seen)),
  effect: operationEffect,
  refusedRemedy: 'an operation runs once: put right what it names and make a new CloudVMOperation',
  refusedField: (step, text, parameter) => fieldOf(step, parameter ?? /^(\w+):/.exec(text)?.[1]),
  // Whatever was done to it, the machine is to run: this is tried until it does.
  refusedWait: (step, text) =>
    step.do === 'start'
      ? {
          reason: 'WaitingForCloud',
          message: `the service does not start the virtual machine: "${text}"; it is tried again by itself until it runs`,
        }
      : undefined,
} satisfies Partial<KindDefinition<OperationObject, undefined, SeenMachine, OperationStep, VmOperationStatus>>

/** The field that a refusal is about, by the parameter it names. */
function fieldOf(step: OperationStep, parameter: string | undefined): string | undefined {
  if (step.do === 'rebuild') return parameter === 'replica_uuid' ? 'spec.rebuild.snapshotRef' : undefined
  if (step.do !== 'reinstall') return undefined
  if (parameter === 'base_os_image') return 'spec.reinstall.baseOSImage'
  return parameter === 'os_name' || parameter === 'os_version' ? 'spec.reinstall.image' : undefined
}

/** What it is for. `replica`: the cloud's id of the snapshot; without it the operation is past its call. */
export function purposeOf({ spec }: OperationObject, replica = ''): Purpose {
  if (spec.rescue !== undefined) return { do: 'rescueStart' }
  if (spec.reinstall !== undefined) return { do: 'reinstall', ...spec.reinstall }
  if (spec.rebuild === undefined) return { do: 'restart' }
  return { do: 'rebuild', replica, snapshot: spec.rebuild.snapshotRef.name }
}

const STOP_SECONDS = 300

/** How the CloudVM is to be stopped. */
export function stopOf(vm: CloudVM | undefined): { readonly mode: StopMode; readonly timeoutMs: number } {
  const { mode = 'Graceful', timeoutSeconds = STOP_SECONDS } = vm?.spec.stop ?? {}
  return { mode, timeoutMs: timeoutSeconds * 1000 }
}
