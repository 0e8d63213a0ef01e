/** Faults in what becomes of a status that is another object's. */
import type { SeededFault } from '../fault.ts'

export const copied: readonly SeededFault[] = [
  {
    name: 'a copy owns what its status says',
    rule: 'a copied status owns nothing',
    file: 'reconcile/references.ts',
    find: 'return status?.uid !== undefined && status.uid !== metadata.uid',
    replace: "return status?.uid === '' && status.uid !== metadata.uid",
    shows: [{ scenario: 'copies-left', profile: 'documented' }],
  },
  {
    name: 'a copy goes on with what the original has open',
    rule: 'a copied status owns nothing',
    file: 'reconcile/reconcile.ts',
    find: '    takeStatus(pass)\n    return finish',
    replace: '    return finish',
    shows: [{ scenario: 'bucket', groups: ['people'], trouble: '"withStatus":true' }],
  },
  {
    name: 'an overwritten status is the own one',
    rule: 'our finalizer without a status means that something may exist',
    file: 'reconcile/pass.ts',
    find: 'return isCopy(object) || (object.status?.account === undefined',
    replace: 'return (object.status?.account === undefined',
    shows: [{ scenario: 'overwritten-without-id', profile: 'documented' }],
  },
  {
    name: 'rotate what is a copy',
    rule: 'a copied status owns nothing',
    file: 'reconcile/reconcile.ts',
    find: '  if (!isCopied(pass)) beginRotation(pass)\n',
    replace: '  beginRotation(pass)\n',
    shows: [{ scenario: 'copied-keys' }],
  },
  {
    name: 'what a copy names is nobody\u2019s',
    rule: 'what a copied status names is left until it is known whose it is',
    file: 'reconcile/references.ts',
    find: '    stores[kind as KindName].byIndex(INDEX.cloudID, status.id).every(isCopy)\n',
    replace: "    stores[kind as KindName].byIndex(INDEX.cloudID, '').length > 0\n",
    shows: { test: 'test/unit/reconcile/references.test.ts' },
  },
  {
    name: 'an answer that is copied along',
    rule: 'an answer is bound to the object that asks',
    file: 'reconcile/ownership.ts',
    find: 'return `${id}@${object.metadata.uid.slice(0, UID_SHOWN)}`',
    replace: 'return `${id}@${object.metadata.uid.slice(0, 0)}${UID_SHOWN}`',
    shows: [{ scenario: 'answer-copied' }],
  },
  {
    name: 'what was made before a status was overwritten is forgotten',
    rule: 'our finalizer without a status means that something may exist',
    file: 'reconcile/create.ts',
    find: 'const copied = isCopied(pass)\n',
    replace: "const copied = pass.draft.uid === ''\n",
    shows: [{ scenario: 'overwritten' }],
  },
  {
    name: 'of two that ask for one name one waits for the other',
    rule: 'of two that ask for one name each is told what is there',
    file: 'reconcile/create.ts',
    find: "  if (identity === 'name' && other === undefined) {\n",
    replace: "  if (identity === 'baseline' && other === undefined) {\n",
    shows: [
      {
        scenario: 'copied-twice',
        seed: 470548,
        perturbations: [
          {
            at: { port: 'kube', call: 'update clouddisks/status data', nth: 4 },
            do: { restoreEtcd: { agoMs: 2_000 } },
          },
        ],
      },
    ],
  },
  {
    name: 'let an object go under another status that names nothing',
    rule: 'another status that names nothing counts as lost when the object is deleted',
    file: 'reconcile/reconcile.ts',
    find: '  takeStatus(pass)\n  const deleted',
    replace: '  const deleted',
    shows: [
      {
        scenario: 'overwritten-without-id',
        profile: 'documented',
        seed: 628_690,
        perturbations: [
          {
            at: { port: 'kube', call: 'update clouddisks/status data', nth: 5 },
            do: { person: { do: 'again', object: { kind: 'CloudDisk', name: 'data' } } },
          },
        ],
      },
    ],
  },
]
