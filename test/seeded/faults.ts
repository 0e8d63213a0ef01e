/** Every seeded fault, by the part of the protocol that it breaks. Add one to its list, and nowhere else. */
import type { SeededFault } from './fault.ts'
import { attached } from './faults/attached.ts'
import { copied } from './faults/copied.ts'
import { creating } from './faults/creating.ts'
import { deleting } from './faults/deleting.ts'
import { found } from './faults/found.ts'
import { keeping } from './faults/keeping.ts'
import { leaving } from './faults/leaving.ts'
import { looking } from './faults/looking.ts'
import { lost } from './faults/lost.ts'
import { machines } from './faults/machines.ts'
import { outcomes } from './faults/outcomes.ts'
import { reading } from './faults/reading.ts'
import { secrecy } from './faults/secrecy.ts'
import { sequences } from './faults/sequences.ts'

export const PARTS: Readonly<Record<string, readonly SeededFault[]>> = {
  creating,
  lost,
  looking,
  copied,
  found,
  outcomes,
  reading,
  deleting,
  leaving,
  sequences,
  machines,
  attached,
  keeping,
  secrecy,
}

export const FAULTS: readonly SeededFault[] = Object.values(PARTS).flat()
