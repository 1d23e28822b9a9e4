import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../src/rules/calendar.ts'
import {
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  type House,
  type Json,
  monday,
  openHouse,
  premium,
  primary,
} from './harness.ts'

/*
 * Random families, products and orders of movements, through HTTP, and after each of them what must never be otherwise.
 */

let house: House
let today = monday

beforeAll(async () => {
  house = await openHouse({ VIGENCIA_BUSINESS_DATE: today })
})

// fast-check gives up a walk at its time limit without waiting for the step under way, which may be a restart.
const given = { up: false }
let walking: Promise<void> = Promise.resolve()

afterAll(async () => {
  given.up = true
  try {
    await walking
  } finally {
    await house.close()
  }
})

const products = [health, premium, dental] as const
const typeOf = (product: string) => (product === dental ? 'dental-insurance' : 'health-insurance')
const resolution = fc.constantFrom('', '?resolution=approve', '?resolution=approve', '?resolution=reject')
const person = fc.nat({ max: 5 })
const product = fc.constantFrom(...products)
const days = fc.integer({ min: -3, max: 9 })
const start = fc.constantFrom('on-inclusion-date', 'on-inclusion-date', 'on-admission-date', 'on-next-billing-period')
/** Whether it is about the company that people move to. */
const there = fc.constantFrom(false, false, true)

const step = fc.oneof(
  fc.record({ kind: fc.constant('include' as const), who: person, of: fc.option(person), product, resolution, start }),
  fc.record({
    kind: fc.constant('exclude' as const),
    who: person,
    product,
    days,
    resolution,
    extended: fc.boolean(),
    there,
  }),
  fc.record({ kind: fc.constant('change' as const), who: person, product, days, resolution }),
  fc.record({ kind: fc.constant('leave' as const), who: person, days, resolution }),
  fc.record({
    kind: fc.constant('move' as const),
    which: fc.nat({ max: 30 }),
    status: fc.constantFrom(
      'broker-processing',
      'carrier-processing',
      'completed',
      'completed',
      'rejected',
      'cancelled',
    ),
  }),
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 6 }) }),
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface World {
  company: Company
  other: Company
  partner: Client
  people: Json[]
}

/** Carries out a step; the service may refuse it, but only with an answer of its own. */
async function take(world: World, one: Step): Promise<void> {
  const { company, other, partner, people } = world
  if (one.kind === 'wait') {
    today = addDays(today, one.days)
    await house.restart({ VIGENCIA_BUSINESS_DATE: today })
    return
  }
  if (one.kind === 'move') {
    const queue = expectOk(
      await house.operator.get(`/operator/v1/enrollment?company-tax-id=${company.taxId}&items-per-page=100`),
    ).body.result
    const id = queue[one.which % Math.max(queue.length, 1)]?.id
    if (id === undefined) return
    const body = { status: one.status, reason: 'sorteio' }
    const answer = await house.operator.post(`/operator/v1/enrollment/${id}/transition`, body)
    expect([200, 409]).toContain(answer.status)
    return
  }
  const who = people[one.who]
  if (one.kind === 'include') {
    const item = { [typeOf(one.product)]: [{ name: one.product, 'start-option': one.start }] }
    const of = one.of === null || one.of === one.who ? null : people[one.of]
    const member =
      of === null
        ? { ...who, products: item }
        : dependent(of['tax-id'], { 'tax-id': who['tax-id'], name: who['name'], products: item })
    const answer = await partner.post(`/v1/enrollment/inclusion${one.resolution}`, {
      'company-tax-id': company.taxId,
      members: [member],
    })
    expect([200, 400]).toContain(answer.status)
    if (answer.status === 200) await house.finished(partner, answer.body['request-id'])
    return
  }
  const day = addDays(today, one.days)
  if (one.kind === 'leave') {
    const answer = await partner.post(`/v1/enrollment/alteration/${who['tax-id']}${one.resolution}`, {
      'company-tax-id': company.taxId,
      'alteration-data': { 'new-company-tax-id': other.taxId, 'requested-start-date': day },
    })
    expect([200, 400, 404, 409]).toContain(answer.status)
    return
  }
  const target = (one.kind === 'exclude' && one.there ? other : company).products[one.product]
  const answer =
    one.kind === 'exclude'
      ? await partner.post(`/v1/enrollment/exclusion/${who['tax-id']}/product/${target}${one.resolution}`, {
          'exclusion-details': {
            'end-date': day,
            'exclusion-reason': 'dismissal',
            'extension-plan': one.extended && one.days > 6,
          },
        })
      : await partner.post(`/v1/enrollment/alteration/${who['tax-id']}${one.resolution}`, {
          'company-tax-id': company.taxId,
          'alteration-data': { 'new-product-id': target, 'requested-start-date': day },
        })
  expect([200, 400, 404, 409]).toContain(answer.status)
}

/** What never holds, as SQL that must find nothing. */
const never: Record<string, string> = {
  'two benefits in force of one member, product and role': `select member_id, product_id, type from benefit
    where status in ('pending', 'active') group by company_id, member_id, product_id, type having count(*) > 1`,
  'a dependent who outlives its primary in a product': `select d.id from benefit d where d.type = 'dependent' and d.status = 'active'
    and not exists (select 1 from benefit p where p.company_id = d.company_id and p.member_id = d.primary_member_id
      and p.product_id = d.product_id and p.type = 'primary' and p.status = 'active')`,
  'a dependent whose last day comes after its primary’s in a product': `select d.id from benefit d
    where d.type = 'dependent' and (d.status <> 'pending' or d.replaces_id is not null)
      and coalesce(d.end_date, 'infinity') >= d.start_date and coalesce(d.end_date, 'infinity') > (
        select max(coalesce(p.end_date, 'infinity')) from benefit p where p.company_id = d.company_id and p.type = 'primary'
          and p.member_id = d.primary_member_id and p.product_id = d.product_id and (p.status <> 'pending' or p.replaces_id is not null)
          and p.start_date <= coalesce(d.end_date, 'infinity'))`,
  'a void benefit that is in force': `select id from benefit where status <> 'inactive' and end_date < start_date
    and not exists (select 1 from benefit n where n.replaces_id = benefit.id and n.status = 'pending')`,
  'a dependent whom an extension plan keeps without the primary': `select d.id from benefit d
    where d.type = 'dependent' and d.status = 'active' and d.extension_plan and d.end_date is null and not exists (
      select 1 from benefit p where p.company_id = d.company_id and p.member_id = d.primary_member_id
        and p.product_id = d.product_id and p.type = 'primary' and p.status = 'active' and p.extension_plan)`,
  'a gap or an overlap at a plan change': `select n.id from benefit n join benefit o on o.id = n.replaces_id
    where o.end_date + 1 <> n.start_date`,
  'a member without any benefit': `select m.id from member m where not exists
    (select 1 from benefit b where b.company_id = m.company_id and b.member_id = m.id)`,
  'a pending benefit that nothing will begin': `select b.id from benefit b where b.status = 'pending' and b.replaces_id is null
    and not exists (select 1 from enrollment e where e.benefit_id = b.id and e.enrollment_type = 'inclusion'
      and e.status not in ('completed', 'rejected', 'cancelled'))`,
  'a trace of a refused inclusion': `select e.id from enrollment e join benefit b on b.id = e.benefit_id
    where e.enrollment_type = 'inclusion' and e.status in ('rejected', 'cancelled')`,
  'a state that the history does not end with': `select e.id from enrollment e
    join lateral (select h.status from enrollment_history h where h.enrollment_id = e.id order by h.step desc limit 1) l on true
    where l.status <> e.status`,
  'two open movements that would end one benefit': `select benefit_id from enrollment
    where (enrollment_type = 'exclusion' or new_benefit_id is not null) and status not in ('completed', 'rejected', 'cancelled')
    group by company_id, benefit_id having count(*) > 1`,
}

async function walk(steps: readonly Step[]): Promise<void> {
  const company = await house.company()
  const other = await house.company()
  const partner = await house.partner(company.taxId, other.taxId)
  const people = Array.from({ length: 6 }, () => primary({ 'admission-date': '2026-11-02' }))
  const world = { company, other, partner, people }
  // A family to begin with, so that most walks reach exclusions and changes.
  const [first, second] = people
  const family = [first, dependent(first?.['tax-id'], { 'tax-id': second?.['tax-id'], name: second?.['name'] })]
  await house.include(partner, company, family, '?resolution=approve')
  for (const one of steps) {
    if (given.up) return
    await take(world, one)
    for (const [name, text] of Object.entries(never))
      expect([name, one, await house.sql(text)]).toEqual([name, one, []])
  }
}

/*
 * One family in one or two products, days further apart and no waiting: ends of a primary and of its dependents, in every order.
 */
const member = fc.nat({ max: 2 })
const plan = fc.constantFrom(health, health, premium)
const ahead = fc.integer({ min: -3, max: 60 })
const mostly = fc.constantFrom('?resolution=approve', '?resolution=approve', '?resolution=approve', '')
const familyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('include' as const),
    who: fc.integer({ min: 1, max: 2 }),
    of: fc.constant(0),
    product: plan,
    resolution: mostly,
    start,
  }),
  fc.record({
    kind: fc.constant('exclude' as const),
    who: member,
    product: plan,
    days: ahead,
    resolution: mostly,
    extended: fc.boolean(),
    there: fc.constant(false),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    who: fc.constant(0),
    product: plan,
    days: ahead,
    resolution: mostly,
  }),
  fc.record({ kind: fc.constant('leave' as const), who: fc.constant(0), days: ahead, resolution: mostly }),
  fc.record({
    kind: fc.constant('move' as const),
    which: fc.nat({ max: 30 }),
    status: fc.constantFrom('completed', 'completed', 'rejected'),
  }),
)

test('whatever ends a primary and its dependents, in whatever order, no dependent outlives the primary', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(familyStep, { minLength: 4, maxLength: 10 }), (steps) => (walking = walk(steps))),
    { seed: 20_261_123, numRuns: 20, endOnFailure: true },
  )
}, 120_000)

test('whatever the families, the products and the order of the movements, the invariants hold after each', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 22 }), (steps) => (walking = walk(steps))),
    {
      seed: 20_261_123,
      numRuns: 25,
      endOnFailure: true,
      interruptAfterTimeLimit: 25_000,
      markInterruptAsFailure: false,
    },
  )
}, 120_000)
