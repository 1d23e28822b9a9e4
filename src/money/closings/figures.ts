import { readContractIds } from '#registry/contracts/queries.ts'
import { required } from '#platform/core/log.ts'
import type { Tx } from '#platform/core/write.ts'
import type { SharedCharge } from '../rules/cost.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { Pricing } from '../rules/expected-charge.ts'
import type { PriceSetting } from '../rules/premium.ts'
import { expectedLine, coveredBenefits, missingOf, pricingOf, readContractPrices } from '../prices/pricing-queries.ts'
import { type ClosingKey, insertCharges, insertExpected } from '../months/figure-queries.ts'

const chunkRows = 5000

/** How the expected invoices of a month are calculated, by contract, and what others lack for it. */
interface MonthPricing {
  readonly pricings: ReadonlyMap<string, Pricing>
  readonly missingSettings: Readonly<Record<string, readonly PriceSetting[]>>
}

/** The prices of all contracts of a company in a month. */
export async function readMonthPricing(tx: Tx, companyId: string, month: Month): Promise<MonthPricing> {
  const pricings = new Map<string, Pricing>()
  const missingSettings: Record<string, readonly PriceSetting[]> = {}
  for (const contractId of await readContractIds(tx, companyId)) {
    const prices = required(await readContractPrices(tx, contractId), 'contract')
    const missing = missingOf(prices, month)
    if (missing.length > 0) missingSettings[contractId] = missing
    else pricings.set(contractId, pricingOf(prices, month))
  }
  return { pricings, missingSettings }
}

/** Stores what is charged and expected in a month, whose closing is stored. @param charges read while the month was open. */
export async function storeFigures(
  tx: Tx,
  key: ClosingKey,
  month: Month,
  { pricings }: MonthPricing,
  charges: readonly SharedCharge[],
): Promise<void> {
  for (let first = 0; first < charges.length; first += chunkRows) {
    await insertCharges(tx, key, charges.slice(first, first + chunkRows), first + 1)
  }
  for (const [contractId, pricing] of pricings) {
    for await (const benefits of coveredBenefits(tx, key.companyId, contractId, month)) {
      const lines = benefits.map((benefit) => {
        const { benefitId, memberId } = benefit
        const { 'member-name': _, 'employee-id': __, ...line } = expectedLine(benefit, pricing, month)
        return { contractId, benefitId, memberId, line }
      })
      await insertExpected(tx, key, lines)
    }
  }
}
