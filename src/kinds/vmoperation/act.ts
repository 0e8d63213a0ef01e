/** Carries out one step: one switch, one changing HTTP call each. */
import type { VmOperationStatus } from '../../api/vmoperation.ts'
import type { VmRecord } from '../../cloud/records.ts'
import { rebuildVm, reinstallVm, rescueVm, startVm, stopVm } from '../../cloud/vm-operations.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { seenMachine, type SeenMachine } from './seen.ts'
import type { OperationStep } from './steps.ts'

type Context = CallContext<VmOperationStatus>

/** The machine as the reply shows it; starts show nothing, and the next read does. */
export async function actOperation(
  context: Context,
  step: OperationStep,
  seen: SeenMachine,
): Promise<SeenMachine> {
  const { location, send, session } = context
  const { client, memory } = session
  switch (step.do) {
    case 'stop':
    case 'forceStop': {
      const force = step.do === 'forceStop'
      return noted(context, await stopVm(client, location, seen.id, { force }, send))
    }
    case 'start':
      await startVm(client, location, seen.id, send)
      return { id: seen.id, power: 'between', word: 'starting' }
    case 'rescueStart':
      await rescueVm(client, location, seen.id, send)
      return { id: seen.id, power: 'between', word: 'starting' }
    case 'reinstall': {
      const { image, baseOSImage } = step
      const system =
        baseOSImage === undefined ? { osName: image?.os, osVersion: image?.version } : { baseOSImage }
      return noted(context, await reinstallVm(client, location, seen.id, system, send))
    }
    case 'rebuild': {
      const reply = await rebuildVm(client, location, seen.id, step.replica, send)
      memory.storage.delete(seen.id)
      return noted(context, reply)
    }
  }
}

function noted({ session, location }: Context, reply: VmRecord): SeenMachine {
  session.inventory.note('vm', location, reply)
  return seenMachine(reply)
}
