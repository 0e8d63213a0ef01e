/** Faults in what is done to machines, beyond one step. */
import type { Look, SeededFault } from '../fault.ts'

/** A snapshot that is not answered, and takes effect while its machine is being cloned. */
const SNAPSHOT_LATE: readonly Look[] = (['extended', 'documented'] as const).map((profile) => ({
  scenario: 'wiped-unmarked',
  profile,
  perturbations: [
    {
      at: { port: 'cloud', call: 'POST /user-resource/vm/replica', nth: 1 },
      do: { answer: 'reset', effect: { afterMs: 1_000 } },
    },
  ],
}))

export const machines: readonly SeededFault[] = [
  {
    name: 'set a password by starting',
    rule: 'no machine is started for a password',
    file: 'kinds/vm/plan.ts',
    find: "const starts = want.powerState === 'Running' || ran\n",
    replace: "const starts = want.powerState === 'Running' || ran || password.steps.length > 0\n",
    shows: [{ scenario: 'password-off' }],
  },
  {
    name: 'stop again and again for a refused size',
    rule: 'a refused size is not stopped for a second time',
    file: 'kinds/vm/refusals.ts',
    find: 'return { resize: { target: step.target, wasRunning: resize?.wasRunning ?? false, refused: text } }',
    replace: 'return { resize: { target: step.target, wasRunning: resize?.wasRunning ?? false } }',
    shows: [{ scenario: 'resize-refused' }],
  },
  {
    name: 'leave a machine off whose size was refused',
    rule: 'a machine that was stopped for a refused size is started again',
    file: 'kinds/vm/plan.ts',
    find: "  if (starts) return { ...password, steps: [...resize, { do: 'start' }, ...password.steps], ...block }\n",
    replace:
      "  if (starts && !barred) return { ...password, steps: [...resize, { do: 'start' }, ...password.steps], ...block }\n",
    shows: [{ scenario: 'resize-refused' }],
  },
  {
    name: 'cut the power at once',
    rule: 'power is cut only where the mode says so, and after the time-out',
    file: 'kinds/vm/plan.ts',
    find: "const force = mode === 'Force' || overdue === 'stop' || overdue === 'forceStop'",
    replace: "const force = mode !== 'Force' || overdue === 'stop' || overdue === 'forceStop'",
    shows: [{ scenario: 'vm-resize', groups: ['kill'] }],
  },
  {
    name: 'cut the power of a guest that does not end',
    rule: 'power is cut only where the mode says so, and after the time-out',
    file: 'kinds/vm/plan.ts',
    find: '  if (!graceful) return { steps: [stopping(mode, why, memory.overdue)] }\n',
    replace: '  if (mode !== undefined) return { steps: [stopping(mode, why, memory.overdue)] }\n',
    shows: { test: 'test/unit/kinds/vm/plan.test.ts' },
  },
  {
    name: 'any other word means stopped',
    rule: 'a state that is not known is a transition, into which nothing is sent',
    file: 'reconcile/vmrecords.ts',
    find: "return lower === 'running' || lower === 'stopped' ? lower : 'between'",
    replace: "return lower === 'running' ? lower : 'stopped'",
    shows: [{ scenario: 'vm-between' }],
  },
  {
    name: 'write without end',
    rule: 'after two writes without an effect writing stops',
    file: 'reconcile/gate.ts',
    find: '  if (accepted.times < ACCEPTED_TWICE) return undefined\n',
    replace: '  if (accepted.times < ACCEPTED_TWICE || accepted.agoMs >= lagMs) return undefined\n',
    shows: { test: 'test/seeded/stories/stubborn.test.ts' },
  },
  {
    name: 'an open change of another is no matter',
    rule: 'what another object sent to a machine is found out before anything else is sent there',
    file: 'reconcile/gate.ts',
    find: '  if (unanswered !== undefined) {\n',
    replace: "  if (unanswered?.kind === '') {\n",
    shows: [
      {
        scenario: 'disk-vm-deleted',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/stop', nth: 1 },
            do: { answer: 'hang', effect: { afterMs: 30_000 } },
          },
        ],
      },
    ],
  },
  {
    name: 'an open create of another is no matter',
    rule: 'what another object sent to a machine is found out before anything else is sent there',
    file: 'reconcile/turn.ts',
    find: "  return operation.verb !== 'create' || status?.id === undefined\n",
    replace: "  return operation.verb !== 'create'\n",
    shows: SNAPSHOT_LATE,
  },
  {
    name: 'only the machine itself tells what is open there',
    rule: 'what another object sent to a machine is found out before anything else is sent there',
    file: 'reconcile/turn.ts',
    find: 'return KINDS.flatMap((kind) => env.stores[kind].byIndex(INDEX.machine, vmID)).find(',
    replace: 'return env.stores.CloudVM.byIndex(INDEX.machine, vmID).find(',
    shows: SNAPSHOT_LATE,
  },
  {
    name: 'an operation goes on at a machine that is paused',
    rule: 'a pause of its machine ends an operation before the next call',
    file: 'kinds/vmoperation/run.ts',
    find: '    if (paused !== undefined) return waitsFor(pass, paused)\n',
    replace: "    if (paused === '') return waitsFor(pass, paused)\n",
    shows: [
      {
        scenario: 'restart',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/stop', nth: 1 },
            do: { person: { do: 'pauseFor', object: { kind: 'CloudVM', name: 'web' }, ms: 60_000 } },
          },
        ],
      },
    ],
  },
  {
    name: 'an unanswered change is no matter',
    rule: 'what was sent and not answered holds what it names',
    file: 'reconcile/gate.ts',
    find: '  if (leftMs !== undefined) {\n',
    replace: '  if (leftMs === 0) {\n',
    shows: [{ scenario: 'vm-everything', groups: ['late effect'], at: 'cloud PATCH' }],
  },
  {
    name: 'an operation on the machine is no matter',
    rule: 'a machine whose operation has begun is left to it',
    file: 'reconcile/gate.ts',
    find: '  if (operation !== undefined) {\n',
    replace: "  if (operation?.kind === '') {\n",
    shows: { test: 'test/seeded/stories/operations.test.ts' },
  },
  {
    name: 'an operation does not wait for its machine',
    rule: 'an operation waits until what is open on its machine is settled',
    file: 'kinds/vmoperation/seen.ts',
    find: '  const open = vm.status?.operation\n  if (open !== undefined)\n    return `CloudVM ${name} is being changed (${open.verb}); waiting until that is settled`\n  if (resizes(vm.status)) return',
    replace: "  if (name === '' && resizes(vm.status)) return",
    shows: { test: 'test/seeded/stories/operations.test.ts' },
  },
  {
    name: 'go on for an old wish',
    rule: 'a new generation ends a sequence before the next call',
    file: 'reconcile/gate.ts',
    find: '    latest.metadata.generation <= generation &&\n',
    replace: '',
    shows: { test: 'test/seeded/stories/wishes.test.ts' },
  },
  {
    name: 'go on for an object that is deleted',
    rule: 'a deletion ends a sequence before the next call',
    file: 'reconcile/gate.ts',
    find: '    latest.metadata.generation <= generation &&\n    (latest.metadata.deletionTimestamp === undefined || deleted)\n',
    replace: '    (deleted || generation > 0)\n',
    shows: { test: 'test/seeded/stories/wishes.test.ts' },
  },
  {
    name: 'begin an operation whose status was lost',
    rule: 'with the status lost a one-shot counts as sent',
    file: 'kinds/vmoperation/progress.ts',
    find: 'return hasFinalizer(pass.object) && statusOf(pass).vm === undefined',
    replace: 'return !hasFinalizer(pass.object) && statusOf(pass).sent?.length === 0',
    shows: [
      {
        scenario: 'reinstall',
        perturbations: [
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/reinstall', nth: 1 },
            do: { person: { do: 'wipeStatus', object: { kind: 'CloudVMOperation', name: 'task' } } },
          },
          {
            at: { port: 'cloud', call: 'POST /user-resource/vm/reinstall', nth: 1 },
            do: { kill: 'committed' },
          },
        ],
      },
    ],
  },
  {
    name: 'a finished operation begins again',
    rule: 'a finished operation does nothing while its object exists',
    file: 'kinds/vmoperation/run.ts',
    find: '  if (hasFinished(pass)) return rest(pass)\n',
    replace: '  if (hasFinished(pass) && (await rest(pass))) pass.draft = {}\n',
    shows: [{ scenario: 'restart' }],
  },
  {
    name: 'do it to another machine than the confirmed one',
    rule: 'what replaces a disk is done to the machine that was confirmed',
    file: 'kinds/vmoperation/may.ts',
    find: 'if (spec.confirmVMID === undefined || spec.confirmVMID === id) return undefined',
    replace: 'if (spec.confirmVMID !== name) return undefined',
    shows: { test: 'test/unit/kinds/vmoperation/may.test.ts' },
  },
  {
    name: 'a snapshot of the wrong disk',
    rule: 'an answer about another disk than the recorded one is unclear',
    file: 'cloud/replicas.ts',
    find: 'if (diskUUID === undefined || disk.uuid === diskUUID) return disk',
    replace: 'if (diskUUID === undefined || disk.uuid !== uuid) return disk',
    shows: { test: 'test/unit/cloud/contract-replicas.test.ts' },
  },
  {
    name: 'only a machine that is known to be elsewhere is refused',
    rule: 'what refers to another place is refused before anything is sent',
    file: 'kinds/vm/wish.ts',
    find: "return elsewhere === undefined ? { is: 'ready', want: target.want.id } : unusable(elsewhere)",
    replace: "return elsewhere !== '' ? { is: 'ready', want: target.want.id } : unusable(elsewhere)",
    shows: { test: 'test/unit/kinds/vm/wish.test.ts' },
  },
  {
    name: 'start what nobody says is to run',
    rule: 'a machine is started or stopped only for what an object asks',
    file: 'kinds/vm/plan.ts',
    find: "const starts = want.powerState === 'Running' || ran",
    replace: "const starts = want.powerState !== 'Stopped' || ran",
    shows: [{ scenario: 'vm', groups: ['people'], trouble: '"status":"stopped"' }],
  },
  {
    name: 'stop what nobody says is to be off',
    rule: 'a machine is started or stopped only for what an object asks',
    file: 'kinds/vm/plan.ts',
    find: "if (want.powerState === 'Stopped') {",
    replace: "if (want.powerState !== 'Running') {",
    shows: [{ scenario: 'vm-rename' }],
  },
  {
    name: 'restart what is to be off',
    rule: 'a machine is started or stopped only for what an object asks',
    file: 'kinds/vmoperation/may.ts',
    find: "vm.spec.powerState === 'Stopped') {",
    replace: "vm.spec.powerState === 'Running') {",
    shows: [{ scenario: 'restart-of-a-stopped' }],
  },
]
