/** The last write of a pass. What was begun is recorded even when somebody changed the object meanwhile. */
import { isKubeError } from '../kube/errors.ts'
import type { CloudResource } from './kind.ts'
import { writeStatus, type Pass } from './pass.ts'

const TRIES = 5

/**
 * False when the object changed and nothing was begun: the next pass finds everything anew. After an intent its outcome
 * would be lost with that (a machine stopped, changed and started again looks as if it had never been stopped), so it is
 * written over a foreign label or annotation, as long as the status still has our operation. Throws other KubeErrors.
 */
export async function recordOutcome(pass: Pass): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      await writeStatus(pass)
      return true
    } catch (error) {
      if (!isKubeError(error, 'conflict', 'notFound')) throw error
      if (!pass.began || !(await takeLatest(pass))) return false
    }
  }
  return false
}

async function takeLatest(pass: Pass): Promise<boolean> {
  const { metadata, status } = pass.object
  const latest = await pass.env.kube.get<CloudResource>(pass.kind.type, metadata.namespace, metadata.name)
  if (latest?.metadata.uid !== metadata.uid) return false
  if (latest.status?.operation?.id !== status?.operation?.id) return false
  pass.object = latest
  return true
}
