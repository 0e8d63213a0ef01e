/** Floating IPs. The address is only the present name of one: freed addresses can be handed out again. */
import { billingAccountFor, checkQuota } from './caller.ts'
import { ipv4, nextNumber, nextUuid } from './ids.ts'
import { locations } from './locations.ts'
import type { Caller, FloatingIp } from './model.ts'
import { Refusal, refuse } from './refusal.ts'

export function ipsOf(caller: Caller): FloatingIp[] {
  return [...caller.world.floatingIps.values()].filter((ip) => isMine(caller, ip) && ip.deletedAt === null)
}

/** As ipsOf; with those deleted where the service shows them. */
export function ipsToShow(caller: Caller): FloatingIp[] {
  const { rules, floatingIps } = caller.world
  return rules.deletedRowsInLists
    ? [...floatingIps.values()].filter((ip) => isMine(caller, ip))
    : ipsOf(caller)
}

export function ipOf(caller: Caller, address: string): FloatingIp {
  const ip = ipsOf(caller).find((candidate) => candidate.address === address)
  return ip ?? refuse(`Ip address ${address} was not found.`, { status: 404, name: 'ipUnknown' })
}

export function ipsAssignedTo(caller: Caller, uuid: string): FloatingIp[] {
  return ipsOf(caller).filter((ip) => ip.assignedTo === uuid)
}

function isMine(caller: Caller, ip: FloatingIp): boolean {
  return ip.userId === caller.account.userId && ip.location === caller.location
}

/** Reserves an address; a name may be empty. */
export function createIp(caller: Caller, billing: number, name: string): FloatingIp {
  const billingAccount = billingAccountFor(caller, billing)
  checkAddress(caller)
  const { world, now } = caller
  const ip: FloatingIp = {
    id: 5000 + nextNumber(world, 'floating-ip'),
    uuid: nextUuid(world, 'floating-ip-uuid'),
    address: takeAddress(caller),
    userId: caller.account.userId,
    location: caller.location,
    billingAccount,
    name,
    assignedTo: null,
    assignedType: null,
    everAssigned: false,
    unassignedAt: null,
    enabled: true,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  world.floatingIps.set(ip.id, ip)
  caller.note(`created floating ip ${ip.address}`)
  return ip
}

const firstAddress = 198 * 2 ** 24 + 18 * 2 ** 16
const addressesPerLocation = 2 ** 15

/** Refuses when the account may have no more addresses, or the location has none left. */
export function checkAddress(caller: Caller): void {
  checkQuota(caller, 'floatingIps', () => ipsOf(caller).length)
  const { freedAddresses, drawn } = caller.world
  const freed = freedAddresses[caller.location] ?? []
  const left = addressesPerLocation - 1 - (drawn[`address-${caller.location}`] ?? 0)
  if (left + freed.length < 1) refuse('No address is left in the location', { name: 'quota' })
}

/** A new address while there are any; after that those given back, the oldest first. */
function takeAddress(caller: Caller): string {
  const { world, location } = caller
  const freed = world.freedAddresses[location] ?? []
  const isLast = (world.drawn[`address-${location}`] ?? 0) >= addressesPerLocation - 1
  const again = world.rules.reuseAddresses ? freed.pop() : isLast ? freed.shift() : undefined
  if (again !== undefined) return again
  const index = locations.findIndex((candidate) => candidate.slug === location)
  return ipv4(firstAddress + index * addressesPerLocation + nextNumber(world, `address-${location}`))
}

export interface IpChange {
  name: string | undefined
  billingAccount: number | undefined
}

export function changeIp(caller: Caller, address: string, change: IpChange): FloatingIp {
  const ip = ipOf(caller, address)
  if (change.billingAccount !== undefined)
    ip.billingAccount = billingAccountFor(caller, change.billingAccount)
  ip.name = change.name ?? ip.name
  ip.updatedAt = caller.now
  caller.note(`changed floating ip ${address}`)
  return ip
}

export function deleteIp(caller: Caller, address: string): void {
  const ip = ipOf(caller, address)
  if (ip.assignedTo !== null && caller.world.rules.refuseDeleteOfAssigned)
    refuse(`Ip address ${address} is assigned.`, { name: 'ipAssigned' })
  release(ip, caller.now)
  ip.deletedAt = caller.now
  const freed = (caller.world.freedAddresses[ip.location] ??= [])
  freed.push(address)
  caller.note(`deleted floating ip ${address}`)
}

/** Assigns an address that is free to a VM or load balancer of its location. */
export function assignIp(caller: Caller, address: string, target: string, type: string): FloatingIp {
  const ip = ipOf(caller, address)
  const kind = targetKind(caller, target, type)
  if (ip.assignedTo !== null) refuse(`Ip address ${address} is already assigned.`, { name: 'ipAssigned' })
  return assign(caller, ip, target, kind)
}

function targetKind(caller: Caller, target: string, type: string): 'virtual_machine' | 'load_balancer' {
  const { world, account, location } = caller
  const vm = world.vms.get(target)
  const balancer = world.loadBalancers.get(target)
  const found = type === 'virtual_machine' ? vm : balancer
  const fits = found?.userId === account.userId && found.location === location && found.deletedAt === null
  if (!fits) throw new Refusal(`No such resource exists: ${target}`)
  if (type === 'virtual_machine' && vm?.busy === true)
    refuse(`Virtual machine ${target} is locked, another operation is running`, {
      status: 409,
      name: 'vmLocked',
    })
  return type === 'virtual_machine' ? 'virtual_machine' : 'load_balancer'
}

/** Assigns without any check. */
export function assign(
  caller: Caller,
  ip: FloatingIp,
  target: string,
  type: 'virtual_machine' | 'load_balancer',
): FloatingIp {
  ip.assignedTo = target
  ip.assignedType = type
  ip.everAssigned = true
  ip.updatedAt = caller.now
  caller.note(`assigned floating ip ${ip.address}`)
  return ip
}

export function unassignIp(caller: Caller, address: string): FloatingIp {
  const ip = ipOf(caller, address)
  if (ip.assignedTo === null) refuse(`Ip address ${address} is not assigned.`, { name: 'ipUnassigned' })
  release(ip, caller.now)
  caller.note(`unassigned floating ip ${address}`)
  return ip
}

/** The addresses of something that is going away stay, unassigned. */
export function unassignAll(caller: Caller, target: string): void {
  for (const ip of caller.world.floatingIps.values()) {
    if (ip.assignedTo !== target) continue
    release(ip, caller.now)
    caller.note(`unassigned floating ip ${ip.address}`)
  }
}

function release(ip: FloatingIp, now: number): void {
  if (ip.assignedTo !== null) ip.unassignedAt = now
  ip.assignedTo = null
  ip.assignedType = null
  ip.updatedAt = now
}
