/** Faults in what is concluded from a status that says nothing. */
import type { SeededFault } from '../fault.ts'

export const lost: readonly SeededFault[] = [
  {
    name: 'take a lost status for a new object',
    rule: 'our finalizer without a status means that something may exist',
    file: 'reconcile/pass.ts',
    find: 'return isCopy(object) || (object.status?.account === undefined && !env.unbegun.has(object.metadata.uid))',
    replace: 'return isCopy(object)',
    shows: [{ scenario: 'disk', profile: 'documented', groups: ['people'], trouble: 'wipeStatus' }],
  },
  {
    name: 'make up for a lost status after three looks',
    rule: 'what a lost status knew of is looked for until the settle time is over',
    file: 'reconcile/lost.ts',
    find: 'issuedAt: rfc3339(env.clock.now())',
    replace: 'issuedAt: rfc3339(madeMs - CLOCKS_DIFFER_MS)',
    shows: [{ scenario: 'wiped-network', groups: ['read'], trouble: '30000' }],
  },
  {
    name: 'let an object go at the first look after its status was lost',
    rule: 'what a lost status knew of is looked for until the settle time is over',
    file: 'reconcile/lost.ts',
    find: '  if (!asksOnceLost(pass)) return { verdict: standIn(pass), afterMs: 0 }\n  // Nothing is made for what is to be',
    replace: '  if (!asksOnceLost(pass)) return undefined\n  // Nothing is made for what is to be',
    shows: [
      { scenario: 'wiped-leaving', groups: ['read'], trouble: '30000' },
      { scenario: 'wiped-adopted', groups: ['read'], trouble: '30000' },
    ],
  },
  {
    name: 'let an object go at the first look under another status',
    rule: 'what a lost status knew of is looked for until the settle time is over',
    file: 'reconcile/lost.ts',
    find: '  return standsIn(pass) && !asksOnceLost(pass) ? standIn(pass) : undefined\n',
    replace: '  return undefined\n',
    shows: [{ scenario: 'overwritten-leaving', groups: ['read'], trouble: '30000' }],
  },
  {
    name: 'take an object whose status was lost for unused',
    rule: 'our finalizer without a status means that something may exist',
    file: 'reconcile/references.ts',
    find: '  if ((copied || status?.account === undefined) && mayHaveLost(object)) return true\n',
    replace: '  if (status?.account === null && mayHaveLost(object)) return true\n',
    shows: [
      { scenario: 'boots-adopted', groups: ['people'], trouble: 'wipeStatus","object":{"kind":"CloudDisk' },
    ],
  },
  {
    name: 'take a clone for its original',
    rule: 'a copied label is no proof of ownership',
    file: 'reconcile/look.ts',
    find: '  return kind.creation.mayBeCopy?.(object, oldest) === true\n',
    replace: '  return kind.kind === object.metadata.name\n',
    shows: [{ scenario: 'clone-stays' }],
  },
  {
    name: 'take a clone for its original after all',
    rule: 'a copied label is no proof of ownership',
    file: 'reconcile/resolve.ts',
    find: '  if (!isBare(pass, operation)) for (const id of ids) accept(pass, id, NONE)\n',
    replace: '',
    shows: [{ scenario: 'clone-stays-leaving' }],
  },
  {
    name: 'take what this process has just begun to hold for a lost one',
    rule: 'what this process knows of an object needs no status',
    file: 'reconcile/pass.ts',
    find: ' && !env.unbegun.has(object.metadata.uid))',
    replace: ')',
    shows: { test: 'test/seeded/stories/emptied.test.ts' },
  },
  {
    name: 'drop the id of a create whose status was emptied',
    rule: 'what this process knows of an object needs no status',
    file: 'reconcile/create.ts',
    find: 'latest?.status?.account === undefined || latest.status.operation?.id === operation.id',
    replace: 'latest?.status?.operation?.id === operation.id',
    shows: { test: 'test/seeded/stories/emptied.test.ts' },
  },
  {
    name: 'look for what was lost in one place alone',
    rule: 'where a thing was made is lost with the status',
    file: 'reconcile/look.ts',
    find: '? lookEverywhere(pass) : lookHere(pass)',
    replace: '? lookHere(pass) : lookHere(pass)',
    shows: [{ scenario: 'wiped-elsewhere' }],
  },
  {
    name: 'let a snapshot go while its machine is being changed',
    rule: 'what a lost status knew of is looked for until the settle time is over',
    file: 'kinds/snapshot/kind.ts',
    find: '  if (create && !leaving && change !== undefined) {',
    replace: '  if (create && change !== undefined) {',
    shows: [{ scenario: 'wiped-snapshot' }],
  },
  {
    name: 'ask for what was lost only once the wish is ready',
    rule: 'what only a person can tell waits for no wish',
    file: 'reconcile/lost.ts',
    find: '  return object.spec.adopt === undefined && kind.pins === undefined ? standIn(pass) : undefined',
    replace: '  return undefined',
    shows: [
      {
        scenario: 'wiped-early',
        profile: 'documented',
        groups: ['people'],
        trouble: '"delete","object":{"kind":"CloudNetwork"',
      },
    ],
  },
  {
    name: 'look once whether a copy made something of its own',
    rule: 'what a lost status knew of is looked for until the settle time is over',
    file: 'reconcile/reconcile.ts',
    find: '  return pass.env.clock.now() - sinceMs < settleMs + 2 * syncMs\n',
    replace: '  return pass.env.clock.now() - sinceMs < 0 * (settleMs + syncMs)\n',
    shows: [
      {
        scenario: 'overwritten',
        profile: 'documented',
        perturbations: [
          {
            at: { port: 'cloud', call: 'GET /network/networks', nth: 1 },
            do: { read: { lagMs: 30_000, everything: false } },
          },
        ],
      },
    ],
  },
]
