import { expect, test } from 'vitest'
import { expectOk, type Json, useTestApp, until, useCompany } from '../../world/test-app.ts'
import { mark, pending, putFile, putInvoice } from '../../world/invoice.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-23' })
const { company, partner } = useCompany(testApp)

/** The events of an invoice, in order. */
async function eventsOf(id: string): Promise<Json[]> {
  const rows = await testApp.sql(
    `select type, data from event where company_id = $1 and data ->> 'invoice-id' = $2 order by at, id`,
    [company.id, id],
  )
  return rows.map((row) => [row['type'], row['data'].status])
}

const eventsOnce = (id: string, count: number) =>
  until(
    () => eventsOf(id),
    (events) => events.length >= count,
  )

test('issued once, paid when the last slip is paid, with ids and states only', async () => {
  const id = await putInvoice(testApp, company)
  await putInvoice(testApp, company, { id, amount: 5 })
  const [one, two] = [await putFile(testApp, id), await putFile(testApp, id)]
  expectOk(await mark(testApp, id, one, 'paid'))
  expect(await eventsOf(id)).toEqual([['invoice.issued', 'all-pending']])
  expectOk(await mark(testApp, id, two, 'paid'))
  expectOk(await mark(testApp, id, two, 'paid'))
  const events = [
    ['invoice.issued', 'all-pending'],
    ['invoice.paid', 'all-paid'],
  ]
  expect(await eventsOf(id)).toEqual(events)
  const rows = await testApp.sql(`select data from event where type = 'invoice.paid' and data ->> 'invoice-id' = $1`, [
    id,
  ])
  expect(rows).toEqual([{ data: { 'company-id': company.id, 'invoice-id': id, status: 'all-paid' } }])
})

test('cancelling the last unpaid slip pays the invoice too; reopening and paying it again writes another event', async () => {
  const id = await putInvoice(testApp, company)
  const [one, two] = [await putFile(testApp, id), await putFile(testApp, id)]
  expectOk(await mark(testApp, id, one, 'paid'))
  expectOk(await mark(testApp, id, two, 'cancelled'))
  expectOk(await mark(testApp, id, one, 'pending'))
  expectOk(await mark(testApp, id, one, 'paid'))
  expect((await eventsOf(id)).filter(([type]) => type === 'invoice.paid')).toHaveLength(2)
})

test('overdue by the clock: days that were missed are caught up, each invoice once, by its slips', async () => {
  const slipless = await putInvoice(testApp, company, { 'due-date': '2026-11-24' })
  const half = await putInvoice(testApp, company, { 'due-date': '2027-03-01' })
  await putFile(testApp, half, { due: '2026-11-25' })
  const later = await putFile(testApp, half, { due: '2027-02-01' })
  const paid = await putInvoice(testApp, company, { 'due-date': '2026-11-24' })
  expectOk(await mark(testApp, paid, await putFile(testApp, paid, { due: '2026-11-24' }), 'paid'))
  const many = []
  for (let made = 0; made < 20; made += 1) many.push(await putInvoice(testApp, company, { 'due-date': '2026-11-26' }))

  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-11-24' })
  expect((await pending(partner, '?items-per-page=500')).every((one) => one['invoice-status'] === 'all-pending')).toBe(
    true,
  )
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2026-12-01' })
  expect((await eventsOnce(slipless, 2)).at(-1)).toEqual(['invoice.overdue', 'all-overdue'])
  expect((await eventsOnce(half, 2)).at(-1)).toEqual(['invoice.overdue', 'partially-overdue'])
  for (const id of many) expect(await eventsOnce(id, 2)).toHaveLength(2)
  expect(await eventsOf(paid)).toHaveLength(2)

  // Another slip becomes overdue: no new event.
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2027-02-02' })
  const marker = await putInvoice(testApp, company, { 'due-date': '2027-02-01' })
  await eventsOnce(marker, 2)
  expect((await eventsOf(half)).filter(([type]) => type === 'invoice.overdue')).toHaveLength(1)
  const [status] = (await pending(partner, '?items-per-page=500')).filter((one) => one.id === half)
  expect(status['invoice-status']).toBe('all-overdue')

  // Put off, it may fall overdue once more.
  const slips = status.files.map((file: Json) => file['file-id'])
  for (const fileId of slips) await putFile(testApp, half, { fileId, due: '2027-02-10' })
  expect(slips).toContain(later)
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: '2027-02-11' })
  await until(
    () => eventsOf(half),
    (events) => events.filter(([type]) => type === 'invoice.overdue').length === 2,
  )
  const audited = await testApp.sql(
    "select target from audit where actor = 'clock' and action = 'invoice.overdue' and target = $1",
    [half],
  )
  expect(audited).toHaveLength(2)
})
