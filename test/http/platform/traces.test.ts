import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Collector, openCollector } from '../../world/collector.ts'
import { type Client, type Company, expectOk, type TestApp, openTestApp, primary, until } from '../../world/test-app.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const given = `00-${traceId}-${spanId}-01`

describe('without a collector', () => {
  let testApp: TestApp
  beforeAll(async () => {
    testApp = await openTestApp()
  })
  afterAll(() => testApp?.close())

  test('the response continues the caller’s trace with a span of the service, also for errors', async () => {
    for (const path of ['/v1/health', '/v1/company', '/v1/nothing']) {
      const { headers } = await testApp.call('GET', path, { headers: { traceparent: given } })
      expect(headers.get('traceparent')).toMatch(new RegExp(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-01$`))
    }
    const quiet = await testApp.call('GET', '/v1/health', { headers: { traceparent: given.replace(/01$/, '00') } })
    expect(quiet.headers.get('traceparent')).toMatch(/-00$/)
    const later = await testApp.call('GET', '/v1/health', {
      headers: { traceparent: `cc-${traceId}-${spanId}-01-what-comes` },
    })
    expect(later.headers.get('traceparent')).toMatch(new RegExp(`^00-${traceId}-`))
  })

  test.each([
    ['none', undefined],
    ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['upper case', given.toUpperCase()],
    ['a version that is none', given.replace(/^00/, 'ff')],
    ['more than version 00 has', `${given}-52998224725`],
    ['words', 'Helena Brandao'],
    ['too short', given.slice(0, -1)],
    ['two of them', `${given}, ${given}`],
  ])('%s is answered with none', async (_what, traceparent) => {
    const headers = traceparent === undefined ? {} : { traceparent }
    const response = await testApp.call('GET', '/v1/health', { headers })
    expect([response.status, response.headers.get('traceparent')]).toEqual([200, null])
  })
})

describe('with a collector', () => {
  let collector: Collector
  let testApp: TestApp
  let company: Company
  let partner: Client
  beforeAll(async () => {
    collector = await openCollector()
    testApp = await openTestApp({ VIGENCIA_TRACES_URL: collector.url })
    company = await testApp.company()
    partner = await testApp.partner(company.taxId)
  })
  afterAll(async () => {
    await testApp?.close()
    await collector?.close()
  })

  const spansOf = (id: string) => collector.spans.filter((span) => span.traceId === id)

  test('a request is a span under the caller’s, its statements under it, by their kind and table', async () => {
    const response = expectOk(await partner.get(`/v1/company/${company.taxId}`, { traceparent: given }))
    const spans = await until(
      async () => spansOf(traceId),
      (some) => some.some(({ kind }) => kind === 2),
    )
    const request = spans.find(({ kind }) => kind === 2)
    expect(request).toMatchObject({
      name: 'GET /v1/company/:companyTaxId',
      parentSpanId: spanId,
      failed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/company/:companyTaxId',
        'http.response.status_code': 200,
        'vigencia.request_trace_id': response.headers.get('x-request-id'),
      },
    })
    expect(response.headers.get('traceparent')).toBe(`00-${traceId}-${request?.spanId}-01`)
    const statements = spans.filter(({ kind }) => kind === 3)
    expect(statements.length).toBeGreaterThan(0)
    for (const { name, parentSpanId, attributes } of statements) {
      expect(parentSpanId).toBe(request?.spanId)
      expect(name).toMatch(/^(with|select|insert into|update|delete from)( \w+)?$/)
      expect(attributes).toEqual({
        'db.system.name': 'postgresql',
        'db.query.summary': name,
        'vigencia.statement': expect.stringMatching(/^[\w-]{20}$/),
      })
    }
    expect(collector.resource).toMatchObject({ 'service.name': 'vigencia', 'service.version': '0.1.0' })
  })

  test('a request with a body has its statements too, and one without a trace begins its own', async () => {
    const body = { 'company-tax-id': company.taxId, members: [primary()] }
    const response = expectOk(await partner.post('/v1/enrollment/inclusion', body))
    const [, id = ''] = /^00-([0-9a-f]{32})-/.exec(response.headers.get('traceparent') ?? '') ?? []
    const spans = await until(
      async () => spansOf(id),
      (some) => some.some(({ kind }) => kind === 2),
    )
    expect(spans.find(({ kind }) => kind === 2)?.parentSpanId ?? '').toBe('')
    expect(spans.map(({ name }) => name)).toContain('POST /v1/enrollment/inclusion')
    expect(spans.filter(({ name }) => name === 'with request')).toHaveLength(1)
    await testApp.finished(partner, response.body['request-id'])
    await until(
      async () => collector.spans.map(({ name }) => name),
      (names) => ['worker inclusion', 'worker clock', 'worker audit'].every((name) => names.includes(name)),
    )
  })

  test('a caller that does not record its trace makes no spans', async () => {
    const quiet = 'a'.repeat(32)
    const response = await partner.get('/v1/company', { traceparent: `00-${quiet}-${spanId}-00` })
    expect(response.headers.get('traceparent')).toMatch(/-00$/)
    const other = 'b'.repeat(32)
    await partner.get('/v1/company', { traceparent: `00-${other}-${spanId}-01` })
    await until(
      async () => spansOf(other),
      (some) => some.length > 0,
    )
    expect(spansOf(quiet)).toEqual([])
  })
})

test('an unreachable collector delays neither responses nor the stop', async () => {
  const testApp = await openTestApp({ VIGENCIA_TRACES_URL: 'http://127.0.0.1:1/v1/traces' })
  expect((await testApp.call('GET', '/v1/health')).status).toBe(200)
  expect((await testApp.operator.get('/operator/v1/company')).status).toBe(200)
  await testApp.close()
})
