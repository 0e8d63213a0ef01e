import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusterPart, markedName, markedText, markerIn, markerOf } from '../../../src/reconcile/marker.ts'

const MARKER = markerOf('cluster', 'uid')

test('never another for the same cluster and object: objects in the cloud carry it', () => {
  expect(MARKER).toBe(markerOf('cluster', 'uid'))
  expect(MARKER).toMatch(/^[a-z2-7]{14}$/)
  expect(MARKER.startsWith(clusterPart('cluster'))).toBe(true)
})

test('another for another object or cluster', () => {
  const uids = Array.from({ length: 2_000 }, (_each, index) => `uid-${index}`)
  expect(new Set(uids.map((uid) => markerOf('cluster', uid))).size).toBe(uids.length)
  expect(markerOf('other', 'uid')).not.toBe(MARKER)
  expect(markerOf('other', 'uid').slice(4)).not.toBe(MARKER.slice(4))
})

test('found in every label it was put into', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, uid) => {
      const marker = markerOf('cluster', uid)
      expect(markerIn(markedText(text, marker))).toBe(marker)
      expect(markerIn(markedName(text, marker))).toBe(marker)
    }),
  )
  expect(markerIn(markedText(undefined, MARKER))).toBe(MARKER)
  expect(markedText('', MARKER)).toBe(`k8s-${MARKER}`)
})

describe('no marker', () => {
  test.each([
    ['nothing', undefined],
    ['an empty label', ''],
    ['the bare word, which anybody may have typed', MARKER],
    ['another word behind it', `web-${MARKER} more`],
    ['a suffix to it', `web-${MARKER}-2`],
    ['one character less', `web-${MARKER.slice(1)}`],
    ['one character more', `web-a${MARKER}`],
    ['capitals', `web-${MARKER.toUpperCase()}`],
    ['digits that are not of the alphabet', 'web-abcdefghijk018'],
  ])('%s', (_case, label) => {
    expect(markerIn(label)).toBeUndefined()
  })
})
