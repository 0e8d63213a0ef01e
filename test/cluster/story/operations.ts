/** What stories of operations on machines say and count. */
import { manifest } from '../kubectl.ts'
import { conditionOf, type AnyObject, type Story } from '../story.ts'
import { sent } from './calls.ts'

export type Call = readonly [method: string, path: string]
export const STOP: Call = ['POST', '/user-resource/vm/stop']
export const START: Call = ['POST', '/user-resource/vm/start']
export const RESCUE: Call = ['POST', '/user-resource/vm/rescue_start']
export const REINSTALL: Call = ['POST', '/user-resource/vm/reinstall']
export const REBUILD: Call = ['POST', '/user-resource/vm/rebuild']

export const text = (...calls: readonly Call[]) => calls.map((call) => call.join(' '))

/** An hour from now, or before it. */
export function hoursFromNow(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

/** A manifest of an operation on the CloudVM `vm`. */
export function operation(name: string, vm: string, spec: object): string {
  return manifest('CloudVMOperation', name, { vmRef: { name: vm }, ...spec })
}

/** What a reinstall and a rebuild need besides. */
export function confirmed(id: string): { confirmVMID: string; expiresAt: string } {
  return { confirmVMID: id, expiresAt: hoursFromNow(1) }
}

export type Ending = 'Complete' | 'Failed' | 'OutcomeUnknown'

/** Waits until the operation has ended, and in which way; its finalizer stays where something was sent. */
export async function ended(story: Story, name: string, as: Ending): Promise<AnyObject> {
  const endings: readonly Ending[] = ['Complete', 'Failed', 'OutcomeUnknown']
  const object = await story.until('cloudvmoperation', name, `ended as ${as}`, (each) => {
    const over = endings.find((type) => conditionOf(each, type)?.status === 'True')
    if (over !== undefined && over !== as) {
      throw new Error(`${name} ended as ${over}: ${conditionOf(each, over)?.message ?? ''}`)
    }
    const held = (each.metadata.finalizers ?? []).length > 0
    return over !== undefined && held === (each.status?.['sent'] !== undefined)
  })
  if (object.status?.['finishedAt'] === undefined) throw new Error(`${name} has ended without a time`)
  if (object.status['operation'] !== undefined) throw new Error(`${name} has ended with an open call`)
  return object
}

export function words(object: AnyObject): string {
  return conditionOf(object, 'Ready')?.message ?? ''
}

/** The changing calls since a number, without their parameters. */
export function calls(story: Story, since: number): string[] {
  return sent(story, since).map(([call]) => call)
}

/** Begins with `begin`, is killed at this call, and starts anew. */
export async function killedAt(
  story: Story,
  [method, path]: Call,
  point: 'before' | 'afterCommit',
  begin: () => Promise<void>,
): Promise<void> {
  const { control } = story.simulator
  const hold = control.hold({ method, path, point })
  await begin()
  await control.waitHeld(hold.id, 60_000)
  await story.operator.stop('SIGKILL')
  control.release(hold.id, 'reset')
  story.operator = await story.start()
}
