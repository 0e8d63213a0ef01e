/**
 * Where a story ends differently on a service that has only what the interface states: each difference has a name, the
 * reason and what people see instead. Stories tell both sides through `onProfile`; test/unit/stories checks that every
 * entry is told somewhere.
 */
import type { Profile } from '../../../src/simulator/state/model.ts'

interface Difference {
  readonly because: string
  readonly instead: string
}

export const DIFFERENCES = {
  'networks of the account': {
    because: 'Networks and load balancers belong to the account as a whole, not to one of its locations.',
    instead: 'The account has one default network in all.',
  },
  'disks without names': {
    because: 'No record of a disk carries a name.',
    instead: 'The name is sent with the create and never compared: a new name in the spec takes no call.',
  },
  'unnamed creates': {
    because: 'Disks and load balancers show no name, so one that an unanswered create made shows no marker.',
    instead:
      'CreateOutcomeUnknown names the one it may be, and nothing is made beside it until a person decides.',
  },
  'creates one at a time': {
    because: 'Without names, two disks (or load balancers) made at once could not be told apart.',
    instead:
      'Each says Creating and what it waits for until the create before it is recorded; none is refused or made twice.',
  },
  'load balancers as made': {
    because: 'The interface states no way to change a load balancer.',
    instead: 'UpdatePending says Unsupported with what is to be done in the console; nothing is sent.',
  },
  'load balancers stay': {
    because: 'The interface states no way to delete a load balancer.',
    instead:
      'Its object is held with Unsupported until it is deleted in the console or let go with onDelete Retain.',
  },
  'addresses for machines only': {
    because: 'The interface states only how an address is assigned to a virtual machine.',
    instead: 'UpdatePending says Unsupported; the address stays where it is and nothing is sent.',
  },
  'key pairs at once': {
    because: 'The interface knows no account whose object storage is not enabled yet.',
    instead: 'The first key pair is made like every other, not along with the user of the object storage.',
  },
} as const satisfies Readonly<Record<string, Difference>>

export type DifferenceName = keyof typeof DIFFERENCES

/** Tells the side of the story that holds on its service. A failure of the documented side says what was to be seen. */
export function onProfile<T>(
  { profile }: { readonly profile: Profile },
  name: DifferenceName,
  sides: Readonly<Record<Profile, () => T>>,
): T {
  if (profile === 'extended') return sides.extended()
  const explain = (error: unknown): never => {
    const { because, instead } = DIFFERENCES[name]
    if (error instanceof Error) error.message = `${name}: ${because} ${instead}\n${error.message}`
    throw error
  }
  try {
    const told = sides.documented()
    return told instanceof Promise ? (told.catch(explain) as T) : told
  } catch (error) {
    return explain(error)
  }
}
