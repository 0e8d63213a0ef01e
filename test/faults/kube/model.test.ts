/** The modelled API server goes through its sequence; that a real one answers the same is for test/cluster/kubemodel. */
import { expect, test } from 'vitest'
import { conformanceOnModel } from './on-model.ts'

test('the sequence runs through, and each step answers something', async () => {
  const answers = new Map(await conformanceOnModel('work'))
  expect(answers.get('create again')).toMatchObject({ kind: 'conflict', reason: 'AlreadyExists' })
  expect(answers.get('put the same status')).toEqual({ kept: true })
  expect(answers.get('shrink')).toMatchObject({ kind: 'invalid', fields: ['spec.sizeGiB'] })
  expect(answers.get('get what is gone')).toMatchObject({ kind: 'notFound', about: 'data' })
})
