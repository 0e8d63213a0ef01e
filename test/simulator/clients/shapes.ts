/** How a client of the interface checks an answer: every record has exactly the stated fields, of the stated types. */
import { z } from 'zod'
import type { Answer, Dialect } from './wire.ts'

export const uuid = z.uuid()
export const whole = z.int()
export const ipv4 = z.ipv4()
export const vmTime = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
export const storageTime = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?$/)
export const diskTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)

/** A record as the interface lists it, and as deployments write it. */
export interface Shape<T> {
  of(dialect: Dialect): z.ZodType<T>
}

type Row<F extends z.ZodRawShape> = z.output<z.ZodObject<F>>
type Seen<F extends z.ZodRawShape, L> = Omit<Row<F>, L & keyof Row<F>> &
  Partial<Pick<Row<F>, L & keyof Row<F>>>

/** `lacks` and `adds` are what deployments leave out and have more; both are an error against the documented service. */
export function shape<F extends z.ZodRawShape, L extends keyof F & string = never>(
  fields: F,
  deployed: { lacks?: readonly L[]; adds?: z.ZodRawShape } = {},
): Shape<Seen<F, L>> {
  const strict = z.strictObject(fields)
  const lacking = (deployed.lacks ?? []).map((name) => [name, z.optional(fields[name] ?? z.never())])
  const adding = Object.entries(deployed.adds ?? {}).map(([name, type]) => [name, z.optional(type)])
  const loose = z.strictObject({ ...fields, ...Object.fromEntries([...lacking, ...adding]) })
  return {
    of: (dialect) => (dialect === 'documented' ? strict : loose) as unknown as z.ZodType<Seen<F, L>>,
  }
}

/** The JSON body of an answer as one record. */
export function one<T>(answer: Answer, dialect: Dialect, wanted: Shape<T>): T {
  return read(answer, wanted.of(dialect))
}

/** The JSON body of an answer as an array of records. */
export function many<T>(answer: Answer, dialect: Dialect, wanted: Shape<T>): T[] {
  return read(answer, z.array(wanted.of(dialect)))
}

/** `object with success (boolean)`. */
export function success(answer: Answer): boolean {
  return read(answer, z.strictObject({ success: z.boolean() })).success
}

/** A stated status and no body. */
export function empty(answer: Answer, status: number): void {
  if (answer.status !== status || answer.text !== '')
    throw new Error(
      `${answer.operation}: expected ${status} and no body, got ${answer.status} ${answer.text}`,
    )
}

/** An answer without a body, whatever 2xx it has. */
export function bodiless(answer: Answer): void {
  empty(answer, answer.status)
}

function read<T>(answer: Answer, schema: z.ZodType<T>): T {
  if (!answer.contentType.startsWith('application/json'))
    throw new Error(`${answer.operation}: not JSON but ${answer.contentType}`)
  const parsed = schema.safeParse(JSON.parse(answer.text))
  if (parsed.success) return parsed.data
  throw new Error(`${answer.operation}: ${z.prettifyError(parsed.error)}\n${answer.text}`)
}
