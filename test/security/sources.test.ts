/** What no source of the operator says, because it would open a way past a promise. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { codeOf, readSources } from '../unit/layers/sources.ts'

const sources = readSources().filter(({ path }) => !path.startsWith('simulator/'))
const saying = (pattern: RegExp) =>
  sources.filter((each) => pattern.test(codeOf(each))).map(({ path }) => path)
const deploy = (file: string) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')

test('no source turns the verification of certificates off', () => {
  expect(
    saying(/rejectUnauthorized['"\]]*\s*[:=](?![=>]|\s*true\b|\s*options\.rejectUnauthorized\b)/),
  ).toEqual([])
  expect(saying(/NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|allowUnauthorized/)).toEqual([])
})

test('no source follows a redirect or takes a proxy from the environment', () => {
  expect(
    saying(/maxRedirections|interceptors\.redirect|RedirectHandler|EnvHttpProxyAgent|setGlobalDispatcher/),
  ).toEqual([])
  // The platform's fetch follows redirects by itself; a function of ours may be called so.
  const fetching = sources.filter((each) => /(?<![.\w])fetch\(/.test(codeOf(each)))
  expect(fetching.filter(({ text }) => !/\bfetch: \(/.test(text)).map(({ path }) => path)).toEqual([])
})

test('no source lists or watches Secrets', () => {
  const users = saying(/\bSECRETS\b/)
  expect(users).toEqual(['kube/requests.ts'])
  const text = sources.find(({ path }) => path === 'kube/requests.ts')?.text ?? ''
  const uses = [...text.matchAll(/(\w+)\([^()]*\bSECRETS\b/g)].map(([, call]) => call)
  expect(new Set(uses)).toEqual(new Set(['getRaw', 'readTexts', 'objectPath']))
})

test('the grace period of a pod is the drain time and half a minute', () => {
  const drainSeconds = readConfig(['--allow-endpoint=https://api.example.com'], {}).drainMs / 1000
  const { spec } = parse(deploy('base/deployment.yaml')) as {
    spec: { template: { spec: { terminationGracePeriodSeconds: number } } }
  }
  expect(drainSeconds).toBe(150)
  expect(spec.template.spec.terminationGracePeriodSeconds).toBe(drainSeconds + 30)
})

interface Role {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly Rule[]
}
interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}
const rolesIn = (file: string) =>
  parseAllDocuments(deploy(file))
    .map((each) => each.toJS() as Role)
    .filter(({ rules }) => rules !== undefined)

test('every rule of every shipped role is enumerated', () => {
  const roles = ['base/rbac.yaml', 'namespaced/rbac.yaml'].flatMap(rolesIn)
  expect(roles.map(({ metadata }) => metadata.name).toSorted()).toEqual([
    'cloud-operator',
    'cloud-operator',
    'cloud-operator-edit',
    'cloud-operator-namespaced',
    'cloud-operator-view',
    'cloud-operator-watched',
  ])
  for (const rule of roles.flatMap(({ rules = [] }) => rules)) {
    const words = [...rule.apiGroups, ...rule.resources, ...rule.verbs, ...(rule.resourceNames ?? [])]
    expect(words.filter((word) => word.includes('*'))).toEqual([])
    expect(rule.verbs.filter((verb) => ['bind', 'escalate', 'impersonate'].includes(verb))).toEqual([])
    expect(rule.verbs.length * rule.resources.length).toBeGreaterThan(0)
  }
})

test('no role that is given to tenants names Secrets or status', () => {
  const tenants = rolesIn('base/rbac.yaml').filter(({ metadata }) => /-(view|edit)$/.test(metadata.name))
  expect(tenants).toHaveLength(2)
  const resources = tenants.flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.resources))
  expect(resources.filter((each) => each === 'secrets' || each.includes('/'))).toEqual([])
})

test('the rights in one namespace are those in all, and of the cluster two reads by name', () => {
  const byName = (file: string, name: string, kind: string) =>
    rolesIn(file).find((each) => each.metadata.name === name && each.kind === kind)?.rules ?? []
  const everywhere = byName('base/rbac.yaml', 'cloud-operator', 'ClusterRole')
  const watched = byName('namespaced/rbac.yaml', 'cloud-operator-watched', 'Role')
  const ofCluster = byName('namespaced/rbac.yaml', 'cloud-operator-namespaced', 'ClusterRole')
  expect([...watched, ...ofCluster]).toEqual(everywhere)
  for (const rule of ofCluster) {
    expect(rule.verbs).toEqual(['get'])
    expect(rule.resourceNames?.length).toBeGreaterThan(0)
  }
})
