import { expect, test } from 'vitest'
import { INDEX } from '../../../src/reconcile/references.ts'
import { object, storesWith } from './objects.ts'

const KEY = 'team/web'

function rig() {
  const { stores, live } = storesWith(object({ version: 1 }))
  return { store: stores.CloudVM, live: live.CloudVM }
}

test('our own write shows at once, and until the watch has reached it', () => {
  const { store, live } = rig()
  const written = object({ version: 5, status: { id: 'cloud' } })
  live.wrote(written)
  expect(live.get(KEY)).toBe(written)
  expect([...live.list()]).toEqual([written])
  store.apply('put', object({ version: 3 }))
  expect(live.get(KEY)).toBe(written)
  const shown = object({ version: 5, status: { id: 'cloud' } })
  store.apply('put', shown)
  expect(live.get(KEY)).toBe(shown)
})

test('a later event of another object overtakes a write as well', () => {
  const { store, live } = rig()
  live.wrote(object({ version: 5, status: { id: 'cloud' } }))
  store.advance('6')
  expect(live.get(KEY)?.status).toBeUndefined()
})

test('a write that the watch has shown before is not laid over', () => {
  const { store, live } = rig()
  const newer = object({ version: 7 })
  store.apply('put', newer)
  live.wrote(object({ version: 5, status: { id: 'cloud' } }))
  expect(live.get(KEY)).toBe(newer)
})

test('an object made anew under the name wins', () => {
  const { store, live } = rig()
  live.wrote(object({ version: 9, status: { id: 'cloud' } }))
  const anew = object({ version: 8, uid: 'another' })
  store.apply('put', anew)
  expect(live.get(KEY)).toBe(anew)
})

test('a write made before the server’s versions went back is dropped', () => {
  const { store, live } = rig()
  live.wrote(object({ version: 900, status: { id: 'cloud' } }))
  const restored = object({ version: 2 })
  const list = store.replace('2', true)
  list.add([restored])
  list.finish()
  expect(live.get(KEY)).toBe(restored)
})

test('indices follow our own writes', () => {
  const { store, live } = rig()
  const written = object({ version: 5, status: { id: 'cloud' } })
  live.wrote(written)
  expect(live.byIndex(INDEX.cloudID, 'cloud')).toEqual([written])
  const gone = object({ version: 6, status: {} })
  live.wrote(gone)
  expect(live.byIndex(INDEX.cloudID, 'cloud')).toEqual([])
  expect(live.byIndex(INDEX.account, 'team/default')).toEqual([gone])
  store.apply('put', gone)
  expect(live.byIndex(INDEX.account, 'team/default')).toEqual([gone])
})

test('own: the states up to our latest write, and none of another object', () => {
  const { live } = rig()
  expect(live.isOwn(object({ version: 1 }))).toBe(false)
  live.wrote(object({ version: 5 }))
  expect(live.isOwn(object({ version: 5 }))).toBe(true)
  expect(live.isOwn(object({ version: 6 }))).toBe(false)
  expect(live.isOwn(object({ version: 5, uid: 'another' }))).toBe(false)
  live.forget('CloudVM-web')
  expect(live.isOwn(object({ version: 5 }))).toBe(false)
})

test('of a server with another history our own write is not believed after the second conflict', () => {
  const { live } = rig()
  const written = object({ version: 900, status: { id: 'cloud' } })
  live.wrote(written)
  live.conflicted(object({ version: 1 }))
  live.conflicted(written)
  expect(live.get(KEY)).toBe(written)
  live.conflicted(written)
  expect(live.get(KEY)?.metadata.resourceVersion).toBe('1')
})
