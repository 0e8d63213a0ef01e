/** All the ways in which one operation can be asked wrongly, derived from its row in the tables. */
import { formBody, unknownUuid, type Ids, type Request, type Scene } from './scene.ts'
import type { Named, Operation, Parameter, Values, Wrong } from './spec.ts'

export interface Case {
  why: string
  request: Request
  /** One of these is in the refusal's text. */
  names: readonly string[]
  status: number | undefined
}

/** The request that is right. */
export function rightRequest(operation: Operation, { ids }: Scene): Request {
  return requestOf(operation, ids, operation.right?.(ids) ?? {}, {})
}

export function casesOf(operation: Operation, scene: Scene): Case[] {
  const { ids, profile } = scene
  const right = operation.right?.(ids) ?? {}
  const json = operation.carrier === 'json'
  const wrongs: Wrong[] = [
    ...pathWrongs(operation, ids),
    ...Object.entries(operation.parameters ?? {}).flatMap(([name, parameter]) =>
      parameterWrongs(name, parameter, ids, json ? 'json' : 'words'),
    ),
    ...(operation.wrong?.(ids) ?? []),
  ]
  return [
    ...wrongs
      .filter(({ only }) => only === undefined || only === profile)
      .map(({ why, fields = {}, names, status, ...rest }) => ({
        why,
        names,
        status,
        request: requestOf(operation, ids, { ...right, ...fields }, rest),
      })),
    ...encodingCases(operation, scene, right),
    ...gatewayCases(operation, scene, right),
  ]
}

function requestOf(
  { name, carrier, path }: Operation,
  ids: Ids,
  fields: Values,
  change: { id?: string; apiKey?: string },
): Request {
  const [method = '', pattern = ''] = name.split(' ')
  const inPath = change.id ?? path?.id(ids) ?? ''
  const filled = pattern.replace(/:\w+/, encodeURIComponent(inPath)).replace(/:(\w+)/g, 'none')
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const apiKey = change.apiKey !== undefined && { apiKey: change.apiKey }
  if (carrier === 'json')
    return { method, path: filled, contentType: 'application/json', body: JSON.stringify(sent), ...apiKey }
  const words = formBody(sent)
  if (carrier !== 'form') return { method, path: words === '' ? filled : `${filled}?${words}`, ...apiKey }
  return { method, path: filled, contentType: 'application/x-www-form-urlencoded', body: words, ...apiKey }
}

function pathWrongs({ path }: Operation, ids: Ids): Wrong[] {
  if (path === undefined) return []
  return strangeIds(path.of, ids).map(([why, strange]) => ({
    why: `path: ${why}`,
    id: String(strange),
    names: [path.word],
  }))
}

function parameterWrongs(name: string, parameter: Parameter, ids: Ids, types: 'json' | 'words'): Wrong[] {
  const as = (why: string, value: unknown, only?: Wrong['only']): Wrong => ({
    why: `${name}: ${why}`,
    fields: { [name]: value },
    names: [name],
    ...(only !== undefined && { only }),
  })
  const required = 'required' in parameter && parameter.required
  const all: Wrong[] = required ? [as('missing', undefined), as('empty', '')] : []
  if (types === 'json') all.push(as('an object', {}), as('a list', [[]]))
  switch (parameter.is) {
    case 'id':
      for (const [why, strange] of strangeIds(parameter.of, ids))
        all.push({ ...as(why, strange), names: [name, ...wordsOf(parameter.of, strange)] })
      return all
    case 'text':
      if (types === 'json') all.push(as('a number', 5, 'documented'), as('a boolean', true, 'documented'))
      return all
    case 'flag':
      return [...all, as('a word', 'maybe'), as('a number', types === 'json' ? 5 : '5')]
    case 'list':
      return [...all, as('a word', 'x'), as('a number', 5), as('a list of words', ['x'])]
    case 'whole':
      if (parameter.amount === true) all.push(as('none', 0), as('huge', 99_999_999))
      return [...all, ...notWhole(as, types)]
    case 'billing':
      if (parameter.filter !== true)
        all.push(as("another account's", ids.foreignBilling), as('unknown', 987_654))
      return [...all, ...notWhole(as, types)]
  }
}

type As = (why: string, value: unknown, only?: Wrong['only']) => Wrong

function notWhole(as: As, types: 'json' | 'words'): Wrong[] {
  return [
    as('a word', 'two'),
    as('negative', types === 'json' ? -1 : '-1'),
    as('a fraction', types === 'json' ? 1.5 : '1.5'),
    as('too large for a number', types === 'json' ? 1e300 : '9'.repeat(30)),
    ...(types === 'json'
      ? [as('a boolean', true), as('quoted', '12', 'documented')]
      : [as('hexadecimal', '0x10'), as('with an exponent', '1e3'), as('with a space', ' 5')]),
  ]
}

/** Ids that must not be found as that thing. */
function strangeIds(of: Named, ids: Ids): [why: string, strange: string | number][] {
  const unknown: [string, string][] = [
    ['not an id', 'nonsense'],
    ['unknown', unknownUuid],
    ['very long', 'f'.repeat(5000)],
  ]
  switch (of) {
    case 'shownVm':
      return [
        ...unknown,
        ["another account's", ids.foreignVm],
        ["another location's", ids.elsewhereVm],
        ['of a disk', ids.disk],
      ]
    case 'vm':
      return [...strangeIds('shownVm', ids), ['deleted', ids.deletedVm]]
    case 'disk':
    case 'source':
      return [
        ...unknown,
        ["another account's", ids.foreignDisk],
        ["another location's", ids.elsewhereDisk],
        ['of a VM', ids.vm],
      ]
    case 'diskOnVm':
      return [...strangeIds('disk', ids), ['deleted', ids.deletedDisk], ['of no VM', ids.disk]]
    case 'network':
      return [...unknown, ["another account's", ids.foreignNetwork], ['of a VM', ids.vm]]
    case 'replica':
      return [
        ...unknown,
        ["another account's", ids.foreignReplica],
        ['of another time', `${ids.bootDisk}2001-01-01-00-00-00`],
        ['of a disk', ids.bootDisk],
      ]
    case 'pool':
      return [...unknown, ["another location's", ids.elsewherePool]]
    case 'address':
      return [
        ...unknown,
        ['no address', '300.1.1.1'],
        ['unknown address', '192.0.2.77'],
        ["another account's", ids.foreignAddress],
        ['deleted', ids.deletedAddress],
      ]
    case 'bucket':
      return [...unknown, ["another account's", 'foreign-bucket'], ['a path', '../own-bucket']]
    case 'token':
      return [
        ['unknown', 987_654],
        ["another account's", ids.foreignToken],
        ['a word', 'two'],
        ['negative', '-1'],
      ]
    case 'key':
      return [...unknown, ['in small letters', ids.accessKey.toLowerCase()]]
    case 'balancer':
      return [...unknown, ["another account's", ids.foreignBalancer], ['of a VM', ids.vm]]
  }
}

/** What a refusal may say in place of the parameter's name: the id itself, or what it is. */
function wordsOf(of: Named, strange: string | number): string[] {
  const word = { bucket: 'Bucket', token: 'token', key: 'Access key' }
  return of in word ? [word[of as keyof typeof word]] : [String(strange)]
}

function encodingCases(operation: Operation, scene: Scene, right: Values): Case[] {
  const { carrier, parameters = {} } = operation
  if (carrier === undefined) return []
  const good = requestOf(operation, scene.ids, right, {})
  const [first = ''] = Object.keys(right)
  const required = Object.keys(parameters).filter((name) => {
    const parameter = parameters[name]
    return parameter !== undefined && 'required' in parameter && parameter.required
  })
  const as = (why: string, change: Partial<Request>, names: readonly string[]): Case => ({
    why,
    request: { ...good, ...change },
    names,
    status: undefined,
  })
  if (carrier === 'query')
    return [
      as('a parameter twice', { path: `${good.path}&${formBody({ [first]: right[first] })}` }, [first]),
      as('broken percent-encoding', { path: `${good.path}%zz` }, ['percent-encoding']),
    ]
  const body = good.body ?? ''
  const ignored = required.length === 0 ? ['content-type'] : required
  const otherTypes = [
    'text/plain',
    'application/xml',
    carrier === 'json' ? 'application/x-www-form-urlencoded' : 'application/json',
  ].filter((type) => type !== 'application/json' || !(operation.readsJsonToo && scene.profile === 'extended'))
  const unread = otherTypes.map((type) =>
    as(`sent as ${type}`, { contentType: type, body: type.endsWith('json') ? JSON.stringify(right) : body }, [
      ...ignored,
    ]),
  )
  if (carrier === 'form')
    return [
      ...unread,
      as('a parameter twice', { body: `${body}&${formBody({ [first]: right[first] })}` }, [first]),
      as('a parameter twice with another value', { body: `${first}=x&${body}` }, [first]),
      as('broken percent-encoding', { body: `${body}%zz` }, ['percent-encoding']),
    ]
  return [
    ...unread,
    as('a parameter twice', { body: `{"${first}": "x", ${body.slice(1)}` }, [first]),
    ...['{"', '', '[]', 'null', '"x"', '5', `${body}}`].flatMap((broken) =>
      // No body at all is an empty object: wrong only where something is required.
      broken === '' && required.length === 0
        ? []
        : [as(`JSON is ${broken}`, { body: broken }, ['JSON', ...required])],
    ),
  ]
}

/** What is refused before the operation is looked at. */
function gatewayCases(operation: Operation, { ids }: Scene, right: Values): Case[] {
  const good = requestOf(operation, ids, right, {})
  return [
    { why: 'no key', request: { ...good, apiKey: '' }, names: ['API key'], status: 401 },
    { why: 'a wrong key', request: { ...good, apiKey: 'wrong' }, names: ['credentials'], status: 403 },
    {
      why: 'an unknown location',
      request: { ...good, path: `/xyz01${good.path}` },
      names: ['no route'],
      status: 404,
    },
    { why: 'a wrong method', request: { ...good, method: 'OPTIONS' }, names: ['Method'], status: 405 },
  ]
}
