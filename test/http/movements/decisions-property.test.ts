import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { scaled } from '../../scale.ts'
import {
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  premium,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

/*
 * The same people and movements in two companies: the decisions of one are made by a file, those of the other one by one.
 */

const testApp = useTestApp()

const health1 = inProduct('health-insurance', health, 'on-admission-date')
const both = { ...health1, ...inProduct('dental-insurance', dental, 'on-admission-date') }

/** What is open: inclusions of a whole family, or movements of one that has active benefits. */
const open = fc.constantFrom('inclusion', 'inclusion', 'exclusion', 'own-exclusion', 'change', 'data', 'newborn')

const family = fc.record({
  children: fc.nat({ max: 2 }),
  hasDental: fc.boolean(),
  movements: fc.uniqueArray(open, { minLength: 1, maxLength: 3 }),
})

const decision = fc.record({
  isSent: fc.constantFrom(true, true, true, true, false),
  status: fc.constantFrom(
    'completed',
    'completed',
    'completed',
    'rejected',
    'cancelled',
    'broker-processing',
    'carrier-processing',
    'pending-documents',
  ),
  card: fc.constantFrom(null, null, 'A', 'B'),
  start: fc.constantFrom(null, null, '2026-11-10', '2026-12-05'),
  end: fc.constantFrom(null, null, '2026-11-20', '2026-12-10'),
})

type Family = typeof family extends fc.Arbitrary<infer T> ? T : never
type Decision = typeof decision extends fc.Arbitrary<infer T> ? T : never

interface Tenant {
  readonly company: Company
  readonly partner: Client
}

interface People {
  readonly family: Family
  readonly mother: Json
  readonly children: readonly Json[]
  readonly newborn: Json
}

function peopleOf(one: Family): People {
  const products = one.hasDental ? both : health1
  const mother = primary({ products })
  const child = () => dependent(mother['tax-id'], { products })
  const newborn = dependent(mother['tax-id'], { products: health1 })
  return { family: one, mother, children: Array.from({ length: one.children }, child), newborn }
}

async function openTenant(): Promise<Tenant> {
  const company = await testApp.company()
  return { company, partner: await testApp.partner(company.taxId) }
}

/** Requests the movements; those that the service refuses are not open in the other company either. */
async function request({ company, partner }: Tenant, people: readonly People[]): Promise<void> {
  for (const { family: one, mother, children, newborn } of people) {
    const isNew = one.movements.includes('inclusion')
    await testApp.include(partner, company, [mother, ...children], isNew ? '' : '?resolution=approve')
    if (isNew) continue
    const details = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' } }
    const altered = `/v1/enrollment/alteration/${mother['tax-id']}`
    const excluded = (cpf: string) => `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`
    for (const movement of one.movements) {
      if (movement === 'newborn') await testApp.include(partner, company, [newborn])
      else if (movement === 'data') await partner.post(altered, { 'alteration-data': { phone: '11987654321' } })
      else if (movement === 'change')
        await partner.post(altered, { 'alteration-data': { 'new-product-id': company.products[premium] } })
      else {
        const who = movement === 'exclusion' ? mother : (children[0] ?? mother)
        await partner.post(excluded(who['tax-id']), details)
      }
    }
  }
}

/** What the company's people have and had, without ids and times. */
async function recordsOf({ company }: Tenant): Promise<Json> {
  const [row] = await testApp.sql(
    `select
       (select json_agg(json_build_array(e.member_tax_id, e.member_type, e.product_name, e.enrollment_type, e.status, e.reason,
           (select json_agg(json_build_array(h.status, h.actor, h.reason) order by h.step) from enrollment_history h
            where h.company_id = $1 and h.enrollment_id = e.id))
         order by e.member_tax_id, e.product_name, e.enrollment_type, e.member_type, e.status, e.reason) from enrollment e where e.company_id = $1) as enrollments,
       (select json_agg(json_build_array(m.tax_id, p.name, b.type, b.status, b.start_date, b.end_date, b.card_number)
         order by m.tax_id, p.name, b.type, b.status, b.start_date, b.end_date)
        from benefit b join member m on m.company_id = $1 and m.id = b.member_id
        join product p on p.company_id = $1 and p.id = b.product_id where b.company_id = $1) as benefits,
       (select json_agg(to_jsonb(m) - '{company_id,id,created_at,updated_at}'::text[] order by m.tax_id) from member m where m.company_id = $1) as members`,
    [company.id],
  )
  return row
}

/** The open enrollments: the same ones at the same places in both companies. */
async function openOf({ company }: Tenant): Promise<Json[]> {
  return testApp.sql(
    `select id, status, (member_type = 'dependent')::int + (primary_enrollment_id is not null)::int as rank from enrollment
     where company_id = $1 and status not in ('completed', 'rejected', 'cancelled')
     order by member_tax_id, product_name, enrollment_type, member_type`,
    [company.id],
  )
}

const bodyOf = ({ status, card, start, end }: Decision) => ({
  status,
  reason: 'sorteio',
  ...(card === null ? {} : { 'card-number': card }),
  ...(start === null ? {} : { 'start-date': start }),
  ...(end === null ? {} : { 'end-date': end }),
})

async function compare(
  families: readonly Family[],
  decisions: readonly Decision[],
  isReversed: boolean,
): Promise<void> {
  const [byFile, oneByOne] = [await openTenant(), await openTenant()]
  const people = families.map(peopleOf)
  for (const tenant of [byFile, oneByOne]) await request(tenant, people)
  const [ours, theirs] = [await openOf(byFile), await openOf(oneByOne)]
  expect(theirs.map(({ status, rank }) => [status, rank])).toEqual(ours.map(({ status, rank }) => [status, rank]))
  const sent = ours.flatMap((own, index) => {
    const decided = decisions[index % decisions.length] as Decision
    return decided.isSent ? [{ own, other: theirs[index], body: bodyOf(decided) }] : []
  })
  if (sent.length === 0) return
  const lines = sent.map(({ own, body }) => JSON.stringify({ 'enrollment-id': own.id, ...body }))
  const file = expectOk(
    await testApp.call('POST', '/operator/v1/enrollment/decision', {
      token: testApp.operator.token,
      body: Buffer.from((isReversed ? lines.toReversed() : lines).join('\n')),
      headers: { 'content-type': 'application/x-ndjson', prefer: 'wait=60' },
    }),
  ).body.result as Json[]
  const outcomes = new Map(file.map((item) => [item['enrollment-id'], item.code ?? 'moved']))
  const ordered = sent.toSorted((a, b) => a.other.rank - b.other.rank || (a.other.id < b.other.id ? -1 : 1))
  for (const { own, other, body } of ordered) {
    const response = await testApp.operator.post(`/operator/v1/enrollment/${other.id}/transition`, body)
    // In a file, one that another line took to that status counts as moved.
    const wasTaken = response.body.from === body.status && other.status !== body.status
    const outcome = response.status === 200 || wasTaken ? 'moved' : response.body.code
    expect([body.status, outcomes.get(own.id)]).toEqual([body.status, outcome])
  }
  expect(await recordsOf(byFile)).toEqual(await recordsOf(oneByOne))
}

test('a file of decisions, in any order of its lines, does what the same transitions do one by one, primaries first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(family, { minLength: 1, maxLength: 4 }),
      fc.array(decision, { minLength: 3, maxLength: 12 }),
      fc.boolean(),
      compare,
    ),
    { numRuns: scaled(4, 100), endOnFailure: true },
  )
  expect(await readViolations(testApp.sql)).toEqual({})
}, 3_600_000)
