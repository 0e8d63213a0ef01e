/** A disk as a VM shows it, and the record made of it. */
export const disk = 'd15c0000-1111-4222-8333-0123456789ab'

export const storage = {
  uuid: disk,
  id: 7,
  name: 'vdb',
  primary: false,
  size: '20',
  replica: [
    { uuid: `${disk}2024-01-02-03-04-05`, master_uuid: disk, size: 20, type: 'snapshot', created_at: null },
  ],
}
export const storageRecord = {
  uuid: disk,
  name: 'vdb',
  primary: false,
  sizeGiB: 20,
  replicas: [{ uuid: `${disk}2024-01-02-03-04-05`, masterUUID: disk, sizeGiB: 20, type: 'snapshot' }],
}
