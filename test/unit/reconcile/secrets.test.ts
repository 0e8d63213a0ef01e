import { describe, expect, test } from 'vitest'
import { KubeError } from '../../../src/kube/errors.ts'
import type { Secret } from '../../../src/kube/object.ts'
import type { KubeClient } from '../../../src/kube/requests.ts'
import { createSecrets } from '../../../src/reconcile/secrets.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const SECRET = { metadata: { uid: 'uid', resourceVersion: '7' }, data: { key: 'value', empty: '' } }

function rig(answer: () => Promise<Secret | undefined>) {
  const clock = createManualClock()
  const hidden: string[] = []
  let reads = 0
  const kube = {
    getSecret: () => {
      reads += 1
      return answer()
    },
  } as unknown as KubeClient
  const secrets = createSecrets(kube, clock, { ...silentLog, hide: (value) => void hidden.push(value) })
  const read = (key = 'key', maxAgeMs = 1_000) => secrets.read('team', 'token', key, maxAgeMs)
  return { clock, hidden, read, reads: () => reads }
}
const there = () => Promise.resolve(SECRET as unknown as Secret)

test('a ConfigMap is another thing than a Secret of the same name', async () => {
  const asked: string[] = []
  const answer = (kind: string) => () => {
    asked.push(kind)
    return Promise.resolve({ metadata: { uid: kind, resourceVersion: '1' }, data: { key: 'text' } })
  }
  const kube = { getSecret: answer('Secret'), getConfigMap: answer('ConfigMap') } as unknown as KubeClient
  const secrets = createSecrets(kube, createManualClock(), silentLog)
  const read = (from?: 'ConfigMap') => secrets.read('team', 'same', 'key', 1_000, from)
  expect(await read()).toMatchObject({ uid: 'Secret' })
  expect(await read('ConfigMap')).toMatchObject({ uid: 'ConfigMap', value: 'text' })
  await read('ConfigMap')
  expect(asked).toEqual(['Secret', 'ConfigMap'])
})

describe('a Secret', () => {
  test('its value, hidden from every log', async () => {
    const { read, hidden } = rig(there)
    expect(await read()).toEqual({ is: 'there', uid: 'uid', version: '7', value: 'value' })
    expect(hidden).toEqual(['value'])
  })

  test('without the key, or with nothing under it', async () => {
    const { read } = rig(there)
    expect(await read('other')).toEqual({ is: 'withoutKey' })
    expect(await read('empty')).toEqual({ is: 'withoutKey' })
  })

  test('read once for all its keys while it is young enough, even at the same moment', async () => {
    const { read, reads, clock } = rig(there)
    await Promise.all([read(), read('other'), read()])
    expect(reads()).toBe(1)
    await clock.advance(1_000)
    await read()
    expect(reads()).toBe(1)
    await clock.advance(1)
    await read()
    expect(reads()).toBe(2)
  })

  test('that is not there is looked for each time', async () => {
    const { read, reads } = rig(() => Promise.resolve(undefined))
    expect(await read()).toEqual({ is: 'missing' })
    expect(await read()).toEqual({ is: 'missing' })
    expect(reads()).toBe(2)
  })

  test('that may not be read is said to be so; other errors pass, and none is kept', async () => {
    const failing = (word: 'forbidden' | 'unclear') => () => Promise.reject(new KubeError(word, 'no'))
    const refused = rig(failing('forbidden'))
    expect(await refused.read()).toEqual({ is: 'forbidden' })
    const down = rig(failing('unclear'))
    await expect(down.read()).rejects.toThrow(KubeError)
    await expect(down.read()).rejects.toThrow(KubeError)
    expect(down.reads()).toBe(2)
  })
})
