import type { Item, ResponseBody } from '@vigencia/client'

export type Month = ResponseBody<'readClosingChecklist'>['result']
export type ContractOfMonth = Month['contracts'][number]
export type Closing = Item<'listClosings'>

interface Figures {
  readonly 'carrier-total': number | null
  readonly 'expected-total': number | null
  readonly discrepancy: number | null
}

/** The figures of the contracts as they were when the month was closed last; undefined: it never was. */
export const closedFigures = ({ acts }: Pick<Closing, 'acts'>) => acts.findLast(({ act }) => act === 'closed')?.figures

/** The sums of contracts; null where no invoice was compared. */
export function sumOf(figures: readonly Figures[]): Figures {
  const sum = (name: keyof Figures) => {
    const amounts = figures.flatMap((one) => one[name] ?? [])
    return amounts.length === 0 ? null : amounts.reduce((total, amount) => total + amount, 0)
  }
  return {
    'carrier-total': sum('carrier-total'),
    'expected-total': sum('expected-total'),
    discrepancy: sum('discrepancy'),
  }
}
