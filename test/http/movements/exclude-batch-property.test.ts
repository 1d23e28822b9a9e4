import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import {
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

/* A batch of exclusions does what the same exclusions do one by one, those of dependents first. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const since = '2026-11-02'
const both = [health, dental]
const covers = (names: readonly string[]): Json =>
  Object.assign(
    {},
    ...names.map((name) =>
      inProduct(name === health ? 'health-insurance' : 'dental-insurance', name, 'on-admission-date'),
    ),
  )

const someProducts = fc.constantFrom([health], [dental], both)
const entry = fc.option(
  fc.record({
    by: fc.constantFrom('company', 'product', 'benefit', 'primary'),
    which: fc.nat({ max: 9 }),
    days: fc.nat({ max: 45 }),
    extended: fc.boolean(),
    reference: fc.option(fc.constantFrom('RH-1', 'RH-2')),
  }),
)
const scenario = fc.array(
  fc.record({
    products: someProducts,
    entry,
    dependents: fc.array(fc.record({ products: someProducts, entry }), { maxLength: 3 }),
    /** The primary of the next family is a dependent here, too. */
    isMarried: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
)
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

/** Includes the people of a scenario. @returns their CPFs, in the order of the scenario. */
async function include(families: Scenario): Promise<string[]> {
  const mothers: Json[] = families.map(({ products }) =>
    primary({ 'admission-date': since, products: covers(products) }),
  )
  const people = families.flatMap(({ products, dependents }, n) => [
    mothers[n],
    ...dependents.map((one) => {
      const shared = products.filter((name) => one.products.includes(name))
      return dependent(mothers[n]['tax-id'], { products: covers(shared.length > 0 ? shared : products) })
    }),
  ])
  await testApp.include(partner, company, people, '?resolution=approve')
  const spouses = families.flatMap(({ isMarried, products }, n) =>
    isMarried && n + 1 < families.length
      ? [
          dependent(mothers[n]['tax-id'], {
            'tax-id': mothers[n + 1]['tax-id'],
            'dependent-type': 'spouse',
            products: covers(products),
          }),
        ]
      : [],
  )
  if (spouses.length > 0) await testApp.include(partner, company, spouses, '?resolution=approve')
  return people.map((one) => one['tax-id'])
}

const benefits = async (cpf: string): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/benefit?member-tax-id=${cpf}&include-inactive=true`)).body.result.toSorted(
    (a: Json, b: Json) => nameOf(a).localeCompare(nameOf(b)),
  )
const nameOf = (one: Json) => `${one.type} ${one['product-name']}`

/** The entries of a scenario for its people, each with the benefits that it selects. */
async function entriesFor(families: Scenario, cpfs: readonly string[]): Promise<{ sent: Json; selected: Json[] }[]> {
  const wishes = families.flatMap(({ entry: own, dependents }) => [own, ...dependents.map((one) => one.entry)])
  const entries = []
  for (const [n, wish] of wishes.entries()) {
    if (wish === null) continue
    const cpf = cpfs[n] ?? ''
    const held = await benefits(cpf)
    const one: Json = held[wish.which % held.length]
    const inProductToo = held.filter((other) => other['product-id'] === one['product-id'])
    let [selector, selected]: [Json, Json[]] = [{}, held]
    if (wish.by === 'benefit') [selector, selected] = [{ 'benefit-id': one['benefit-id'] }, [one]]
    if (wish.by === 'product' && inProductToo.length === 1) {
      ;[selector, selected] = [{ 'product-id': one['product-id'] }, [one]]
    }
    if (wish.by === 'primary' && one.type === 'dependent') {
      selector = { 'primary-member-tax-id': one['primary-member-tax-id'] }
      selected = held.filter((other) => other['primary-member-tax-id'] === one['primary-member-tax-id'])
    }
    const details = {
      'end-date': addDays(since, wish.days),
      'exclusion-reason': 'dismissal',
      'extension-plan': wish.extended && selected.every(({ type }) => type === 'primary'),
    }
    const reference = wish.reference === null ? {} : { reference: wish.reference }
    entries.push({ sent: { 'tax-id': cpf, ...selector, 'exclusion-details': details, ...reference }, selected })
  }
  return entries
}

async function requestAtOnce(entries: readonly { sent: Json }[]): Promise<void> {
  const body = { 'company-tax-id': company.taxId, members: entries.map(({ sent }) => sent) }
  const response = expectOk(await partner.post('/v1/enrollment/exclusion', body))
  const shown = await testApp.finished(partner, response.body['request-id'])
  expect(shown.status).toBe('completed')
}

async function requestOneByOne(entries: readonly { sent: Json; selected: Json[] }[]): Promise<void> {
  const calls = entries.flatMap(({ sent, selected }) => selected.map((benefit) => ({ sent, benefit })))
  for (const { sent, benefit } of calls.toSorted((a, b) => a.benefit.type.localeCompare(b.benefit.type))) {
    const { 'exclusion-details': details, reference } = sent
    const path = `/v1/enrollment/exclusion/${sent['tax-id']}/benefit/${benefit['benefit-id']}`
    expectOk(await partner.post(path, { 'exclusion-details': details, ...(reference ? { reference } : {}) }))
  }
}

interface Exclusion {
  readonly id: string
  readonly shown: string
}

/** The open exclusions of the people, who are shown by their place. */
async function exclusionsOf(cpfs: readonly string[]): Promise<Exclusion[]> {
  const rows = await testApp.sql(
    `select e.id, e.member_tax_id as cpf, e.member_type, e.product_name, e.status, e.effective_date::text, e.scheduled_action_date::text,
       e.scheduled_reason, e.reference, e.data, p.member_tax_id as primary_cpf
     from enrollment e left join enrollment p on p.company_id = e.company_id and p.id = e.primary_enrollment_id
     where e.enrollment_type = 'exclusion' and e.member_tax_id = any($1)`,
    [cpfs],
  )
  return rows
    .map(({ id, cpf, primary_cpf: primaryCpf, ...row }) => ({
      id,
      shown: JSON.stringify([cpfs.indexOf(cpf), cpfs.indexOf(primaryCpf), row]),
    }))
    .toSorted((a, b) => a.shown.localeCompare(b.shown))
}

/** Completes the exclusions, and reads what everybody has then. */
async function complete(exclusions: readonly Exclusion[], cpfs: readonly string[]): Promise<unknown[]> {
  const body = { 'enrollment-ids': exclusions.map(({ id }) => id), status: 'completed' }
  const { result } = expectOk(await testApp.operator.post('/operator/v1/enrollment/transition', body)).body
  for (const one of result) expect(one).toMatchObject({ status: 'completed' })
  const left = []
  for (const cpf of cpfs) {
    left.push((await benefits(cpf)).map((one) => [nameOf(one), one.status, one['end-date'], one['extension-plan']]))
  }
  return left
}

test('a batch has the result of the same exclusions one by one', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (families) => {
      const [ours, theirs] = [await include(families), await include(families)]
      const [batch, single] = [await entriesFor(families, ours), await entriesFor(families, theirs)]
      fc.pre(batch.length > 0)
      await requestAtOnce(batch)
      await requestOneByOne(single)
      const [atOnce, oneByOne] = [await exclusionsOf(ours), await exclusionsOf(theirs)]
      expect(atOnce.map(({ shown }) => shown)).toEqual(oneByOne.map(({ shown }) => shown))
      expect(await complete(atOnce, ours)).toEqual(await complete(oneByOne, theirs))
    }),
    { numRuns: scaled(4, 100) },
  )
  expect(await readViolations(testApp.sql)).toEqual({})
})
