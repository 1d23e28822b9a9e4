import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { invoiceStatus, type Slip, UNPAID_STATUSES } from '#money/rules/invoice.ts'
import { addDays } from '#kernel/calendar.ts'
import { type Client, type Company, expectOk, type Json, monday, useTestApp, useCompany } from '../../world/test-app.ts'
import { mark, pending, putFile, putInvoice } from '../../world/invoice.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const [past, ahead] = [addDays(monday, -1), addDays(monday, 1)]

async function invoiceWith(slips: readonly [string, string][], overrides: Json = {}): Promise<string> {
  const id = await putInvoice(testApp, company, overrides)
  for (const [status, due] of slips) {
    const fileId = await putFile(testApp, id, { due })
    if (status !== 'pending') expectOk(await mark(testApp, id, fileId, status))
  }
  return id
}

test('an invoice and its files, as the contract shows them', async () => {
  const owner = await testApp.partner((await testApp.company({ name: 'Café São João Ltda.' })).taxId)
  const [companyId] = await testApp.sql("select id, tax_id from company where name = 'Café São João Ltda.'")
  const own = { id: companyId?.['id'], taxId: companyId?.['tax_id'], products: {} }
  const id = await putInvoice(testApp, own, { 'due-date': past, 'carrier-name': ' Operadora Aurora ' })
  const slip = await putFile(testApp, id, { name: 'boleto.pdf', due: past })
  const other = await putFile(testApp, id, { name: 'nota fiscal.xml', type: 'service-invoice' })
  const response = await owner.get('/v1/invoices/pending-payment')
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.body).toEqual({
    result: [
      {
        id,
        'company-id': own.id,
        'invoice-config-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'company-name': 'Café São João Ltda.',
        'carrier-name': 'Operadora Aurora',
        amount: 1_845_090,
        'due-date': past,
        'reference-period-start': '2026-11-01',
        'reference-period-end': '2026-11-30',
        'invoice-status': 'all-overdue',
        files: [
          {
            'file-id': slip,
            name: 'boleto.pdf',
            type: 'payment-slip',
            'payment-slip-due-date': past,
            status: 'overdue',
          },
          {
            'file-id': other,
            name: 'nota fiscal.xml',
            type: 'service-invoice',
            'payment-slip-due-date': null,
            status: 'available',
          },
        ],
      },
    ],
    pagination: { 'current-page': 1, 'total-items': 1, 'total-pages': 1, 'next-page': null, 'previous-page': null },
  })
})

test.each<[string, [string, string][], string | null]>([
  ['one slip ahead', [['pending', ahead]], 'all-pending'],
  ['one due today', [['pending', monday]], 'all-pending'],
  ['one late', [['pending', past]], 'all-overdue'],
  [
    'one late, one ahead',
    [
      ['pending', past],
      ['pending', ahead],
    ],
    'partially-overdue',
  ],
  [
    'one paid, one ahead, one cancelled',
    [
      ['paid', past],
      ['pending', ahead],
      ['cancelled', past],
    ],
    'partially-paid',
  ],
  [
    'paid but for a cancelled one',
    [
      ['paid', past],
      ['cancelled', ahead],
    ],
    null,
  ],
  ['cancelled', [['cancelled', ahead]], null],
])('%s', async (_case, slips, status) => {
  const id = await invoiceWith(slips)
  const found = (await pending(partner, '?items-per-page=500')).find((invoice) => invoice.id === id)
  expect(found?.['invoice-status'] ?? null).toBe(status)
  if (found !== undefined) {
    const shown = slips.map(([marked, due]) => (marked === 'pending' && due < monday ? 'overdue' : marked))
    expect(found.files.map((file: Json) => file.status)).toEqual(shown)
  }
})

test('without slips the due date decides', async () => {
  const [late, due] = [await invoiceWith([], { 'due-date': past }), await invoiceWith([], { 'due-date': monday })]
  const found = await pending(partner, '?items-per-page=500')
  expect(found.find((invoice) => invoice.id === late)['invoice-status']).toBe('all-overdue')
  expect(found.find((invoice) => invoice.id === due)['invoice-status']).toBe('all-pending')
})

describe('dates', () => {
  let accounting: Client
  beforeAll(async () => {
    const own = await testApp.company()
    accounting = await testApp.partner(own.taxId)
    for (const day of ['2026-11-30', '2026-12-01', '2026-12-15', '2026-12-31', '2027-01-01', '2027-02-28']) {
      for (const number of [2, 1]) await putInvoice(testApp, own, { id: `${own.id} ${day} ${number}`, 'due-date': day })
    }
  })
  const days = async (query: string) =>
    (await pending(accounting, query)).map((invoice) => invoice.id.split(' ').slice(1).join(' '))

  test('both included, each may stand alone, by due date and id', async () => {
    expect(await days('?from-dt=2026-12-01&until-dt=2026-12-15')).toEqual([
      '2026-12-01 1',
      '2026-12-01 2',
      '2026-12-15 1',
      '2026-12-15 2',
    ])
    expect(await days('?from-dt=2027-01-01')).toHaveLength(4)
    expect(await days('?until-dt=2026-12-01')).toHaveLength(4)
    expect(await days('')).toHaveLength(12)
    expect(await days('?from-dt=2026-12-02&until-dt=2026-12-14')).toEqual([])
    expect(await days('?from-dt=0001-01-01&until-dt=9999-12-31')).toHaveLength(12)
  })

  test('pages with totals, also past the end', async () => {
    const read = async (query: string) =>
      expectOk(await accounting.get(`/v1/invoices/pending-payment?from-dt=2026-12-01&items-per-page=3${query}`)).body
    const first = await read('')
    expect(first.result).toHaveLength(3)
    expect(first.pagination).toEqual({
      'current-page': 1,
      'total-items': 10,
      'total-pages': 4,
      'next-page': 2,
      'previous-page': null,
    })
    expect((await read('&page=4')).result).toHaveLength(1)
    const beyond = await read('&page=9007199254740991')
    expect(beyond.result).toEqual([])
    expect(beyond.pagination).toMatchObject({ 'total-items': 10, 'next-page': null, 'previous-page': 4 })
  })

  test.each(['from-dt=2026-12-02&until-dt=2026-12-01', 'from-dt=2026-12-01&until-dt=2026-12-01'])(
    '400 for %s',
    async (query) => {
      const response = await accounting.get(`/v1/invoices/pending-payment?${query}`)
      expect(response.status).toBe(400)
      expect(response.body.error).toBe("Invalid date filter: 'until-dt' must be greater than 'from-dt'")
    },
  )

  test.each([
    'from-dt=2026-02-30',
    'until-dt=01/12/2026',
    'from-dt=',
    'due=2026-12-01',
    'from-dt=2026-12-01&from-dt=2026-12-02',
  ])('400 for %s', async (query) => {
    const response = await accounting.get(`/v1/invoices/pending-payment?${query}`)
    expect(response.status).toBe(400)
    expect(response.body.error).toBe('Invalid parameter')
  })
})

test('an empty list', async () => {
  const own = await testApp.company()
  const response = await (await testApp.partner(own.taxId)).get('/v1/invoices/pending-payment')
  expect(response.body).toEqual({
    result: [],
    pagination: { 'current-page': 1, 'total-items': 0, 'total-pages': 0, 'next-page': null, 'previous-page': null },
  })
  expect((await (await testApp.partner()).get('/v1/invoices/pending-payment')).body.result).toEqual([])
})

test('401 without a token, with an operator’s, and once the client is revoked', async () => {
  const path = '/v1/invoices/pending-payment'
  expect((await testApp.call('GET', path)).status).toBe(401)
  expect((await testApp.operator.get(path)).status).toBe(401)
  const gone = await testApp.partner(company.taxId)
  expectOk(await testApp.operator.delete(`/operator/v1/client/${gone.clientId}`))
  expect((await gone.get(path)).status).toBe(401)
})

/** A book of three companies, written through the operator's door, beside a model of it in memory. */
describe('any book, any filter', () => {
  interface Modelled {
    company: number
    due: string
    slips: { fileId: string; slip: Slip }[]
  }
  const companies: Company[] = []
  const clients: { scope: readonly number[]; client: Client }[] = []
  const book = new Map<string, Modelled>()
  const random = fc.sample(fc.nat(1_000_000), { numRuns: 2_000, seed: 20_261_123 })[Symbol.iterator]()
  const pick = (max: number) => (random.next().value ?? 0) % max
  const someDay = () => addDays('2026-10-20', pick(100))

  async function writeOne(id: string): Promise<void> {
    const known = book.get(id)
    const one = known ?? { company: pick(3), due: '', slips: [] }
    const kind = known === undefined ? 0 : pick(3)
    if (kind === 0) {
      one.due = someDay()
      await putInvoice(testApp, companies[one.company] as Company, { id, 'due-date': one.due })
    } else if (kind === 1 || one.slips.length === 0) {
      const due = someDay()
      const again = one.slips[pick(one.slips.length + 1)]
      const fileId = await putFile(testApp, id, { due, ...(again === undefined ? {} : { fileId: again.fileId }) })
      if (again === undefined) one.slips.push({ fileId, slip: { status: 'pending', dueDate: due } })
      else again.slip = { status: again.slip.status, dueDate: due }
    } else {
      const chosen = one.slips[pick(one.slips.length)]
      const status = (['pending', 'paid', 'cancelled'] as const)[pick(3)] ?? 'paid'
      if (chosen === undefined) return
      expectOk(await mark(testApp, id, chosen.fileId, status))
      chosen.slip = { ...chosen.slip, status }
    }
    book.set(id, one)
  }

  function modelled(scope: readonly number[], from: string | null, until: string | null) {
    return [...book]
      .map(([id, { company: of, due, slips }]) => ({
        id,
        of,
        due,
        status: invoiceStatus(
          due,
          slips.map(({ slip }) => slip),
          monday,
        ),
      }))
      .filter(({ of, status }) => scope.includes(of) && UNPAID_STATUSES.includes(status))
      .filter(({ due }) => (from === null || due >= from) && (until === null || due <= until))
      .toSorted((one, two) => (one.due + one.id < two.due + two.id ? -1 : 1))
      .map(({ id, status }) => [id, status])
  }

  beforeAll(async () => {
    for (let made = 0; made < 3; made += 1) companies.push(await testApp.company())
    for (const scope of [[0], [1], [0, 2], [0, 1, 2]]) {
      const client = await testApp.partner(...scope.map((index) => companies[index]?.taxId ?? ''))
      clients.push({ scope, client })
    }
    for (let made = 0; made < 60; made += 1) await writeOne(`m${String(made).padStart(3, '0')}`)
    for (let written = 0; written < 240; written += 1) await writeOne(`m${String(pick(60)).padStart(3, '0')}`)
  })

  test('pages joined are the whole list, and both are what the model says', async () => {
    const bound = fc.option(fc.nat(120).map((days) => addDays('2026-10-15', days)))
    await fc.assert(
      fc.asyncProperty(fc.nat(3), bound, bound, fc.integer({ min: 1, max: 25 }), async (who, from, until, size) => {
        fc.pre(from === null || until === null || from < until)
        const { scope, client } = clients[who] ?? { scope: [], client: partner }
        const query = new URLSearchParams({ 'items-per-page': String(size) })
        if (from !== null) query.set('from-dt', from)
        if (until !== null) query.set('until-dt', until)
        const expected = modelled(scope, from, until)
        const joined: unknown[] = []
        for (let page: number | null = 1; page !== null;) {
          query.set('page', String(page))
          const { body } = expectOk(await client.get(`/v1/invoices/pending-payment?${query.toString()}`))
          expect(body.pagination['total-items']).toBe(expected.length)
          joined.push(...body.result.map((invoice: Json) => [invoice.id, invoice['invoice-status']]))
          page = body.pagination['next-page']
        }
        expect(joined).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })
})
