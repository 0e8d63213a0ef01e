/** What is delivered into a Secret shows in no line of the log. */
import { expect, test } from 'vitest'
import { resourceOf } from '../../faults/kube/resources.ts'
import { NAMESPACE } from '../../faults/world.ts'
import { begin, KEEPS_LINES } from './drive.ts'

const keys = { kind: 'CloudAccessKey', name: 'keys', spec: { secretName: 's3' } }

test('neither half of a key pair that is secret is told', async () => {
  const story = begin('one', KEEPS_LINES)
  const { model, lines } = story.world
  story.world.start()
  story.apply(keys)
  await story.until(() => story.isGood(keys))
  const { data = {} } = (model.get(resourceOf('Secret'), NAMESPACE, 's3') ?? {}) as {
    readonly data?: Readonly<Record<string, string>>
  }
  const value = Buffer.from(data['AWS_SECRET_ACCESS_KEY'] ?? '', 'base64').toString('utf8')
  expect(value.length).toBeGreaterThan(8)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.includes(value))).toEqual([])
})
