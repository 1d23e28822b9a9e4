/* The rules of movement drafts: what an item proposes, who confirms it, and which items become one request. */
import { PROFILE_FIELDS } from '#kernel/inclusion-fields.ts'
import type { DraftApproval, DraftClass, DraftMovement } from '#kernel/movement-drafts.ts'
import type { AlterationRequest } from './alteration-data.ts'
import { diffOf } from './diff.ts'

type Value = string | number | boolean | null

/** A field that an item would change. */
export interface DraftDifference {
  readonly field: string
  readonly here: Value
  readonly stated: Value
}

/** What is stored of the person of an item. */
export interface DraftPerson {
  readonly memberId: string
  /** The primary of the person, or the person. */
  readonly family: string
  /** The registration data, under the keys of the profile. */
  readonly profile: Readonly<Record<string, unknown>>
  readonly benefits: readonly DraftBenefit[]
}

interface DraftBenefit {
  readonly id: string
  readonly productId: string
  readonly productName: string
  readonly productType: string
  readonly type: 'primary' | 'dependent'
  readonly startDate: string
}

/** A product by its id, of any company that an entry may name. */
export type DraftProducts = ReadonlyMap<string, { readonly name: string; readonly productType: string }>

/** The class of an alteration. */
export const classOfAlteration = ({ newProductId, newCompanyTaxId }: AlterationRequest): DraftClass =>
  newProductId === null && newCompanyTaxId === null ? 'correction' : 'plan-change'

/** What an alteration would change of a person. */
export function alterationDifferences(
  request: AlterationRequest,
  { profile, benefits }: DraftPerson,
  products: DraftProducts,
  companyTaxId: string,
): DraftDifference[] {
  const { data, registration, newProductId, newCompanyTaxId, requestedStartDate } = request
  const product = newProductId === null ? undefined : products.get(newProductId)
  const primaries = benefits.filter(({ type }) => type === 'primary')
  const moved = product === undefined ? primaries : primaries.filter((one) => one.productType === product.productType)
  const productName = moved[0]?.productName ?? ''
  const startDate = moved[0]?.startDate ?? null
  const differences = diffOf({
    enrollmentType: 'alteration',
    data: { 'alteration-data': data, registration },
    profile,
    updatesProfile: false,
    benefit: { productName, startDate, endDate: null, extensionPlan: false },
    primary: null,
    companyTaxId,
    destination:
      classOfAlteration(request) === 'correction'
        ? null
        : { productName: product?.name ?? productName, companyTaxId: newCompanyTaxId ?? companyTaxId },
    effectiveDate: requestedStartDate ?? startDate,
  })
  return differences.map(({ field, old, new: stated }) => ({ field, here: old, stated }))
}

/** What an exclusion of a batch would end, and when. @param entry in wire keys. */
export function exclusionDifferences(
  entry: Readonly<Record<string, unknown>>,
  { benefits }: DraftPerson,
): DraftDifference[] {
  const details = entry['exclusion-details'] as Readonly<Record<string, Value>>
  const { 'product-id': productId, 'benefit-id': benefitId } = entry
  const selected = benefits.filter(
    (benefit) => (productId ?? benefit.productId) === benefit.productId && (benefitId ?? benefit.id) === benefit.id,
  )
  const names = [...new Set(selected.map(({ productName }) => productName))]
  return [
    { field: 'product-name', here: names.join(', ') || null, stated: null },
    { field: 'end-date', here: null, stated: details['end-date'] ?? null },
    { field: 'exclusion-reason', here: null, stated: details['exclusion-reason'] ?? null },
  ]
}

/** Whether what is stored is no longer what it was when the item was made. */
export function isChanged(then: readonly DraftDifference[], now: readonly DraftDifference[]): boolean {
  const known = new Map(now.map((difference) => [difference.field, difference]))
  return (
    then.length !== now.length ||
    then.some(({ field, here, stated }) => known.get(field)?.here !== here || known.get(field)?.stated !== stated)
  )
}

const PROFILE_KEYS: ReadonlySet<string> = new Set([...Object.keys(PROFILE_FIELDS), 'tax-id', 'admission-date'])

/** Whether something that a list was compared with is not stored any more: a field of the person, or the product of a change of plan. */
export const isStale = (then: readonly DraftDifference[], { profile, benefits }: DraftPerson): boolean =>
  then.some(({ field, here }) => {
    if (field === 'product-name') return here !== null && !benefits.some(({ productName }) => productName === here)
    return PROFILE_KEYS.has(field) && (profile[field] ?? null) !== here
  })

/** One entry for each person: what several items alter of somebody is one alteration. @returns with the numbers of its items. */
export function mergedAlterations(
  items: readonly { readonly number: number; readonly entry: Readonly<Record<string, unknown>> }[],
): { readonly numbers: readonly number[]; readonly entry: Readonly<Record<string, unknown>> }[] {
  const groups = Map.groupBy(items, ({ entry }) => entry['tax-id'])
  return [...groups.values()].map((group) => ({
    numbers: group.map(({ number }) => number),
    entry: {
      ...Object.assign({}, ...group.map(({ entry }) => entry)),
      'alteration-data': Object.assign({}, ...group.map(({ entry }) => entry['alteration-data'])),
    },
  }))
}

/** Where a draft is confirmed. */
export interface Confirming {
  readonly kind: 'partner' | 'operator'
  readonly environment: 'staging' | 'production'
}

/**
 * The approvals that whoever confirms may give. A company confirms its own alterations in staging only: in production it may not alter by itself
 * (contract).
 */
export function approvalsOf({ kind, environment }: Confirming): readonly DraftApproval[] {
  if (kind === 'operator') return ['broker', 'second-operator']
  return environment === 'staging' ? ['broker'] : []
}

/** Whether a `proposed` item still needs the broker's approval. */
export const needsBroker = (movement: DraftMovement | null, confirming: Confirming): boolean =>
  movement === 'alteration' && !approvalsOf(confirming).includes('broker')

/** As many of the items as one request takes, without dividing a family; they are sorted by it. */
export function wholeFamilies<Item extends { readonly family: string }>(
  items: readonly Item[],
  max: number,
): readonly Item[] {
  const next = items[max]
  if (next === undefined) return items
  const whole = items.slice(0, max).filter(({ family }) => family !== next.family)
  return whole.length > 0 ? whole : items.slice(0, max)
}
