/** No secret anywhere but in its Secret: everything the operator and the simulator ever said is searched. */
import { expect } from 'vitest'
import type { Story } from '../story.ts'

/**
 * Each of these texts, in every spelling it may have, is looked for in the logs of all operators of the story, objects
 * (annotations and managed fields included), every status there ever was, events, metrics, health and the call log.
 */
export async function expectUnsaid(story: Story, secrets: Iterable<string>): Promise<void> {
  const all = [...new Set(secrets)]
  const everything = await everythingSaid(story)
  expect(all.length).toBeGreaterThan(0)
  expect(all.filter((each) => each.length < 8)).toEqual([])
  const forms = [...new Set(all.flatMap(spellings))]
  for (const [place, text] of everything) {
    expect(text.length, `${place} was empty`).toBeGreaterThan(0)
    const found = forms.filter((form) => text.includes(form))
    expect(found, `said in: ${place}`).toEqual([])
  }
}

/** A text as it stands in a log, in JSON (within JSON as well), in an address, in a form, in a Secret. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const inJSON = (text: string) => JSON.stringify(text).slice(1, -1)
  const encoded = encodeURIComponent(secret)
  const plain = [
    secret,
    encoded,
    encoded.replace(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
  return [...plain, ...plain.map(inJSON), ...plain.map((each) => inJSON(inJSON(each)))]
}

async function everythingSaid(story: Story): Promise<readonly (readonly [place: string, text: string])[]> {
  const { healthPort, metricsPort } = story.operator
  const answer = async (port: number, path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`)
    return `${reply.status} ${JSON.stringify([...reply.headers])} ${await reply.text()}`
  }
  return [
    ['log', story.logs().join('\n')],
    // JSON: YAML breaks long texts into lines.
    ['objects', await story.run('get', 'cloud', '-o', 'json', '--show-managed-fields')],
    ['objects as told', await story.run('describe', 'cloud')],
    ['statuses', story.statuses().join('\n')],
    ['events', await story.run('get', 'events', '-o', 'json')],
    ['metrics', await answer(metricsPort, '/metrics')],
    ['readiness', await answer(healthPort, '/readyz')],
    ['liveness', await answer(healthPort, '/healthz')],
    ['call log', JSON.stringify(story.simulator.control.calls())],
  ]
}
