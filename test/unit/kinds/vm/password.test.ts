/** After which operations on the machine its password is to be set anew. */
import { describe, expect, test } from 'vitest'
import type { CloudVM } from '../../../../src/api/vm.ts'
import { vmKind } from '../../../../src/kinds/vm/kind.ts'
import type { CloudResource, WishFacts } from '../../../../src/reconcile/kind.ts'
import { markerOf } from '../../../../src/reconcile/marker.ts'
import { object } from '../../reconcile/objects.ts'

describe('operations that replaced the disk', () => {
  const now = {
    type: 'Complete',
    status: 'True',
    reason: 'Complete',
    message: 'x',
    lastTransitionTime: 'x',
    observedGeneration: 1,
  }
  const operation = (uid: string, status: object): CloudResource => {
    const ended = { vm: { id: 'vm' }, finishedAt: '2026-01-01T00:00:00Z', conditions: [now], ...status }
    return object({ kind: 'CloudVMOperation', name: uid, uid, status: ended })
  }
  const known = (...referrers: readonly CloudResource[]) => {
    const spec = { passwordSecretRef: { name: 'password', key: 'text' } }
    const vm = object({ kind: 'CloudVM', spec, status: { id: 'vm' } }) as CloudVM
    const made = vmKind.want(vm, {
      marker: markerOf('cluster', 'vm'),
      session: {} as WishFacts['session'],
      location: 'jkt01',
      link: () => undefined,
      secret: () => ({ uid: 's', version: '2' }),
      peers: () => [],
      referrers: () => referrers,
    })
    return made.is === 'ready' ? made.want.password?.operations : undefined
  }

  test('count once they have ended, done or perhaps done', () => {
    const unknown = { conditions: [{ ...now, type: 'OutcomeUnknown' }], sent: ['rebuild'] }
    expect(known(operation('b', { sent: ['reinstall'] }), operation('a', unknown))).toEqual(['a', 'b'])
  })

  test('do not count while they are under way, when they were refused, of another machine, or of another kind', () => {
    const sent = ['reinstall']
    const failed = { conditions: [{ ...now, type: 'Failed' }], sent }
    expect(
      known(
        operation('a', { sent, finishedAt: undefined }),
        operation('b', failed),
        operation('c', { sent, vm: { id: 'other' } }),
        operation('d', { sent: ['stop'] }),
        object({ kind: 'CloudDisk' }),
      ),
    ).toEqual([])
  })

  test('are no more than there is room for: the latest', () => {
    const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`
    const many = Array.from({ length: 20 }, (_, i) =>
      operation(`op-${i}`, { sent: ['rebuild'], finishedAt: at(i) }),
    )
    const uids = known(...many)
    expect(uids).toHaveLength(16)
    expect(uids).toContain('op-19')
    expect(uids).not.toContain('op-3')
  })
})
