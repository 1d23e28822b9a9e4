import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InclusionFacts } from '../../src/domain/inclusion-facts.ts'
import { OFFENSES } from '../../src/domain/offenses.ts'
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
const facts: fc.Arbitrary<Partial<InclusionFacts>> = fc.record({
  benefits: fc.array(
    fc.record({ taxId, productId, type: role, status: fc.constantFrom('pending' as const, 'active' as const) }),
    { maxLength: 3 },
  ),
  openEnrollments: fc.array(fc.record({ taxId, productId, type: role }), { maxLength: 2 }),
  processing: fc.array(fc.record({ taxId, productId, admissionDate }), { maxLength: 2 }),
  primaries: fc.uniqueArray(fc.record({ taxId, admissionDate: fc.constant('2020-01-01') }), {
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

test('every accepted benefit has a start, and a scheduled date exactly when the start is in the future', () => {
  fc.assert(
    fc.property(batch, facts, (members, facts) => {
      for (const product of judged(members, facts).accepted.flatMap((one) => one.products)) {
        expect(product.startDate).toMatch(/^\d{4}-\d\d-\d\d$/)
        const isAhead = product.startDate > '2026-08-20'
        expect(product.scheduledActionDate).toBe(isAhead ? product.startDate : null)
        expect(product.scheduledReason === null).toBe(!isAhead)
      }
    }),
    { numRuns: 300 },
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
