/** The checked-in CRDs are the generated ones, and hold what every CRD of ours has to hold. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { StructuralSchema } from '../../src/api/crd-schema.ts'
import { crdFiles } from '../../src/api/crd.ts'
import { FINALIZER, KINDS } from '../../src/api/group.ts'

interface Crd {
  readonly metadata: { readonly name: string; readonly annotations: Record<string, string> }
  readonly spec: {
    readonly names: { readonly kind: string; readonly shortNames: string[]; readonly categories: string[] }
    readonly versions: readonly [
      {
        readonly additionalPrinterColumns: readonly { name: string; jsonPath: string; priority?: number }[]
        readonly selectableFields: readonly { jsonPath: string }[]
        readonly schema: { readonly openAPIV3Schema: StructuralSchema }
      },
    ]
  }
}

interface Place {
  readonly path: string
  readonly schema: StructuralSchema
}

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const generated = crdFiles(`v${version}`)
const checkedIn = readdirSync(join(root, 'crds')).filter((name) => name.endsWith('.yaml'))

/** Every schema below this one, itself first. */
function places(schema: StructuralSchema, path: string): Place[] {
  return [
    { path, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => places(each, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : places(schema.items, `${path}[]`)),
    ...(schema.additionalProperties === undefined ? [] : places(schema.additionalProperties, `${path}{}`)),
  ]
}

function at(schema: StructuralSchema, path: string): StructuralSchema {
  const found = places(schema, '').find((place) => place.path === path)
  if (found === undefined) throw new Error(`no field ${path}`)
  return found.schema
}

/** Paths of the places that a check finds wrong. */
function wrong(
  all: readonly Place[],
  isWrong: (schema: StructuralSchema, path: string) => boolean,
): string[] {
  return all.filter(({ schema, path }) => isWrong(schema, path)).map(({ path }) => path)
}

test('the files in crds/ are the generated ones (else: node src/api/crd-main.ts)', () => {
  expect(checkedIn.toSorted()).toEqual([...generated.keys()].toSorted())
  for (const [name, text] of generated) {
    expect(readFileSync(join(root, 'crds', name), 'utf8'), name).toBe(text)
  }
  expect(crdFiles(`v${version}`)).toEqual(generated)
})

test('kustomize takes every file', () => {
  const { resources } = parse(readFileSync(join(root, 'crds/Kustomization'), 'utf8')) as {
    resources: string[]
  }
  expect(resources).toEqual(checkedIn.toSorted())
})

test('there is one definition for each kind', () => {
  const kinds = [...generated.values()].map((text) => (parse(text) as Crd).spec.names.kind)
  expect(kinds).toEqual(KINDS)
})

describe.each([...generated])('%s', (file, text) => {
  const crd = parse(text) as Crd
  const [served] = crd.spec.versions
  const schema = served.schema.openAPIV3Schema
  const spec = places(at(schema, '.spec'), '.spec')
  const status = places(at(schema, '.status'), '.status')

  test('is named for its content and below 200 KB', () => {
    expect(file).toBe(`cloud-operator.dev_${crd.metadata.name.split('.')[0] ?? ''}.yaml`)
    expect(Buffer.byteLength(text)).toBeLessThan(200_000)
  })

  test('has nothing that Flux would substitute', () => {
    expect(text).not.toContain('${')
  })

  test('is kept by the tools that would prune it', () => {
    expect(crd.metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-options': 'Prune=false,ServerSideApply=true',
      'cloud-operator.dev/bundle-version': `v${version}`,
      'helm.sh/resource-policy': 'keep',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'kustomize.toolkit.fluxcd.io/substitute': 'disabled',
    })
    expect(FINALIZER.startsWith('cloud-operator.dev/')).toBe(true)
  })

  test('stands in the category cloud and never in all', () => {
    expect(crd.spec.names.categories).toEqual(['cloud'])
  })

  test('has the common columns around its own', () => {
    const columns = served.additionalPrinterColumns
    const plain = columns.filter(({ priority }) => priority === undefined).map(({ name }) => name)
    const wide = columns.filter(({ priority }) => priority === 1).map(({ name }) => name)
    expect(plain.slice(0, 2)).toEqual(['Ready', 'Reason'])
    expect(plain.at(-1)).toBe('Age')
    expect(wide.filter((name) => name !== 'Location')).toEqual(['Synced', 'ID', 'Message'])
    expect(columns.slice(plain.length)).toHaveLength(wide.length)
  })

  test('has columns and selectable fields that exist', () => {
    const fields = served.selectableFields.map(({ jsonPath }) => jsonPath)
    expect(fields.length).toBeLessThanOrEqual(8)
    for (const path of fields) expect(['string', 'boolean', 'integer']).toContain(at(schema, path).type)
    for (const { jsonPath } of served.additionalPrinterColumns) {
      const plain = jsonPath.replace(/\[\?[^\]]*\]/, '[]')
      if (!plain.startsWith('.metadata')) expect(at(schema, plain).type).not.toBe('object')
    }
  })

  test('bounds every string, list, number and map', () => {
    const all = [...spec, ...status]
    expect(wrong(all, (s) => s.type === 'string' && s.maxLength === undefined && !s.enum)).toEqual([])
    expect(wrong(all, (s) => s.type === 'array' && s.maxItems === undefined)).toEqual([])
    expect(wrong(all, (s) => s.additionalProperties !== undefined && s.maxProperties === undefined)).toEqual(
      [],
    )
    expect(wrong(spec, (s) => s.type === 'integer' && s.minimum === undefined)).toEqual([])
  })

  test('says how every list is merged; a key is a required scalar', () => {
    const lists = [...spec, ...status].filter(({ schema: each }) => each.type === 'array')
    expect(wrong(lists, (s) => s['x-kubernetes-list-type'] === undefined)).toEqual([])
    for (const { schema: each } of lists.filter((p) => p.schema['x-kubernetes-list-type'] === 'map')) {
      const [key = ''] = each['x-kubernetes-list-map-keys'] ?? []
      expect(each.items?.required).toContain(key)
      expect(['string', 'integer']).toContain(each.items?.properties?.[key]?.type)
    }
  })

  test('describes every field', () => {
    const named = [...spec, ...status].filter(({ path }) => !/(\[\]|\{\})$/.test(path))
    expect(wrong(named, (s) => (s.description ?? '').length < 5)).toEqual([])
  })

  test('tells of each field of the spec whether it can change, and what holds without it', () => {
    const top = spec.filter(({ path }) => /^\.spec\.\w+$/.test(path))
    expect(wrong(top, (s) => !/\b(Mutable|Frozen)\b/.test(s.description ?? ''))).toEqual([])
    expect(wrong(top, (s) => !/\b(Default:|Required)/.test(s.description ?? ''))).toEqual([])
    const required = at(schema, '.spec').required ?? []
    const optional = top.filter(({ path }) => !required.includes(path.slice('.spec.'.length)))
    expect(wrong(optional, (s) => /Required\.( |$)/.test(s.description ?? ''))).toEqual([])
  })

  test('gives an example of every free text and number of the spec', () => {
    const free = spec.filter(
      ({ path, schema: each }) =>
        (each.type === 'string' || each.type === 'integer') && !each.enum && !path.endsWith('[]'),
    )
    expect(
      wrong(free, (s, path) => !path.endsWith('.content') && !/Example: /.test(s.description ?? '')),
    ).toEqual([])
  })

  test('has no default but the one of the status object', () => {
    expect(wrong(places(schema, ''), (s) => s.default !== undefined)).toEqual(['.status'])
    expect(at(schema, '.status').default).toEqual({ observedGeneration: -1 })
  })

  test('keeps the status loose: whatever happened can be stored', () => {
    expect(
      wrong(
        status,
        (s) =>
          s.enum !== undefined ||
          s.pattern !== undefined ||
          s.minLength !== undefined ||
          s.minimum !== undefined ||
          s.maximum !== undefined ||
          s.minItems !== undefined ||
          s['x-kubernetes-validations'] !== undefined,
      ),
    ).toEqual([])
  })

  test('has only rules about changes at its root: a failing one there would keep the object from going', () => {
    for (const { rule } of schema['x-kubernetes-validations'] ?? []) expect(rule).toContain('oldSelf')
  })

  test('refuses with messages that start with the field', () => {
    for (const { schema: each } of places(schema, '')) {
      for (const { message, fieldPath } of each['x-kubernetes-validations'] ?? []) {
        const field = fieldPath?.replace(/^(\.spec)?\./, '')
        if (field === undefined) expect(message).toMatch(/^\w+: /)
        else expect(message?.startsWith(field)).toBe(true)
      }
    }
  })
})
