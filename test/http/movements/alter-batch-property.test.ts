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
  nextCpf,
  premium,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

/* A batch of alterations does what the same alterations do one by one, and refuses the same ones. */

const testApp = useTestApp()
let company: Company
let second: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company()
  second = await testApp.company()
  partner = await testApp.partner(company.taxId, second.taxId)
})

const products = {
  health: inProduct('health-insurance', health),
  dental: inProduct('dental-insurance', dental),
  premium: inProduct('health-insurance', premium),
}

const scenario = fc.array(
  fc.record({
    products: fc.subarray(['health', 'dental', 'premium'] as const, { minLength: 1 }),
    /** An exclusion of the first product is open before. */
    isLeaving: fc.boolean(),
    plan: fc.option(fc.constantFrom(premium, health, dental)),
    movesCompany: fc.boolean(),
    correctsTaxId: fc.boolean(),
    phone: fc.constantFrom(null, '11987654321', ''),
    start: fc.constantFrom(null, '2026-12-31', '2026-11-23', '2020-01-01'),
    reference: fc.option(fc.constantFrom('RH-1', 'RH-2')),
  }),
  { minLength: 1, maxLength: 3 },
)
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

interface Entry {
  readonly cpf: string
  readonly data: Json
  readonly reference: string | null
}

/** Includes the people of a scenario. */
async function include(wishes: Scenario): Promise<Entry[]> {
  const members = wishes.map((wish) => {
    const held: Json[] = wish.products.map((name) => products[name])
    const merged: Json = {}
    for (const one of held) for (const [type, some] of Object.entries<Json>(one)) (merged[type] ??= []).push(...some)
    return primary({ products: merged })
  })
  await testApp.include(partner, company, members, '?resolution=approve')
  const entries: Entry[] = []
  for (const [n, wish] of wishes.entries()) {
    const cpf: string = members[n]?.['tax-id']
    if (wish.isLeaving) {
      const [benefit] = expectOk(await partner.get(`/v1/benefit?member-tax-id=${cpf}`)).body.result.toSorted(
        (a: Json, b: Json) => a['product-name'].localeCompare(b['product-name']),
      )
      const details = { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' }
      const path = `/v1/enrollment/exclusion/${cpf}/benefit/${benefit['benefit-id']}`
      expectOk(await partner.post(path, { 'exclusion-details': details }))
    }
    const target = wish.movesCompany ? second : company
    const data = {
      ...(wish.plan !== null && { 'new-product-id': target.products[wish.plan] }),
      ...(wish.movesCompany && { 'new-company-tax-id': second.taxId }),
      ...(wish.correctsTaxId && { 'tax-id': nextCpf() }),
      ...(wish.phone !== null && { phone: wish.phone }),
      ...(wish.start !== null && { 'requested-start-date': wish.start }),
    }
    entries.push({ cpf, data, reference: wish.reference })
  }
  return entries
}

/** The fields that a batch refuses for each entry, or an open movement; null: accepted. */
async function requestAtOnce(entries: readonly Entry[]): Promise<(string[] | null)[]> {
  const members = entries.map(({ cpf, data, reference }) => ({
    'tax-id': cpf,
    'alteration-data': data,
    ...(reference === null ? {} : { reference }),
  }))
  const path = '/v1/enrollment/alteration'
  const body = { 'company-tax-id': company.taxId, members }
  const { body: response } = await partner.post(path, body, { prefer: 'handling=lenient' })
  if (response['request-id']) {
    expect((await testApp.finished(partner, response['request-id'])).status).toBe('completed')
  }
  const rejected = new Map<number, Json>((response.result ?? []).map((one: Json) => [one.index, one]))
  return entries.map((_, index) => {
    const one = rejected.get(index)
    return one === undefined ? null : one['offense-details'].map(({ code, field }: Json) => `${code} ${field}`)
  })
}

/** As `requestAtOnce`, with the errors as offenses. */
async function requestOneByOne(entries: readonly Entry[]): Promise<(string[] | null)[]> {
  const outcomes: (string[] | null)[] = []
  for (const { cpf, data, reference } of entries) {
    const response = await partner.post(`/v1/enrollment/alteration/${cpf}`, {
      'company-tax-id': company.taxId,
      'alteration-data': data,
      ...(reference === null ? {} : { reference }),
    })
    if (response.status === 200) outcomes.push(null)
    else if (response.status === 409) {
      const field = data['new-company-tax-id'] === undefined ? 'new-product-id' : 'new-company-tax-id'
      outcomes.push([`ongoing-enrollment alteration-data.${field}`])
    } else {
      expect(response.body.code).toBe('invalid-alteration-data')
      outcomes.push(response.body.details.map(({ field }: Json) => `invalid-alteration-data ${field}`))
    }
  }
  return outcomes
}

/** The alterations of the people, who are shown by their place. */
async function alterationsOf(entries: readonly Entry[]): Promise<string[]> {
  const cpfs = entries.map(({ cpf }) => cpf)
  const corrected = entries.flatMap(({ data }) => data['tax-id'] ?? [])
  const rows = await testApp.sql(
    `select e.member_tax_id as cpf, e.member_type, e.product_name, e.status, e.initial_status, e.effective_date::text,
       e.scheduled_action_date::text, e.scheduled_reason, e.reference, e.data::text, e.destination_company_id, e.destination_product_id,
       e.new_benefit_id is not null as moves
     from enrollment e where e.enrollment_type = 'alteration' and e.member_tax_id = any($1)`,
    [cpfs],
  )
  return rows
    .map(({ cpf, data, ...row }: Json) => {
      const shown = corrected.reduce((text: string, one: string) => text.replaceAll(one, 'corrected'), data)
      return JSON.stringify([cpfs.indexOf(cpf), row, shown])
    })
    .toSorted()
}

test('a batch has the result of the same alterations one by one', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(scenario, async (wishes) => {
      const [ours, theirs] = [await include(wishes), await include(wishes)]
      const [atOnce, oneByOne] = [await requestAtOnce(ours), await requestOneByOne(theirs)]
      for (const [n, single] of oneByOne.entries()) {
        // A batch lists every offense; an alteration of one member those of its first check.
        const inBatch = atOnce[n] ?? null
        if (single === null) expect(inBatch).toBe(null)
        else expect(inBatch).toEqual(expect.arrayContaining(single))
      }
      accepted += atOnce.filter((one) => one === null).length
      expect(await alterationsOf(ours)).toEqual(await alterationsOf(theirs))
    }),
    { numRuns: scaled(12, 100), seed: 27 },
  )
  expect(accepted).toBeGreaterThan(0)
  expect(await readViolations(testApp.sql)).toEqual({})
})
