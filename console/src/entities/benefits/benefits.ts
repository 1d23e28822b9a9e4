import type { Result } from '@vigencia/client'

export type Member = Result<'readAnyMember'>
type OperatorBenefit = Member['benefits'][number]
type OperatorsOnly = 'carrier-certificate' | 'carrier-dependent-code'
/** A benefit for an operator, or for a company, which does not see what the carrier has. */
export type Benefit = Omit<OperatorBenefit, OperatorsOnly> & Partial<Pick<OperatorBenefit, OperatorsOnly>>

/** The name of one of the companies of the person's benefits. */
export const companyNameOf = ({ companies }: Member, taxId: string) =>
  companies.find((company) => company['tax-id'] === taxId)?.name

/** The company whose employee the person is; null where there is none, or more than one company. */
export function employerOf({ benefits, registrations }: Member): string | null {
  const employers = new Set(benefits.filter(({ type }) => type === 'primary').map((one) => one['company-tax-id']))
  const [taxId = null] = employers
  return registrations.length > 1 ? null : taxId
}

/** What the carrier's files name the person by beside the card: `0012345-01`; null: no file did. */
export function certificateOf(benefit: Benefit): string | null {
  const parts = [benefit['carrier-certificate'], benefit['carrier-dependent-code']].filter(
    (part) => typeof part === 'string',
  )
  return parts.length === 0 ? null : parts.join('-')
}

const dayMilliseconds = 86_400_000

/** A day as a number of days, for scales. @param day as the API writes it. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMilliseconds

/** The day of `dayNumber`. */
export const dayOfNumber = (number: number): string => new Date(number * dayMilliseconds).toISOString().slice(0, 10)

/** Whether the benefit covers the person on the day. A pending one does not yet. */
export function isInForce(benefit: Benefit, day: string): boolean {
  const { status, 'start-date': start, 'end-date': end } = benefit
  return status !== 'pending' && start <= day && (end === null || day <= end)
}

/** Oldest first. */
export function byStart(benefits: readonly Benefit[]): readonly Benefit[] {
  const keyOf = (benefit: Benefit) => `${benefit['start-date']} ${benefit['benefit-id']}`
  return benefits.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** The first and the last day of an axis, as `dayNumber`. */
export interface Axis {
  readonly first: number
  readonly last: number
}

/** The days that an axis shows: of all benefits, and `days`, in whole years. */
export function axisOf(benefits: readonly Benefit[], days: readonly string[]): Axis {
  const all = [
    ...days,
    ...benefits.flatMap((benefit) => [benefit['start-date'], benefit['end-date'] ?? benefit['start-date']]),
  ]
  const years = all.map((day) => Number(day.slice(0, 4)))
  return { first: dayNumber(`${Math.min(...years)}-01-01`), last: dayNumber(`${Math.max(...years)}-12-31`) }
}

/** The years of an axis that get a label: at most `max`, evenly. */
export function yearsOf({ first, last }: Axis, max: number): readonly number[] {
  const [from, until] = [first, last].map((number) => Number(dayOfNumber(number).slice(0, 4))) as [number, number]
  const step = Math.ceil((until - from + 1) / max)
  return Array.from({ length: Math.ceil((until - from + 1) / step) }, (_, index) => from + index * step)
}
