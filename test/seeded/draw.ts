/** The cases a fault is looked for in: what its looks name, the undisturbed runs first, then more and more at random. */
import { nameOf, singlesOf, type Case } from '../faults/generate.ts'
import type { Plan } from '../faults/plan.ts'
import { createRandom, seedFor, type Random } from '../faults/random.ts'
import type { Look } from './fault.ts'
import type { Sound } from './sound.ts'

/** Of what the looks name, and beyond that of anything in the same stories. */
const NAMED = 60
const BROAD = 60

/** In the order in which they are to be tried. */
export async function* casesFor(
  looks: readonly Look[],
  sound: Pick<Sound, 'reference'>,
): AsyncGenerator<Plan> {
  const random = createRandom(seedFor(1, JSON.stringify(looks)))
  for (const look of looks) yield look.perturbations === undefined ? storyOf(look) : exactly(look)
  const stories: { readonly look: Look; readonly singles: readonly Case[] }[] = []
  for (const look of looks.filter((each) => each.perturbations === undefined))
    stories.push({ look, singles: singlesOf(await sound.reference(storyOf(look))) })
  const named = stories.map(({ look, singles }) =>
    shuffled(
      singles.filter((each) => meets(look, each)),
      random,
    ),
  )
  yield* dealt(named, NAMED)
  const rest = looks.map((look) => ({ ...storyOf(look), perturbations: [] }))
  const broad: (readonly Case[])[] = []
  for (const story of distinct(rest)) broad.push(shuffled(singlesOf(await sound.reference(story)), random))
  yield* dealt(broad, BROAD)
}

function storyOf({ scenario, profile = 'extended', leaders = 'one', seed = 1 }: Look): Plan {
  return { scenario, seed, profile, leaders, perturbations: [] }
}

function exactly(look: Look): Plan {
  return { ...storyOf(look), perturbations: look.perturbations ?? [] }
}

function distinct(stories: readonly Plan[]): readonly Plan[] {
  return [...new Map(stories.map((story) => [nameOf(story), story])).values()]
}

function meets({ groups, at, trouble }: Look, { group, plan }: Case): boolean {
  const [first] = plan.perturbations
  if (first === undefined) return false
  const label = `${first.at.port} ${first.at.call}`
  return (
    (groups === undefined || groups.includes(group)) &&
    (at === undefined || label.includes(at)) &&
    (trouble === undefined || JSON.stringify(first.do).includes(trouble))
  )
}

/** One of each list in turn. */
function* dealt(lists: readonly (readonly Case[])[], most: number): Generator<Plan> {
  let count = 0
  for (let round = 0; ; round++) {
    const now = lists.flatMap((list) => list[round] ?? [])
    if (now.length === 0) return
    for (const { plan } of now) {
      if (count === most) return
      count += 1
      yield plan
    }
  }
}

function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  return list
    .map((each) => ({ each, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ each }) => each)
}
