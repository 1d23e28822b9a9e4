import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'

/* `status` of the lists of partners: one or several, with commas between them, and `open`. */

const document: Json = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const lists = Object.entries<Json>(document.paths).flatMap(([path, { get }]) => {
  const status = get?.parameters?.find(({ name }: Json) => name === 'status')
  return path.startsWith('/v1/') && status?.schema.anyOf ? [[path, status] as const] : []
})

const testApp = useTestApp()
let partner: Client
/** Movements in three statuses, of requests that are finished. */
const statuses = ['created', 'completed', 'rejected']

beforeAll(async () => {
  const company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  for (const query of ['', '?resolution=approve', '?resolution=reject']) {
    await testApp.include(partner, company, [primary()], query)
  }
})

const read = (path: string, query: string) => partner.get(`${path}?${query}`)
const statusesOf = async (path: string, wanted: string): Promise<string[]> =>
  expectOk(await read(path, `status=${wanted}`))
    .body.result.map(({ status }: Json) => status)
    .toSorted()

test('the lists of requests, movements, invoices, continuations, drafts, lists of people and discrepancies take it', () => {
  expect(lists.map(([path]) => path).toSorted()).toEqual([
    '/v1/continuation',
    '/v1/discrepancy',
    '/v1/enrollment/history',
    '/v1/invoices',
    '/v1/movement-draft',
    '/v1/movement-draft/{draft-id}/item',
    '/v1/request',
    '/v1/roster-sync',
  ])
})

describe.each(lists.filter(([path]) => !path.includes('{')))('%s', (path, parameter) => {
  const [{ enum: values }] = parameter.schema.anyOf

  test('takes each value alone, and all of them', async () => {
    expect(parameter).toMatchObject({ style: 'form', explode: false })
    for (const value of [...values, values.join(',')]) expectOk(await read(path, `status=${value}`))
  })

  test.each(['created,', ',', '', 'opn', `${values[0]},complet`])('refuses status=%s', async (wanted) => {
    const { status, body } = await read(path, `status=${wanted}`)
    expect([status, body.details]).toMatchObject([400, [{ field: 'status', code: 'invalid', allowed: values }]])
  })

  test('is refused when it is sent twice', async () => {
    const { status, body } = await read(path, `status=${values[0]}&status=${values[1]}`)
    expect([status, body.details]).toMatchObject([400, [{ field: 'status', code: 'repeated' }]])
  })
})

test('several statuses are those movements; open is all that are not final', async () => {
  const path = '/v1/enrollment/history'
  expect(await statusesOf(path, 'completed')).toEqual(['completed'])
  expect(await statusesOf(path, 'rejected,completed')).toEqual(['completed', 'rejected'])
  expect(await statusesOf(path, 'open')).toEqual(['created'])
  expect(await statusesOf(path, 'open,rejected')).toEqual(['created', 'rejected'])
  expect(await statusesOf(path, 'scheduled,cancelled')).toEqual([])
  expect(statuses.toSorted()).toEqual(await statusesOf(path, 'open,completed,rejected,cancelled'))
  expect(expectOk(await read(path, 'open=true')).body).toEqual(expectOk(await read(path, 'status=open')).body)
})

test('an open request is one that is processed', async () => {
  const path = '/v1/request'
  expect(await statusesOf(path, 'open')).toEqual([])
  expect(await statusesOf(path, 'open,completed')).toEqual(['completed', 'completed', 'completed'])
  await testApp.sql(
    `update request set status = 'processing', finished_at = null where id = (select max(id::text)::uuid from request)`,
  )
  expect(await statusesOf(path, 'open')).toEqual(['processing'])
  expect(await statusesOf(path, 'processing,failed')).toEqual(['processing'])
})
