/*
 * The days on which the benefits of an inclusion start.
 */
import { addDays, nextBillingDate } from '#kernel/calendar.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { EntryWarning } from './entry-warnings.ts'
import type { Entry, ProductItem } from './inclusion-batch.ts'
import { pathOfItem } from './inclusion-batch.ts'
import type { FactIndex, ProductFacts } from './inclusion-facts.ts'
import type { Case } from './inclusion-primaries.ts'
import type { BeneficiaryType, ScheduledReason, StartOption } from '#kernel/enums.ts'
import type { RequirementItem } from '#registry/rules/requirement.ts'
import type { StartWarning } from '#kernel/warnings.ts'

export interface AcceptedProduct {
  productId: string
  productName: string
  startOption: StartOption
  /** The day that the start option says. */
  requestedStart: LocalDate
  /** The day on which the benefit starts: that day or a later one. */
  startDate: LocalDate
  /** The start date when it is in the future and the movement depends on it, else null; likewise the reason. */
  scheduledActionDate: LocalDate | null
  scheduledReason: ScheduledReason | null
  /** The documents that the movement waits for. */
  pendingItems?: readonly RequirementItem[]
}

/** The products of accepted primaries, by person and product. */
export type PrimaryProducts = Map<string, AcceptedProduct>

export const primaryProductKey = (taxId: string, productId: string): string => `${taxId} ${productId}`

/**
 * Sets the start of each product of an accepted entry: the day of its start option, for a dependent not before the primary's, and after
 * former cover of the person in the product and role.
 * @param admission the admission date by product id; of a dependent that of its primary.
 * @param primaries the accepted products of the primaries of the batch.
 */
export function startProducts(
  { entry, choices }: Case,
  facts: FactIndex,
  admission: (productId: string) => LocalDate | null,
  primaries: PrimaryProducts,
): { products: AcceptedProduct[]; warnings: EntryWarning[] } {
  const warnings: EntryWarning[] = []
  const products = choices.map(({ item, product }) => {
    const own = ownStart(product as ProductFacts, item.startOption as StartOption, facts.today, admission)
    const withPrimary = entry.primaryTaxId === null ? own : startWithPrimary(own, entry.primaryTaxId, facts, primaries)
    const started = startAfterCover(withPrimary, entry, facts)
    if (withPrimary.startDate > own.startDate) warnings.push(startWarning('starts-with-primary', item, withPrimary))
    if (started.startDate > withPrimary.startDate)
      warnings.push(startWarning('starts-after-former-cover', item, started))
    const coverage = facts.coverageStart(started.productId)
    if (coverage !== null && started.startDate < coverage)
      warnings.push({ warning: 'after-cut-off', field: pathOfItem(item), 'expected-start-date': coverage })
    const { productId, requestedStart } = started
    const limit = facts.limits.of({ kind: 'inclusion', productId, day: requestedStart })
    if (limit !== null) warnings.push({ ...limit, field: pathOfItem(item) })
    return started
  })
  return { products, warnings }
}

function startWarning(warning: StartWarning, item: ProductItem, { startDate }: AcceptedProduct): EntryWarning {
  return { warning, field: pathOfItem(item), 'start-date': startDate }
}

/** The day that the start option says, and whether the movement waits for it. */
function ownStart(
  product: ProductFacts,
  startOption: StartOption,
  today: LocalDate,
  admission: (productId: string) => LocalDate | null,
): AcceptedProduct {
  let startDate = today
  let scheduledReason: ScheduledReason | null = null
  if (startOption === 'on-admission-date') {
    startDate = admission(product.id) as LocalDate
    if (startDate > today) scheduledReason = 'future-admission-date'
  } else if (startOption === 'on-next-billing-period') {
    startDate = nextBillingDate(today, product.billingDay, product.cutOffDay)
    scheduledReason = 'next-billing-period'
  }
  const scheduledActionDate = scheduledReason === null ? null : startDate
  const { id: productId, name: productName } = product
  return {
    productId,
    productName,
    startOption,
    requestedStart: startDate,
    startDate,
    scheduledActionDate,
    scheduledReason,
  }
}

/** With a primary of the batch the movement also waits as the primary's does. */
function startWithPrimary(
  own: AcceptedProduct,
  primaryTaxId: string,
  facts: FactIndex,
  primaries: PrimaryProducts,
): AcceptedProduct {
  const covered = facts.isActive('primary', primaryTaxId, own.productId)
  const inBatch = covered ? undefined : primaries.get(primaryProductKey(primaryTaxId, own.productId))
  const day = inBatch?.startDate ?? facts.primaryStart(primaryTaxId, own.productId)
  if (day === null || day <= own.startDate) return own
  if (inBatch === undefined) return startOn(own, day)
  const { startDate, scheduledActionDate, scheduledReason } = inBatch
  return { ...own, startDate, scheduledActionDate, scheduledReason }
}

function startAfterCover(start: AcceptedProduct, { role, taxId }: Entry, facts: FactIndex): AcceptedProduct {
  const end = facts.formerEnd(role as BeneficiaryType, taxId as string, start.productId)
  return end === null || end < start.startDate ? start : startOn(start, addDays(end, 1))
}

/** The later start; a movement that waits for its start waits for this one. */
function startOn(start: AcceptedProduct, startDate: LocalDate): AcceptedProduct {
  return { ...start, startDate, scheduledActionDate: start.scheduledReason === null ? null : startDate }
}
