import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hrOf } from '../../console/company-hr.ts'
import { csv, discrepanciesOf, reconcile, reconciliationPath, repeat, upload } from '../../world/carrier-file.ts'
import { cover, rosterRow } from '../../world/covered.ts'
import { makeEndpoint, openReceiver, type Receiver } from '../../world/receiver.ts'
import { openShipper, plansOf, putContract, type Shipper } from '../../world/shipment.ts'
import { type Client, expectOk, health, type Json, until, useTestApp } from '../../world/test-app.ts'
import { compareInvoice, type Known, known, workedEntries, workedPeople } from '../../world/worked-invoice.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-20', VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })

const shown = { 'show-discrepancies': true }
const list = async (client: Pick<Client, 'get'>, path: string, query = ''): Promise<Json[]> =>
  expectOk(await client.get(`${path}?items-per-page=500${query}`)).body.result
const comparisons = (client: Pick<Client, 'get'>, query = '') => list(client, '/v1/reconciliation', query)
const discrepancies = (client: Pick<Client, 'get'>, query = '') => list(client, '/v1/discrepancy', query)
const classes = async (client: Pick<Client, 'get'>, query = '') =>
  (await discrepancies(client, query)).map((one) => one.class)
const events = async (client: Client, type: string): Promise<Json[]> =>
  expectOk(await client.get(`/v1/webhook-event?type=${type}`)).body.result.map((one: Json) => one.data)

interface Compared extends Shipper {
  readonly id: string
  readonly lines: readonly Json[]
  readonly people: readonly { readonly taxId: string; readonly name: string }[]
}

/** Four people: one ended there, of one the name differs; one line is of nobody, and one stands twice. */
async function compareRoster(more: Json = shown): Promise<Compared> {
  const shipper = await openShipper(testApp, more)
  const people = await cover(testApp, shipper, 4)
  const rows = people.map(rosterRow)
  const stranger = { ...rows[0], 'card-number': '88', 'tax-id': '52998224725', name: 'Pessoa Nova' }
  const lines = [
    { ...rows[0], 'end-date': '2026-11-10' },
    { ...rows[1], name: 'Outro Nome' },
    rows[2],
    rows[2],
    { ...stranger, 'date-of-birth': '1991-02-03' },
  ]
  const file = await upload(testApp, { ...shipper, month: '2026-12' }, csv(lines))
  const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
  return { ...shipper, id, lines, people }
}

/** The program loses the money of the company, as only people can. */
const hideMoney = ({ clientId }: Client) =>
  testApp.sql('update entitlement set see_money = false where client_id = $1', [clientId])

const invoiceOf = (one: Known, trailer?: number) => compareInvoice(testApp, one, '2026-11', workedEntries, trailer)

describe('the discrepancies of a roster', () => {
  let one: Compared
  beforeAll(async () => {
    one = await compareRoster()
  })

  test('are shown without what is about the file only, and without what the broker keeps to itself', async () => {
    const all = await discrepanciesOf(testApp, one.id)
    expect(all.map((item) => item.class)).toContain('duplicate-in-file')
    const found = await discrepancies(one.partner)
    expect(found.map((item) => [item.class, item['member-name'], item.expected, item.found])).toEqual([
      ['ended-at-carrier-active-here', one.people[0]?.name, null, '2026-11-10'],
      ['missing-at-carrier', one.people[3]?.name, '2026-01-01', null],
      ['name-differs', one.people[1]?.name, one.people[1]?.name, 'Outro Nome'],
      ['unknown-here', 'Pessoa Nova', null, null],
    ])
    const [member] = expectOk(await one.partner.get(`/v1/member?filter=tax-id%3D${one.people[0]?.taxId}`)).body.result
    expect(found[0]).toEqual({
      'discrepancy-id': all.find((item) => item.class === 'ended-at-carrier-active-here')['discrepancy-id'],
      kind: 'roster',
      'reference-month': '2026-12',
      'company-tax-id': one.company.taxId,
      'carrier-name': 'Operadora Aurora',
      class: 'ended-at-carrier-active-here',
      status: 'open',
      explanation: null,
      expected: null,
      found: '2026-11-10',
      amount: null,
      days: 40,
      'cover-month': null,
      'member-id': member.id,
      'member-name': one.people[0]?.name,
      'member-tax-id': one.people[0]?.taxId,
      'product-name': health,
      'request-id': null,
      'updated-at': expect.any(String),
    })
    expect(found[3]).toMatchObject({ 'member-id': null, 'member-tax-id': '52998224725', 'product-name': null })
    const [comparison, ...others] = await comparisons(one.partner)
    expect(others).toEqual([])
    expect(comparison).toEqual({
      'reconciliation-id': one.id,
      kind: 'roster',
      'invoice-kind': null,
      'reference-month': '2026-12',
      'company-tax-id': one.company.taxId,
      'company-name': expect.any(String),
      'carrier-name': 'Operadora Aurora',
      'as-of': '2026-12-20',
      status: 'open',
      'carrier-total': null,
      'expected-total': null,
      discrepancy: null,
      counts: found.map((item) => ({
        class: item.class,
        open: 1,
        explained: 0,
        claimed: 0,
        corrected: 0,
        accepted: 0,
        amount: null,
      })),
      'computed-at': expect.any(String),
    })
  })

  test('are of no other company, whatever is filtered by', async () => {
    const other = await testApp.company()
    const stranger = await testApp.partner(other.taxId)
    for (const path of ['/v1/reconciliation', '/v1/discrepancy']) {
      expect(await list(stranger, path)).toEqual([])
      const refused = await stranger.get(`${path}?company-tax-id=${one.company.taxId}`)
      expect([refused.status, refused.body.code]).toEqual([403, 'not-entitled'])
    }
  })

  test('are filtered, and come in pages', async () => {
    const cpf = one.people[1]?.taxId
    expect(await classes(one.partner, `&company-tax-id=${one.company.taxId}&class=name-differs`)).toHaveLength(1)
    expect(await classes(one.partner, `&member-tax-id=${cpf}`)).toEqual(['name-differs'])
    expect(await classes(one.partner, '&reference-month=2026-12&kind=roster&status=open')).toHaveLength(4)
    for (const query of ['&reference-month=2026-11', '&kind=invoice', '&status=accepted']) {
      expect(await classes(one.partner, query)).toEqual([])
    }
    expect(await comparisons(one.partner, '&status=open&kind=roster&reference-month=2026-12')).toHaveLength(1)
    for (const query of ['&status=closed', '&kind=invoice', '&reference-month=2026-11']) {
      expect(await comparisons(one.partner, query)).toEqual([])
    }
    const refused = await one.partner.get('/v1/discrepancy?class=ambiguous')
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-parameter'])
    const page = expectOk(await one.partner.get('/v1/discrepancy?items-per-page=1&page=3')).body
    expect(page.result.map((item: Json) => item.class)).toEqual(['name-differs'])
    expect(page.pagination).toMatchObject({ 'total-items': 4, 'total-pages': 4 })
  })

  test('stay while it is compared again, and when the month is closed', async () => {
    const set = (status: string) => testApp.sql('update reconciliation set status = $2 where id = $1', [one.id, status])
    for (const [stored, status] of [
      ['computing', 'open'],
      ['closed', 'closed'],
      ['open', 'open'],
    ] as const) {
      await set(stored)
      expect((await comparisons(one.partner, `&status=${status}`)).map((item) => item.status)).toEqual([status])
      expect(await classes(one.partner)).toHaveLength(4)
    }
  })

  test('are read by the HR of the company', async () => {
    const hr = await hrOf(testApp, [one.company.taxId])
    expect(hr.session).toMatchObject({ 'see-discrepancies': true, 'see-money': false })
    const none = await hrOf(testApp, [(await testApp.company()).taxId])
    expect(none.session['see-discrepancies']).toBe(false)
    expect(await classes({ get: (path) => hr.call('GET', path) })).toHaveLength(4)
  })

  test('appear in updated-since with the switch, and with each change of what they show', async () => {
    const own = await compareRoster({})
    const since = async () => `&updated-since=${await later()}`
    let query = await since()
    expect(await discrepancies(own.partner)).toEqual([])
    expect(await comparisons(own.partner)).toEqual([])
    expectOk(await putContract(testApp, own, { plans: plansOf(own.company, health), ...shown }))
    expect(await classes(own.partner, query)).toHaveLength(4)
    query = await since()
    expect(await classes(own.partner, query)).toEqual([])
    const body = { filter: { class: 'name-differs' }, status: 'accepted', note: 'abreviado' }
    expectOk(await testApp.operator.post(`${reconciliationPath}/${own.id}/discrepancy`, body))
    expect(await classes(own.partner, query)).toEqual(['name-differs'])
    query = await since()
    await testApp.sql('update member set name = $2, updated_at = now() where company_id = $1 and tax_id = $3', [
      own.company.id,
      'Nome Corrigido',
      own.people[0]?.taxId,
    ])
    expect((await discrepancies(own.partner, query)).map((item) => item['member-name'])).toEqual(['Nome Corrigido'])
    const response = expectOk(await own.partner.get('/v1/discrepancy'))
    expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000)
    // Replaced without the switch, the contract shows nothing again.
    expectOk(await putContract(testApp, own, { plans: plansOf(own.company, health) }))
    expect(await discrepancies(own.partner)).toEqual([])
    expect(await comparisons(own.partner)).toEqual([])
  })
})

/** An instant after everything so far. */
async function later(): Promise<string> {
  const start = Date.now()
  return until(
    async () => new Date().toISOString(),
    (instant) => Date.parse(instant) > start,
  )
}

describe('an invoice', () => {
  test('is shown with its totals to who sees money, without total-differs, and not at all to others', async () => {
    const one = await known(testApp, workedPeople, shown)
    const compared = await invoiceOf(one, 250_000)
    const all = await discrepanciesOf(testApp, compared['reconciliation-id'])
    expect(all.map((item) => item.class)).toContain('total-differs')
    const rich = await testApp.partner(one.company.taxId)
    const poor = await testApp.partner(one.company.taxId)
    await hideMoney(poor)
    const found = await discrepancies(rich)
    expect(found.map((item) => [item.class, item.kind, item.amount])).toEqual([
      ['amount-differs', 'invoice', 7416],
      ['charged-after-end', 'invoice', 41_235],
      ['charged-unknown', 'invoice', 70_631],
      ['not-charged', 'invoice', -41_235],
    ])
    const [comparison] = await comparisons(rich)
    expect(comparison).toMatchObject({ 'carrier-total': 241_690, 'expected-total': 163_643, discrepancy: 78_047 })
    expect(comparison.counts.map((count: Json) => [count.class, count.amount])).toEqual(
      found.map((item) => [item.class, item.amount]),
    )
    expect(await discrepancies(poor)).toEqual([])
    expect(await comparisons(poor)).toEqual([])
    const [blind, seeing] = [
      await hrOf(testApp, [one.company.taxId]),
      await hrOf(testApp, [one.company.taxId], { seesMoney: true }),
    ]
    expect(await classes({ get: (path) => blind.call('GET', path) })).toEqual([])
    expect(await classes({ get: (path) => seeing.call('GET', path) })).toHaveLength(4)
  })
})

describe('events', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver()
  })
  afterAll(() => receiver.close())

  test('of a comparison say its counts, again only when another comparison has another result', async () => {
    const one = await compareRoster()
    const opened = () => events(one.partner, 'reconciliation.opened')
    const count = (name: string) => ({ class: name, open: 1, explained: 0, claimed: 0, corrected: 0, accepted: 0 })
    const names = ['ended-at-carrier-active-here', 'missing-at-carrier', 'name-differs', 'unknown-here']
    const event = {
      'company-id': one.company.id,
      'reconciliation-id': one.id,
      kind: 'roster',
      'reference-month': '2026-12',
      counts: names.map(count),
    }
    expect(await opened()).toEqual([event])
    await repeat(testApp, one.id)
    expect(await opened()).toEqual([event])
    await testApp.sql('update member set name = $2 where company_id = $1 and tax_id = $3', [
      one.company.id,
      'Outro Nome',
      one.people[1]?.taxId,
    ])
    await repeat(testApp, one.id)
    const again = { ...event, counts: names.filter((name) => name !== 'name-differs').map(count) }
    expect(await opened()).toEqual([again, event])
  })

  test('of a correction name its movement', async () => {
    const one = await compareRoster()
    const found = await discrepancies(one.partner)
    const idOf = (name: string): string => found.find((item) => item.class === name)['discrepancy-id']
    const id = idOf('ended-at-carrier-active-here')
    const { result } = expectOk(await testApp.operator.post(`/operator/v1/discrepancy/${id}/correct`)).body
    const event = { 'company-id': one.company.id, 'discrepancy-id': id, kind: 'roster' }
    expect(await events(one.partner, 'discrepancy.corrected')).toEqual([
      { ...event, class: 'ended-at-carrier-active-here', 'request-id': result['request-id'] },
    ])
    const [shownAgain] = await discrepancies(one.partner, '&status=corrected')
    expect(shownAgain['request-id']).toBe(result['request-id'])
  })

  test('are none of a contract that shows nothing', async () => {
    const one = await compareRoster({})
    const [item] = await discrepanciesOf(testApp, one.id, '&class=ended-at-carrier-active-here')
    expectOk(await testApp.operator.post(`/operator/v1/discrepancy/${item['discrepancy-id']}/correct`))
    expect(await events(one.partner, 'reconciliation.opened')).toEqual([])
    expect(await events(one.partner, 'discrepancy.corrected')).toEqual([])
  })

  test('of invoices reach only who sees money: in the list, by an endpoint, and when they are sent again', async () => {
    const one = await known(testApp, workedPeople, shown)
    const rich = await testApp.partner(one.company.taxId)
    const poor = await testApp.partner(one.company.taxId)
    await hideMoney(poor)
    const type = 'reconciliation.opened'
    await makeEndpoint(rich, `${receiver.url}/rich`, [type])
    const { id: poorEndpoint } = await makeEndpoint(poor, `${receiver.url}/poor`, [type])
    const compared = await invoiceOf(one)
    const [call] = await receiver.until(1, ({ path }) => path.endsWith('/rich'))
    expect(call?.body).toMatchObject({
      type,
      data: { kind: 'invoice', 'reconciliation-id': compared['reconciliation-id'] },
    })
    expect(call?.text).not.toMatch(/FULANO|"amount"|[0-9]{11}/)
    expect(await events(poor, type)).toEqual([])
    const [event] = expectOk(await rich.get(`/v1/webhook-event?type=${type}`)).body.result
    const body = { 'webhook-endpoint-id': poorEndpoint }
    const refusals = [
      await poor.get(`/v1/webhook-event/${event.id}`),
      await poor.post(`/v1/webhook-event/${event.id}/redeliver`),
      await testApp.operator.post(`/operator/v1/webhook-event/${event.id}/redeliver`, body),
    ]
    for (const refused of refusals) {
      expect([refused.status, refused.body.code]).toEqual([404, 'webhook-event-not-found'])
    }
    expect(receiver.calls.filter(({ path }) => path.endsWith('/poor'))).toEqual([])
    const attempts = await testApp.sql('select from webhook_delivery where endpoint_id = $1', [poorEndpoint])
    expect(attempts).toEqual([])
  })

  test('of a delivery that waits are not sent to who does not see money any more', async () => {
    const one = await known(testApp, workedPeople, shown)
    const client = await testApp.partner(one.company.taxId)
    const path = '/late'
    await makeEndpoint(client, `${receiver.url}${path}`, ['reconciliation.opened'])
    receiver.respond = () => ({ status: 500 })
    await invoiceOf(one)
    await receiver.until(1, (call) => call.path.endsWith(path))
    receiver.respond = () => ({ status: 204 })
    await hideMoney(client)
    await testApp.sql(`update webhook_delivery set next_attempt_at = now() where status = 'pending'`)
    const attempts = await until(
      () =>
        testApp.sql<{ error: string | null }>(
          `select error from webhook_delivery join webhook_endpoint on webhook_endpoint.id = webhook_delivery.endpoint_id
           where webhook_endpoint.client_id = $1 order by attempt`,
          [client.clientId],
        ),
      (rows) => rows.at(-1)?.error === 'not-entitled',
    )
    expect(receiver.calls.filter((call) => call.path.endsWith(path)).length).toBeLessThan(attempts.length)
  })
})
