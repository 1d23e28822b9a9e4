import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportFacts, type KnownBenefit, runsOf } from '#movements/rules/import-state.ts'
import { type ImportJudgement, judgeImport } from '#movements/rules/import-judge.ts'
import { type ImportLine, parseImportLine } from '#movements/rules/import-line.ts'
import { cpfAt } from '../../data/people.ts'

const today = '2026-11-23'
const companyTaxId = '12ABC34501DE35'
const cpf = (n: number) => cpfAt(n)
const products = ['ouro', 'prata'].map((nameKey) => ({ id: nameKey, nameKey, dependentTypes: ['child'] }))
const empty: ImportFacts = {
  companies: [{ id: 'company', taxId: companyTaxId, products }],
  people: [],
  benefits: [],
  openTransfers: [],
}

let serial = 0
function line(n: number, overrides: Record<string, unknown> = {}): ImportLine {
  const sent = {
    'company-tax-id': companyTaxId,
    'beneficiary-type': 'primary',
    name: `P${n}`,
    'tax-id': cpf(n),
    'mothers-name': 'Rita',
    'date-of-birth': '1980-01-01',
    gender: 'female',
    'product-name': 'Ouro',
    'start-date': '2025-01-01',
    ...overrides,
  }
  serial += 1
  return parseImportLine(serial, sent)
}

function dependent(n: number, of: number, overrides: Record<string, unknown> = {}): ImportLine {
  return line(n, {
    'beneficiary-type': 'dependent',
    'primary-member-tax-id': cpf(of),
    'dependent-type': 'child',
    ...overrides,
  })
}

function judged(lines: readonly ImportLine[], facts: ImportFacts = empty): ImportJudgement {
  return judgeImport(lines, facts, { today, newId: () => `new-${(serial += 1)}` })
}

/** The facts after a judgement is stored. */
function after(facts: ImportFacts, made: ImportJudgement): ImportFacts {
  const outcome = new Map(facts.benefits.map((one) => [one.id, one]))
  for (const { wasStatus: _, wasEndDate: __, ...one } of made.changed) outcome.set(one.id, one)
  for (const one of made.newBenefits) outcome.set(one.id, one)
  const people = made.newPeople.map((one): [string, string] => [one.companyId, one.taxId])
  return { ...facts, people: [...facts.people, ...people], benefits: [...outcome.values()] }
}

const offensesOf = (made: ImportJudgement) => made.rejected.flatMap(({ offenses }) => offenses)

function known(overrides: Partial<KnownBenefit> = {}): ImportFacts {
  const benefit: KnownBenefit = {
    id: 'known',
    companyId: 'company',
    taxId: cpf(1),
    productId: 'ouro',
    type: 'primary',
    status: 'active',
    startDate: '2025-01-01',
    endDate: null,
    cardNumber: '1',
    primaryTaxId: null,
    dependentType: null,
    isMoving: false,
    isReplaced: false,
    ...overrides,
  }
  return { ...empty, people: [['company', cpf(1)]], benefits: [benefit] }
}

describe('a stored benefit', () => {
  test('does not change by an equal line', () => {
    expect(judged([line(1)], known())).toMatchObject({ accepted: 1, newBenefits: [], changed: [], newPeople: [] })
  })

  test('is changed once by several lines', () => {
    const lines = [line(1, { 'end-date': '2026-01-01' }), line(1, { 'card-number': '2' })]
    expect(judged(lines, known()).changed).toEqual([
      { ...known().benefits[0], cardNumber: '2', wasStatus: 'active', wasEndDate: null },
    ])
  })

  test.for([
    [{ status: 'pending' }, {}, ['ongoing-enrollment']],
    [{ isMoving: true }, {}, []],
    [{ isMoving: true }, { 'end-date': '2026-12-31' }, ['ongoing-enrollment']],
    [{}, { 'start-date': '2025-01-02' }, ['already-enrolled']],
    [{ status: 'pending' }, { 'start-date': '2025-01-02' }, ['ongoing-enrollment']],
    [{}, { 'start-date': '2024-01-01', 'end-date': '2024-12-31' }, []],
    [{}, { 'start-date': '2024-01-01', 'end-date': '2025-01-01' }, ['already-enrolled']],
    [{}, { 'product-name': 'PRATA', 'start-date': '2025-01-02' }, []],
    [{ status: 'inactive', endDate: '2025-06-30' }, { 'start-date': '2025-01-02' }, ['already-enrolled']],
    [{ status: 'inactive', endDate: '2025-06-30' }, { 'start-date': '2025-06-30' }, ['already-enrolled']],
    [{ status: 'inactive', endDate: '2025-06-30' }, { 'start-date': '2025-07-01' }, []],
    [{ status: 'inactive', endDate: '2025-06-30' }, { 'start-date': '2024-01-01', 'end-date': '2024-12-31' }, []],
    [
      { status: 'inactive', endDate: '2025-06-30' },
      { 'start-date': '2024-01-01', 'end-date': '2025-01-01' },
      ['already-enrolled'],
    ],
    [{ status: 'inactive', endDate: '2024-12-31' }, { 'start-date': '2024-06-01' }, []],
    [{ status: 'inactive', endDate: '2025-06-30' }, {}, []],
    [{ status: 'inactive', endDate: '2024-12-31' }, {}, []],
  ] as const)('%j and a line with %j: %j', ([benefit, overrides, offenses]) => {
    expect(offensesOf(judged([line(1, overrides)], known(benefit)))).toEqual(offenses)
  })

  test('is the one in force of two with one start, of which one is void', () => {
    const facts = known({ id: 'void', status: 'inactive', endDate: '2024-12-31' })
    facts.benefits.push(...known().benefits)
    expect(judged([line(1, { 'card-number': '2' })], facts).changed).toMatchObject([{ id: 'known' }])
  })

  test('of a primary whom a dependent joins must stay active, unless the lines create or change it', () => {
    expect(judged([dependent(2, 1)], known()).joinedPrimaries).toEqual([{ companyId: 'company', id: 'known' }])
    expect(judged([line(1, { 'card-number': '2' }), dependent(2, 1)], known()).joinedPrimaries).toEqual([])
    expect(judged([line(1), dependent(2, 1)]).joinedPrimaries).toEqual([])
    const pending = known({ status: 'pending' })
    for (const overrides of [{}, { 'end-date': '2025-02-01' }]) {
      const made = judged([dependent(2, 1, overrides)], pending)
      expect(offensesOf(made)).toEqual(['primary-member-not-enrolled-in-product'])
    }
    const past = known({ status: 'inactive', endDate: '2025-02-01' })
    expect(judged([dependent(2, 1, { 'end-date': '2025-02-01' })], past)).toMatchObject({
      accepted: 1,
      joinedPrimaries: [],
    })
  })

  test('that a plan change is going to create: ongoing-enrollment, but not for a past period', () => {
    const openTransfers = [{ companyId: 'company', taxId: cpf(1), productId: 'ouro', type: 'primary' as const }]
    expect(offensesOf(judged([line(1)], { ...empty, openTransfers }))).toEqual(['ongoing-enrollment'])
    expect(offensesOf(judged([line(1, { 'end-date': '2025-12-31' })], { ...empty, openTransfers }))).toEqual([])
  })
})

test('that a plan change replaced keeps its period: replaced-benefit', () => {
  const replaced = known({ status: 'inactive', endDate: '2025-06-30', isReplaced: true })
  expect(offensesOf(judged([line(1)], replaced))).toEqual(['replaced-benefit'])
  expect(offensesOf(judged([line(1, { 'end-date': '2025-05-31' })], replaced))).toEqual(['replaced-benefit'])
  expect(offensesOf(judged([line(1, { 'end-date': '2025-06-30' })], replaced))).toEqual([])
  // A dry run appends what it changed, without what it does not know.
  const { isReplaced: _, ...changed } = { ...(replaced.benefits[0] as KnownBenefit), cardNumber: '2' }
  const again = { ...replaced, benefits: [...replaced.benefits, changed as KnownBenefit] }
  expect(offensesOf(judged([line(1)], again))).toEqual(['replaced-benefit'])
})

describe('a dependent’s line', () => {
  /** A primary covered from 2025-01-01 to 2025-06-30 and from 2025-10-01 on. */
  function withGap(): ImportFacts {
    const facts = known({ id: 'past', status: 'inactive', endDate: '2025-06-30' })
    facts.benefits.push(...known({ startDate: '2025-10-01' }).benefits)
    return facts
  }

  test.for([
    ['2025-03-01', undefined, '2025-10-01', null],
    ['2025-08-01', '2025-12-31', '2025-10-01', '2025-12-31'],
    ['2024-03-01', '2025-03-31', '2025-01-01', '2025-03-31'],
    ['2025-03-01', '2025-03-31', '2025-03-01', '2025-03-31'],
    ['2025-11-01', undefined, '2025-11-01', null],
  ] as const)('from %s to %s is covered from %s to %s, with the primary', ([start, end, startDate, endDate]) => {
    const made = judged([dependent(2, 1, { 'start-date': start, 'end-date': end })], withGap())
    expect(made.newBenefits).toMatchObject([{ startDate, endDate }])
    const warning = { warning: 'starts-with-primary', field: 'start-date', 'start-date': startDate }
    expect(made.warnings).toMatchObject(startDate === start ? [] : [warning])
  })

  test('that ends in a gap, or before any cover, is rejected', () => {
    const offenses = (start: string, end: string) =>
      offensesOf(judged([dependent(2, 1, { 'start-date': start, 'end-date': end })], withGap()))
    expect(offenses('2025-03-01', '2025-08-01')).toEqual(['invalid-end-date'])
    expect(offenses('2025-07-15', '2025-08-01')).toEqual(['primary-member-not-enrolled-in-product'])
    expect(offenses('2024-03-01', '2024-12-31')).toEqual(['primary-member-not-enrolled-in-product'])
  })

  test('may begin in an earlier benefit of the primary that the next one follows without a gap', () => {
    const facts = known({ id: 'past', status: 'inactive', endDate: '2025-06-30' })
    facts.benefits.push(...known({ startDate: '2025-07-01' }).benefits)
    const made = judged([dependent(2, 1, { 'start-date': '2025-03-01' })], facts)
    expect(made).toMatchObject({ newBenefits: [{ startDate: '2025-03-01' }], warnings: [] })
  })

  test('changes nothing when it comes again', () => {
    const facts = withGap()
    const sent = dependent(2, 1, { 'start-date': '2025-03-01' })
    const again = judged([sent], after(facts, judged([sent], facts)))
    expect(again).toMatchObject({ accepted: 1, newBenefits: [], changed: [] })
  })
})

describe('lines of one person', () => {
  test('make one member, the last line counts for each field', () => {
    const made = judged([line(1, { 'cost-center': 'A' }), line(1, { name: 'Nova', 'product-name': 'prata' })])
    expect(made.newPeople).toMatchObject([{ data: { name: 'Nova', 'cost-center': 'A' } }])
    expect(made.newBenefits).toHaveLength(2)
  })

  test('may be primary in one product and dependent in another', () => {
    const made = judged([line(1), line(2), dependent(2, 1, { 'product-name': 'prata' })])
    expect(offensesOf(made)).toEqual(['primary-member-not-enrolled-in-product'])
    expect(offensesOf(judged([line(1), line(2, { 'product-name': 'prata' }), dependent(2, 1)]))).toEqual([])
  })
})

const anyLine = fc
  .record({
    person: fc.integer({ min: 1, max: 4 }),
    primary: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null, freq: 2 }),
    overrides: fc.record({
      'product-name': fc.constantFrom('ouro', 'prata'),
      'start-date': fc.constantFrom('2024-01-01', '2025-01-01', '2026-01-01', '2027-01-01'),
      'end-date': fc.constantFrom(null, null, '2024-06-30', '2025-12-31', today, '2026-11-24', '2030-01-01'),
      'card-number': fc.constantFrom(null, '1', '2'),
      gender: fc.constantFrom('female', 'female', 'female', 'x'),
    }),
  })
  .map(({ person, primary, overrides }) =>
    primary === null ? line(person, overrides) : dependent(person, primary, overrides),
  )
const someLines = fc.array(anyLine, { maxLength: 25 })
const facts = fc.constantFrom(empty, known(), known({ status: 'pending' }), known({ isMoving: true }))

const lastOf = ({ endDate }: Pick<KnownBenefit, 'endDate'>) => endDate ?? '9999-12-31'
const isSameCover = (one: KnownBenefit, other: KnownBenefit) =>
  one.taxId === other.taxId && one.productId === other.productId && one.type === other.type

describe('for any lines', () => {
  test('primaries first: no dependent’s last day comes after its primary’s', () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        const primaries = lines.filter(({ role }) => role === 'primary')
        const middle = after(empty, judged(primaries))
        const made = judged(
          lines.filter(({ role }) => role !== 'primary'),
          middle,
        )
        const outcome = after(middle, made).benefits
        for (const one of outcome.filter(({ type }) => type === 'dependent')) {
          const lasts = outcome
            .filter((other) => isSameCover({ ...one, taxId: one.primaryTaxId ?? '', type: 'primary' }, other))
            .filter((other) => other.startDate <= lastOf(one))
            .map(lastOf)
          expect([one, lasts.length === 0 || lasts.some((last) => last >= lastOf(one))]).toEqual([one, true])
          const primary = outcome
            .filter((other) => isSameCover({ ...one, taxId: one.primaryTaxId ?? '', type: 'primary' }, other))
            .map((benefit) => ({ benefit, was: null }))
          // The run that its first day is in: no day before the primary's cover, and none in a gap of it.
          const run = runsOf(primary).find(
            (other) => one.startDate >= other.startDate && one.startDate <= lastOf(other),
          )
          expect([one, run !== undefined && lastOf(run) >= lastOf(one)]).toEqual([one, true])
        }
      }),
    )
  })

  test('each is accepted or has offenses; no two benefits of a product and role are in force or overlap', () => {
    fc.assert(
      fc.property(someLines, facts, (lines, before) => {
        const made = judged(lines, before)
        expect(made.accepted + made.rejected.length).toBe(lines.length)
        for (const { offenses } of made.rejected) expect(offenses).toEqual([...new Set(offenses)].sort())
        expect(made.rejected.every(({ offenses }) => offenses.length > 0)).toBe(true)
        const outcome = after(before, made).benefits
        const overlapping = outcome.flatMap((one) =>
          outcome.filter(
            (other) =>
              other !== one &&
              isSameCover(one, other) &&
              other.startDate <= one.startDate &&
              lastOf(other) >= one.startDate,
          ),
        )
        expect(overlapping).toEqual([])
        const inForce = outcome
          .filter(({ status }) => status !== 'inactive')
          .map(({ taxId, productId, type }) => `${taxId} ${productId} ${type}`)
        expect(new Set(inForce).size).toBe(inForce.length)
      }),
    )
  })

  test('the size of chunks changes nothing', () => {
    const plain = ({ benefits, people }: ImportFacts) => ({
      people: people.map(String).sort(),
      benefits: benefits.map((one) => JSON.stringify({ ...one, id: '' }, Object.keys(one).sort())).sort(),
    })
    fc.assert(
      fc.property(someLines, facts, fc.integer({ min: 0, max: 25 }), (lines, before, cut) => {
        const whole = judged(lines, before)
        const first = judged(lines.slice(0, cut), before)
        const middle = after(before, first)
        const second = judged(lines.slice(cut), middle)
        expect([...first.rejected, ...second.rejected]).toEqual(whole.rejected)
        expect(plain(after(middle, second))).toEqual(plain(after(before, whole)))
      }),
    )
  })

  test('accepted lines, in their last version, change nothing a second time', () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        const last = [
          ...new Map(lines.map((one) => [`${one.taxId} ${one.nameKey} ${one.role} ${one.startDate}`, one])).values(),
        ]
        const first = judged(last)
        const bad = new Set(first.rejected.map((one) => one.line))
        const good = last.filter((one) => !bad.has(one.line))
        const again = judged(good, after(empty, first))
        const stillGood = again.changed.filter(({ id }) => first.newBenefits.some((one) => one.id === id))
        expect([stillGood, again.newBenefits, again.newPeople]).toEqual([[], [], []])
      }),
    )
  })
})
