/** No secret anywhere but in its Secret: everything the operator and the simulator ever said is searched. */
import { expect } from 'vitest'
import type { Story } from '../story.ts'

/** Each of these texts, and its base64, is looked for in logs, statuses, events, annotations, metrics and the call log. */
export async function expectUnsaid(story: Story, secrets: readonly string[]): Promise<void> {
  const everything = await everythingSaid(story)
  const forms = secrets.flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64'),
    encodeURIComponent(secret),
  ])
  expect(secrets.length).toBeGreaterThan(0)
  for (const [place, text] of everything) {
    expect(text.length, `${place} was empty`).toBeGreaterThan(0)
    const found = forms.filter((form) => text.includes(form))
    expect(found, `said in: ${place}`).toEqual([])
  }
}

async function everythingSaid(story: Story): Promise<readonly (readonly [place: string, text: string])[]> {
  const metrics = await fetch(`http://127.0.0.1:${story.operator.metricsPort}/metrics`)
  const health = await fetch(`http://127.0.0.1:${story.operator.healthPort}/readyz`)
  return [
    ['log', story.operator.lines.join('\n')],
    ['objects', await story.run('get', 'cloud', '-o', 'yaml', '--show-managed-fields')],
    ['events', await story.run('get', 'events', '-o', 'yaml')],
    ['metrics', await metrics.text()],
    ['health', `${health.status} ${await health.text()}`],
    ['call log', JSON.stringify(story.simulator.control.calls())],
  ]
}
