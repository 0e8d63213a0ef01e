/**
 * Which replies mean "this exact resource is gone". Each family has its own status and words; anything else, an unknown
 * route or a wrong location slug above all, says nothing about the resource.
 */
import type { ErrorWords } from './error-words.ts'

export type ExactKind =
  'vm' | 'disk' | 'bucket' | 'network' | 'floatingIP' | 'loadBalancer' | 'storageUser' | 'accessKey' | 'token'

type Gone = (status: number, words: ErrorWords, id: string) => boolean

const gone: Readonly<Record<ExactKind, Gone>> = {
  vm: (status, { text }, id) => isBadOrNotFound(status) && noSuchVm.test(text) && endsWith(text, id),
  disk: (status, words, id) =>
    (status === 404 && /^disk not found$/i.test(bare(words.text))) || documented(status, words, id, 'disk'),
  network: (status, words, id) =>
    (status === 400 && /^network uuid is invalid$/i.test(bare(words.text))) ||
    documented(status, words, id, '(private )?network'),
  floatingIP: (status, words, id) =>
    (status === 404 && bare(words.text).toLowerCase() === `ip address ${id} was not found`.toLowerCase()) ||
    documented(status, words, id, '(floating |public )?ip( address)?'),
  loadBalancer: (status, words, id) =>
    any404(status, words) || documented(status, words, id, '(network )?load balancer'),
  bucket: (status, words, id) => any404(status, words) || documented(status, words, id, 'bucket'),
  storageUser: (status, { text }) =>
    isBadOrNotFound(status) && /\bstorage (account|user)\b.*\bnot (found|exist)/i.test(text),
  accessKey: (status, words, id) =>
    (status === 404 && /\bkey\b.*\bnot (found|exist)/i.test(words.text)) ||
    documented(status, words, id, '(access )?key'),
  // The service tells a token that is gone and a gateway that fails in the same words: lists decide.
  token: (status, words, id) => documented(status, words, id, '(api )?token'),
}

const noSuchVm = /\bno such (virtual machine|vm)\b|\b(virtual machine|vm)\b.*\bnot (found|exist)\b/i

/** A 404 of the API itself that is not about the billing account sent along. */
function any404(status: number, words: ErrorWords): boolean {
  return status === 404 && words.shape !== 'framework' && !/billing/i.test(words.text)
}

/** True when the reply says that the resource asked for is gone. Unknown routes must be sorted out before. */
export function saysGone(kind: ExactKind, id: string, status: number, words: ErrorWords): boolean {
  return gone[kind](status, words, id)
}

/** The gateway's words for a route, or a location slug, that it does not know. */
export function saysNoRoute(words: ErrorWords): boolean {
  return /\bno route\b/i.test(words.text)
}

/**
 * The documented error shape, whose statuses and words are not stated: the noun and "not found" alone, or with the very
 * id that was asked for.
 */
function documented(status: number, words: ErrorWords, id: string, noun: string): boolean {
  if (!isBadOrNotFound(status) || words.shape !== 'errors' || words.field !== undefined) return false
  const text = bare(words.text)
    .replace(id, '')
    .replaceAll(/['":\s]+/g, ' ')
    .trim()
  const forms = `no such ${noun}( exists| found)?|${noun}( uuid)? (was |is |does )?(not found|not exist|invalid)`
  return new RegExp(`^(${forms})$`, 'i').test(text)
}

function isBadOrNotFound(status: number): boolean {
  return status === 400 || status === 404
}

function bare(text: string): string {
  return text.trim().replace(/\.$/, '')
}

function endsWith(text: string, id: string): boolean {
  return bare(text).toLowerCase().endsWith(id.toLowerCase())
}
