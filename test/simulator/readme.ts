/** What the lines of the simulator's README answer, in the order of the page. */
import { expect } from 'vitest'

export interface Expected {
  /** Part of the line. */
  of: string
  says: (output: string, line: string) => void
}

const any = (type: 'string' | 'number'): unknown => expect.any(type === 'string' ? String : Number)
const json = (output: string): unknown => JSON.parse(output)

function record(of: string, fields: object): Expected {
  return { of, says: (output, line) => expect(json(output), line).toMatchObject(fields) }
}

/** A list that holds at least one such row. */
function list(of: string, row: object): Expected {
  return {
    of,
    says: (output, line) => expect(json(output), line).toContainEqual(expect.objectContaining(row)),
  }
}

function exactly(of: string, text: string): Expected {
  return { of, says: (output, line) => expect(output, line).toBe(text) }
}

const uuid = any('string')
const vmUuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown

const examples: readonly Expected[] = [
  record('/user-resource/user', { id: 1001, profile_data: { user_id: 1001 } }),
  record('/user/profile', { first_name: 'Ada' }),
  list('/token', { description: 'ci', restricted: true, billing_account_id: 2001 }),
  list('/config/locations', { slug: 'jkt01', is_default: true }),
  list('/host_pool/list', { is_default_designated: true }),
  record('name=back%20end', { name: 'back end', is_default: false }),
  record('$NET', { name: 'front end', is_default: true }),
  record('name=web-1', { name: 'web-1', status: 'running', memory: 2048, description: 'my first' }),
  record('vm?uuid=$VM', { name: 'web-1', uuid: vmUuid }),
  record('/vm/stop', { status: 'stopped' }),
  record('ram=4096', { memory: 4096, status: 'stopped' }),
  record('/vm/reinstall', { os_name: 'debian', os_version: '12', status: 'running' }),
  record('/vm/storage', { size: 30, primary: false }),
  record('/vm/replica', { primary: true, replica: [{ type: 'snapshot', size: 20 }] }),
  list('r_type=snapshot', { type: 'snapshot', uuid }),
  record('/storage/disks', { size_gb: 10, status: 'Active', source_image_type: 'EMPTY' }),
  record('/storage/attach', { size: 10, name: 'vdc' }),
  record('/storage/api/s3', { url: any('string') }),
  record('PUT', { name: 'my-logs', billing_account_id: 2001 }),
  exactly('DELETE', '204'),
  record('/storage/user', { maxBuckets: any('number'), s3Credentials: [{ accessKey: any('string') }] }),
  list('/storage/user/keys', { accessKey: any('string'), secretKey: any('string') }),
  record('/network/ip_addresses', { address: '198.18.0.1', name: 'front' }),
  record('/assign', { assigned_to: vmUuid, assigned_to_resource_type: 'virtual_machine' }),
  list('vm_uuid=$VM', { address: '198.18.0.1' }),
  record('/unassign', { assigned_to: null, unassigned_at: any('string') }),
  record('/ip/public', { name: 'web-1' }),
  record('/ip/public', { name: 'web-1' }),
  record('/network/load_balancers', {
    display_name: 'front',
    forwarding_rules: [{ source_port: 80, target_port: 8080 }],
    targets: [{ target_uuid: vmUuid }],
  }),
  list('load_balancers?all=true', { is_deleted: false }),
  exactly('uuid=nothing', '{"errors":{"Error":"No such virtual machine exists: nothing"}} 400'),
]

const control: readonly Expected[] = [
  record('/inventory', {
    vms: [{ name: 'web-1' }],
    networks: expect.arrayContaining([expect.objectContaining({ name: 'back end' })]) as unknown,
  }),
  list('/calls?', { method: 'POST', path: '/user-resource/vm', status: 200 }),
  record('/counters', { preconditionsViolated: 0, overlaps: [] }),
  exactly('/events', ''),
  record('/faults', { id: any('string') }),
  record('DELETE', {}),
  record('/holds', { id: 'hold-1' }),
  exactly('held.json &', ''),
  record('hold-1?waitMs', { held: true }),
  record('/release', {}),
  record('wait', { size_gb: 7 }),
  record('/mutate', { ids: [uuid, uuid, uuid] }),
  record('/rules', {}),
  record('/quota', {}),
  record('/accounts', { apiKey: any('string'), billingAccount: 7 }),
  record('/dump', {}),
]

export const families = { examples, control }
