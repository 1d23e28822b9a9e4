import { beforeAll, expect, test } from 'vitest'
import { ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import { type Client, type Company, expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'

/* The filters of the queue by day and by open and terminal statuses, and its counts. */
const testApp = useTestApp()
const names = ['Ana Aberta', 'Bia Completa', 'Caio Rejeitado', 'Davi Cancelado']
let company: Company
let analyst: Client

const list = async (query: Record<string, string>): Promise<Json[]> => {
  const text = new URLSearchParams({ 'items-per-page': '500', ...query }).toString()
  return expectOk(await analyst.get(`/operator/v1/enrollment?${text}`)).body.result
}

beforeAll(async () => {
  analyst = await testApp.operatorOf('analyst')
  company = await testApp.company()
  const by = await testApp.partner(company.taxId)
  await testApp.include(
    by,
    company,
    names.map((name) => primary({ name })),
  )
  const items = await list({ 'company-tax-id': company.taxId })
  const ids = names.map((name) => items.find((item) => item['member-name'] === name)?.id as string)
  const move = async (id = '', body: Json) =>
    expectOk(await analyst.post(`/operator/v1/enrollment/${id}/transition`, body))
  await move(ids[1], { status: 'completed' })
  await move(ids[2], { status: 'rejected', reason: 'Não' })
  await move(ids[3], { status: 'cancelled' })
  // Created in the first and the last moment of a day in Sao Paulo, resolved in those of a later one.
  for (const [n, [created, updated]] of [
    ['2026-10-10T03:00:00.000Z', '2026-10-10T03:00:00.000Z'],
    ['2026-10-11T02:59:59.999Z', '2026-10-15T03:00:00.000Z'],
    ['2026-10-10T02:59:59.999Z', '2026-10-16T02:59:59.999Z'],
    ['2026-10-11T03:00:00.000Z', '2026-10-16T03:00:00.000Z'],
  ].entries()) {
    const values = [ids[n], created, updated]
    await testApp.sql('update enrollment set created_at = $2, updated_at = $3 where id = $1', values)
    await testApp.sql('update open_movement set created_at = $2, updated_at = $3 where id = $1', values)
    await testApp.sql('update enrollment_history set at = $2 where enrollment_id = $1', [ids[n], updated])
  }
})

const namesOf = async (query: Record<string, string>) =>
  (await list({ 'company-tax-id': company.taxId, ...query })).map((item) => item['member-name']).toSorted()

test('status=open: every status that is not terminal', async () => {
  expect(await namesOf({})).toEqual(names)
  expect(await namesOf({ status: 'open' })).toEqual(['Ana Aberta'])
  expect(await namesOf({ status: 'open', sort: 'due-date' })).toEqual(['Ana Aberta'])
})

test('from-dt and until-dt: days of the creation in Sao Paulo, both included', async () => {
  const day = '2026-10-10'
  expect(await namesOf({ 'from-dt': day, 'until-dt': day })).toEqual(['Ana Aberta', 'Bia Completa'])
  expect(await namesOf({ 'from-dt': '2026-10-11' })).toEqual(['Davi Cancelado'])
  expect(await namesOf({ 'until-dt': '2026-10-09' })).toEqual(['Caio Rejeitado'])
})

test('resolved-from-dt and resolved-until-dt: days on which it was completed, rejected or cancelled', async () => {
  const day = '2026-10-15'
  expect(await namesOf({ 'resolved-from-dt': day, 'resolved-until-dt': day })).toEqual([
    'Bia Completa',
    'Caio Rejeitado',
  ])
  expect(await namesOf({ 'resolved-from-dt': '2026-10-16' })).toEqual(['Davi Cancelado'])
  expect(await namesOf({ 'resolved-until-dt': day, status: 'completed' })).toEqual(['Bia Completa'])
  expect(await namesOf({ 'resolved-until-dt': day, status: 'open' })).toEqual([])
})

test('the export has what the list has', async () => {
  const { text } = expectOk(
    await analyst.get(`/operator/v1/enrollment/export?company-tax-id=${company.taxId}&resolved-from-dt=2026-10-16`),
  )
  expect(text.match(/Davi Cancelado/g)).not.toBe(null)
  expect(text.trim().split('\r\n')).toHaveLength(2)
})

test('the counts are those of the list in each status, whatever the filter', async () => {
  const filters: Record<string, string>[] = [
    {},
    { 'company-tax-id': company.taxId },
    { 'company-tax-id': company.taxId, 'until-dt': '2026-10-10' },
    { 'company-tax-id': company.taxId, 'resolved-from-dt': '2026-10-16' },
    { q: 'rejeitad' },
    { 'carrier-name': 'operadora aurora', 'enrollment-type': 'exclusion' },
    { assignee: 'none', 'due-before': '2026-12-25' },
  ]
  for (const filter of filters) {
    const query = new URLSearchParams(filter).toString()
    const { result } = expectOk(await analyst.get(`/operator/v1/enrollment/count?${query}`)).body
    expect(result.map(({ status }: Json) => status)).toEqual(ENROLLMENT_STATUSES)
    for (const { status, count } of result) {
      expect([filter, status, count]).toEqual([filter, status, (await list({ ...filter, status })).length])
    }
  }
})

test('the counts take neither a status nor an order', async () => {
  for (const query of ['status=created', 'sort=due-date', 'page=1']) {
    expect((await analyst.get(`/operator/v1/enrollment/count?${query}`)).body.code).toBe('unknown-parameter')
  }
})
