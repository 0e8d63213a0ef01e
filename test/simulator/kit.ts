/**
 * Speaks to a simulator over real HTTP as any client would: what the tests of its rules share. The tests hold one
 * sentence of the service's interface each, on both profiles unless they say otherwise.
 */
import { afterEach, expect } from 'vitest'
import { systemClock, type Clock } from '../../src/loop/clock.ts'
import { startSimulator, type RunningSimulator, type SimulatorOptions } from '../../src/simulator/server.ts'

export const profiles = ['extended', 'documented'] as const
export type Profile = (typeof profiles)[number]

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The decoded body; undefined when there is none or it is not JSON. */
  body: unknown
}

export type Form = Record<string, string | number | boolean>

export interface Api {
  simulator: RunningSimulator
  /** GET of a path after /v1. */
  get(path: string): Promise<Answer>
  /** Sends form fields, percent-encoded. */
  form(method: string, path: string, fields: Form): Promise<Answer>
  json(method: string, path: string, body: unknown): Promise<Answer>
  /** Without any body. */
  bare(method: string, path: string): Promise<Answer>
  /** The body as it is. */
  raw(method: string, path: string, contentType: string, body: string): Promise<Answer>
  /** The same service with another key. */
  as(apiKey: string): Api
}

const running: RunningSimulator[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((simulator) => simulator.stop()))
})

/** Starts a simulator that ends with the test. */
export async function open(options: SimulatorOptions = {}): Promise<Api> {
  const simulator = await startSimulator(options)
  running.push(simulator)
  return apiOf(simulator, simulator.apiKey)
}

function apiOf(simulator: RunningSimulator, apiKey: string): Api {
  const send = async (method: string, path: string, contentType?: string, body?: string): Promise<Answer> => {
    const response = await fetch(`${simulator.url}/v1${path}`, {
      method,
      headers: { apikey: apiKey, ...(contentType !== undefined && { 'content-type': contentType }) },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }
  return {
    simulator,
    get: (path) => send('GET', path),
    form: (method, path, fields) => send(method, path, 'application/x-www-form-urlencoded', encode(fields)),
    json: (method, path, body) => send(method, path, 'application/json', JSON.stringify(body)),
    bare: (method, path) => send(method, path),
    raw: send,
    as: (other) => apiOf(simulator, other),
  }
}

function encode(fields: Form): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A clock that stands still: short waits are over at once, those of a second and more when the test says so. */
export function handClock(): { clock: Clock; advance: (ms: number) => void } {
  let nowMs = 1_700_000_000_000
  let timers: { at: number; call: () => void }[] = []
  const after: Clock['after'] = (ms, call) => {
    const timer = { at: nowMs + ms, call }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }
  const sleep: Clock['sleep'] = (ms) =>
    ms < 1000 ? Promise.resolve() : new Promise((resolve) => after(ms, resolve))
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs, after, sleep }
  const advance = (ms: number): void => {
    nowMs += ms
    const due = timers.filter((timer) => timer.at <= nowMs)
    timers = timers.filter((timer) => timer.at > nowMs)
    for (const timer of due) timer.call()
  }
  return { clock, advance }
}

export type Json = Record<string, unknown>

/** The body of a successful answer as an object. */
export function made(answer: Answer): Json {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(200)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body as Json
}

/** The body of a successful answer as a list of objects. */
export function rows(answer: Answer): Json[] {
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toBeInstanceOf(Array)
  return answer.body as Json[]
}

/** A field of the body as text. */
export function idOf(record: Json, field = 'uuid'): string {
  const value = record[field]
  if (typeof value === 'string') return value
  throw new Error(`no ${field} in ${JSON.stringify(record)}`)
}

/** The text of an error body, whichever shape it has. */
export function errorText(answer: Answer): string {
  const body = answer.body as { errors?: Json; message?: string }
  return (
    body.message ??
    Object.values(body.errors ?? {})
      .map(String)
      .join('; ')
  )
}

export const billing = 2001

/** A valid VM create form; overrides replace or add fields. */
export function vmForm(fields: Form = {}): Form {
  return {
    name: 'web-1',
    os_name: 'ubuntu',
    os_version: '22.04',
    disks: 20,
    vcpu: 2,
    ram: 2048,
    username: 'someone',
    password: 'Secret123',
    billing_account_id: billing,
    ...fields,
  }
}

/** The record without some of its fields. */
export function without<T extends object>(record: T, ...fields: string[]): Record<string, T[keyof T]> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)))
}

/** Creates a VM and gives its id. */
export async function newVm(api: Api, fields: Form = {}): Promise<string> {
  return idOf(made(await api.form('POST', '/user-resource/vm', vmForm(fields))))
}

export async function newDisk(api: Api, fields: Form = {}): Promise<string> {
  const form = { size_gb: 10, billing_account_id: billing, ...fields }
  return idOf(made(await api.form('POST', '/storage/disks', form)))
}

export async function readVm(api: Api, uuid: string): Promise<Json> {
  return made(await api.get(`/user-resource/vm?uuid=${uuid}`))
}

export async function stopVm(api: Api, uuid: string): Promise<void> {
  made(await api.form('POST', '/user-resource/vm/stop', { uuid }))
}
