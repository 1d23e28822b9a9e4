import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  inProduct,
  type Json,
  premium,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

/* A draft that is confirmed at once does what the batch does that is sent at once, and refuses the same entries. */

const testApp = useTestApp()
let companies: readonly [Company, Company]
let partner: Client

beforeAll(async () => {
  companies = [await testApp.company(), await testApp.company()]
  partner = await testApp.partner(...companies.map(({ taxId }) => taxId))
})

const products = {
  health: inProduct('health-insurance', health),
  dental: inProduct('dental-insurance', dental),
}

const scenario = fc.array(
  fc.record({
    held: fc.subarray(['health', 'dental'] as const, { minLength: 1 }),
    plan: fc.option(fc.constantFrom(premium, health, dental)),
    phone: fc.constantFrom(null, '11987654321', '1'),
    name: fc.constantFrom(null, 'Lúcia Ferraz Brandão'),
    start: fc.constantFrom(null, '2026-12-31', '2026-11-23', '2020-01-01'),
    reference: fc.option(fc.constantFrom('RH-1', 'RH-2')),
  }),
  { minLength: 1, maxLength: 3 },
)

test('a draft that is confirmed equals the batch', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (wishes) => {
      const [sent, drafted] = companies
      const outcomes = []
      for (const company of [sent, drafted]) {
        const people = wishes.map(({ held }) =>
          primary({ products: Object.assign({}, ...held.map((one) => products[one])) }),
        )
        await testApp.include(partner, company, people, '?resolution=approve')
        const members = wishes.map(({ plan, phone, name, start, reference }, index) => ({
          'tax-id': people[index]?.['tax-id'],
          'alteration-data': {
            ...(plan !== null && { 'new-product-id': company.products[plan] }),
            ...(phone !== null && { phone }),
            ...(name !== null && { name }),
            ...(start !== null && { 'requested-start-date': start }),
          },
          ...(reference !== null && { reference }),
        }))
        const body = { 'company-tax-id': company.taxId, members, reference: 'folha' }
        outcomes.push(await (company === sent ? outcomeOfBatch(body) : outcomeOfDraft(body)))
      }
      expect(outcomes[1]).toEqual(outcomes[0])
      expect(await readViolations(testApp.sql)).toEqual({})
    }),
    { numRuns: scaled(12, 60), seed: 51 },
  )
})

async function outcomeOfBatch(body: Json): Promise<Json> {
  const response = await partner.post('/v1/enrollment/alteration', body)
  return response.status === 200 ? outcomeOf(body, response.body['request-id']) : refused(response.body)
}

async function outcomeOfDraft(body: Json): Promise<Json> {
  const response = await partner.post('/v1/movement-draft', { ...body, movement: 'alteration' })
  if (response.status !== 200) return refused(response.body)
  const path = `/v1/movement-draft/${response.body.result['draft-id']}/confirm`
  const classes = { classes: ['correction', 'plan-change'] }
  const { result } = expectOk(await partner.post(path, classes, { prefer: 'wait=30' })).body
  expect(result['request-ids']).toHaveLength(1)
  return outcomeOf(body, result['request-ids'][0])
}

const refused = ({ code, result }: Json): Json => ({
  code,
  entries: result?.map((one: Json) => [one.index, one.offenses, one['offense-details']]),
})

/** What the request became, without ids: by the place of the person, its movements. */
async function outcomeOf(body: Json, requestId: string): Promise<Json> {
  const seen = await testApp.finished(partner, requestId)
  const people = []
  for (const member of body.members) {
    const parts = Object.entries<Json>(seen['status-by-tax-id'][member['tax-id']] ?? {})
    const movements = []
    for (const [name, part] of parts.toSorted()) {
      const { result } = expectOk(await partner.get(`/v1/enrollment/detail/${part['enrollment-id']}`)).body
      movements.push([
        name,
        result.status,
        result.reference,
        result['start-date'],
        result['member-type'],
        result['requested-by'],
      ])
    }
    people.push(movements)
  }
  return { status: seen.status, reference: seen.reference, people }
}
