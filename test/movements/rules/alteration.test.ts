import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AlterationRequest, parseAlteration } from '#movements/rules/alteration-data.ts'
import { type AlterableBenefit, type AlterationFacts, judgeAlteration } from '#movements/rules/alteration.ts'
import { productNameKey } from '#kernel/product-name.ts'

const today = '2026-11-23'
const types: Record<string, string> = {
  Essencial: 'health-insurance',
  Premium: 'health-insurance',
  Sorriso: 'dental-insurance',
  Farol: 'life-insurance',
}
const ids = new Map<string, string>()
const idOf = (name: string) => {
  if (!ids.has(name)) ids.set(name, `01995e0c-6f3a-7c52-9d0e-${String(ids.size).padStart(12, '0')}`)
  return ids.get(name) ?? ''
}

const product = (name: string, company = '') => ({
  id: idOf(company + name),
  name: company + name,
  nameKey: productNameKey(name),
  productType: types[name] ?? '',
  ageLimits: [],
})

function benefit(name: string, overrides: Partial<AlterableBenefit> = {}): AlterableBenefit {
  return {
    id: `benefit of ${name}`,
    productId: idOf(name),
    productName: name,
    productNameKey: productNameKey(name),
    productType: types[name] ?? '',
    type: 'primary',
    primaryMemberId: null,
    status: 'active',
    startDate: '2026-01-01',
    ...overrides,
  }
}

const offered = Object.keys(types)

function facts(overrides: Partial<AlterationFacts> = {}): AlterationFacts {
  const benefits = overrides.benefits ?? [benefit('Essencial')]
  return {
    dependentsAlterable: false,
    companyId: 'here',
    destinationCompanyId: 'here',
    benefits,
    products: offered.map((name) => product(name)),
    enrolledProductIds: benefits.map((one) => one.productId),
    openEndings: [],
    dependents: [],
    taxIdTaken: false,
    usableDocumentIds: [],
    ...overrides,
  }
}

/** The same person, going to a company that offers these products under the same names. */
const elsewhere = (names = offered, overrides: Partial<AlterationFacts> = {}) =>
  facts({
    destinationCompanyId: 'there',
    products: names.map((name) => ({ ...product(name, 'there '), nameKey: productNameKey(name) })),
    enrolledProductIds: [],
    ...overrides,
  })

function requestOf(data: Record<string, unknown>): AlterationRequest {
  const parsed = parseAlteration({ 'alteration-data': data }, today)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.details))
  return parsed.value
}

const judge = (data: Record<string, unknown>, known = facts()) => judgeAlteration(requestOf(data), known, today)

const partsOf = (data: Record<string, unknown>, known = facts()) => {
  const verdict = judge(data, known)
  if (verdict.kind !== 'altered') return verdict
  return verdict.parts.map(({ benefit, name, destinationProductId }) => [
    benefit.productName,
    name,
    destinationProductId === null ? null : [...ids].find(([, id]) => id === destinationProductId)?.[0],
  ])
}

const invalid = (field: string, code: string) => ({
  kind: 'invalid',
  errors: [{ field: `alteration-data.${field}`, code }],
})
const cnpj = '11222333000181'

describe('the enrollments of an alteration', () => {
  const family = facts({
    benefits: [
      benefit('Essencial'),
      benefit('Sorriso'),
      benefit('Farol', { type: 'dependent', primaryMemberId: 'spouse' }),
      benefit('Premium', { status: 'pending' }),
    ],
    enrolledProductIds: [],
  })

  test('a plan change moves the benefit of the new product’s type, under its name', () => {
    expect(
      partsOf({ 'new-product-id': idOf('Premium') }, facts({ benefits: [benefit('Essencial'), benefit('Sorriso')] })),
    ).toEqual([['Essencial', 'Premium', 'Premium']])
  })

  test('registration data make an enrollment for every active benefit, a dependent’s too, and for no pending one', () => {
    expect(partsOf({ name: 'Ana' }, family)).toEqual([
      ['Essencial', 'Essencial', null],
      ['Sorriso', 'Sorriso', null],
      ['Farol', 'Farol', null],
    ])
  })

  test('with a plan change, the enrollment of the benefit that moves includes them', () => {
    expect(partsOf({ name: 'Ana', 'new-product-id': idOf('Premium') }, family)).toEqual([
      ['Essencial', 'Premium', 'Premium'],
      ['Sorriso', 'Sorriso', null],
      ['Farol', 'Farol', null],
    ])
  })

  test('a company change moves every primary benefit to the product of the same type and name', () => {
    const known = elsewhere(offered, { benefits: family.benefits })
    expect(partsOf({ 'new-company-tax-id': cnpj }, known)).toEqual([
      ['Essencial', 'there Essencial', 'there Essencial'],
      ['Sorriso', 'there Sorriso', 'there Sorriso'],
    ])
    expect(partsOf({ 'new-company-tax-id': cnpj, phone: '11987654321' }, known)).toContainEqual([
      'Farol',
      'Farol',
      null,
    ])
  })

  test('with new-product-id the benefit of that type moves to it, the others to their equivalents', () => {
    const known = elsewhere(['Premium', 'Sorriso'], { benefits: family.benefits })
    expect(partsOf({ 'new-company-tax-id': cnpj, 'new-product-id': idOf('there Premium') }, known)).toEqual([
      ['Essencial', 'there Premium', 'there Premium'],
      ['Sorriso', 'there Sorriso', 'there Sorriso'],
    ])
  })

  test('it takes effect on the requested day, else today', () => {
    expect(judge({ name: 'Ana' })).toMatchObject({ effectiveDate: today })
    expect(judge({ name: 'Ana', 'requested-start-date': '2027-01-15' })).toMatchObject({ effectiveDate: '2027-01-15' })
  })
})

describe('no active primary benefit', () => {
  test.each([
    ['none at all', []],
    ['a pending one', [benefit('Essencial', { status: 'pending' as const })]],
    ['a dependent’s', [benefit('Essencial', { type: 'dependent' as const, primaryMemberId: 'x' })]],
  ])('%s', (_case, benefits) => {
    for (const data of [{ name: 'Ana' }, { 'new-product-id': idOf('unknown') }, { 'new-company-tax-id': cnpj }]) {
      expect(judge(data, facts({ benefits }))).toEqual({ kind: 'no-primary' })
    }
  })
})

describe('an invalid destination', () => {
  const two = facts({ benefits: [benefit('Essencial'), benefit('Premium')] })
  const third = { ...product('Essencial'), id: idOf('Terceiro'), nameKey: 'terceiro' }
  test.each([
    ['an unknown product', { 'new-product-id': idOf('nobody’s') }, facts(), 'new-product-id', 'unknown-product'],
    [
      'a product of a type that the member has not',
      { 'new-product-id': idOf('Sorriso') },
      facts(),
      'new-product-id',
      'product-type-mismatch',
    ],
    [
      'a type of which the member has two',
      { 'new-product-id': idOf('Terceiro') },
      { ...two, products: [third] },
      'new-product-id',
      'ambiguous-product-type',
    ],
    [
      'the product that the member has',
      { 'new-product-id': idOf('Essencial') },
      facts(),
      'new-product-id',
      'already-enrolled',
    ],
    [
      'a product in which the member is on the way',
      { 'new-product-id': idOf('Premium') },
      facts({ enrolledProductIds: [idOf('Premium')] }),
      'new-product-id',
      'already-enrolled',
    ],
    ['the same company', { 'new-company-tax-id': cnpj }, facts(), 'new-company-tax-id', 'same-company'],
    [
      'a company without the like product',
      { 'new-company-tax-id': cnpj },
      elsewhere(['Premium']),
      'new-company-tax-id',
      'no-equivalent-product',
    ],
    [
      'a company where the person has the product',
      { 'new-company-tax-id': cnpj },
      elsewhere(offered, { enrolledProductIds: [idOf('there Essencial')] }),
      'new-company-tax-id',
      'already-enrolled',
    ],
  ])('%s', (_case, data, known, field, code) => {
    expect(judge(data, known)).toEqual(invalid(field, code))
    const open = { ...known, openEndings: known.benefits.map((one) => ({ id: 'e', benefitId: one.id })) }
    expect(judge(data, open)).toEqual(invalid(field, code))
  })

  test('a product of the same name and another type is not equivalent', () => {
    const other = [{ ...product('Essencial', 'there '), nameKey: 'essencial', productType: 'fitness' }]
    expect(judge({ 'new-company-tax-id': cnpj }, elsewhere([], { products: other }))).toEqual(
      invalid('new-company-tax-id', 'no-equivalent-product'),
    )
  })
})

describe('ongoing', () => {
  const known = facts({
    benefits: [benefit('Essencial'), benefit('Sorriso')],
    openEndings: [
      { id: 'b', benefitId: 'benefit of Essencial' },
      { id: 'a', benefitId: 'benefit of Essencial' },
      { id: 'c', benefitId: 'benefit of Sorriso' },
    ],
  })

  test('open movements of the benefits that move are reported before errors of the CPF, the day and the documents', () => {
    const data = { 'new-product-id': idOf('Premium'), 'requested-start-date': '1999-01-01' }
    expect(judge(data, { ...known, taxIdTaken: true })).toEqual({ kind: 'ongoing', enrollmentIds: ['a', 'b'] })
  })

  test('registration data alone are always accepted', () => {
    expect(judge({ name: 'Ana' }, known)).toMatchObject({ kind: 'altered' })
  })
})

describe('the last checks report all errors', () => {
  test('a CPF of another member, a day before the benefit’s start, unusable documents', () => {
    const documents = [{ 'document-id': 'd', 'document-type': 'other' }]
    const data = {
      'new-product-id': idOf('Premium'),
      'tax-id': '52998224725',
      'requested-start-date': '2025-12-31',
      documents,
    }
    expect(judge(data, facts({ taxIdTaken: true }))).toEqual({
      kind: 'invalid',
      errors: [
        { field: 'alteration-data.tax-id', code: 'already-in-use' },
        { field: 'alteration-data.requested-start-date', code: 'before-start-date' },
        { field: 'alteration-data.documents', code: 'invalid', message: { key: 'unusable-document', index: 0 } },
      ],
    })
    expect(judge({ ...data, 'requested-start-date': '2026-01-01' }, facts({ usableDocumentIds: ['d'] }))).toMatchObject(
      {
        kind: 'altered',
      },
    )
  })

  test('today is before the start of a benefit that starts later', () => {
    const known = facts({ benefits: [benefit('Essencial', { startDate: '2026-12-01' })] })
    expect(judge({ 'new-product-id': idOf('Premium') }, known)).toEqual(
      invalid('requested-start-date', 'before-start-date'),
    )
  })

  test('registration data alone may have any day', () => {
    expect(judge({ name: 'Ana', 'requested-start-date': '1999-01-01' })).toMatchObject({ effectiveDate: '1999-01-01' })
  })
})

const often = <T>(usual: T, rare: T) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(rare) })
const anyBenefit = fc
  .record({
    name: fc.constantFrom(...offered),
    type: often<'primary' | 'dependent'>('primary', 'dependent'),
    status: often<'active' | 'pending'>('active', 'pending'),
    startDate: fc.constantFrom('2026-01-01', today, '2027-02-01'),
  })
  .map(({ name, ...rest }) =>
    benefit(name, { ...rest, id: `${rest.type} of ${name}`, primaryMemberId: rest.type === 'primary' ? null : 'p' }),
  )
const anyFacts = fc
  .uniqueArray(anyBenefit, { minLength: 1, maxLength: 5, selector: (one) => one.id })
  .chain((benefits) =>
    fc.record({
      benefits: fc.constant(benefits),
      openEndings: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.subarray(benefits.map((one) => ({ id: `e of ${one.id}`, benefitId: one.id }))) },
      ),
      taxIdTaken: often(false, true),
      destinationCompanyId: fc.constantFrom('here', 'there'),
    }),
  )
  .map((known) => (known.destinationCompanyId === 'here' ? facts(known) : elsewhere(offered, known)))
const anyRequested = fc.record({
  product: fc.option(fc.constantFrom(...offered), { freq: 1 }),
  registration: fc.constantFrom({}, { name: 'Ana' }),
  day: fc.constantFrom({}, { 'requested-start-date': '2025-01-01' }, { 'requested-start-date': '2027-06-01' }),
})

test('for any facts: a benefit is in one part at most, and moves only without an open movement, to a product without a benefit', () => {
  let altered = 0
  let moved = 0
  fc.assert(
    fc.property(anyFacts, anyRequested, (known, { product, registration, day }) => {
      const away = known.destinationCompanyId === 'there'
      const data = {
        ...(away ? { 'new-company-tax-id': cnpj } : {}),
        ...(product === null ? {} : { 'new-product-id': idOf(away ? `there ${product}` : product) }),
        ...registration,
        ...day,
      }
      fc.pre(away || product !== null || 'name' in registration)
      const verdict = judge(data, known)
      if (verdict.kind !== 'altered') return true
      const { parts, effectiveDate } = verdict
      const moves = parts.filter((part) => part.destinationProductId !== null)
      altered += 1
      moved += moves.length
      const heard = new Set(parts.map((part) => part.benefit.id))
      const going = new Set(moves.map((part) => part.destinationProductId))
      const active = known.benefits.filter((one) => one.status === 'active')
      const free = moves.every(
        ({ benefit, destinationProductId }) =>
          benefit.type === 'primary' &&
          benefit.status === 'active' &&
          benefit.startDate <= effectiveDate &&
          !known.enrolledProductIds.includes(destinationProductId ?? '') &&
          !known.openEndings.some((one) => one.benefitId === benefit.id) &&
          known.products.find((one) => one.id === destinationProductId)?.productType === benefit.productType,
      )
      const mustHear = active.filter((one) => 'name' in registration || (away && one.type === 'primary'))
      return (
        parts.length > 0 &&
        heard.size === parts.length &&
        going.size === moves.length &&
        free &&
        !known.taxIdTaken &&
        mustHear.every((one) => heard.has(one.id))
      )
    }),
    { numRuns: 1_000 },
  )
  expect(altered).toBeGreaterThan(100)
  expect(moved).toBeGreaterThan(100)
})
