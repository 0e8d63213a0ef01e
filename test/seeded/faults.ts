/** Every seeded fault, by the part of the protocol that it breaks. Add one to its list, and nowhere else. */
import type { SeededFault } from './fault.ts'
import { creating } from './faults/creating.ts'
import { deleting } from './faults/deleting.ts'
import { keeping } from './faults/keeping.ts'
import { sequences } from './faults/sequences.ts'

export const FAULTS: readonly SeededFault[] = [...creating, ...deleting, ...sequences, ...keeping]
