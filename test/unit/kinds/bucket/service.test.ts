import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketKind } from '../../../../src/kinds/bucket/kind.ts'
import { CloudError } from '../../../../src/cloud/errors.ts'
import { bucketRefusedWait } from '../../../../src/kinds/bucket/plan.ts'
import { needed } from '../../../../src/reconcile/needed.ts'
import { reading, startService, walk, type Service } from '../service.ts'

let service: Service
beforeAll(async () => {
  service = await startService('extended')
})
afterAll(() => service.stop())

function wanted(name: string) {
  return { name, chargedTo: service.session.billingAccount, billingAccount: undefined }
}

function objectOf(bucketName: string) {
  const metadata = {
    name: 'b',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '',
  }
  return { apiVersion: 'cloud-operator.dev/v1alpha1', kind: 'CloudBucket', metadata, spec: { bucketName } }
}

test('a bucket is made once, shows where it is, and is deleted while empty', async () => {
  const made = await walk(service, bucketKind, { want: wanted('shop-images') })
  expect(made.did).toEqual(['create'])
  expect(made.status.endpoint).toMatch(/^https?:/)
  expect(made.status).toMatchObject({ suspended: false, objects: 0, sizeBytes: 0 })
  const seen = needed(made.seen)
  expect(await bucketKind.reads.row(reading(service), 'shop-images')).toEqual(seen)
  const gone = await walk(service, bucketKind, { seen, status: made.status, object: objectOf('shop-images') })
  expect(gone).toMatchObject({ did: ['delete'], seen: undefined })
})

test('a bucket with objects is never deleted, and a delete on old news is refused as not empty', async () => {
  const made = await walk(service, bucketKind, { want: wanted('full') })
  const set = { objects: 3, sizeBytes: 30 }
  service.simulator.control.mutate({ do: 'setBucket', bucket: 'full', set })
  const seen = needed(await bucketKind.reads.exact(reading(service, made.status), 'full'))
  const object = objectOf('full')
  expect((await walk(service, bucketKind, { seen, object })).did).toEqual([])
  const outdated = needed(made.seen)
  const refusal: unknown = await walk(service, bucketKind, { seen: outdated, object }).catch(
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(CloudError)
  const text = refusal instanceof CloudError ? refusal.text : ''
  expect(bucketRefusedWait({ do: 'delete' }, text)?.reason).toBe('NotEmpty')
})

test('a bucket made anew under the same name is another one', async () => {
  const made = await walk(service, bucketKind, { want: wanted('again') })
  const same = (createdAt: string) => bucketKind.same?.(made.status, { id: 'again', createdAt })
  expect(same(needed(made.status.createdAt))).toBe(true)
  expect(same('2030-01-01T00:00:00.000+0000')).toBe(false)
  expect(bucketKind.same?.(made.status, { id: 'again' })).toBe(true)
  expect(bucketKind.same?.({}, { id: 'again', createdAt: 'any' })).toBe(true)
})
