/** A simulated account with machines in it, for tests that carry steps out. */
import { afterEach } from 'vitest'
import type { Operation } from '../../../../src/api/shared.ts'
import type { CloudVM, VmStatus } from '../../../../src/api/vm.ts'
import { actVm } from '../../../../src/kinds/vm/act.ts'
import { vmReads, type SeenVm } from '../../../../src/kinds/vm/seen.ts'
import type { NewVmWish, VmStep } from '../../../../src/kinds/vm/steps.ts'
import { markedText } from '../../../../src/reconcile/marker.ts'
import { needed } from '../../../../src/reconcile/needed.ts'
import type { SimulatorOptions } from '../../../../src/simulator/server.ts'
import { simulatedAccount, type SimulatedAccount } from '../../../support/session.ts'

const open: SimulatedAccount[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
})

export async function account(options: SimulatorOptions = {}): Promise<SimulatedAccount> {
  const made = await simulatedAccount(options)
  open.push(made)
  return made
}

export function wishOf(at: SimulatedAccount, more: Partial<NewVmWish> = {}): NewVmWish {
  return {
    name: 'web',
    description: markedText('front end', at.marker),
    vcpus: 1,
    memoryMiB: 1024,
    from: { os: 'ubuntu', version: '24.04', bootDiskGiB: 20 },
    reservePublicIP: false,
    billingAccount: at.session.billingAccount,
    username: 'admin',
    ...more,
  }
}

const SECRET = { 'spec.passwordSecretRef': 'Correct1horse' }

export async function act(at: SimulatedAccount, step: VmStep, seen?: SeenVm): Promise<SeenVm> {
  return actVm(at.calling(SECRET), step, seen)
}

export async function create(at: SimulatedAccount, more: Partial<NewVmWish> = {}): Promise<SeenVm> {
  const made = await act(at, { do: 'create', vm: wishOf(at, more) })
  return exact(at, made.id)
}

export async function exact(at: SimulatedAccount, id: string, status?: VmStatus): Promise<SeenVm> {
  return needed(await vmReads.exact(at.reading(status), id))
}

export function operationOf(verb: string, details?: Readonly<Record<string, string>>): Operation {
  return {
    id: 'op',
    verb,
    issuedAt: '2026-01-01T00:00:00Z',
    ...(details !== undefined && { details: { ...details } }),
  }
}

export function objectOf(spec: Partial<CloudVM['spec']>, status: VmStatus = {}): CloudVM {
  const metadata = { name: 'web', namespace: 'default', uid: 'uid', resourceVersion: '1', generation: 1 }
  return {
    apiVersion: 'cloud-operator.dev/v1alpha1',
    kind: 'CloudVM',
    metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { image: { os: 'ubuntu', version: '24.04' }, ...spec },
    status,
  }
}
