/*
 * What follows from the comparison of a list with who is here, family by family. Nothing here depends on the order of people, lines or columns.
 */
import type { DraftDifference } from './movement-draft.ts'
import { alterationKey, fieldDifferences } from './roster-fields.ts'
import type { DerivedFamily, RosterFamily, RosterItem, RosterMember, RosterPerson, RosterTerms } from './roster.ts'
import {
  type ComparedPerson,
  endItem,
  type FamilyTerms,
  heldItem,
  type Hold,
  holdOfAlteration,
  isListed,
  itemOf,
  referenceOf,
  textOf,
} from './roster-items.ts'
import { isSameValue, productsOf, type Statement, statementOf } from './roster-lines.ts'
import { compareProducts, type PrimaryOutcome, productsHad } from './roster-products.ts'
import { tallyOf } from './roster-tally.ts'

/** Compares the people of a family. */
export function deriveFamily({ people }: RosterFamily, terms: RosterTerms): DerivedFamily {
  const compared = people.map(comparedPerson).sort(inOrder)
  const primary = compared.find(({ role }) => role === 'primary')
  const family: FamilyTerms = {
    terms,
    products: productsOf(terms),
    primaryTaxId: primary === undefined ? null : (primary.member?.taxId ?? primary.statement?.taxId ?? null),
  }
  const isDependentListed = compared.some((one) => one.role === 'dependent' && isListed(one))
  const items: RosterItem[] = []
  let outcome: PrimaryOutcome | null = null
  let unchanged = 0
  for (const person of compared) {
    const { items: own, movingTypes } = isListed(person)
      ? compareListed(person, family, primary, outcome)
      : { items: absentItems(person, family, isDependentListed, outcome), movingTypes: new Set<string>() }
    if (person === primary) outcome = outcomeOf(person, own, movingTypes)
    if (own.length === 0 && isListed(person)) unchanged += 1
    items.push(...(isFoundOtherwise(person) ? own.map(byNumberOnly) : own))
  }
  return { items: withDependents(items, compared), tally: tallyOf(compared, unchanged) }
}

/** Somebody found by another key than the CPF: each item is confirmed by somebody who looks at it. */
const isFoundOtherwise = ({ member, matchedBy }: ComparedPerson): boolean => member !== null && isOther(matchedBy)
const isOther = (matchedBy: RosterPerson['matchedBy']): boolean => matchedBy === 'employee-id' || matchedBy === 'name'
const byNumberOnly = (item: RosterItem): RosterItem => (item.entry === null ? item : { ...item, byNumberOnly: true })

function comparedPerson(person: RosterPerson): ComparedPerson {
  const usable = person.lines.filter(({ offenses }) => offenses.length === 0)
  return { ...person, statement: usable.length === 0 ? null : statementOf(usable) }
}

/** The primary first. */
function inOrder(a: ComparedPerson, b: ComparedPerson): number {
  if (a.role !== b.role) return a.role === 'primary' ? -1 : 1
  const [first, second] = [keyOf(a), keyOf(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

const keyOf = ({ member, lines }: ComparedPerson): string =>
  `${member?.taxId ?? ''} ${lines
    .map(({ taxId, line }) => `${taxId ?? ''} ${line}`)
    .sort()
    .join()}`

/** What is compared of somebody who is listed. */
function compareListed(
  person: ComparedPerson,
  family: FamilyTerms,
  primary: ComparedPerson | undefined,
  outcome: PrimaryOutcome | null,
): ReturnType<typeof compareProducts> {
  const { member, statement, lines, isOutside } = person
  const items = refusedItems(person)
  const alone = (...own: RosterItem[]) => ({ items: [...items, ...own], movingTypes: new Set<string>() })
  if (lines.every(({ offenses }) => offenses.length > 0)) return alone()
  if (isOutside) return alone(heldItem(person, { explanation: 'outside-scope' }))
  if (statement === null) return alone(itemOf(person, { class: 'refused', offenses: ['conflicting-lines'] }))
  const conflict = identityConflict(person, statement) ?? primaryConflict(person, statement, primary)
  if (conflict !== null) {
    return alone(heldItem(person, { explanation: conflict.explanation }, { differences: conflict.differences }))
  }
  items.push(...taxIdItems(person, statement))
  const { items: products, movingTypes } = compareProducts(person, statement, family, outcome)
  items.push(...products)
  if (member !== null && !leavesAll(member, products)) items.push(...fieldItems(person, statement, member, family))
  return { items, movingTypes }
}

/** One for each line of the file that cannot be used. */
function refusedItems(person: ComparedPerson): RosterItem[] {
  const refused = Map.groupBy(
    person.lines.filter(({ offenses }) => offenses.length > 0),
    ({ line }) => line,
  )
  return [...refused]
    .sort(([a], [b]) => a - b)
    .map(([line, some]) =>
      itemOf(
        { ...person, lines: some },
        { class: 'refused', lines: [line], offenses: [...new Set(some.flatMap(({ offenses }) => offenses))].sort() },
      ),
    )
}

interface Conflict extends Hold {
  readonly differences: readonly DraftDifference[]
}

/** Somebody else under the CPF; or, without a cover, a CPF that can neither be corrected nor included. */
function identityConflict({ member, matchedBy }: ComparedPerson, { taxId, profile }: Statement): Conflict | null {
  if (member === null) return null
  const explanation = 'identity-conflict'
  if (matchedBy === 'tax-id') {
    const differences = ['date-of-birth', 'name'].map((field) => ({
      field,
      here: textOf(member.profile[field]),
      stated: textOf(profile[field]),
    }))
    const isOther = differences.every(
      ({ field, here, stated }) => here !== null && stated !== null && !isSameValue(field, stated, here),
    )
    return isOther ? { explanation, differences } : null
  }
  if (taxId === null || taxId === member.taxId || member.benefits.length > 0) return null
  return { explanation, differences: [{ field: 'tax-id', here: member.taxId, stated: taxId }] }
}

/** A dependent who is here with another primary than the one stated, whom the list may know by another CPF. */
function primaryConflict(
  { role, member }: ComparedPerson,
  { primaryTaxId }: Statement,
  primary: ComparedPerson | undefined,
): Conflict | null {
  if (role !== 'dependent' || primaryTaxId === null) return null
  const here = member?.benefits.map((benefit) => benefit.primaryTaxId).filter((one) => one !== null) ?? []
  const same = new Set([...here, ...(primary?.lines.map(({ taxId }) => taxId) ?? [])])
  const [first] = here
  if (first === undefined || same.has(primaryTaxId)) return null
  return {
    explanation: 'other-primary',
    differences: [{ field: 'primary-member-tax-id', here: first, stated: primaryTaxId }],
  }
}

function taxIdItems(person: ComparedPerson, { taxId }: Statement): RosterItem[] {
  const { member, matchedBy } = person
  if (member === null || matchedBy === 'tax-id' || taxId === null || taxId === member.taxId) return []
  const differences = [{ field: 'tax-id', here: member.taxId, stated: taxId }]
  return [alterationItem(person, member, 'tax-id-correction', differences, { byNumberOnly: true })]
}

function alterationItem(
  person: ComparedPerson,
  member: RosterMember,
  draftClass: 'correction' | 'tax-id-correction',
  differences: readonly DraftDifference[],
  values: Partial<RosterItem> = {},
): RosterItem {
  const hold = holdOfAlteration(member, ['correction', draftClass])
  if (hold !== null) return heldItem(person, hold, { differences })
  const data = Object.fromEntries(differences.map(({ field, stated }) => [alterationKey(field), stated]))
  const entry = { 'tax-id': member.taxId, 'alteration-data': data, ...referenceOf(person.statement) }
  return itemOf(person, { class: draftClass, movement: 'alteration', entry, differences, ...values })
}

/** Whether every product that the person has is proposed to end. */
function leavesAll({ benefits }: RosterMember, items: readonly RosterItem[]): boolean {
  const ending = endingIds(items)
  return benefits.every(({ productId }) => ending.has(productId))
}

const endingIds = (items: readonly RosterItem[]): ReadonlySet<string> =>
  new Set(items.filter(isEnding).flatMap(({ productId }) => productId ?? []))

const isEnding = (item: RosterItem): boolean => item.class === 'exclusion' || item.class === 'leaver'

/** What differs in the data of somebody who is covered. */
function fieldItems(
  person: ComparedPerson,
  statement: Statement,
  member: RosterMember,
  { products }: FamilyTerms,
): RosterItem[] {
  const { correction, companyData, notAlterable, carrierOnly } = fieldDifferences(
    person.role,
    statement,
    member,
    products,
  )
  const items: RosterItem[] = []
  if (correction.length > 0) items.push(alterationItem(person, member, 'correction', correction))
  if (companyData.length > 0) {
    const entry = Object.fromEntries(companyData.map(({ field, stated }) => [field, stated]))
    const waits = member.waiting.some((other) => other.class === 'company-data')
    items.push(
      waits
        ? heldItem(person, { explanation: 'waits-for-approval' }, { differences: companyData })
        : itemOf(person, { class: 'company-data', entry, differences: companyData }),
    )
  }
  if (notAlterable.length > 0) {
    const explanation = isRehired(person, member, notAlterable) ? 'under-continuation' : 'not-alterable'
    items.push(heldItem(person, { explanation }, { differences: notAlterable }))
  }
  if (carrierOnly.length > 0) {
    items.push(heldItem(person, { explanation: 'carrier-only-field' }, { differences: carrierOnly }))
  }
  return items
}

/** Somebody who keeps a plan after leaving, and is admitted again. */
const isRehired = (
  { role }: ComparedPerson,
  { benefits }: RosterMember,
  differences: readonly DraftDifference[],
): boolean =>
  role === 'primary' &&
  benefits.some(({ extensionPlan }) => extensionPlan) &&
  differences.some(({ field, here, stated }) => field === 'admission-date' && String(stated) > String(here ?? ''))

/** The ends that follow from an absence, where the list is complete in such people. */
function absentItems(
  person: ComparedPerson,
  family: FamilyTerms,
  isDependentListed: boolean,
  outcome: PrimaryOutcome | null,
): RosterItem[] {
  const { role, member, isOutside } = person
  const { terms } = family
  if (member === null || isOutside) return []
  const products = productsHad(member, family)
  if (role === 'primary') {
    if (!terms.states.includes('people')) return []
    const explanation = isDependentListed ? 'dependents-listed' : terms.isPartOfCompany ? 'may-have-moved' : null
    const values = { class: 'exclusion', explanation, byNumberOnly: explanation !== null } as const
    return products.map((product) => endItem(person, member, product, terms, values))
  }
  // Without the primary, or with the end of the primary's cover, dependents go along or stay.
  if (!terms.states.includes('dependents') || outcome === null || !outcome.isListed) return []
  const items: RosterItem[] = []
  for (const product of products) {
    if (outcome.leavingIds.has(product.id)) continue
    const item = endItem(person, member, product, terms, { class: 'exclusion' })
    const { productId, productName, differences } = item
    const isMoving = outcome.movingTypes.has(product.type)
    items.push(
      isMoving ? heldItem(person, { explanation: 'follows-primary' }, { productId, productName, differences }) : item,
    )
  }
  return items
}

const outcomeOf = (
  person: ComparedPerson,
  items: readonly RosterItem[],
  movingTypes: ReadonlySet<string>,
): PrimaryOutcome => ({
  isListed: isListed(person),
  leavingIds: endingIds(items),
  movingTypes,
})

/** The items, those of a primary who loses a product with the number of dependents who lose it too and have no item for it. */
function withDependents(items: readonly RosterItem[], people: readonly ComparedPerson[]): RosterItem[] {
  return items.map((item) => {
    if (!isEnding(item) || item.memberType !== 'primary') return item
    const along = people.filter(
      ({ role, member }) =>
        role === 'dependent' &&
        member !== null &&
        member.benefits.some(({ productId }) => productId === item.productId) &&
        !items.some(
          (own) =>
            isEnding(own) &&
            own.memberId === member.id &&
            own.memberType === 'dependent' &&
            own.productId === item.productId,
        ),
    )
    return { ...item, alsoEnds: along.length }
  })
}
