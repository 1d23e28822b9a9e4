/* The causes of the change since the last invoice, by how certain each is. Pure; amounts are cents. */

/** From what is known to what is only asked for. */
export const CERTAINTIES = ['firm', 'scheduled', 'at-carrier', 'requested'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** Why an amount is another one than that of the last invoice. */
export const FORECAST_CAUSES = [
  'entry',
  'exit',
  'plan-change',
  'age-band',
  'price-table',
  'proration',
  'retroactive-charge',
  'retroactive-credit',
  'claim-credit',
  'settled-difference',
] as const
export type ForecastCause = (typeof FORECAST_CAUSES)[number]

export type ByCertainty = Readonly<Record<Certainty, number>>

export interface CauseAmount {
  readonly cause: ForecastCause
  readonly amount: number
}

export interface ForecastCausePart extends CauseAmount {
  readonly certainty: Certainty
}

export const totalOf = (amounts: ByCertainty): number =>
  CERTAINTIES.reduce((sum, certainty) => sum + amounts[certainty], 0)

/** Sums by cause and certainty. */
export class CauseSums {
  readonly #sums = new Map<string, number>()

  add({ cause, certainty, amount }: ForecastCausePart): void {
    const key = `${certainty} ${cause}`
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount)
  }

  /** What explained the amount until now, and what explains it with what is of a certainty. */
  replace(certainty: Certainty, before: readonly CauseAmount[], after: readonly CauseAmount[]): void {
    for (const { cause, amount } of before) this.add({ cause, certainty, amount: -amount })
    for (const { cause, amount } of after) this.add({ cause, certainty, amount })
  }

  list(): ForecastCausePart[] {
    return FORECAST_CAUSES.flatMap((cause) =>
      CERTAINTIES.flatMap((certainty) => {
        const amount = this.#sums.get(`${certainty} ${cause}`) ?? 0
        return amount === 0 ? [] : [{ cause, certainty, amount }]
      }),
    )
  }

  /** The amounts that follow from that of the last invoice. */
  amounts(lastAmount: number): ByCertainty {
    const amounts = { firm: lastAmount, scheduled: 0, 'at-carrier': 0, requested: 0 }
    for (const { certainty, amount } of this.list()) amounts[certainty] += amount
    return amounts
  }
}
