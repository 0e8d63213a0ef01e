import { describe, expect, test } from 'vitest'
import type { Resource } from '../../../src/api/object.ts'
import { Store, type Change } from '../../../src/kube/store.ts'

type Thing = Resource<{ readonly tags: readonly string[] }, unknown>

function thing(
  name: string,
  resourceVersion: string,
  tags: readonly string[] = [],
  uid = `uid-${name}`,
): Thing {
  const metadata = { name, namespace: 'ns', uid, resourceVersion, generation: 1, creationTimestamp: '' }
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { tags } }
}

function setUp(...listed: readonly Thing[]) {
  const store = new Store<Thing>({ tag: (object) => object.spec.tags })
  const changes: Change<Thing>[] = []
  if (listed.length > 0) {
    const list = store.replace('10', false)
    list.add(listed)
    list.finish()
  }
  const unsubscribe = store.subscribe((change) => changes.push(change))
  const tagged = (tag: string) => store.byIndex('tag', tag).map(({ metadata }) => metadata.name)
  const seen = () => changes.map(({ kind, key }) => `${kind} ${key}`)
  return { store, changes, seen, tagged, unsubscribe }
}

describe('versions', () => {
  test('nothing is in step before the first list is whole', () => {
    const { store } = setUp()
    const list = store.replace('10', false)
    list.add([thing('a', '5')])
    expect(store.synced).toBe(false)
    expect(store.lastSeenVersion()).toBeUndefined()
    expect(store.atLeast('5')).toBe(false)
    list.finish()
    expect(store.synced).toBe(true)
    expect(store.lastSeenVersion()).toBe('10')
  })

  test.each([
    ['9', true],
    ['10', true],
    ['11', false],
    ['100', false],
  ])('a store at 10 has reached %s: %s', (version, reached) => {
    expect(setUp(thing('a', '5')).store.atLeast(version)).toBe(reached)
  })

  test('events and bookmarks move it on, never back', () => {
    const { store, seen } = setUp(thing('a', '5'))
    expect(store.apply('put', thing('a', '12'))).toBe(true)
    expect(store.advance('20')).toBe(true)
    expect(store.advance('19')).toBe(false)
    expect(store.apply('put', thing('a', '15'))).toBe(false)
    expect(store.apply('deleted', thing('a', '15'))).toBe(false)
    expect(store.lastSeenVersion()).toBe('20')
    expect(store.get('ns/a')?.metadata.resourceVersion).toBe('12')
    expect(seen()).toEqual(['changed ns/a'])
  })

  test('an equal version of another object is a change: a restored server gives versions out once more', () => {
    const { store, seen } = setUp(thing('a', '5'), thing('b', '6'))
    const list = store.replace('11', false)
    list.add([thing('a', '5', ['restored']), thing('b', '6')])
    list.finish()
    expect(seen()).toEqual(['changed ns/a'])
    expect(store.get('ns/a')?.spec.tags).toEqual(['restored'])
  })

  test('a list that goes back is taken anew: equal versions count as changed, and the epoch rises', () => {
    const { store, seen } = setUp(thing('a', '5'), thing('b', '9'))
    const list = store.replace('7', true)
    list.add([thing('a', '5')])
    list.finish()
    expect(seen()).toEqual(['changed ns/a', 'deleted ns/b'])
    expect(store.epoch).toBe(1)
    expect(store.lastSeenVersion()).toBe('7')
    expect(store.apply('put', thing('a', '8'))).toBe(true)
  })
})

describe('changes', () => {
  test('carry the object before', () => {
    const old = thing('a', '5')
    const { store, changes } = setUp(old)
    const next = thing('a', '11')
    store.apply('put', next)
    store.apply('deleted', thing('a', '12'))
    expect(changes[0]).toEqual({ kind: 'changed', key: 'ns/a', object: next, previous: old })
    expect(changes[1]).toMatchObject({
      kind: 'deleted',
      object: { metadata: { resourceVersion: '12' } },
      previous: next,
    })
  })

  test('deleting what is not there tells nobody', () => {
    const { store, seen } = setUp(thing('a', '5'))
    store.apply('deleted', thing('b', '11'))
    expect(seen()).toEqual([])
    expect(store.lastSeenVersion()).toBe('11')
  })

  test('another uid is a deletion, then an addition, also in a list', () => {
    const { store, seen } = setUp(thing('a', '5'))
    const list = store.replace('20', false)
    list.add([thing('a', '15', [], 'other')])
    list.finish()
    expect(seen()).toEqual(['deleted ns/a', 'added ns/a'])
    expect(store.get('ns/a')?.metadata.uid).toBe('other')
  })

  test('a list deletes what it does not have, at its end', () => {
    const { store, seen } = setUp(thing('a', '5'), thing('b', '6'))
    const list = store.replace('20', false)
    list.add([thing('a', '5')])
    expect(seen()).toEqual([])
    list.finish()
    expect(seen()).toEqual(['deleted ns/b'])
    expect([...store.list()]).toHaveLength(1)
  })

  test('who has unsubscribed is not told', () => {
    const { store, seen, unsubscribe } = setUp(thing('a', '5'))
    unsubscribe()
    store.apply('put', thing('a', '11'))
    expect(seen()).toEqual([])
  })

  test('the store is already changed when it tells', () => {
    const { store } = setUp(thing('a', '5', ['x']))
    const states: unknown[] = []
    store.subscribe(({ key }) => states.push([store.get(key)?.spec.tags, store.byIndex('tag', 'y').length]))
    store.apply('put', thing('a', '11', ['y']))
    store.apply('deleted', thing('a', '12', ['y']))
    expect(states).toEqual([
      [['y'], 1],
      [undefined, 0],
    ])
  })
})

describe('indices', () => {
  test('follow every change', () => {
    const { store, tagged } = setUp(thing('a', '5', ['x', 'y']), thing('b', '6', ['x']))
    expect([tagged('x'), tagged('y'), tagged('z')]).toEqual([['a', 'b'], ['a'], []])
    store.apply('put', thing('a', '11', ['z']))
    expect([tagged('x'), tagged('y'), tagged('z')]).toEqual([['b'], [], ['a']])
    store.apply('deleted', thing('b', '12', ['x']))
    expect(tagged('x')).toEqual([])
  })

  test('an unknown name is a mistake of the caller', () => {
    expect(() => setUp().store.byIndex('nope', 'x')).toThrow('no index nope')
  })
})
