/** What people answer when an object asks them: worked out from its status, as they would from its message. For both rigs. */
import { ANNOTATIONS } from '../../src/api/group.ts'
import type { Entry } from './history.ts'
import { isObject, type ModelObject } from './kube/objects.ts'
import { Impossible } from './named.ts'
import { conditionOf, thingsIn } from './oracles/facts.ts'
import type { AnswerStep, PersonStep } from './steps.ts'

/** The step that gives the answer. Throws Impossible while nothing is asked that it would answer. */
export function stepFor(step: AnswerStep, object: ModelObject, entries: readonly Entry[]): PersonStep {
  const annotate = (name: string, value: string): PersonStep => ({
    do: 'annotate',
    object: step.object,
    annotations: { [name]: value },
  })
  const { status = {} } = object
  switch (step.with) {
    case 'own': {
      const { id, candidates } = operationOf(object)
      const own = candidates.find((each) => isMadeFor(object.metadata.uid, each, entries))
      return annotate(ANNOTATIONS.resolve, `${id}=${need(own, 'none of the candidates is its own')}`)
    }
    case 'claim': {
      const claim = /resolve=([^=\s]+@[^=\s]+=[^\s;,]+)/.exec(messageOf(object))?.[1]
      return annotate(ANNOTATIONS.resolve, need(claim, 'it is not asked whose that is'))
    }
    case 'none':
      return annotate(ANNOTATIONS.resolve, `${subjectOf(object)}=none`)
    case 'stale':
      return annotate(ANNOTATIONS.resolve, '0123456789abcdef=none')
    case 'recreate':
      return annotate(ANNOTATIONS.recreate, need(status['id'], 'it has no id'))
    case 'recreateAnother':
      return annotate(ANNOTATIONS.recreate, '00000000-0000-4000-8000-000000000000')
    case 'takeover':
      return {
        do: 'edit',
        object: step.object,
        spec: { adopt: { id: need(adoptIDIn(object), 'nothing is in its way'), takeover: true } },
      }
    case 'approve': {
      const { plan } = status
      return annotate(ANNOTATIONS.approve, need(isObject(plan) ? plan['id'] : undefined, 'it has no plan'))
    }
  }
}

function operationOf({ status = {} }: ModelObject): {
  readonly id: string
  readonly candidates: readonly string[]
} {
  const { operation } = status
  const candidates = isObject(operation) ? operation['candidates'] : undefined
  if (!isObject(operation) || !Array.isArray(candidates)) throw new Impossible('it asks for no candidate')
  return { id: String(operation['id']), candidates: candidates.map(String) }
}

/** What the answer is about: an open operation, or what is in the way. */
function subjectOf(object: ModelObject): string {
  const inTheWay = /resolve=([^=\s]+)=none/.exec(messageOf(object))?.[1]
  return inTheWay ?? operationOf(object).id
}

function adoptIDIn(object: ModelObject): string | undefined {
  return /set spec\.adopt\.id: ([^\s,;]+)/.exec(messageOf(object))?.[1]
}

function messageOf(object: ModelObject): string {
  return conditionOf(object, 'Ready')?.message ?? ''
}

/** As a person sees in the console, who knows when what was made. */
function isMadeFor(uid: string, id: string, entries: readonly Entry[]): boolean {
  const operations = new Set(
    entries.flatMap((each) => {
      const operation = each.is === 'write' ? each.after?.status?.['operation'] : undefined
      const own = each.is === 'write' && each.after?.metadata.uid === uid && isObject(operation)
      return own ? [String(operation['id'])] : []
    }),
  )
  return entries.some(
    (each) =>
      each.is === 'call' &&
      operations.has(each.operationID ?? '') &&
      thingsIn(each.effect, 'created').some((thing) => thing.id === id),
  )
}

function need(value: unknown, otherwise: string): string {
  if (typeof value !== 'string') throw new Impossible(otherwise)
  return value
}
