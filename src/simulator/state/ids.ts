/** Ids drawn from the seed: the n-th id of a kind is always the same. */
import { hash } from 'node:crypto'
import type { World } from './model.ts'

/** 1 for the first of its kind, then 2, 3, … */
export function nextNumber(world: World, kind: string): number {
  const n = (world.drawn[kind] ?? 0) + 1
  world.drawn[kind] = n
  return n
}

/** The next `digits` hexadecimal digits of the kind (64 at most). */
export function nextHex(world: World, kind: string, digits: number): string {
  return digest(`${world.seed}/${kind}/${nextNumber(world, kind)}`).slice(0, digits)
}

/** The next UUID (version 4 in form) of the kind. */
export function nextUuid(world: World, kind: string): string {
  const hex = nextHex(world, kind, 32)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ].join('-')
}

export function digest(text: string): string {
  return hash('sha256', text, 'hex')
}

/** A number of the given seed and position in [0, 1). */
export function fraction(seed: number, position: string): number {
  return Number.parseInt(digest(`${seed}/${position}`).slice(0, 12), 16) / 2 ** 48
}

export function ipv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
}
