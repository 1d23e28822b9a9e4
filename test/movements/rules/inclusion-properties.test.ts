import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InclusionFacts } from '#movements/rules/inclusion-facts.ts'
import { OFFENSES } from '#kernel/offenses.ts'
import {
  choose,
  cpf,
  DENTAL,
  dependent,
  HEALTH,
  idOf,
  judged,
  offensesOf,
  PREMIUM,
  primary,
} from './inclusion-company.ts'
import type { Sent } from './inclusion-company.ts'

const person = fc.integer({ min: 1, max: 6 })
const option = fc.constantFrom('on-inclusion-date', 'on-admission-date', 'on-next-billing-period', 'tomorrow', null)
const item = fc.record({ name: fc.constantFrom(HEALTH, PREMIUM, DENTAL, 'Fantasma', null), 'start-option': option })
const products = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(choose(HEALTH), choose(PREMIUM), choose(HEALTH, 'on-admission-date')) },
  fc.dictionary(fc.constantFrom('health-insurance', 'dental-insurance'), fc.array(item, { maxLength: 3 })),
  fc.anything(),
)
const flaw = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.constant({ 'admission-date': '2026-08-01' }),
  fc.constantFrom<Sent>({ phone: 'x' }, { 'beneficiary-type': 'boss' }, { 'tax-id': '1' }, { 'admission-date': 'x' }),
  fc.dictionary(fc.constantFrom('name', 'gender', 'salary', 'documents', 'email-private', 'tax-id'), fc.anything()),
)
const member: fc.Arbitrary<Sent> = fc
  .tuple(fc.boolean(), person, person, products, flaw)
  .map(([isPrimary, n, of, products, flaw]) =>
    isPrimary ? primary(n, { products, ...flaw }) : dependent(n, of, { products, ...flaw }),
  )
const batch = fc.array(member, { minLength: 1, maxLength: 10 })
const productId = fc.constantFrom(idOf(HEALTH), idOf(PREMIUM), idOf(DENTAL))
const taxId = person.map(cpf)
const role = fc.constantFrom('primary' as const, 'dependent' as const)
const admissionDate = fc.option(fc.constantFrom('2020-01-01', '2026-12-01'))
const startDate = fc.constantFrom('2020-01-01', '2026-08-20', '2026-12-01')
const dateOfBirth = fc.constantFrom('1980-01-01', '2026-08-01')
const facts: fc.Arbitrary<Partial<InclusionFacts>> = fc.record({
  benefits: fc.array(
    fc.record({
      taxId,
      productId,
      productType: fc.constantFrom('health-insurance', 'dental-insurance'),
      type: role,
      status: fc.constantFrom('pending' as const, 'active' as const),
      startDate,
    }),
    { maxLength: 3 },
  ),
  formerCover: fc.array(
    fc.record({ taxId, productId, type: role, endDate: fc.constantFrom('2020-06-30', '2026-08-20') }),
    { maxLength: 2 },
  ),
  spouses: fc.array(fc.record({ primaryTaxId: taxId, productId, taxId }), { maxLength: 2 }),
  openEnrollments: fc.array(fc.record({ taxId, productId, type: role }), { maxLength: 2 }),
  processing: fc.array(fc.record({ taxId, productId, admissionDate, dateOfBirth, startDate }), { maxLength: 2 }),
  primaries: fc.uniqueArray(fc.record({ taxId, admissionDate: fc.constant('2020-01-01'), dateOfBirth }), {
    maxLength: 3,
    selector: (known) => known.taxId,
  }),
})

test('offenses are sorted, unique and of the closed list, and every member is either accepted or rejected', () => {
  fc.assert(
    fc.property(batch, facts, (members, facts) => {
      const { accepted, rejected } = judged(members, facts)
      for (const { offenses } of rejected) {
        expect(offenses).toEqual(OFFENSES.filter((offense) => offenses.includes(offense)))
        expect(offenses.length).toBeGreaterThan(0)
      }
      const indexes = [...accepted, ...rejected].map((entry) => entry.index).sort((a, b) => a - b)
      expect(indexes).toEqual(members.map((_, index) => index))
    }),
    { numRuns: 500 },
  )
})

test('every accepted benefit has a start; a scheduled date is that start, in the future', () => {
  fc.assert(
    fc.property(batch, facts, (members, facts) => {
      for (const product of judged(members, facts).accepted.flatMap((one) => one.products)) {
        const { startDate, startOption, scheduledActionDate, scheduledReason } = product
        expect(startDate).toMatch(/^\d{4}-\d\d-\d\d$/)
        expect(scheduledReason === null).toBe(scheduledActionDate === null)
        if (scheduledActionDate !== null) expect(scheduledActionDate).toBe(startDate)
        const isScheduled = scheduledActionDate !== null && startDate > '2026-08-20'
        expect(isScheduled).toBe(scheduledActionDate !== null)
        if (startOption === 'on-next-billing-period') expect(isScheduled).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('no accepted benefit starts within former cover, and no dependent’s before the primary’s', () => {
  fc.assert(
    fc.property(batch, facts, (members, facts) => {
      const { accepted, warnings } = judged(members, facts)
      const warned = (index: number) => warnings.filter((one) => one.index === index && one['start-date'] !== undefined)
      for (const { index, taxId, type, primaryTaxId, products } of accepted) {
        for (const { productId, startDate } of products) {
          const former = (facts.formerCover ?? []).findLast(
            (one) => one.taxId === taxId && one.type === type && one.productId === productId,
          )
          expect(former === undefined || startDate > former.endDate).toBe(true)
          const inBatch = accepted
            .filter((one) => one.taxId === primaryTaxId && one.type === 'primary')
            .flatMap((one) => one.products.filter((product) => product.productId === productId))
          const inCompany = (facts.benefits ?? []).filter(
            (one) => one.taxId === primaryTaxId && one.type === 'primary' && one.productId === productId,
          )
          // Several benefits in force of one person and product are no facts of a company.
          const starts = inCompany.length > 1 ? [] : [...inCompany, ...(inCompany.length > 0 ? [] : inBatch)]
          for (const primaryStart of starts) expect(startDate >= primaryStart.startDate).toBe(true)
        }
        const dates = warned(index).map((one) => one['start-date'])
        expect(
          dates.every((date) => products.some((product) => date === product.startDate || date! < product.startDate)),
        ).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('the order of a batch changes no offenses', () => {
  const shuffled = batch.chain((members) =>
    fc.tuple(
      fc.constant(members),
      fc.shuffledSubarray(
        members.map((_, index) => index),
        { minLength: members.length, maxLength: members.length },
      ),
    ),
  )
  fc.assert(
    fc.property(shuffled, facts, ([members, order], facts) => {
      const straight = offensesOf(members, facts)
      const mixed = offensesOf(
        order.map((index) => members[index] as Sent),
        facts,
      )
      expect(mixed).toEqual(order.map((index) => straight[index]))
    }),
    { numRuns: 500 },
  )
})

// Without a known admission date, a dependent may take it from an entry that was refused; the facts here have them.
test('the accepted members have no offenses without the others', () => {
  fc.assert(
    fc.property(batch, facts, (members, facts) => {
      fc.pre((facts.benefits ?? []).every((one) => facts.primaries?.some((known) => known.taxId === one.taxId)))
      fc.pre((facts.processing ?? []).every((one) => one.admissionDate !== null))
      const taken = judged(members, facts).accepted.map((one) => members[one.index] as Sent)
      expect(offensesOf(taken, facts).flat()).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('no member makes the judge throw', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.anything()), { minLength: 1 }), facts, (members, facts) => {
      expect(judged(members, facts).rejected).toHaveLength(members.length)
    }),
  )
})
