/** What stories of snapshots look at: the copies of a machine's boot disk, and the calls about them. */
import type { Replica } from '../../../src/simulator/state/model.ts'
import { conditionOf, type AnyObject, type Story } from '../story.ts'
import { cloudRow, sent } from './calls.ts'

const PATH = '/user-resource/vm/replica'
export const TAKE = ['POST', PATH] as const
export const DROP = ['DELETE', PATH] as const

/** The copies of a machine's boot disk, as the cloud has them. */
export function copiesOf(story: Story, vmID: string): readonly Replica[] {
  const [bootDisk] = cloudRow(story, 'vms', vmID)?.['storage'] as string[]
  return cloudRow(story, 'disks', bootDisk)?.['replicas'] as Replica[]
}

export const copyIDs = (story: Story, vmID: string) => copiesOf(story, vmID).map((each) => each.uuid)

/** Calls to take or drop a copy since a number. */
export function callsTo(story: Story, [method, path]: readonly [string, string], since: number): number {
  return sent(story, since).filter(([call]) => call === `${method} ${path}`).length
}

/** Reads of copies since a number. */
export function copyReads(story: Story, since: number): number {
  return story.simulator.control
    .calls({ since })
    .filter((call) => call.method === 'GET' && call.path === PATH).length
}

/** Takes away a copy as a person does in the console. */
export async function dropBehind(story: Story, id: string): Promise<void> {
  const { url, location } = story.simulator
  const answer = await fetch(`${url}/v1/${location}${PATH}`, {
    method: 'DELETE',
    headers: { apikey: story.account.apiKey, 'content-type': 'application/x-www-form-urlencoded' },
    body: `replica_uuid=${id}`,
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Waits until a person is asked what came of the create; the ids in question. */
export async function asked(
  story: Story,
  name: string,
): Promise<{ readonly operation: string; readonly candidates: readonly string[]; readonly message: string }> {
  const object: AnyObject = await story.until('cloudsnapshot', name, 'asked', (each) => {
    return conditionOf(each, 'Stalled')?.reason === 'CreateOutcomeUnknown'
  })
  const { id, candidates = [] } = object.status?.['operation'] as { id: string; candidates?: string[] }
  return { operation: id, candidates, message: conditionOf(object, 'Ready')?.message ?? '' }
}
