/** Every call by which the operator may change something in the cloud, named as in plans: the rows of the tables. */
export const ENDPOINTS: readonly string[] = [
  'PATCH /user-resource/user/profile',
  'POST /user-resource/token',
  'PATCH /user-resource/token',
  'DELETE /user-resource/token',
  'POST /user-resource/vm',
  'PATCH /user-resource/vm',
  'DELETE /user-resource/vm',
  'POST /user-resource/vm/clone',
  'PATCH /user-resource/vm/user',
  'POST /user-resource/vm/start',
  'POST /user-resource/vm/stop',
  'POST /user-resource/vm/rescue_start',
  'POST /user-resource/vm/reinstall',
  'POST /user-resource/vm/rebuild',
  'POST /user-resource/vm/backup',
  'POST /user-resource/vm/replica',
  'DELETE /user-resource/vm/replica',
  'PATCH /user-resource/vm/storage',
  'POST /user-resource/vm/storage/attach',
  'POST /user-resource/vm/storage/detach',
  'POST /storage/disks',
  'PATCH /storage/disks/:id',
  'DELETE /storage/disks/:id',
  'PUT /storage/bucket',
  'PATCH /storage/bucket',
  'DELETE /storage/bucket',
  // Makes the user where there is none.
  'GET /storage/user',
  'POST /storage/user/keys',
  'DELETE /storage/user/keys',
  'POST /network/network',
  'PATCH /network/network/:id',
  'PUT /network/network/:id/default',
  'DELETE /network/network/:id',
  'POST /network/ip_addresses',
  'PATCH /network/ip_addresses/:id',
  'DELETE /network/ip_addresses/:id',
  'POST /network/ip_addresses/:id/assign',
  'POST /network/ip_addresses/:id/unassign',
  'POST /network/load_balancers',
  'PATCH /network/load_balancers/:id',
  'DELETE /network/load_balancers/:id',
  'PUT /network/load_balancers/:id/billing_account',
  'POST /network/load_balancers/:id/targets',
  'DELETE /network/load_balancers/:id/targets/:id',
  'POST /network/load_balancers/:id/forwarding_rules',
  'DELETE /network/load_balancers/:id/forwarding_rules/:id',
]

const known = new Set(ENDPOINTS)

/** Whether a call of this name changes something. */
export function isChange(call: string): boolean {
  return known.has(call) || !call.startsWith('GET ')
}
