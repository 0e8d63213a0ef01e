/** Every example that is shipped is accepted by the schema of its kind. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { API_VERSION, KINDS, type Kind } from '../../../src/api/group.ts'
import { validateSpec } from '../../../src/api/validate.ts'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: unknown
}

const root = join(import.meta.dirname, '../../../deploy/examples')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yaml'),
)
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => ({
    file,
    manifest: document.toJS() as Manifest,
  })),
)
const ours = manifests.filter(({ manifest }) => manifest.apiVersion === API_VERSION)

describe('examples', () => {
  for (const { file, manifest } of ours) {
    test(`${file}: ${manifest.kind} ${manifest.metadata.name}`, () => {
      expect(KINDS).toContain(manifest.kind)
      expect(validateSpec(manifest.kind as Kind, manifest.spec)).toEqual({ ok: true, spec: manifest.spec })
    })
  }

  const notInWebServer: readonly Kind[] = [
    'CloudAccessKey',
    'CloudAPIToken',
    'CloudSnapshot',
    'CloudVMOperation',
  ]

  test('each kind has one of its own, and each part of a web server one there', () => {
    const kindsIn = (inWebServer: boolean) =>
      ours
        .filter(({ file }) => file.startsWith('web-server') === inWebServer)
        .map(({ manifest }) => manifest.kind)
        .toSorted()
    expect(kindsIn(false)).toEqual(KINDS.toSorted())
    expect(kindsIn(true)).toEqual(KINDS.filter((kind) => !notInWebServer.includes(kind)).toSorted())
  })

  test('the web server lists all its files', () => {
    const listed = readFileSync(join(root, 'web-server/Kustomization'), 'utf8').matchAll(/- (\S+\.yaml)/g)
    const present = files.filter((file) => file.startsWith('web-server/')).map((file) => file.slice(11))
    expect([...listed].map(([, name]) => name).toSorted()).toEqual(present.toSorted())
  })
})
