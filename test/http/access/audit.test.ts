import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Company, companyBody, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let company: Company
let client: Client
let other: Client
let granted: Json
beforeAll(async () => {
  company = await testApp.company()
  client = await testApp.partner()
  other = await testApp.operatorOf('admin')
  await other.put(`/operator/v1/client/${client.clientId}/company/${company.taxId}`, undefined, {
    'x-request-id': 'trace-of-the-grant',
  })
  granted = (await list('action=entitlement.granted')).result[0]
})
async function list(query: string): Promise<Json> {
  return expectOk(await testApp.operator.get(`/operator/v1/audit?${query}`)).body
}

describe('GET /operator/v1/audit', () => {
  test('says who wrote what, when and from where', async () => {
    expect(granted).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: other.clientId,
      action: 'entitlement.granted',
      target: client.clientId,
      'target-name': 'Folha',
      'company-tax-id': company.taxId,
      'company-name': companyBody.name,
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      'request-trace-id': 'trace-of-the-grant',
    })
    const [first] = (await list(`target=${testApp.operator.clientId}`)).result
    expect(first).toMatchObject({
      actor: 'service',
      action: 'operator.created',
      'company-tax-id': null,
      address: null,
      'request-trace-id': null,
    })
  })

  test('lists newest first, page by page', async () => {
    const whole = await list('items-per-page=500')
    const total = whole.pagination['total-items']
    expect(whole.result).toHaveLength(total)
    const times = whole.result.map((row: Json) => row.at)
    expect(times).toEqual(times.toSorted().toReversed())
    const paged: Json[] = []
    for (let page = 1; page <= Math.ceil(total / 2); page += 1) {
      paged.push(...(await list(`items-per-page=2&page=${page}`)).result)
    }
    expect(paged).toEqual(whole.result)
  })

  test('filters by each field, and by several at once', async () => {
    const filters: Record<string, string> = {
      id: granted.id,
      at: granted.at,
      actor: other.clientId,
      action: 'entitlement.granted',
      target: client.clientId,
      'company-tax-id': company.taxId,
      address: granted.address,
      'request-trace-id': 'trace-of-the-grant',
    }
    const none: Record<string, string> = {
      id: '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      at: '2020-01-01T00:00:00.000Z',
      'company-tax-id': '11222333000181',
    }
    for (const [name, value] of Object.entries(filters)) {
      const { result } = await list(`items-per-page=500&${name}=${encodeURIComponent(value)}`)
      expect(result).toContainEqual(granted)
      for (const row of result) expect(row[name]).toBe(value)
      expect((await list(`${name}=${none[name] ?? 'nothing'}`)).result).toEqual([])
    }
    expect((await list(new URLSearchParams(filters).toString())).result).toEqual([granted])
    expect((await list(`action=client.created&company-tax-id=${company.taxId}`)).result).toEqual([])
  })

  test('at equals the timestamp that is shown, whatever the database holds beyond milliseconds', async () => {
    for (const [stored, shown] of [
      ['2020-02-01T10:00:00.123000Z', '2020-02-01T10:00:00.123Z'],
      ['2020-02-01T10:00:00.123999Z', '2020-02-01T10:00:00.123Z'],
      ['2020-02-01T10:00:00.000000Z', '2020-02-01T10:00:00.000Z'],
      ['2020-02-01T10:00:00.999999Z', '2020-02-01T10:00:00.999Z'],
    ] as const) {
      await testApp.sql('update audit set at = $1 where id = $2', [stored, granted.id])
      const [row] = (await list(`id=${granted.id}`)).result
      expect(row.at).toBe(shown)
      expect((await list(`at=${shown}`)).result).toEqual([row])
      const [before, after] = [-1, 1].map((ms) => new Date(Date.parse(shown) + ms).toISOString())
      for (const other of [before, after]) expect((await list(`at=${other}`)).result).toEqual([])
    }
    await testApp.sql('update audit set at = $1 where id = $2', [granted.at, granted.id])
  })

  test('at accepts years at the limits of the calendar', async () => {
    for (const at of ['0000-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      expect((await list(`at=${at}`)).result).toEqual([])
    }
  })

  test('accepts an id in upper case', async () => {
    expect((await list(`id=${granted.id.toUpperCase()}`)).result).toEqual([granted])
  })

  test('accepts a formatted company tax id', async () => {
    const formatted = company.taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')
    const { result } = await list(`company-tax-id=${encodeURIComponent(formatted)}`)
    expect(result).toContainEqual(granted)
  })

  test('filters by days in Sao Paulo, both included, each alone', async () => {
    const move = (at: string) => testApp.sql('update audit set at = $1 where id = $2', [at, granted.id])
    const found = async (query: string) => (await list(`${query}&target=${client.clientId}&items-per-page=500`)).result
    const has = async (query: string) => (await found(query)).some((row: Json) => row.id === granted.id)
    // 2020-03-10 23:59:59.999 in Sao Paulo
    await move('2020-03-11T02:59:59.999Z')
    expect(await has('from-dt=2020-03-10&until-dt=2020-03-11')).toBe(true)
    expect(await has('from-dt=2020-03-09&until-dt=2020-03-10')).toBe(true)
    expect(await has('from-dt=2020-03-10&until-dt=2020-03-10')).toBe(true)
    expect(await has('from-dt=2020-03-10')).toBe(true)
    expect(await has('from-dt=2020-03-11')).toBe(false)
    expect(await has('until-dt=2020-03-10')).toBe(true)
    expect(await has('until-dt=2020-03-09')).toBe(false)
    await move('2020-03-11T03:00:00.000Z')
    expect(await has('until-dt=2020-03-10')).toBe(false)
    expect(await has('from-dt=2020-03-11&until-dt=9999-12-31')).toBe(true)
    expect(await has('from-dt=0001-01-01&until-dt=2020-03-11')).toBe(true)
    await move(granted.at)
  })

  test.each([
    ['from-dt=2026-01-03&until-dt=2026-01-02', "Invalid date filter: 'until-dt' must be greater than 'from-dt'"],
    ['from-dt=2026-02-30', 'Invalid parameter'],
    ['until-dt=today', 'Invalid parameter'],
    ['company-tax-id=11222333000182', 'Invalid parameter'],
    ['id=nothing', 'Invalid parameter'],
    ['id=', 'Invalid parameter'],
    ['at=today', 'Invalid parameter'],
    ['at=2026-11-21', 'Invalid parameter'],
    ['at=2026-02-30T00:00:00.000Z', 'Invalid parameter'],
    ['at=2026-11-21T13:05:09.120', 'Invalid parameter'],
    ['at=2026-11-21T25:05:09.120Z', 'Invalid parameter'],
    ['actor=', 'Invalid parameter'],
    ['actor=a&actor=b', 'Invalid parameter'],
    ['actr=a', 'Invalid parameter'],
  ])('gets 400 for %s', async (query, message) => {
    const response = await testApp.operator.get(`/operator/v1/audit?${query}`)
    expect([response.status, response.body.error]).toEqual([400, message])
  })

  test('has no row for what was refused', async () => {
    const before = (await list('')).pagination['total-items']
    await testApp.operator.delete('/operator/v1/client/nobody')
    await testApp.operator.post('/operator/v1/client', {})
    await testApp.operator.delete(`/operator/v1/client/${client.clientId}/company/11222333000182`)
    expect((await list('')).pagination['total-items']).toBe(before)
  })
})
