/** How far an operation is, from its status and from what the cloud shows; and how it ends. */
import type { CloudVM } from '../../api/vm.ts'
import { timestamp } from '../../loop/clock.ts'
import { ANSWERED, working } from '../../reconcile/ending.ts'
import { hasFinalizer, sessionOf, type Ended, type Pass } from '../../reconcile/pass.ts'
import { ageOf, pollAfter } from '../../reconcile/resolve.ts'
import { patchStatus, statusOf } from './carry.ts'
import { purposeOf, stopOf } from './kind.ts'
import type { OperationObject } from './links.ts'
import { isOver, type Machine, type Next, type Progress } from './plan.ts'

/** Takes what is shown into account: a stop whose effect is there is over. `replica`: what a rebuild would put back. */
export function progressOf(
  pass: Pass,
  machine: Machine,
  vm: CloudVM | undefined,
  replica?: string,
): Progress {
  if (isOver(pass.draft.operation, machine)) patchStatus(pass, { operation: undefined })
  const { operation, refused, sent = [] } = statusOf(pass)
  return {
    purpose: purposeOf(pass.object as OperationObject, replica),
    stop: stopOf(vm),
    sent,
    open: operation && {
      verb: operation.verb,
      answered: operation.details?.[ANSWERED] !== undefined,
      ageMs: ageOf(pass, operation),
    },
    refused,
    machine,
    settleMs: sessionOf(pass).settleMs,
  }
}

/** It has ended for good. It uses its account no longer. */
export function concluded(pass: Pass, { verdict }: Extract<Next, { is: 'end' }>): Ended {
  const { account } = statusOf(pass)
  patchStatus(pass, {
    operation: undefined,
    refused: undefined,
    finishedAt: timestamp(pass.env.clock),
    account: account && { endpoint: account.endpoint, userID: account.userID },
  })
  return { verdict }
}

export function waitsFor(pass: Pass, message: string): Ended {
  const { operation } = pass.draft
  const { pollMs } = pass.env.durations
  const afterMs = operation === undefined ? pollMs * 3 : pollAfter(pass, ageOf(pass, operation))
  return { verdict: working('WaitingForCloud', message, 'no'), afterMs }
}

/** Its finalizer is on, and what is written down before that is not there: the status was lost. */
export function statusLost(pass: Pass): boolean {
  return hasFinalizer(pass.object) && statusOf(pass).vm === undefined
}

const SENT = {
  restart: ['stop', 'forceStop'],
  rescueStart: ['stop', 'forceStop', 'rescueStart'],
  reinstall: ['reinstall'],
  rebuild: ['rebuild'],
} as const

/** Without a status everything counts as sent, at the last moment, and as never answered. */
export function assumeSent(pass: Pass): void {
  if (statusOf(pass).sent !== undefined) return
  const sent = SENT[purposeOf(pass.object as OperationObject, undefined).do]
  const created = pass.object.metadata.creationTimestamp
  patchStatus(pass, {
    sent: [...sent],
    startedAt: created,
    operation: {
      id: pass.env.clock.randomHex(8),
      verb: sent.at(-1) ?? '',
      issuedAt: timestamp(pass.env.clock),
    },
  })
}
