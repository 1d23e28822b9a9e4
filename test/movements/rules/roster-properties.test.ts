import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAlterationEntry } from '#movements/rules/alteration-entries.ts'
import { parseBatch } from '#movements/rules/inclusion-batch.ts'
import { deriveFamily } from '#movements/rules/roster-family.ts'
import type {
  RosterBenefit,
  RosterFamily,
  RosterItem,
  RosterLine,
  RosterMember,
  RosterPerson,
  RosterTerms,
} from '#movements/rules/roster.ts'
import { benefit, family, line, member, person, PRODUCTS, terms } from './roster-people.ts'

const runs = (seed: number) => ({ seed, numRuns: 400 })
const taxIds = ['41058293788', '15834092624', '62508174335', '28364719050'] as const
const names = ["Beatriz Campos D'Ávila", 'BEATRIZ CAMPOS D AVILA', 'Beatriz Leal', 'Igor Pires Alcântara']
const day = fc.constantFrom('2024-01-01', '2026-12-06', '2026-12-07', '2027-01-01')
const inScope = PRODUCTS.filter((one) => one.isInScope)
const productId = fc.constantFrom(...inScope.map(({ id }) => id))
const states = fc.subarray(['people', 'dependents', 'products'] as const)
const listTerms: fc.Arbitrary<RosterTerms> = fc
  .record({
    states,
    isPartOfCompany: fc.boolean(),
    defaults: fc.record({
      startOption: fc.constantFrom(null, 'on-inclusion-date' as const),
      productNames: fc.subarray(['Odonto Mais', 'Ouro']),
    }),
  })
  .map((values) => terms(values))

const profile: fc.Arbitrary<Record<string, string | number | boolean>> = fc.record(
  {
    name: fc.constantFrom(...names),
    'date-of-birth': fc.constantFrom('1984-02-11', '2015-08-20'),
    phone: fc.constantFrom('11987654321', '11912345678'),
    'email-private': fc.constantFrom('a@example.com', 'b@example.com'),
    salary: fc.constantFrom(450000, 500000),
    'cost-center': fc.constantFrom('4200', '4300'),
    'admission-date': fc.constantFrom('2020-03-02', '2026-12-01'),
    disabled: fc.boolean(),
  },
  { requiredKeys: [] },
)

const benefitsOf = (role: RosterPerson['role']): fc.Arbitrary<RosterBenefit[]> =>
  fc.uniqueArray(
    fc
      .record({
        productId,
        status: fc.constantFrom('active' as const, 'active' as const, 'pending' as const),
        startDate: day,
        endDate: fc.constantFrom(null, null, '2026-12-31'),
        extensionPlan: fc.constantFrom(false, false, false, true),
        includedOn: day,
      })
      .map(({ productId, ...values }) =>
        benefit(productId, {
          ...values,
          ...(role === 'dependent' && { dependentType: 'child', primaryTaxId: taxIds[0] }),
        }),
      ),
    { selector: (one) => one.productId, maxLength: 3 },
  )

const known = (index: number, role: RosterPerson['role']): fc.Arbitrary<RosterMember> =>
  fc
    .record({
      benefits: benefitsOf(role),
      profile,
      productTypes: fc.constantFrom([], ['life-insurance']),
      otherProductIds: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.tuple(productId)),
      endedSince: fc.array(fc.record({ productId, writtenOn: day }), { maxLength: 1 }),
      openMovements: fc.array(
        fc.record({
          enrollmentId: fc.constantFrom('1', '2'),
          kind: fc.constantFrom('inclusion' as const, 'exclusion' as const, 'alteration' as const),
          productId,
          destinationProductId: fc.option(productId),
        }),
        { maxLength: 1 },
      ),
      waiting: fc.array(
        fc.record({
          class: fc.constantFrom('exclusion' as const, 'correction' as const),
          productId: fc.option(productId),
        }),
        { maxLength: 1 },
      ),
    })
    .map(({ benefits, profile, ...values }) => {
      const taxId = taxIds[index] as string
      const stored = { name: `Pessoa ${'ABCD'[index]} Lins`, 'tax-id': taxId, ...profile }
      return member({ id: `member-${index}`, taxId, profile: stored }, benefits, values)
    })

const linesOf = (index: number): fc.Arbitrary<RosterLine[]> =>
  fc
    .array(
      fc.record({
        profile,
        productName: fc.option(fc.constantFrom(...PRODUCTS.map(({ name }) => name), 'Ouro')),
        startOption: fc.constantFrom(null, null, 'on-inclusion-date' as const),
        exclusion: fc.constantFrom(null, null, null, { 'end-date': '2026-12-31' }),
        carrier: fc.record({ 'card-number': fc.constantFrom('0042', '43') }, { requiredKeys: [] }),
        primaryTaxId: fc.constantFrom(null, null, null, taxIds[0], '00000000191'),
        offenses: fc.constantFrom([], [], [], [], ['invalid-gender']),
      }),
      { maxLength: 2 },
    )
    .map((all) =>
      all.map((values, place) => line(10 * index + place + 2, { ...values, taxId: taxIds[index] as string })),
    )

const personOf = (index: number): fc.Arbitrary<RosterPerson> => {
  const role = index === 0 ? 'primary' : 'dependent'
  return fc
    .record({
      lines: linesOf(index),
      member: fc.oneof({ weight: 4, arbitrary: known(index, role) }, fc.constant(null)),
      isOutside: fc.constantFrom(false, false, false, false, true),
    })
    .filter(({ lines, member }) => lines.length > 0 || member !== null)
    .map((one) => person(role, one.lines, one.member, { isOutside: one.isOutside && one.lines.length > 0 }))
}

const families: fc.Arbitrary<RosterFamily> = fc
  .tuple(
    personOf(0),
    fc
      .array(fc.constant(null), { maxLength: 2 })
      .chain((some) => fc.tuple(...some.map((_, index) => personOf(index + 1)))),
  )
  .map(([primary, dependents]) => family(primary, ...dependents))

const itemsOf = (one: RosterFamily, list: RosterTerms) => deriveFamily(one, list).items
const reversed = (object: object) => Object.fromEntries(Object.entries(object).toReversed())

test('neither the order of people and lines nor that of columns matters', () => {
  fc.assert(
    fc.property(families, listTerms, ({ family: id, people }, list) => {
      const other = people.toReversed().map((one) => ({
        ...one,
        lines: one.lines
          .toReversed()
          .map((each) => ({ ...each, profile: reversed(each.profile) as RosterLine['profile'] })),
        member: one.member && {
          ...one.member,
          benefits: one.member.benefits.toReversed(),
          openMovements: one.member.openMovements.toReversed(),
        },
      }))
      const otherList = { ...list, products: list.products.toReversed(), states: list.states.toReversed() }
      const given = deriveFamily({ family: id, people }, list)
      const found = deriveFamily({ family: id, people: other }, otherList)
      expect(found).toEqual(given)
      // Entries are compared as texts elsewhere.
      expect(JSON.stringify(found.items)).toBe(JSON.stringify(given.items))
    }),
    runs(1),
  )
})

/** The lines that a person would have in a list that is equal to what is stored. */
const equalLines = ({ member }: RosterPerson, index: number): RosterLine[] =>
  (member?.benefits ?? []).map((one, place) =>
    line(10 * index + place + 2, {
      taxId: member?.taxId ?? null,
      productName: PRODUCTS.find(({ id }) => id === one.productId)?.name ?? null,
      profile: (member?.profile ?? {}) as RosterLine['profile'],
      carrier: { 'card-number': one.cardNumber ?? '', 'start-date': one.startDate },
      dependentType: one.dependentType,
      primaryTaxId: one.primaryTaxId,
    }),
  )

/** Families of which everybody is covered. */
const covered = families.filter(({ people }) => people.every(({ member }) => (member?.benefits.length ?? 0) > 0))
const asStored = ({ family: id, people }: RosterFamily): RosterFamily => ({
  family: id,
  people: people.map((one, index) => ({ ...one, isOutside: false, lines: equalLines(one, index) })),
})

test('a list that is equal to what is stored has no item', () => {
  fc.assert(
    fc.property(covered, listTerms, (one, list) => {
      const { items, tally } = deriveFamily(asStored(one), list)
      expect(items).toEqual([])
      expect(tally.unchanged).toBe(one.people.length)
    }),
    runs(2),
  )
})

const changes: readonly (readonly [string, (line: RosterLine) => RosterLine])[] = [
  ['the name', (one) => ({ ...one, profile: { ...one.profile, name: 'Nair Duarte Reis' } })],
  ['the cost center', (one) => ({ ...one, profile: { ...one.profile, 'cost-center': '9' } })],
  ['a product', (one) => ({ ...one, productName: 'Ouro' })],
  ['a last day', (one) => ({ ...one, exclusion: { 'end-date': '2026-11-30' } })],
  ['an offense', (one) => ({ ...one, offenses: ['malformed-line'] })],
  ['the card', (one) => ({ ...one, carrier: { 'card-number': '9' } })],
]

test.each(changes)('who differs has an item: %s', (_, change) => {
  fc.assert(
    fc.property(covered, listTerms, (one, list) => {
      const [primary, ...dependents] = asStored(one).people as [RosterPerson, ...RosterPerson[]]
      const items = itemsOf(family({ ...primary, lines: primary.lines.map(change) }, ...dependents), list)
      expect(items.some(({ taxId }) => taxId === taxIds[0])).toBe(true)
    }),
    runs(3),
  )
})

test('who is absent has an item for each product, if the list is complete in people', () => {
  fc.assert(
    fc.property(covered, listTerms, (one, list) => {
      const [primary, ...dependents] = asStored(one).people as [RosterPerson, ...RosterPerson[]]
      const items = itemsOf(family({ ...primary, lines: [] }, ...dependents), { ...list, states: ['people'] })
      const own = items.filter(({ taxId }) => taxId === taxIds[0]).map((item) => item.productId)
      expect(own.toSorted()).toEqual(primary.member?.benefits.map((benefit) => benefit.productId).toSorted())
    }),
    runs(4),
  )
})

test('an item is what its class says', () => {
  fc.assert(
    fc.property(families, listTerms, (one, list) => {
      for (const item of itemsOf(one, list)) {
        const isProposed = item.class !== 'held' && item.class !== 'refused'
        expect(item.entry !== null).toBe(isProposed)
        expect(item.movement === null).toBe(!isProposed || item.class === 'company-data')
        expect(item.offenses.length > 0).toBe(item.class === 'refused')
        if (item.class === 'held') expect(item.explanation).not.toBeNull()
        else expect(['may-have-moved', 'dependents-listed', null]).toContain(item.explanation)
        if (item.explanation === 'open-movement') expect(item.enrollmentIds).not.toEqual([])
        if (item.class !== 'refused') expect(item.taxId).not.toBeNull()
        expect(item.needs.length > 0 && item.movement !== 'exclusion').toBe(false)
      }
    }),
    runs(5),
  )
})

test('entries have only what their movements take', () => {
  fc.assert(
    fc.property(families, listTerms, (one, list) => {
      const items = itemsOf(one, list)
      const inclusions = items.flatMap(({ class: kind, entry }) =>
        kind === 'inclusion' && entry !== null ? [entry] : [],
      )
      for (const { offenses, warnings } of parseBatch(inclusions).entries) {
        expect(offenses.filter((offense) => offense.startsWith('invalid-'))).toEqual([])
        expect(warnings).toEqual([])
      }
      const corrections = items.filter((item) => ['correction', 'tax-id-correction'].includes(item.class))
      for (const { entry } of corrections) expect(parseAlterationEntry(entry ?? {}, 0).offenses).toEqual([])
    }),
    runs(6),
  )
})

test('a list that is complete in nothing ends and changes no cover by what it does not have', () => {
  fc.assert(
    fc.property(families, listTerms, (one, list) => {
      const classes = itemsOf(one, { ...list, states: [] }).map((item) => item.class)
      expect(classes).not.toContain('exclusion')
      expect(classes).not.toContain('plan-change')
    }),
    runs(7),
  )
})

/** What items would end, alone or along with a primary. */
const endsOf = (items: readonly RosterItem[], { people }: RosterFamily): Set<string> =>
  new Set(
    items
      .filter(({ class: kind }) => kind === 'exclusion' || kind === 'leaver')
      .flatMap(({ taxId, productId, memberType }) => [
        `${taxId} ${productId}`,
        ...(memberType === 'primary' ? people.map(({ member }) => `${member?.taxId} ${productId}`) : []),
      ]),
  )

test('people who are new in a family add no exclusion', () => {
  fc.assert(
    fc.property(
      families,
      listTerms,
      profile,
      fc.constantFrom(null, 'Saúde Essencial', 'Ouro'),
      (one, list, stated, name) => {
        const lines = [line(90, { taxId: '87421503617', productName: name, profile: stated, primaryTaxId: taxIds[0] })]
        const more = { ...one, people: [...one.people, person('dependent', lines, null)] }
        const exclusions = (items: readonly RosterItem[]) =>
          items.filter((item) => item.class === 'exclusion').map(({ taxId, productId }) => `${taxId} ${productId}`)
        expect(exclusions(itemsOf(more, list))).toEqual(exclusions(itemsOf(one, list)))
      },
    ),
    runs(8),
  )
})

const blank = (one: RosterLine, fields: ReadonlySet<string>): RosterLine => ({
  ...one,
  profile: Object.fromEntries(Object.entries(one.profile).filter(([field]) => !fields.has(field))),
  productName: fields.has('product-name') ? null : one.productName,
  startOption: fields.has('start-option') ? null : one.startOption,
  exclusion: fields.has('end-date') ? null : one.exclusion,
  carrier: fields.has('card-number') ? {} : one.carrier,
  primaryTaxId: fields.has('primary-member-tax-id') ? null : one.primaryTaxId,
})
const columns = [
  'name',
  'date-of-birth',
  'phone',
  'email-private',
  'salary',
  'cost-center',
  'admission-date',
  'disabled',
  'product-name',
  'start-option',
  'end-date',
  'card-number',
  'primary-member-tax-id',
]

/** Held or refused as a whole: what is left without the contradiction is compared. */
const wholly = ['identity-conflict', 'other-primary', 'outside-scope']

test('blank cells and columns that are not there add neither a correction nor an end of a cover', () => {
  fc.assert(
    fc.property(
      families,
      listTerms,
      fc.array(fc.subarray(columns), { minLength: 10, maxLength: 10 }),
      fc.boolean(),
      (one, list, blanks, isColumn) => {
        const people = one.people.map((each, index) => ({
          ...each,
          lines: each.lines.map((own, place) => blank(own, new Set(blanks[isColumn ? 0 : 2 * index + place]))),
        }))
        const before = itemsOf(one, list)
        const after = itemsOf({ ...one, people }, list)
        const compared = (item: RosterItem) =>
          !before.some(
            (other) =>
              other.taxId === item.taxId && (other.class === 'refused' || wholly.includes(other.explanation ?? '')),
          )
        const known = endsOf(before, one)
        const differing = new Set(
          before.flatMap(({ taxId, differences }) =>
            differences.map(({ field, here }) => `${taxId} ${field} ${String(here)}`),
          ),
        )
        const goes = (item: RosterItem) =>
          before.some((other) => other.taxId === item.taxId && other.movement === 'exclusion')
        for (const item of after.filter(compared)) {
          const { taxId, productId, productName, differences } = item
          if (item.class === 'exclusion' || item.class === 'plan-change') {
            const isKnown =
              known.has(`${taxId} ${productId}`) ||
              differing.has(`${taxId} product-name ${String(differences[0]?.here)}`)
            expect(isKnown, `${item.class} of ${productName}`).toBe(true)
          }
          if (['correction', 'tax-id-correction', 'company-data'].includes(item.class) && !goes(item)) {
            for (const { field, here } of differences) expect(differing).toContain(`${taxId} ${field} ${String(here)}`)
          }
        }
      },
    ),
    runs(9),
  )
})
