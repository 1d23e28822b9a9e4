/* Why the amount of a forecast for its own month is another one than that of the last invoice. Pure; amounts are cents. */
import type { Month } from '#registry/rules/cut-off.ts'
import type { CauseAmount } from './forecast-causes.ts'
import { type Cover, lastOwed } from './forecast-movement.ts'
import { type LedgerRules, type OwingBenefit, type Owed, owedFor } from './ledger.ts'

/** What is owed of a month. */
export interface OwedByPrice {
  readonly amount: number
  /** For a whole month. */
  readonly price: number
}

export interface OwnMonthRules extends LedgerRules {
  readonly month: Month
}

/** Why the amount for the month itself is another one than that of the last invoice. */
export class OwnMonth {
  readonly #benefit: OwingBenefit
  readonly #lastAmount: number
  readonly #isNew: boolean
  readonly #former: Owed | null
  readonly #rules: OwnMonthRules

  /** @param last the month of the last invoice; null: it has no line of the benefit. */
  constructor(benefit: OwingBenefit, last: Month | null, lastAmount: number, rules: OwnMonthRules) {
    this.#benefit = benefit
    this.#lastAmount = lastAmount
    this.#isNew = last === null
    this.#former = last === null ? null : owedFor(benefit, last, rules)
    this.#rules = rules
  }

  /** At the price of the last invoice. */
  causesOfPrice({ amount, price }: OwedByPrice): CauseAmount[] {
    return this.#causes(amount, { price, aged: price, isOtherPlan: false })
  }

  /** For a cover that owes an amount. */
  causes(cover: Cover, owes: number): CauseAmount[] {
    const { month } = this.#rules
    const price = lastOwed(cover, month, this.#rules)?.premium.price
    if (price === undefined || this.#former === null) return this.#causes(owes, null)
    // The age of the month at the prices of the last invoice.
    const tables = [{ ...this.#former.table, carrierPlanCode: null, validFrom: '2000-01-01' }]
    const { dateOfBirth } = cover.at(-1) ?? this.#benefit
    const person = { ...this.#benefit, dateOfBirth }
    const aged = owedFor(person, month, { ...this.#rules, tables })?.premium.price ?? this.#former.premium.price
    return this.#causes(owes, { price, aged, isOtherPlan: cover.at(-1)?.planCode !== this.#benefit.planCode })
  }

  /** In the order in which they are asked. */
  #causes(
    owes: number,
    now: { readonly price: number; readonly aged: number; readonly isOtherPlan: boolean } | null,
  ): CauseAmount[] {
    if (this.#isNew) return [{ cause: 'entry', amount: owes }]
    if (owes === 0) return [{ cause: 'exit', amount: -this.#lastAmount }]
    const former = this.#former
    if (former === null || now === null) return [{ cause: 'settled-difference', amount: owes - this.#lastAmount }]
    return [
      { cause: 'settled-difference', amount: former.amount - this.#lastAmount },
      { cause: 'age-band', amount: now.aged - former.premium.price },
      { cause: now.isOtherPlan ? 'plan-change' : 'price-table', amount: now.price - now.aged },
      { cause: 'proration', amount: owes - now.price - (former.amount - former.premium.price) },
    ]
  }
}
