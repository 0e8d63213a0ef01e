/** Network load balancers. */
import { billingAccountFor, checkQuota, scopeOf } from './caller.ts'
import { assign, checkAddress, createIp, unassignAll } from './floatingips.ts'
import { nextUuid } from './ids.ts'
import type { Caller, LoadBalancer } from './model.ts'
import { networkForVm, takePrivateAddress } from './networks.ts'
import { Refusal, refuse } from './refusal.ts'

/** The caller's load balancers in the scope of the call; with deleted ones when asked for all. */
export function loadBalancersOf(caller: Caller, all: boolean): LoadBalancer[] {
  return [...caller.world.loadBalancers.values()].filter(
    (balancer) => isMine(caller, balancer) && (all || balancer.deletedAt === null),
  )
}

export function loadBalancerOf(caller: Caller, uuid: string): LoadBalancer {
  const balancer = caller.world.loadBalancers.get(uuid)
  if (balancer !== undefined && isMine(caller, balancer) && balancer.deletedAt === null) return balancer
  return unknown(uuid)
}

/** As loadBalancerOf, but a deleted one is still shown where the service keeps tombstones. */
export function loadBalancerToShow(caller: Caller, uuid: string): LoadBalancer {
  const balancer = caller.world.loadBalancers.get(uuid)
  const deleted = balancer !== undefined && isMine(caller, balancer) && balancer.deletedAt !== null
  return deleted && caller.world.rules.tombstones ? balancer : loadBalancerOf(caller, uuid)
}

function isMine(caller: Caller, balancer: LoadBalancer): boolean {
  return balancer.userId === caller.account.userId && balancer.scope === scopeOf(caller)
}

function unknown(uuid: string): never {
  return refuse(`Load balancer ${uuid} was not found.`, { status: 404, name: 'loadBalancerUnknown' })
}

export interface NewLoadBalancer {
  displayName: string
  billingAccount: number | undefined
  networkUuid: string
  reservePublicIp: boolean
  rules: NewRule[]
  /** Ids of VMs. */
  targets: string[]
}

export interface NewRule {
  sourcePort: number
  targetPort: number
}

export function createLoadBalancer(caller: Caller, wish: NewLoadBalancer): LoadBalancer {
  const billingAccount = billingAccountFor(caller, wish.billingAccount)
  checkQuota(caller, 'loadBalancers', () => loadBalancersOf(caller, false).length)
  const network = networkForVm(caller, wish.networkUuid)
  checkRules([], wish.rules)
  for (const target of wish.targets) checkTarget(caller, target)
  if (wish.reservePublicIp) checkAddress(caller)
  const { world, now } = caller
  const balancer: LoadBalancer = {
    uuid: nextUuid(world, 'load-balancer'),
    userId: caller.account.userId,
    scope: scopeOf(caller),
    location: caller.location,
    displayName: wish.displayName,
    networkUuid: network.uuid,
    billingAccount,
    privateAddress: takePrivateAddress(network),
    rules: wish.rules.map((rule) => ({ ...rule, uuid: nextUuid(world, 'forwarding-rule'), createdAt: now })),
    targets: wish.targets.map((vm) => ({ vm, createdAt: now })),
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  world.loadBalancers.set(balancer.uuid, balancer)
  caller.note(`created load balancer ${balancer.uuid}`)
  if (wish.reservePublicIp)
    assign(caller, createIp(caller, billingAccount, ''), balancer.uuid, 'load_balancer')
  return balancer
}

function checkRules(existing: readonly NewRule[], added: readonly NewRule[]): void {
  const ports = existing.map((rule) => rule.sourcePort)
  for (const { sourcePort, targetPort } of added) {
    if (sourcePort < 1 || sourcePort > 65535)
      throw new Refusal('Must be from 1 to 65535', { field: 'source_port' })
    if (targetPort < 1 || targetPort > 65535)
      throw new Refusal('Must be from 1 to 65535', { field: 'target_port' })
    if (ports.includes(sourcePort))
      throw new Refusal(`Port ${sourcePort} has a forwarding rule already`, { field: 'source_port' })
    ports.push(sourcePort)
  }
}

function checkTarget(caller: Caller, uuid: string): void {
  const vm = caller.world.vms.get(uuid)
  const elsewhere = scopeOf(caller) !== '' && vm?.location !== caller.location
  if (vm?.userId !== caller.account.userId || vm.deletedAt !== null || elsewhere)
    throw new Refusal(`No such virtual machine exists: ${uuid}`, { field: 'target_uuid' })
}

export function renameLoadBalancer(caller: Caller, uuid: string, displayName: string): LoadBalancer {
  const balancer = loadBalancerOf(caller, uuid)
  balancer.displayName = displayName
  return changed(caller, balancer, 'renamed load balancer')
}

export function setLoadBalancerBilling(caller: Caller, uuid: string, billing: number): LoadBalancer {
  const balancer = loadBalancerOf(caller, uuid)
  balancer.billingAccount = billingAccountFor(caller, billing, 'set_id')
  return changed(caller, balancer, 'billing account of load balancer')
}

/** Its floating IP stays, unassigned. */
export function deleteLoadBalancer(caller: Caller, uuid: string): void {
  const balancer = loadBalancerOf(caller, uuid)
  balancer.deletedAt = caller.now
  unassignAll(caller, uuid)
  changed(caller, balancer, 'deleted load balancer')
}

/** The same target can be added twice. */
export function addTarget(caller: Caller, uuid: string, vm: string): LoadBalancer {
  const balancer = loadBalancerOf(caller, uuid)
  checkTarget(caller, vm)
  balancer.targets.push({ vm, createdAt: caller.now })
  return changed(caller, balancer, 'added target to load balancer')
}

export function removeTarget(caller: Caller, uuid: string, vm: string): void {
  const balancer = loadBalancerOf(caller, uuid)
  if (!balancer.targets.some((target) => target.vm === vm))
    refuse(`Target ${vm} was not found.`, { status: 404 })
  balancer.targets = balancer.targets.filter((target) => target.vm !== vm)
  changed(caller, balancer, 'removed target from load balancer')
}

export function addRule(caller: Caller, uuid: string, rule: NewRule): LoadBalancer {
  const balancer = loadBalancerOf(caller, uuid)
  checkRules(balancer.rules, [rule])
  balancer.rules.push({ ...rule, uuid: nextUuid(caller.world, 'forwarding-rule'), createdAt: caller.now })
  return changed(caller, balancer, 'added rule to load balancer')
}

export function removeRule(caller: Caller, uuid: string, rule: string): void {
  const balancer = loadBalancerOf(caller, uuid)
  if (!balancer.rules.some((candidate) => candidate.uuid === rule))
    refuse(`Forwarding rule ${rule} was not found.`, { status: 404 })
  balancer.rules = balancer.rules.filter((candidate) => candidate.uuid !== rule)
  changed(caller, balancer, 'removed rule from load balancer')
}

/** A VM that is going away is no target any more. */
export function forgetTarget(caller: Caller, vm: string): void {
  for (const balancer of caller.world.loadBalancers.values())
    balancer.targets = balancer.targets.filter((target) => target.vm !== vm)
}

function changed(caller: Caller, balancer: LoadBalancer, effect: string): LoadBalancer {
  balancer.updatedAt = caller.now
  caller.note(`${effect} ${balancer.uuid}`)
  return balancer
}
