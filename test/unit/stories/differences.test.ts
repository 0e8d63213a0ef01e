/** The stories of both kinds of service: every difference is listed and told, and no story is left out unseen. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIFFERENCES } from '../../cluster/story/differences.ts'
import { toldOnce } from '../../../vitest.config.ts'

const root = join(import.meta.dirname, '../../..')
const folder = 'test/cluster/story'
const files = readdirSync(join(root, folder))
  .map((name) => `${folder}/${name}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('/differences.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const stories = files.filter(({ path }) => path.endsWith('.test.ts'))

/** Names of the differences that a file tells of, once for each call. */
function told(text: string): string[] {
  return [...text.matchAll(/\bonProfile(?:<[^(]*>)?\(\s*(?:\w+|\{ profile \}),\s*'([^']+)'/g)].map(
    ([, name = '']) => name,
  )
}

test('every listed difference is told in a story, and every one that is told is listed', () => {
  const names = new Set(files.flatMap(({ text }) => told(text)))
  expect([...names].sort()).toEqual(Object.keys(DIFFERENCES).sort())
})

test('a story asks for its profile only through a difference', () => {
  for (const { path, text } of files) {
    const calls = text.match(/\bonProfile(?:<[^(]*>)?\(/g) ?? []
    expect(told(text), path).toHaveLength(calls.length)
    expect(text, path).not.toMatch(/profile === |inject\('profile'\)/)
  }
})

test('a story that names profiles itself is told once, and what is told once exists', () => {
  const naming = stories.filter(({ text }) => /\(\['extended', 'documented'\]|\bprofile: '/.test(text))
  expect(toldOnce).toEqual(expect.arrayContaining(naming.map(({ path }) => path)))
  expect(stories.map(({ path }) => path)).toEqual(expect.arrayContaining([...toldOnce]))
})

test('no story is skipped', () => {
  for (const { path, text } of stories) expect(text, path).not.toMatch(/\.(?:skip|skipIf|runIf|todo|fails)\b/)
})
