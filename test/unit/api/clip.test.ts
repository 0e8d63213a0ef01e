/** A status is made to fit its schema before it is written. */
import { describe, expect, test } from 'vitest'
import { clipStatus } from '../../../src/api/clip.ts'
import { STATUS_BOUNDS } from '../../../src/api/shared.ts'
import { vmStatus } from '../../../src/api/vm.ts'

const condition = {
  type: 'Ready',
  status: 'False',
  reason: 'CloudError',
  message: 'short',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
}

describe('clipStatus', () => {
  test('leaves alone what fits', () => {
    const status = { observedGeneration: 3, id: 'u-1', conditions: [condition], bootDiskGiB: 20 }
    expect(clipStatus('CloudVM', status)).toEqual(status)
  })

  test('cuts a text and marks the cut', () => {
    const long = { ...condition, message: 'x'.repeat(10_000) }
    const [clipped] = clipStatus('CloudVM', { conditions: [long] }).conditions ?? []
    expect(clipped?.message).toHaveLength(STATUS_BOUNDS.message)
    expect(clipped?.message.endsWith('x…')).toBe(true)
  })

  test('cuts between characters, never inside one', () => {
    const { hostname } = clipStatus('CloudVM', { hostname: '😀'.repeat(STATUS_BOUNDS.text) })
    expect(hostname?.isWellFormed()).toBe(true)
    expect(hostname?.length).toBeLessThanOrEqual(STATUS_BOUNDS.text)
  })

  test('shortens lists and maps', () => {
    const details = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`k${n}`, 'v']))
    const operation = { id: 'op', verb: 'create', issuedAt: 'now', details }
    const status = clipStatus('CloudVM', { publicIPs: Array<string>(99).fill('192.0.2.1'), operation })
    expect(status.publicIPs).toHaveLength(32)
    expect(Object.keys(status.operation?.details ?? {})).toHaveLength(STATUS_BOUNDS.details)
  })

  test('leaves out fields that are undefined or unknown', () => {
    const status = { id: 'u-1', colour: 'red', mac: undefined } as unknown as { id: string }
    expect(clipStatus('CloudVM', status)).toEqual({ id: 'u-1' })
  })

  test('gives what the schema accepts', () => {
    const status = clipStatus('CloudVM', {
      id: 'i'.repeat(999),
      disks: Array.from({ length: 99 }, (_, n) => ({ id: `d${n}`, name: 'n'.repeat(999) })),
      conditions: [{ ...condition, reason: 'r'.repeat(999) }],
    })
    expect(vmStatus.safeParse(status).error).toBeUndefined()
  })
})
