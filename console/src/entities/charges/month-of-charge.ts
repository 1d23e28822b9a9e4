import { businessDate } from '../../format/date.ts'

/** The month whose invoice is of most interest: this one, of a cover that has ended that of its end. */
export function monthOfCharge({ 'end-date': end }: { readonly 'end-date': string | null }): string {
  const today = businessDate()
  return (end !== null && end < today ? end : today).slice(0, 7)
}
