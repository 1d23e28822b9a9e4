/* The items of people of a list, and why an end or a beginning of a cover is only held. */
import { PROFILE_FIELDS } from '#kernel/inclusion-fields.ts'
import type { RosterExplanation } from '#kernel/roster-syncs.ts'
import type { DraftDifference } from './movement-draft.ts'
import type { RosterItem, RosterMember, RosterMovement, RosterPerson, RosterProduct, RosterTerms } from './roster.ts'
import { numbersOf, type ProductIndex, sorted, type Statement, type StatedProduct } from './roster-lines.ts'

/** A person who is compared. */
export interface ComparedPerson extends RosterPerson {
  /** null: not listed, or refused as a whole. */
  readonly statement: Statement | null
}

/** Also by lines that cannot be used: whoever is named is not absent. */
export const isListed = ({ lines }: RosterPerson): boolean => lines.length > 0

/** What all people of a family are compared by. */
export interface FamilyTerms {
  readonly terms: RosterTerms
  readonly products: ProductIndex
  /** The CPF of the family's primary in what is sent, as it is here. */
  readonly primaryTaxId: string | null
}

/** Why nothing is done. */
export interface Hold {
  readonly explanation: RosterExplanation
  readonly enrollmentIds?: readonly string[]
}

/** An item of a person that proposes nothing, about all of the lines. */
export function itemOf(person: ComparedPerson, values: Partial<RosterItem> & Pick<RosterItem, 'class'>): RosterItem {
  const { role, lines, member, statement } = person
  const profile: Readonly<Record<string, unknown>> =
    member?.profile ?? statement?.profile ?? lines.toSorted((a, b) => a.line - b.line)[0]?.profile ?? {}
  return {
    movement: null,
    taxId: member?.taxId ?? statement?.taxId ?? lines.map((one) => one.taxId).find((one) => one !== null) ?? null,
    memberId: member?.id ?? null,
    name: textOf(profile['name']),
    employeeId: textOf(profile['employee-id']),
    memberType: role,
    productId: null,
    productName: null,
    lines: statement?.numbers ?? numbersOf(lines.filter(({ offenses }) => offenses.length === 0)),
    entry: null,
    differences: [],
    explanation: null,
    enrollmentIds: [],
    byNumberOnly: false,
    alsoEnds: 0,
    needs: [],
    offenses: [],
    ...values,
  }
}

export const heldItem = (person: ComparedPerson, hold: Hold, values: Partial<RosterItem> = {}): RosterItem =>
  itemOf(person, { ...values, ...hold, class: 'held', movement: null, entry: null, byNumberOnly: false, needs: [] })

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** `reference` of an entry, where the lines have one. */
export const referenceOf = (statement: Statement | null) =>
  statement?.reference == null ? {} : { reference: statement.reference }

const idsOf = (movements: readonly RosterMovement[]): string[] =>
  movements.map(({ enrollmentId }) => enrollmentId).sort()

/** Why the cover of a product does not end, whatever says that it does; null: it may. */
export function holdOfEnd({ benefits, openMovements, waiting }: RosterMember, productId: string, terms: RosterTerms) {
  const covers = benefits.filter((benefit) => benefit.productId === productId)
  const open = openMovements.filter(
    (movement) =>
      movement.destinationProductId === productId ||
      (movement.productId === productId && (movement.kind !== 'alteration' || movement.destinationProductId !== null)),
  )
  const waits = waiting.some(
    (other) =>
      ['exclusion', 'leaver', 'plan-change'].includes(other.class) &&
      (other.productId === null || other.productId === productId),
  )
  return firstHold(
    ['under-continuation', covers.some(({ extensionPlan }) => extensionPlan)],
    ['ends-already', covers.some(({ endDate }) => endDate !== null)],
    ['newer-than-list', covers.some(({ includedOn }) => includedOn > terms.asOf)],
    ['future-start', covers.some(({ startDate }) => startDate > terms.today)],
    ['open-movement', open.length > 0, idsOf(open)],
    ['waits-for-approval', waits],
  )
}

/** Why the cover of a product does not begin; null: it may. */
export function holdOfStart(member: RosterMember, productId: string, terms: RosterTerms): Hold | null {
  const { openMovements, waiting, endedSince } = member
  const open = openMovements.filter(
    (movement) =>
      movement.destinationProductId === productId ||
      (movement.kind === 'inclusion' && movement.productId === productId),
  )
  const waits = waiting.some(
    (other) =>
      ['inclusion', 'plan-change'].includes(other.class) && (other.productId === null || other.productId === productId),
  )
  const endedMeanwhile = endedSince.some((ended) => ended.productId === productId && ended.writtenOn > terms.asOf)
  return firstHold(
    ['open-movement', open.length > 0, idsOf(open)],
    ['waits-for-approval', waits],
    ['newer-than-list', endedMeanwhile],
  )
}

type Reason = readonly [RosterExplanation, boolean, (readonly string[])?]

function firstHold(...reasons: readonly Reason[]): Hold | null {
  const [explanation, , enrollmentIds = []] = reasons.find(([, applies]) => applies) ?? []
  return explanation === undefined ? null : { explanation, enrollmentIds }
}

/** Why data of somebody are not altered now; null: they may be. */
export function holdOfAlteration(
  { benefits, openMovements, waiting }: RosterMember,
  classes: readonly string[],
): Hold | null {
  const open = openMovements.filter(({ kind }) => kind === 'alteration')
  // An alteration needs a cover that has begun.
  const isCovered = benefits.some(({ status }) => status === 'active')
  const begins = openMovements.filter(({ kind }) => kind === 'inclusion')
  return firstHold(
    ['waits-for-approval', waiting.some((other) => classes.includes(other.class))],
    ['open-movement', open.length > 0, idsOf(open)],
    ['open-movement', !isCovered && begins.length > 0, idsOf(begins)],
    ['future-start', !isCovered],
  )
}

export const productDifference = (here: string | null, stated: string | null): DraftDifference => ({
  field: 'product-name',
  here,
  stated,
})

const PROFILE_KEYS: ReadonlySet<string> = new Set([...Object.keys(PROFILE_FIELDS), 'admission-date'])

/** The inclusion of a person in products; what is not stated is as it is stored. */
export function inclusionItem(
  person: ComparedPerson,
  products: readonly StatedProduct[],
  { terms, primaryTaxId }: FamilyTerms,
): RosterItem {
  const { role, member, statement } = person
  const stored = Object.entries(member?.profile ?? {}).filter(([, value]) => value !== null)
  const profile = Object.fromEntries(
    Object.entries({ ...Object.fromEntries(stored), ...statement?.profile })
      .filter(([field]) => PROFILE_KEYS.has(field) && (role === 'primary' || field !== 'admission-date'))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const groups: Record<string, object[]> = {}
  for (const { product, startOption } of products) {
    const option = startOption ?? terms.defaults.startOption
    ;(groups[product.type] ??= []).push({ name: product.name, ...(option !== null && { 'start-option': option }) })
  }
  const names = products.map(({ product }) => product.name)
  const lines = sorted(products.flatMap((one) => one.lines))
  const entry = {
    'beneficiary-type': role,
    'tax-id': member?.taxId ?? statement?.taxId,
    ...profile,
    ...(role === 'dependent' && dependency(person, primaryTaxId)),
    products: groups,
    ...referenceOf(statement),
  }
  return itemOf(person, {
    class: 'inclusion',
    movement: 'inclusion',
    productName: names.join(', '),
    lines,
    entry,
    differences: names.map((name) => productDifference(null, name)),
  })
}

/** The primary of a dependent, and the kinship: as they are stated, else as they are here. */
function dependency({ member, statement }: ComparedPerson, familyTaxId: string | null): object {
  const [benefit] = member?.benefits ?? []
  const primaryTaxId = familyTaxId ?? statement?.primaryTaxId ?? benefit?.primaryTaxId ?? null
  const dependentType = statement?.dependentType ?? benefit?.dependentType ?? null
  return {
    ...(primaryTaxId !== null && { 'primary-member-tax-id': primaryTaxId }),
    ...(dependentType !== null && { 'dependent-type': dependentType }),
  }
}

/** The end of a person's cover of a product: proposed, or held. @param details what is stated of it. */
export function endItem(
  person: ComparedPerson,
  member: RosterMember,
  product: Pick<RosterProduct, 'id' | 'name'>,
  terms: RosterTerms,
  values: Partial<RosterItem> & Pick<RosterItem, 'class'>,
  details: Readonly<Record<string, unknown>> = {},
): RosterItem {
  const about = {
    productId: product.id,
    productName: product.name,
    differences: [productDifference(product.name, null)],
    ...values,
  }
  const hold = holdOfEnd(member, product.id, terms)
  if (hold !== null) return heldItem(person, hold, about)
  const [benefit] = member.benefits.filter(({ productId }) => productId === product.id)
  // A dependent, and whoever has the product in two roles, is excluded by the benefit.
  const byBenefit = person.role === 'dependent' || member.otherProductIds.includes(product.id)
  return itemOf(person, {
    ...about,
    movement: 'exclusion',
    needs: ['exclusion-reason', 'end-date'].filter((field) => !Object.hasOwn(details, field)),
    entry: {
      'tax-id': member.taxId,
      ...(byBenefit ? { 'benefit-id': benefit?.id } : { 'product-id': product.id }),
      'exclusion-details': details,
      ...referenceOf(person.statement),
    },
  })
}
