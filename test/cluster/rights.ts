/** What somebody may do, asked of the API server itself. */
import { expect } from 'vitest'
import { kindSchemas } from '../../src/api/kinds.ts'
import { GROUP } from '../../src/api/group.ts'
import { manifests, succeeded, type Kubectl } from './kubectl.ts'

export interface Question {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string
  readonly name?: string
}

/** The resources of our kinds. */
export const plurals = Object.values(kindSchemas).map(({ plural }) => plural)

/** Each verb (parted by spaces) on each resource; our group unless `more` says another. */
export function asked(verbs: string, resources: readonly string[], more: Partial<Question> = {}): Question[] {
  return resources.flatMap((resource) =>
    verbs.split(' ').map((verb) => ({ verb, group: GROUP, resource, ...more })),
  )
}

/** Fails unless whoever this kubectl is may do all of it in the namespace; empty: in every namespace, and of the cluster. */
export async function expectAllowed(kubectl: Kubectl, where: string, questions: readonly Question[]) {
  const answers = await may(kubectl, where, questions)
  expect(questions.filter((_, index) => !answers[index])).toEqual([])
}

/** Fails unless none of it is allowed there. */
export async function expectRefused(kubectl: Kubectl, where: string, questions: readonly Question[]) {
  const answers = await may(kubectl, where, questions)
  expect(questions.filter((_, index) => answers[index])).toEqual([])
}

async function may(kubectl: Kubectl, where: string, questions: readonly Question[]): Promise<boolean[]> {
  const reviews = questions.map((question) =>
    JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { ...question, namespace: where } },
    }),
  )
  const format = '-o=jsonpath={.status.allowed}{"\\n"}'
  const answers = succeeded(
    await kubectl(['create', '--validate=false', '--filename=-', format], manifests(reviews)),
  ).split('\n')
  expect(answers).toHaveLength(questions.length + 1)
  return questions.map((_, index) => answers[index] === 'true')
}
