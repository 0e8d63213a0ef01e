/** Users, tokens, locations, disks and object storage. */
import { flag, nothing, sometimes, words, type Operation, type Values } from './operation.ts'
import type { Picks } from './picks.ts'

const user = { sends: 'form', errors: 'fields', local: 'never' } as const
const disk = { sends: 'form', errors: 'message', local: 'always' } as const
const bucket = { sends: 'form', errors: 'message', local: 'never' } as const

export const storageOperations: readonly Operation[] = [
  { ...user, method: 'GET', path: '/user-resource/user', ask: nothing },
  {
    ...user,
    method: 'PATCH',
    path: '/user-resource/user/profile',
    ask: (picks) => ({
      body: sometimes(picks, {
        first_name: words(picks.random.whole(1, 9)),
        last_name: 'Ünï',
        phone_number: '+62 (21) 1',
        personal_id_number: '7',
      }),
    }),
  },
  { ...user, method: 'GET', path: '/user-resource/token/list', ask: nothing },
  {
    ...user,
    method: 'POST',
    path: '/user-resource/token',
    ask: (picks) => ({
      body: sometimes(picks, {
        billing_account_id: picks.billing(),
        description: 'ci',
        restricted: flag(picks),
      }),
    }),
  },
  {
    ...user,
    method: 'PATCH',
    path: '/user-resource/token',
    ask: (picks) => ({
      body: {
        token_id: picks.tokenId(),
        ...sometimes(picks, {
          billing_account_id: picks.billing(),
          description: 'cd',
          restricted: flag(picks),
        }),
      },
    }),
  },
  {
    ...user,
    method: 'DELETE',
    path: '/user-resource/token',
    ask: (picks) => ({ body: { token_id: picks.tokenId() } }),
  },
  { ...user, local: 'extended', method: 'GET', path: '/config/locations', ask: nothing },
  { ...disk, method: 'POST', path: '/storage/disks', ask: (picks) => ({ body: newDisk(picks) }) },
  { ...disk, method: 'GET', path: '/storage/disks', ask: nothing },
  { ...disk, method: 'GET', path: '/storage/disks/:uuid', ask: (picks) => ({ path: [picks.disk()] }) },
  {
    ...disk,
    method: 'PATCH',
    path: '/storage/disks/:uuid',
    ask: (picks) => ({
      path: [picks.disk()],
      body: { billing_account_id: picks.billing(), ...sometimes(picks, { display_name: 'data' }) },
    }),
  },
  {
    ...disk,
    method: 'DELETE',
    path: '/storage/disks/:uuid',
    ask: (picks) => ({ path: [picks.disk((candidate) => candidate.attachedTo === null)] }),
  },
  {
    ...disk,
    extended: true,
    method: 'GET',
    path: '/storage/disk/:uuid',
    ask: (picks) => ({ path: [picks.disk()] }),
  },
  { ...bucket, method: 'GET', path: '/storage/api/s3', ask: nothing },
  {
    ...bucket,
    method: 'PUT',
    path: '/storage/bucket',
    ask: (picks) => ({
      body: {
        name: picks.random.chance(0.1) ? picks.bucket() : `logs-${picks.random.whole(1, 9999)}`,
        billing_account_id: picks.billing(),
      },
    }),
  },
  {
    ...bucket,
    method: 'PATCH',
    path: '/storage/bucket',
    ask: (picks) => ({ body: { name: picks.bucket(), billing_account_id: picks.billing() } }),
  },
  {
    ...bucket,
    method: 'DELETE',
    path: '/storage/bucket',
    ask: (picks) => ({ query: { name: picks.bucket(({ objects }) => objects === 0) } }),
  },
  {
    ...bucket,
    method: 'GET',
    path: '/storage/bucket',
    ask: (picks) => ({ query: { name: picks.bucket() } }),
  },
  {
    ...bucket,
    method: 'GET',
    path: '/storage/bucket/list',
    ask: (picks) => ({ query: sometimes(picks, { billing_account_id: picks.billing() }) }),
  },
  { ...bucket, method: 'GET', path: '/storage/user', ask: nothing },
  { ...bucket, method: 'GET', path: '/storage/user/keys', ask: nothing },
  { ...bucket, method: 'POST', path: '/storage/user/keys', ask: nothing },
  {
    ...bucket,
    method: 'DELETE',
    path: '/storage/user/keys',
    ask: (picks) => ({ body: { access_key: picks.accessKey() } }),
  },
]

function newDisk(picks: Picks): Values {
  const common = { billing_account_id: picks.billing(), size_gb: picks.random.whole(100, 200) }
  switch (picks.random.whole(1, 5)) {
    case 1:
      return { ...common, source_image_type: 'OS_BASE', source_image: 'debian_12' }
    case 2:
      return { ...common, source_image_type: 'DISK', source_image: picks.disk() }
    case 3:
      return { ...common, source_image_type: 'SNAPSHOT', source_image: picks.snapshot() }
    case 4:
      return { ...common, source_image_type: 'EMPTY', display_name: 'data' }
    default:
      return common
  }
}
