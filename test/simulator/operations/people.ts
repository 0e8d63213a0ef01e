/** User, tokens, locations. */
import { expect } from 'vitest'
import { billing, made, rows } from '../kit.ts'
import type { Exercises } from './exercise.ts'

export const peopleExercises = {
  'GET /user-resource/user': async ({ api }) => {
    expect(made(await api.get('/user-resource/user'))).toMatchObject({
      id: 1001,
      profile_data: { user_id: 1001 },
    })
  },
  'PATCH /user-resource/user/profile': async ({ api }) => {
    const fields = { first_name: 'Ada', last_name: 'L', phone_number: '+1 (0) 2', personal_id_number: 'x-1' }
    expect(made(await api.form('PATCH', '/user-resource/user/profile', fields))).toMatchObject(fields)
    expect(made(await api.get('/user-resource/user'))['profile_data']).toMatchObject(fields)
  },
  'GET /user-resource/token/list': async ({ api }) => {
    const [token, ...others] = rows(await api.get('/user-resource/token/list'))
    expect(others).toEqual([])
    expect(token).toMatchObject({ user_id: 1001, token: api.simulator.apiKey })
  },
  'POST /user-resource/token': async ({ api }) => {
    const before = rows(await api.get('/user-resource/token/list'))
    const after = rows(await api.form('POST', '/user-resource/token', { description: 'a b' }))
    expect(after).toEqual([...before, expect.objectContaining({ description: 'a b', restricted: false })])
    const key = String(after[1]?.['token'])
    expect((await api.as(key).get('/user-resource/user')).status).toBe(200)
  },
  'PATCH /user-resource/token': async ({ api }) => {
    const [, token] = rows(await api.form('POST', '/user-resource/token', { description: 'old' }))
    const fields = { token_id: Number(token?.['id']), billing_account_id: billing, description: 'new' }
    expect((await api.form('PATCH', '/user-resource/token', fields)).status).toBe(200)
    const [, changed] = rows(await api.get('/user-resource/token/list'))
    expect(changed).toMatchObject({ id: token?.['id'], billing_account_id: billing, description: 'new' })
  },
  'DELETE /user-resource/token': async ({ api }) => {
    const [, token] = rows(await api.form('POST', '/user-resource/token', { description: 'x' }))
    const fields = { token_id: Number(token?.['id']) }
    expect((await api.form('DELETE', '/user-resource/token', fields)).status).toBe(200)
    expect(rows(await api.get('/user-resource/token/list'))).toHaveLength(1)
    expect((await api.as(String(token?.['token'])).get('/user-resource/user')).status).toBe(403)
  },
  'GET /config/locations': async ({ api }) => {
    const slugs = rows(await api.get('/config/locations')).map((location) => location['slug'])
    expect(slugs).toEqual(['jkt01', 'sgp01', 'tll01'])
  },
} satisfies Partial<Exercises>
