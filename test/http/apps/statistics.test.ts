import { fillOpenMovements } from '../../world/open-movements.ts'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import { rngOf } from '../../crash/rng.ts'
import { seed } from '../../seed.ts'
import { act, enroll, moved, openShipmentOf, openShipper } from '../../world/shipment.ts'
import { makeEndpoint } from '../../world/receiver.ts'
import {
  type Client,
  type Company,
  companyBody,
  expectOk,
  type Json,
  monday as today,
  nextCpf,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let analyst: Client
let colleague: Client
let partner: Client
let company: Company

const [template] = companyBody.products
const product = (name: string, carrier: string) => ({ ...template, 'product-name': name, 'carrier-name': carrier })

/** Milliseconds around midnight in Sao Paulo, 03:00 UTC, and at noon. */
const offsets = [-1, 0, 1, -3 * 3_600_000, 12 * 3_600_000]

beforeAll(async () => {
  analyst = await testApp.operatorOf('analyst')
  colleague = await testApp.operatorOf('analyst')
  company = await testApp.company({
    products: [
      product('Aurora', 'Operadora Aurora'),
      product('Aurora Plus', 'Operadora Aurora'),
      product('Brisa', 'Odonto Brisa'),
    ],
  })
  const other = await testApp.company({
    products: [product('Aurora', 'OPERADORA AURÓRA'), product('Nada', 'Sem Fila')],
  })
  partner = await testApp.partner(company.taxId, other.taxId)
  const owners = [
    ...Object.values(company.products).map((id) => ({ company_id: company.id, product_id: id })),
    { company_id: other.id, product_id: other.products['Aurora'] },
  ]
  const requests = new Map<string, string>()
  for (const { id } of [company, other]) {
    requests.set(id, randomUUID())
    await testApp.sql(
      `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
       values ($1, $2, $3, 'inclusion', 'completed', now(), now())`,
      [id, requests.get(id), partner.clientId],
    )
  }
  const rng = rngOf(seed)
  const pick = <T>(items: readonly T[]) => items[rng.between(0, items.length - 1)] as T
  const rows = Array.from({ length: 1_200 }, (_, n) => {
    const status = ENROLLMENT_STATUSES[n % ENROLLMENT_STATUSES.length] ?? 'created'
    const midnight = (day: string) => Date.parse(`${day}T03:00:00.000Z`)
    const isTerminal = ['completed', 'rejected', 'cancelled'].includes(status)
    const createdAt = midnight(addDays(today, -rng.between(0, isTerminal ? 45 : 11))) + pick(offsets)
    const resolvedAt = midnight(addDays(today, -rng.between(0, 30))) + pick(offsets)
    // A scheduled one that is due would be moved by the worker.
    const due = rng.between(status === 'scheduled' ? 1 : -8, 12)
    const owner = pick(owners)
    return {
      ...owner,
      id: randomUUID(),
      request_id: requests.get(owner.company_id),
      enrollment_type: pick(['inclusion', 'exclusion', 'alteration']),
      status,
      member_id: randomUUID(),
      member_tax_id: nextCpf(),
      benefit_id: randomUUID(),
      created_at: new Date(createdAt).toISOString(),
      updated_at: new Date(isTerminal ? Math.max(createdAt, resolvedAt) : createdAt).toISOString(),
      assignee: pick([null, analyst.clientId, colleague.clientId]),
      answered_at: !isTerminal && n % 5 === 0 ? new Date(createdAt).toISOString() : null,
      due: status === 'scheduled' || n % 3 === 0 ? addDays(today, due) : null,
    }
  })
  await testApp.sql(
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, reason, member_id, member_tax_id, member_type, product_id,
       product_name, benefit_id, effective_date, data, initial_status, created_at, updated_at, scheduled_action_date, scheduled_reason, assignee, answered_at)
     select r.company_id, r.id, r.request_id, r.enrollment_type, r.status, 'x', r.member_id, r.member_tax_id, 'primary', r.product_id,
       'P', r.benefit_id, case when r.enrollment_type <> 'inclusion' then date '2026-12-01' end, '{"name": "N"}', 'created', r.created_at, r.updated_at,
       r.due, case when r.due is not null then 'future-end-date' end, r.assignee, r.answered_at
     from json_to_recordset($1::json) as r(company_id uuid, id uuid, request_id uuid, enrollment_type text, status text, member_id uuid,
       member_tax_id text, product_id uuid, benefit_id uuid, created_at timestamptz, updated_at timestamptz, due date, assignee text, answered_at timestamptz)`,
    [JSON.stringify(rows)],
  )
  await testApp.sql(fillOpenMovements)
  await testApp.sql(
    `insert into enrollment_history (company_id, enrollment_id, step, status, at, actor)
     select company_id, id, 1, status, updated_at, 'operator' from enrollment e where status in ('completed', 'rejected', 'cancelled')
       and not exists (select from enrollment_history h where h.company_id = e.company_id and h.enrollment_id = e.id)`,
  )
})

const statistics = async (query = ''): Promise<Json> =>
  expectOk(await analyst.get(`/operator/v1/statistics${query}`)).body.result

/** `total-items` of the queue. */
async function listed(query: Record<string, string>): Promise<number> {
  const text = new URLSearchParams({ ...query, 'items-per-page': '1' }).toString()
  return expectOk(await analyst.get(`/operator/v1/enrollment?${text}`)).body.pagination['total-items']
}

/** Rows of the fixture with days as text: what the service counts by ranges of instants. */
const movements = `(select e.*, to_char(timezone('America/Sao_Paulo', e.created_at), 'YYYY-MM-DD') as created_day,
    to_char(timezone('America/Sao_Paulo', e.updated_at), 'YYYY-MM-DD') as updated_day, e.due_date::text as due,
    e.status = any('{completed,rejected,cancelled}') as is_terminal,
    (select translate(lower(k.carrier_name), 'óÓ', 'oo') from product k where k.company_id = e.company_id and k.id = e.product_id) as carrier
  from enrollment e) m`

const sqlCount = async (condition: string, values: unknown[] = []): Promise<number> => {
  const [row] = await testApp.sql<{ n: number }>(
    `select count(*)::int as n from ${movements} where ${condition}`,
    values,
  )
  return row?.n ?? -1
}

describe('statistics', () => {
  test('every day of the last 30, with the movements created, completed, rejected and cancelled on it', async () => {
    const result = await statistics()
    expect([result['from-date'], result['until-date'], result.today]).toEqual(['2026-10-25', today, today])
    const rows = await testApp.sql(
      `with m as materialized (select m.* from ${movements})
       select to_char(d, 'YYYY-MM-DD') as date,
         (select count(*)::int from m where m.created_day = to_char(d, 'YYYY-MM-DD')) as created,
         (select count(*)::int from m where m.status = 'completed' and m.updated_day = to_char(d, 'YYYY-MM-DD')) as completed,
         (select count(*)::int from m where m.status = 'rejected' and m.updated_day = to_char(d, 'YYYY-MM-DD')) as rejected,
         (select count(*)::int from m where m.status = 'cancelled' and m.updated_day = to_char(d, 'YYYY-MM-DD')) as cancelled
       from generate_series(timestamp '2026-10-25', timestamp '2026-11-23', interval '24 hours') d order by d`,
    )
    expect(result.days).toEqual(rows)
    expect(result.days).toHaveLength(30)
    expect(result.days.filter((day: Json) => day.created > 0).length).toBeGreaterThan(20)
  })

  test('each number of a day is the length of the list of that day', async () => {
    const { days } = await statistics('?from-dt=2026-11-17&until-dt=2026-11-18')
    expect(days).toHaveLength(2)
    for (const { date, created, completed, rejected, cancelled } of days) {
      const resolved = (status: string) => listed({ status, 'resolved-from-dt': date, 'resolved-until-dt': date })
      expect({ created, completed, rejected, cancelled }).toEqual({
        created: await listed({ 'from-dt': date, 'until-dt': date }),
        completed: await resolved('completed'),
        rejected: await resolved('rejected'),
        cancelled: await resolved('cancelled'),
      })
    }
  })

  test('the open ones by status', async () => {
    const { 'open-by-status': counts } = await statistics()
    const statuses = ENROLLMENT_STATUSES.slice(0, 6)
    expect(counts.map(({ status }: Json) => status)).toEqual(statuses)
    for (const { status, count } of counts) {
      expect([status, count]).toEqual([status, await sqlCount('status = $1', [status])])
      expect([status, count]).toEqual([status, await listed({ status })])
    }
  })

  test('the backlog by carrier, without case and accents, and by age; each number is the length of its list', async () => {
    const { backlog } = await statistics()
    const names = backlog.map((one: Json) => one['carrier-name'])
    expect(names.toSorted()).toEqual(['Odonto Brisa', 'Operadora Aurora'])
    expect(backlog[0].total).toBeGreaterThan(backlog[1].total)
    const ages = {
      'under-1-day': { 'from-dt': today },
      '1-to-3-days': { 'from-dt': addDays(today, -3), 'until-dt': addDays(today, -1) },
      '4-to-7-days': { 'from-dt': addDays(today, -7), 'until-dt': addDays(today, -4) },
      'over-7-days': { 'until-dt': addDays(today, -8) },
    }
    for (const { 'carrier-name': carrier, total, ...counts } of backlog) {
      const open = { status: 'open', 'carrier-name': carrier }
      expect(total).toBe(await listed(open))
      const own = 'not is_terminal and carrier = lower($1)'
      expect(total).toBe(await sqlCount(own, [carrier]))
      for (const [age, days] of Object.entries(ages)) {
        const { 'from-dt': from = '0001-01-01', 'until-dt': last = '9999-12-31' } = days as Record<string, string>
        const expected = await sqlCount(`${own} and created_day between $2 and $3`, [carrier, from, last])
        expect(expected).toBeGreaterThan(0)
        expect([age, counts[age]]).toEqual([age, expected])
        expect([age, counts[age]]).toEqual([age, await listed({ ...open, ...days })])
      }
    }
  })

  test('the time to resolve: median and 90th percentile by type, of those completed or rejected in the range', async () => {
    const range = ['2026-11-01', '2026-11-20']
    const { 'time-to-resolve': found } = await statistics(`?from-dt=${range[0]}&until-dt=${range[1]}`)
    expect(found.map((one: Json) => one['enrollment-type'])).toEqual(['inclusion', 'exclusion', 'alteration'])
    for (const { 'enrollment-type': type, count, ...times } of found) {
      const rows = await testApp.sql<{ ms: number }>(
        `select (extract(epoch from updated_at) * 1000 - extract(epoch from created_at) * 1000)::float8 as ms from ${movements}
         where enrollment_type = $1 and status in ('completed', 'rejected') and updated_day between $2 and $3 order by 1`,
        [type, ...range],
      )
      const percentile = (share: number) => {
        const place = (rows.length - 1) * share
        const low = rows[Math.floor(place)]?.ms ?? Number.NaN
        const high = rows[Math.ceil(place)]?.ms ?? Number.NaN
        return Math.round((low + (high - low) * (place % 1)) / 1_000)
      }
      expect(rows.length).toBeGreaterThan(5)
      expect({ count, ...times }).toEqual({
        count: rows.length,
        'median-seconds': percentile(0.5),
        'p90-seconds': percentile(0.9),
      })
    }
    const { 'time-to-resolve': none } = await statistics('?from-dt=2020-01-01&until-dt=2020-01-01')
    expect(none[0]).toEqual({ 'enrollment-type': 'inclusion', count: 0, 'median-seconds': null, 'p90-seconds': null })
  })

  test('due: overdue, today and the seven days after it; each number is the length of its list', async () => {
    const { due } = await statistics()
    const open = { status: 'open' }
    const [tomorrow, nextWeek] = [addDays(today, 1), addDays(today, 8)]
    expect(due).toEqual({
      overdue: await sqlCount('not is_terminal and due < $1', [today]),
      today: await sqlCount('not is_terminal and due = $1', [today]),
      'next-7-days': await sqlCount('not is_terminal and due > $1 and due <= $2', [today, addDays(today, 7)]),
    })
    expect(due).toEqual({
      overdue: await listed({ ...open, 'due-before': today }),
      today: await listed({ ...open, 'due-from': today, 'due-before': tomorrow }),
      'next-7-days': await listed({ ...open, 'due-from': tomorrow, 'due-before': nextWeek }),
    })
    expect(Object.values(due).every((count) => (count as number) > 0)).toBe(true)
  })

  test('by assignee, nobody first, then the one with the most; each number is the length of its list', async () => {
    const { 'by-assignee': rows, answered } = await statistics()
    const open = { status: 'open' }
    const [tomorrow, nextWeek] = [addDays(today, 1), addDays(today, 8)]
    const names = rows.map(({ assignee }: Json) => assignee)
    expect(names.toSorted()).toEqual([analyst.clientId, colleague.clientId, null].toSorted())
    expect(names[0]).toBe(null)
    expect(rows[1].total).toBeGreaterThanOrEqual(rows[2].total)
    for (const row of rows) {
      const own = { ...open, assignee: row.assignee ?? 'none' }
      expect(row).toEqual({
        assignee: row.assignee,
        total: await listed(own),
        overdue: await listed({ ...own, 'due-before': today }),
        today: await listed({ ...own, 'due-from': today, 'due-before': tomorrow }),
        'next-7-days': await listed({ ...own, 'due-from': tomorrow, 'due-before': nextWeek }),
        answered: await listed({ ...own, answered: 'true' }),
      })
      expect(Object.values(row).every((count) => count !== 0)).toBe(true)
    }
    expect(answered).toBe(await sqlCount('not is_terminal and answered_at is not null'))
    expect(answered).toBe(await listed({ ...open, answered: 'true' }))
  })

  test('a plan change counts for the carrier that the queue shows', async () => {
    const before = await statistics()
    const member = primary({
      products: { 'health-insurance': [{ name: 'Aurora', 'start-option': 'on-inclusion-date' }] },
    })
    await testApp.include(partner, company, [member], '?resolution=approve')
    const body = { 'alteration-data': { 'new-product-id': company.products['Brisa'] } }
    expectOk(await partner.post(`/v1/enrollment/alteration/${member['tax-id']}`, body))
    const totals = ({ backlog }: Json) =>
      Object.fromEntries(backlog.map((one: Json) => [one['carrier-name'], one.total]))
    const brisa = totals(before)['Odonto Brisa']
    expect(totals(await statistics())).toEqual({ ...totals(before), 'Odonto Brisa': brisa + 1 })
    expect(await listed({ status: 'open', 'carrier-name': 'Odonto Brisa' })).toBe(brisa + 1)
  })

  test('failing webhooks: enabled endpoints whose latest attempt failed', async () => {
    const failing = async () => (await statistics())['failing-webhooks']
    expect(await failing()).toBe(0)
    const { id } = await makeEndpoint(partner, 'http://127.0.0.1:59999/')
    expectOk(await partner.post(`/v1/webhook-endpoint/${id}/test`))
    await until(failing, (count) => count === 1)
    await testApp.call('PATCH', `/v1/webhook-endpoint/${id}`, { token: partner.token, body: { status: 'disabled' } })
    expect(await failing()).toBe(0)
  })

  test('takes 366 days, the one day of today, and the default of one parameter', async () => {
    expect((await statistics('?from-dt=2025-11-23')).days).toHaveLength(366)
    expect((await statistics(`?from-dt=${today}`)).days).toHaveLength(1)
    expect((await statistics('?until-dt=2024-03-01'))['from-date']).toBe('2024-02-01')
    expect((await statistics('?until-dt=0001-01-02')).days).toHaveLength(2)
  })

  test.each([
    ['from-dt=2026-11-20&until-dt=2026-11-19', 'invalid-date-range'],
    ['from-dt=2026-11-24', 'invalid-date-range'],
    ['from-dt=2025-11-22', 'invalid-parameter'],
    ['from-dt=2026-02-30', 'invalid-parameter'],
    ['carrier-name=x', 'unknown-parameter'],
  ])('400: %s', async (query, code) => {
    const response = await analyst.get(`/operator/v1/statistics?${query}`)
    expect([response.status, response.body.code]).toEqual([400, code])
  })
})

test('carriers: one for each name without case and accents, in the spelling of the first product, by name', async () => {
  const finance = await testApp.operatorOf('finance')
  const { result } = expectOk(await finance.get('/operator/v1/carrier')).body
  expect(result.map((one: Json) => one.name)).toEqual(['Odonto Brisa', 'Operadora Aurora', 'Sem Fila'])
})

test('what a carrier should have answered: the length of its list', async () => {
  const shipper = await openShipper(testApp)
  const [late, timely] = await enroll(testApp, shipper, [primary(), primary()])
  const shipmentId = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, shipmentId, 'close'))
  expectOk(await act(testApp, shipmentId, 'send'))
  await moved(testApp, shipmentId)
  expect((await statistics())['overdue-at-carrier']).toBe(0)
  await testApp.sql('update shipment set answer_until = $2 where id = $1', [shipmentId, addDays(today, -1)])
  expect((await statistics())['overdue-at-carrier']).toBe(2)
  await analyst.post(`/operator/v1/enrollment/${timely}/transition`, { status: 'rejected', reason: 'Recusada' })
  const { result } = expectOk(await analyst.get('/operator/v1/enrollment?status=open&overdue-at-carrier=true')).body
  expect(result.map(({ id }: Json) => id)).toEqual([late])
  expect((await statistics())['overdue-at-carrier']).toBe(1)
})
