/** What becomes of a zod schema in a CRD, and what is refused because a CRD cannot say it. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { structural } from '../../../src/api/crd-schema.ts'
import { list, mapList, ruled } from '../../../src/api/schema.ts'

describe('structural', () => {
  test('optional fields are not required, bounds of a double become a format', () => {
    expect(structural(z.object({ a: z.int(), b: z.int().min(1).max(9).exactOptional() }))).toEqual({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'integer', format: 'int64' },
        b: { type: 'integer', format: 'int64', minimum: 1, maximum: 9 },
      },
    })
  })

  test('lists carry their type', () => {
    expect(structural(list(z.string().max(3), 2).exactOptional().describe('two'))).toEqual({
      description: 'two',
      type: 'array',
      maxItems: 2,
      'x-kubernetes-list-type': 'atomic',
      items: { type: 'string', maxLength: 3 },
    })
    expect(structural(mapList(z.object({ name: z.string() }), 2, 'name'))).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    })
  })

  test('rules over fields become validations', () => {
    const schema = ruled(z.object({ a: z.string().exactOptional() }), [
      { rule: 'has(self.a)', holds: ({ a }) => a !== undefined, message: 'a is required', at: 'a' },
    ])
    expect(structural(schema)['x-kubernetes-validations']).toEqual([
      { rule: 'has(self.a)', message: 'a is required', fieldPath: '.a' },
    ])
    expect(schema.safeParse({}).error?.issues).toMatchObject([{ path: ['a'], message: 'a is required' }])
  })

  test('maps keep the schema of their values', () => {
    expect(structural(z.record(z.string(), z.string().max(3)))).toEqual({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 3 },
    })
  })

  const refused: [string, z.ZodType, RegExp][] = [
    ['a union', z.object({ a: z.union([z.string(), z.int()]) }), /\.a: a CRD cannot say anyOf/],
    [
      'a reference',
      z.object({ a: z.string().meta({ id: 'Name' }) }),
      /cannot say \$ref|cannot say definitions/,
    ],
    ['two patterns', z.object({ a: z.string().regex(/a/).regex(/b/) }), /\.a: a CRD cannot say allOf/],
    ['a look-around', z.object({ a: z.string().regex(/(?!b)a/) }), /\.a: .*look-around/],
    ['a nullable', z.object({ a: z.string().nullable() }), /\.a: a CRD cannot say nullable/],
    ['anything', z.object({ a: z.unknown() }), /\.a: a CRD needs a type/],
    ['a tuple', z.object({ a: z.tuple([z.string()]) }), /\.a/],
  ]
  for (const [title, schema, message] of refused) {
    test(`${title} is refused`, () => {
      expect(() => structural(schema)).toThrow(message)
    })
  }
})
