import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { invariants as ofCoverage } from '#coverage/invariants.ts'
import { invariants as ofMovements } from '#movements/invariants.ts'
import { addDays } from '#kernel/calendar.ts'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import { type Seen, seenAfter, seenBy } from './changes.ts'
import {
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  type Json,
  monday,
  nextCpf,
  useTestApp,
  premium,
  primary,
} from '../../world/test-app.ts'

/*
 * Random families, products and orders of movements, through HTTP, and after each of them what must never be otherwise.
 */

let today = monday
const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: monday })

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
    end: fc.option(days, { freq: 1 }),
  }),
  fc.record({ kind: fc.constant('correct' as const), who: person, there }),
  fc.record({ kind: fc.constant('answer' as const), which: fc.nat({ max: 30 }), days }),
  fc.record({ kind: fc.constant('cancel' as const), which: fc.nat({ max: 30 }) }),
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 6 }) }),
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The date that an answer to each type of movement corrects. */
const dateOfType: Record<string, string> = {
  inclusion: 'admission-date',
  exclusion: 'end-date',
  alteration: 'requested-start-date',
}

interface Scenario {
  company: Company
  other: Company
  partner: Client
  people: Json[]
}

/** A completed exclusion of a primary has the effect that was given, else asked for, also where the benefit had ended before. */
async function expectEnd(enrollment: Json, given: string | undefined): Promise<void> {
  if (enrollment['enrollment-type'] !== 'exclusion' || enrollment['member-type'] !== 'primary') return
  const [benefit] = await testApp.sql('select status, end_date from benefit where id = $1', [enrollment['benefit-id']])
  const day = enrollment['extension-plan'] ? null : (given ?? enrollment['end-date'])
  const status = day !== null && day <= today ? 'inactive' : 'active'
  expect(benefit).toEqual({ status, end_date: day })
}

/** Carries out a step; the service may refuse it, with a declared error. */
async function take(scenario: Scenario, one: Step): Promise<void> {
  const { company, other, partner, people } = scenario
  if (one.kind === 'wait') {
    today = addDays(today, one.days)
    await testApp.restart({ VIGENCIA_BUSINESS_DATE: today })
    return
  }
  if (one.kind === 'move' || one.kind === 'answer' || one.kind === 'cancel') {
    const queue = expectOk(
      await testApp.operator.get(`/operator/v1/enrollment?company-tax-id=${company.taxId}&items-per-page=100`),
    ).body.result
    const enrollment = queue[one.which % Math.max(queue.length, 1)]
    if (enrollment === undefined) return
    const transition = `/operator/v1/enrollment/${enrollment.id}/transition`
    const path = `/v1/enrollment/${enrollment.id}`
    if (one.kind === 'move') {
      const isEnd = enrollment['enrollment-type'] === 'exclusion' && one.status === 'completed' && one.end !== null
      const end = isEnd ? { 'end-date': addDays(today, one.end ?? 0) } : {}
      const response = await testApp.operator.post(transition, { status: one.status, reason: 'sorteio', ...end })
      // The day may be before the start of the benefit.
      expect(isEnd ? [200, 400, 409] : [200, 409]).toContain(response.status)
      if (response.status === 400) expect(response.body.code).toBe('before-start-date')
      if (response.status === 200 && one.status === 'completed') await expectEnd(enrollment, end['end-date'])
    } else if (one.kind === 'cancel') {
      expect([200, 409]).toContain((await partner.post(`${path}/cancel`, {})).status)
    } else {
      await testApp.operator.post(transition, { status: 'pending-correction', reason: 'sorteio' })
      const key = dateOfType[enrollment['enrollment-type']] ?? ''
      const response = await partner.post(`${path}/answer`, { data: { [key]: addDays(today, one.days) } })
      expect([200, 400, 409]).toContain(response.status)
    }
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
    const response = await partner.post(`/v1/enrollment/inclusion${one.resolution}`, {
      'company-tax-id': company.taxId,
      members: [member],
    })
    expect([200, 400]).toContain(response.status)
    if (response.status === 200) await testApp.finished(partner, response.body['request-id'])
    return
  }
  if (one.kind === 'correct') {
    const taxId = nextCpf()
    const response = await partner.post(`/v1/enrollment/alteration/${who['tax-id']}?resolution=approve`, {
      'company-tax-id': (one.there ? other : company).taxId,
      'alteration-data': { 'tax-id': taxId },
    })
    expect([200, 404]).toContain(response.status)
    if (response.status === 200 && !one.there) who['tax-id'] = taxId
    return
  }
  const day = addDays(today, one.days)
  if (one.kind === 'leave') {
    const response = await partner.post(`/v1/enrollment/alteration/${who['tax-id']}${one.resolution}`, {
      'company-tax-id': company.taxId,
      'alteration-data': { 'new-company-tax-id': other.taxId, 'requested-start-date': day },
    })
    expect([200, 400, 404, 409]).toContain(response.status)
    return
  }
  const target = (one.kind === 'exclude' && one.there ? other : company).products[one.product]
  const response =
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
  expect([200, 400, 404, 409]).toContain(response.status)
}

async function walk(steps: readonly Step[]): Promise<void> {
  const company = await testApp.company()
  const other = await testApp.company()
  const partner = await testApp.partner(company.taxId, other.taxId)
  const people = Array.from({ length: 6 }, () => primary({ 'admission-date': '2026-11-02' }))
  const scenario = { company, other, partner, people }
  // A family to begin with, so that most walks reach exclusions and changes.
  const [first, second] = people
  const family = [first, dependent(first?.['tax-id'], { 'tax-id': second?.['tax-id'], name: second?.['name'] })]
  await testApp.include(partner, company, family, '?resolution=approve')
  // One of the companies shows what happens in the other where people move to it.
  const clients = [partner, await testApp.partner(other.taxId)]
  let seen: readonly Seen[] = await Promise.all(clients.map(seenBy))
  for (const one of steps) {
    await take(scenario, one)
    const after = await Promise.all(clients.map((client, n) => seenAfter(client, seen[n] as Seen)))
    expect([one, after.flatMap(({ unlisted }) => unlisted)]).toEqual([one, []])
    seen = after
    expect([one, await readViolations(testApp.sql, null, [...ofMovements, ...ofCoverage])]).toEqual([one, {}])
  }
  expect(await readViolations(testApp.sql)).toEqual({})
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
    end: fc.option(ahead, { freq: 1 }),
  }),
  fc.record({ kind: fc.constant('answer' as const), which: fc.nat({ max: 30 }), days: ahead }),
  fc.record({ kind: fc.constant('cancel' as const), which: fc.nat({ max: 30 }) }),
)

test('whatever ends a primary and its dependents, in whatever order, no dependent outlives the primary', async () => {
  await fc.assert(fc.asyncProperty(fc.array(familyStep, { minLength: 4, maxLength: 10 }), walk), {
    numRuns: scaled(2, 100),
    endOnFailure: true,
  })
}, 3_600_000)

test('whatever the families, the products and the order of the movements, the invariants hold after each', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: scaled(14, 22) }), walk), {
    numRuns: scaled(1, 40),
    endOnFailure: true,
  })
}, 3_600_000)
