/** References say a name and nothing else: there is no way to write down another namespace, or a path. */
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configMapKeyReference, reference, secretKeyReference } from '../../src/api/shared.ts'
import { objectPath } from '../../src/kube/paths.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema
}

/** Every field below a schema, dotted. */
function fieldsBelow(schema: Schema, path = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [at, ...fieldsBelow(each, at)]
  })
  const inner = [schema.items, schema.additionalProperties].filter((each) => typeof each === 'object')
  return [...own, ...inner.flatMap((each) => fieldsBelow(each, `${path}[]`))]
}

const folder = new URL('../../crds/', import.meta.url)
const crds = readdirSync(folder).filter((file) => file.startsWith('cloud-operator.dev_'))

test.each(crds)('%s: no field names a namespace', (file) => {
  const crd = parse(readFileSync(new URL(file, folder), 'utf8')) as {
    spec: { scope: string; versions: { schema: { openAPIV3Schema: Schema } }[] }
  }
  expect(crd.spec.scope).toBe('Namespaced')
  const fields = crd.spec.versions.flatMap((version) => fieldsBelow(version.schema.openAPIV3Schema))
  expect(fields.length).toBeGreaterThan(20)
  // Of the account's setting about namesakes only the letters are alike.
  expect(fields.filter((field) => /namespace/i.test(field))).toEqual([])
})

const elsewhere = [
  'other/web',
  '../other/web',
  '..',
  '%2e%2e',
  'other%2Fweb',
  'a\nb',
  'Ａ',
  'web ',
  '',
  '.',
  'a?b',
]

describe('the name of a reference', () => {
  test.each(elsewhere)('is never %j', (name) => {
    expect(reference.safeParse({ name }).success).toBe(false)
    expect(secretKeyReference.safeParse({ name, key: 'key' }).success).toBe(false)
    expect(configMapKeyReference.safeParse({ name, key: 'key' }).success).toBe(false)
  })

  test('stays one segment of the path to the API server even if it were', () => {
    const secrets = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
    for (const name of elsewhere) {
      const path = objectPath(secrets, 'team', name)
      expect(path.split(/[/?#]/)).toHaveLength('/api/v1/namespaces/team/secrets/x'.split('/').length)
      expect(path.startsWith('/api/v1/namespaces/team/secrets/')).toBe(true)
    }
  })

  test('with a namespace beside it loses that', () => {
    expect(reference.parse({ name: 'web', namespace: 'other' })).toEqual({ name: 'web' })
  })
})
