/** The API server that the fault rig models answers as a real one does. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { conformance } from '../faults/kube/conformance.ts'
import { conformanceOnModel } from '../faults/kube/on-model.ts'
import { installOperator } from './install.ts'
import { connectAdmin, createNamespace } from './kube/cluster.ts'

const admin = connectAdmin()
beforeAll(() => installOperator(inject('controlPlane')))
afterAll(() => admin.client.close())

test('the same requests are answered the same', async () => {
  const namespace = await createNamespace(admin)
  expect(await conformanceOnModel(namespace)).toEqual(await conformance(admin.transport, namespace))
})
