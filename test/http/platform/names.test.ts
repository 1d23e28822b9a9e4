import { describe, expect, test } from 'vitest'
import {
  companyBody,
  expectOk,
  type Json,
  nextCnpj,
  nextCpf,
  useTestApp,
  primary,
  useCompany,
} from '../../world/test-app.ts'
import { csv, holder, ndjson, sendImport } from '../../world/import.ts'
import { invoiceBody } from '../../world/invoice.ts'

/* Names of people lose control characters and marks that nobody sees; others with them are refused. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
const bad = ['Ana\u0007Lima', 'Ana\u0085Lima', '\u202eamiL anA', 'Ana\u2066Lima', 'Ana\u200fLima', 'Ana\u061cLima']

const shown = ['AnaLima', 'AnaLima', 'amiL anA', 'AnaLima', 'AnaLima', 'AnaLima']

async function profileOf(taxId: string): Promise<Json> {
  const [row] = await testApp.sql(
    `select name, mothers_name as "mothers-name", details->>'job-title' as "job-title" from member where tax_id = $1`,
    [taxId],
  )
  return row
}

describe('of members', () => {
  test.each(bad.map((sent, index) => [sent, shown[index]] as const))(
    'an inclusion of %j stores %j, and its CPF between marks is read',
    async (name, stored) => {
      const taxId = nextCpf()
      const member = primary({
        name,
        'mothers-name': `${name}\u200b`,
        'job-title': name,
        'tax-id': `\u202a${taxId}\u202c`,
      })
      await testApp.include(partner, company, [member])
      expect(await profileOf(taxId)).toMatchObject({
        name: stored,
        'mothers-name': stored,
        'job-title': stored,
      })
    },
  )

  test('lines of an import are stored in normal form, as NDJSON and as CSV', async () => {
    const lines = bad.map((name) => holder(company, { name, 'mothers-name': `Conceic\u0327a\u0303o${name}` }))
    const marked = lines.map((line) => ({ ...line, 'tax-id': `\u202a${line['tax-id']}\u202c` }))
    for (const [body, type] of [
      [ndjson(marked), 'application/x-ndjson'],
      [csv(marked), 'text/csv'],
    ] as const) {
      expect(expectOk(await sendImport(testApp.operator, body, { type })).body).toMatchObject({
        accepted: 6,
        rejected: 0,
      })
      for (const [index, line] of lines.entries()) {
        const stored = { name: shown[index], 'mothers-name': `Conceição${shown[index]}` }
        expect(await profileOf(line['tax-id'] as string)).toMatchObject(stored)
      }
    }
  })

  const nothing = ['NULL', '#N/A', 'N/A', '0', '-', 'nan', 'undefined', '(vazio)', 'Jos\ufffd Lima']
  test('that are words for nothing, or lost characters, are refused in JSON and files', async () => {
    const members = nothing.map((name) => primary({ name }))
    const body = { 'company-tax-id': company.taxId, members }
    const response = await partner.post('/v1/enrollment/inclusion', body)
    expect([response.status, response.body.result.map(({ offenses }: Json) => offenses)]).toEqual([
      400,
      nothing.map(() => ['invalid-name']),
    ])
    const lines = nothing.map((name) => holder(company, { name }))
    for (const [sent, type, first] of [
      [ndjson(lines), 'application/x-ndjson', 1],
      [csv(lines), 'text/csv', 2],
    ] as const) {
      const { errors } = expectOk(await sendImport(testApp.operator, sent, { type })).body
      expect(errors).toEqual(nothing.map((_, n) => ({ line: n + first, offenses: ['invalid-name'] })))
    }
  })

  test('with signs of a wrong encoding are taken with a warning, in JSON and files', async () => {
    const wrong = ['ConceiÃ§Ã£o Lima', 'JosÃ© Lima', 'Ã‡elik', 'Jo?o Lima']
    const members = [primary(), ...wrong.map((name) => primary({ name })), primary({ 'address-city': 'SÃ£o Paulo' })]
    const inclusion = await partner.post('/v1/enrollment/inclusion', { 'company-tax-id': company.taxId, members })
    expect(expectOk(inclusion).body.warnings.map((one: Json) => [one.index, one.warning, one.field])).toEqual([
      ...wrong.map((_, n) => [n + 1, 'suspicious-text', 'name']),
      [wrong.length + 1, 'suspicious-text', 'address-city'],
    ])
    const lines = [holder(company), ...wrong.map((name) => holder(company, { name }))]
    for (const [sent, type, first] of [
      [ndjson(lines), 'application/x-ndjson', 2],
      [csv(lines), 'text/csv', 3],
    ] as const) {
      const { rejected, warnings } = expectOk(await sendImport(testApp.operator, sent, { type })).body
      const expected = wrong.map((_, n) => ({ warning: 'suspicious-text', field: 'name', line: n + first }))
      expect([rejected, warnings]).toEqual([0, expected])
    }
  })

  test('an alteration stores the normal form, and refuses words for nothing', async () => {
    const member = holder(company)
    expectOk(await sendImport(testApp.operator, ndjson([member])))
    const path = `/v1/enrollment/alteration/${member['tax-id']}`
    const keys = ['name', 'preferred-name', 'mothers-name', 'bank-account-owners-name']
    for (const name of nothing) {
      const refused = await partner.post(path, {
        'alteration-data': Object.fromEntries(keys.map((key) => [key, name])),
      })
      expect([refused.status, refused.body.error]).toEqual([400, 'Invalid alteration-data'])
      expect(refused.body.details).toMatchObject(
        keys.map((key) => ({ field: `alteration-data.${key}`, code: 'invalid' })),
      )
    }
    const taken = await partner.post(path, {
      'alteration-data': { 'preferred-name': '\u202eAna\u200b', phone: '5511987654321' },
    })
    expect(taken.status).toBe(200)
  })
})

describe('of companies, products, carriers, clients and operators', () => {
  const [product] = companyBody.products
  const calls: [string, string, (name: string) => [method: 'put' | 'post', path: string, body: Json]][] = [
    ['a company', 'name', (name) => ['put', `/operator/v1/company/${nextCnpj()}`, { ...companyBody, name }]],
    [
      'a product',
      'products[0].product-name',
      (name) => [
        'put',
        `/operator/v1/company/${nextCnpj()}`,
        { ...companyBody, products: [{ ...product, 'product-name': name }] },
      ],
    ],
    [
      'a carrier',
      'products[0].carrier-name',
      (name) => [
        'put',
        `/operator/v1/company/${nextCnpj()}`,
        { ...companyBody, products: [{ ...product, 'carrier-name': name }] },
      ],
    ],
    [
      "an invoice's carrier",
      'carrier-name',
      (name) => ['put', '/operator/v1/invoice/names-1', invoiceBody(company, { 'carrier-name': name })],
    ],
    ['a client', 'name', (name) => ['post', '/operator/v1/client', { name }]],
    ['an operator', 'name', (name) => ['post', '/operator/v1/operator', { name, role: 'analyst' }]],
  ]
  test.each(calls)('%s', async (_what, field, call) => {
    for (const name of bad) {
      const [method, path, body] = call(name)
      const response = await testApp.operator[method](path, body)
      expect([response.status, response.body.error, response.body.details]).toEqual([
        400,
        'Invalid body',
        [{ field, code: 'invalid-name' }],
      ])
    }
    const [method, path, body] = call('José d’Ávila 李 محمد')
    expectOk(await testApp.operator[method](path, body))
  })
})
