/** The texts of the rules at the root of each schema: frozen fields and sizes that only grow. */
import { describe, expect, test } from 'vitest'
import { frozenRule, growOnlyRule } from '../../../src/api/crd.ts'
import { structural } from '../../../src/api/crd-schema.ts'
import { kindSchemas } from '../../../src/api/kinds.ts'

const kinds = Object.values(kindSchemas)

test('a frozen field may change while no cloud object can exist, and is compared with its absence afterwards', () => {
  expect(frozenRule({ field: 'pool', instead: 'make a new one' })).toEqual({
    rule:
      '!has(oldSelf.status) || (!has(oldSelf.status.id) && !has(oldSelf.status.operation)) || ' +
      '(has(self.spec.pool) == has(oldSelf.spec.pool) && (!has(self.spec.pool) || self.spec.pool == oldSelf.spec.pool))',
    message: 'pool is immutable once the cloud object may exist: make a new one',
    fieldPath: '.spec.pool',
  })
})

test('a size only grows over what exists; what was never reached can be lowered', () => {
  expect(growOnlyRule({ field: 'a.sizeGiB', existing: 'aGiB', instead: 'copy' })).toEqual({
    rule:
      '!(has(self.spec.a) && has(self.spec.a.sizeGiB)) || ' +
      '(has(oldSelf.spec.a) && has(oldSelf.spec.a.sizeGiB) && self.spec.a.sizeGiB >= oldSelf.spec.a.sizeGiB) || ' +
      '!has(self.status) || !has(self.status.aGiB) || self.spec.a.sizeGiB >= self.status.aGiB',
    message: 'a.sizeGiB can only grow: copy',
    messageExpression: "'a.sizeGiB can only grow, %d GiB exist: copy'.format([self.status.aGiB])",
    fieldPath: '.spec.a.sizeGiB',
  })
})

describe('which fields are frozen', () => {
  const everywhere = ['accountRef', 'location', 'adopt']
  const expected = {
    CloudAccount: ['endpoint'],
    CloudVM: [
      ...everywhere,
      ...['billingAccount', 'image', 'source', 'pool', 'networkRef', 'username', 'publicKey', 'cloudInit'],
      ...['description', 'publicIP'],
    ],
    CloudDisk: [...everywhere, 'source'],
    CloudBucket: ['accountRef', 'adopt', 'bucketName'],
    CloudNetwork: everywhere,
    CloudFloatingIP: everywhere,
    CloudLoadBalancer: [...everywhere, 'networkRef', 'publicIP'],
    CloudAccessKey: ['accountRef', 'secretName'],
    CloudAPIToken: ['accountRef', 'scope', 'secretName'],
    CloudSnapshot: ['vmRef', 'adopt'],
    CloudVMOperation: ['vmRef', 'restart', 'rescue', 'reinstall', 'rebuild', 'confirmVMID', 'expiresAt'],
  }
  for (const { kind, frozen, spec } of kinds) {
    test(kind, () => {
      expect(frozen.map(({ field }) => field)).toEqual(expected[kind])
    })
    test(`the descriptions of ${kind} say the same`, () => {
      const said = Object.entries(structural(spec).properties ?? {})
        .filter(([, { description }]) => description?.includes('Frozen once'))
        .map(([name]) => name)
      expect(said.toSorted()).toEqual(frozen.map(({ field }) => field).toSorted())
    })
  }
})

test('an instruction is a phrase that can end a sentence', () => {
  for (const { frozen, growOnly } of kinds) {
    for (const { instead } of [...frozen, ...growOnly]) {
      expect(instead).toMatch(/^[a-z][^'\n]*[^.]$/)
    }
  }
})
