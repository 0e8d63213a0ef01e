/**
 * Checks what comes over the control before it is taken: a wish that is not understood would otherwise do nothing, or
 * break the service later on. Each throws an Error that names what is wrong.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Change } from './changes.ts'
import { anything, boolean, claim, fields, one, path, text, whole, yes, type Check } from './checks.ts'
import type { Fault } from './faults.ts'
import type { HoldWish } from './holds.ts'
import { isObject } from './http/fields.ts'
import { bodyShapes } from './http/shapes.ts'
import type { NewAccount } from './state/accounts.ts'
import { locations } from './state/locations.ts'
import type { Quota, World } from './state/model.ts'
import { defaultRules, type Rules } from './state/rules.ts'

const headers: Check = (value, name) => {
  claim(isObject(value), `${name} must be an object`)
  for (const [header, content] of Object.entries(value as object)) {
    validateHeaderName(header)
    validateHeaderValue(header, content as string)
    text(content, `${name}.${header}`)
  }
}

const contentType: Check = (value, name) => {
  text(value, name)
  validateHeaderValue('content-type', value as string)
}

const actions: Readonly<Record<string, Check>> = {
  answer: fields({
    needs: { status: whole(200, 599) },
    takes: { body: anything, raw: text, shape: one(...bodyShapes), text, contentType, headers },
  }),
  reset: yes,
  hang: yes,
  truncate: yes,
  delayMs: whole(0),
  lagReads: fields({ needs: { forMs: whole(0) }, takes: { of: path } }),
  listOmit: fields({ needs: { forCalls: whole(1) }, takes: {} }),
  shuffle: yes,
  repeat: yes,
}

const action: Check = (value, name) => {
  const [[kind, detail] = ['', undefined], ...others] = isObject(value) ? Object.entries(value) : []
  const check = Object.hasOwn(actions, kind) ? actions[kind] : undefined
  if (check === undefined || others.length > 0)
    throw new Error(`${name} must have one of ${Object.keys(actions).join(', ')}`)
  check(detail, `${name}.${kind}`)
}

const matched = { method: text, path, point: one('before', 'afterCommit') }

export function checkFault(fault: Fault): void {
  fields({
    needs: { ...matched, action },
    takes: { nth: whole(1), times: whole(1), effectAfterMs: whole(0) },
  })(fault, 'fault')
}

export function checkHold(wish: HoldWish): void {
  fields({ needs: matched, takes: { nth: whole(1) } })(wish, 'hold')
}

/** A rule takes values of the kind that its default has. */
export function checkRule(rule: string, value: unknown): void {
  const standard = defaultRules('extended')
  if (!Object.hasOwn(standard, rule)) throw new Error(`no such rule: ${rule}`)
  const special: Partial<Record<keyof Rules, Check>> = {
    acpiIgnored: (given, name) =>
      claim(
        typeof given === 'boolean' || (Array.isArray(given) && given.every((id) => typeof id === 'string')),
        `${name} must be true, false or a list of ids`,
      ),
    memberLagMs: whole(0),
    attachLagMs: whole(0),
    powerNoop: one('unchanged', 'refuse'),
    loadBalancerCreateAnswer: one('record', 'empty'),
    newKeyPlace: one('first', 'last', 'alternate'),
    refusals: (given, name) => {
      claim(isObject(given), `${name} must be an object`)
      for (const [refusal, chosen] of Object.entries(given as object))
        fields({ needs: {}, takes: { status: whole(400, 599), text } })(chosen, `${name}.${refusal}`)
    },
  }
  const usual = typeof standard[rule as keyof Rules] === 'number' ? whole(1) : boolean
  const check = special[rule as keyof Rules] ?? usual
  check(value, rule)
}

const limits: Readonly<Record<keyof Quota, Check>> = {
  ...{ vms: whole(0), vcpus: whole(0), memoryMib: whole(0), disks: whole(0), diskGib: whole(0) },
  ...{
    buckets: whole(0),
    networks: whole(0),
    floatingIps: whole(0),
    loadBalancers: whole(0),
    tokens: whole(0),
  },
}

export function checkQuotaWish(world: World, wish: Quota & { apiKey?: string }): void {
  fields({ needs: {}, takes: { ...limits, apiKey: known(world) } })(wish, 'quota')
}

export function checkAccount(world: World, wish: NewAccount): void {
  const unused: Check = (value, name) => {
    text(value, name)
    claim(value !== '' && !world.secrets.has(value as string), `${name} is taken`)
  }
  const accounts: Check = (value, name) => {
    claim(Array.isArray(value) && value.length > 0, `${name} must be a list`)
    for (const account of value as unknown[]) whole(1)(account, name)
  }
  const takes = { apiKey: unused, billingAccounts: accounts, defaultNetwork: boolean, email: text }
  fields({ needs: {}, takes: { ...takes, restrictedTo: whole(1) } })(wish, 'account')
  const { billingAccounts, restrictedTo } = wish
  if (restrictedTo !== undefined && billingAccounts?.includes(restrictedTo) === false)
    throw new Error('restrictedTo must be one of billingAccounts')
}

function known(world: World): Check {
  return (value, name) => claim(world.secrets.has(String(value)), `${name}: no account has that key`)
}

const kind = one('vm', 'disk', 'bucket', 'network', 'floatingIp', 'loadBalancer', 'token')
const named = one('vm', 'disk', 'network', 'floatingIp', 'loadBalancer')

const vmFields = {
  ...{ vcpu: whole(1), memoryMib: whole(1), status: text, name: text, description: text },
  ...{ backup: boolean, billingAccount: whole(0), busy: boolean },
}

type Needs = Record<string, Check>

const changes: Readonly<Record<Change['do'], { needs: Needs; takes?: Needs }>> = {
  setVm: { needs: { uuid: text, set: fields({ needs: {}, takes: vmFields }) } },
  setDisk: {
    needs: { uuid: text, set: fields({ needs: {}, takes: { sizeGib: whole(1), billingAccount: whole(0) } }) },
  },
  setBucket: {
    needs: {
      bucket: text,
      set: fields({ needs: {}, takes: { objects: whole(0), sizeBytes: whole(0), suspended: boolean } }),
    },
  },
  rename: { needs: { kind: named, id: text, name: text } },
  delete: { needs: { kind, id: text } },
  setDefaultNetwork: { needs: { uuid: text } },
  assignIp: { needs: { address: text, to: text }, takes: { type: one('virtual_machine', 'load_balancer') } },
  unassignIp: { needs: { address: text } },
  attachDisk: { needs: { vm: text, disk: text } },
  detachDisk: { needs: { disk: text } },
  snapshotDisk: { needs: { disk: text } },
  addReplica: { needs: { vm: text, type: text } },
  deleteKey: { needs: { accessKey: text } },
  create: {
    needs: { kind },
    takes: {
      ...{ count: whole(1), apiKey: text, name: text, description: text, network: text, sizeGib: whole(1) },
      location: one(...locations.map((location) => location.slug)),
    },
  },
}

export function checkChange(change: Change): void {
  const given: unknown = change
  const wanted = isObject(given) ? String(given['do']) : ''
  if (!Object.hasOwn(changes, wanted)) throw new Error(`no such change: ${wanted}`)
  const { needs, takes = {} } = changes[wanted as Change['do']]
  fields({ needs: { do: text, ...needs }, takes })(change, wanted)
}
