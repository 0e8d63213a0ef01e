/**
 * The marker says in the cloud which custom resource of which cluster owns an object: a word of 14 base32 characters,
 * 4 from the cluster's id and 10 from the cluster's id with the resource's UID. Pure.
 */
import { hash } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const CLUSTER_LENGTH = 4
const OWNER_LENGTH = 10
const MARKER = /^[a-z2-7]{14}$/

export type Marker = string & { readonly brand: 'marker' }

/** Marker of the custom resource with `uid` in the cluster with `clusterID`. */
export function markerOf(clusterID: string, uid: string): Marker {
  return `${base32(clusterID, CLUSTER_LENGTH)}${base32(`${clusterID}/${uid}`, OWNER_LENGTH)}` as Marker
}

/** What markers of this cluster begin with. */
export function clusterPart(clusterID: string): string {
  return base32(clusterID, CLUSTER_LENGTH)
}

/** `name` with the marker as its suffix: `web-abcd…`. */
export function markedName(name: string, marker: Marker): string {
  return `${name}-${marker}`
}

/** `text` with the marker as its last word: `front end k8s-abcd…`. */
export function markedText(text: string | undefined, marker: Marker): string {
  return text === undefined || text === '' ? `k8s-${marker}` : `${text} k8s-${marker}`
}

/** The marker a label ends with, in either form; undefined when it carries none. */
export function markerIn(label: string | undefined): Marker | undefined {
  const last = label?.split(/[\s-]/).at(-1)
  const separated = label !== undefined && last !== undefined && label.length > last.length
  return separated && MARKER.test(last) ? (last as Marker) : undefined
}

/** Each pass asks for the same few again. */
const known = new Map<string, string>()
const KNOWN_MAX = 20_000

function base32(text: string, length: number): string {
  const key = `${length} ${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const word = firstOf(text, length)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(key, word)
  return word
}

/** The first characters of the text's digest. */
function firstOf(text: string, length: number): string {
  const digest = hash('sha256', text, 'buffer')
  let out = ''
  for (let bit = 0; out.length < length; bit += 5) {
    // The five bits from `bit` on lie in two bytes at most.
    const pair = digest.readUInt16BE(bit >> 3)
    out += ALPHABET.charAt((pair >> (11 - (bit & 7))) & 31)
  }
  return out
}
