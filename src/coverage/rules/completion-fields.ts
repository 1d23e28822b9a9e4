/*
 * The fields that the operator may send with a transition, and to which movements they belong: nothing that is sent is ignored.
 */
import type { LocalDate } from '#kernel/calendar.ts'
import { alterationRules } from '#kernel/movement-rules.ts'
import { isPending } from './enrollment-status.ts'
import type { AlterationKind, EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import type { FieldError } from '#kernel/fields.ts'

/** The field names, and the keys under which a decision has them. */
const keys = {
  'card-number': 'cardNumber',
  'start-date': 'startDate',
  'end-date': 'endDate',
  'pending-items': 'pendingItems',
  'carrier-protocol': 'carrierProtocol',
} as const

export type CompletionField = keyof typeof keys

type CompletionData = Readonly<Partial<Record<(typeof keys)[CompletionField], unknown>>>

export interface CompletedMovement {
  readonly enrollmentType: MovementKind
  /** A plan or company change, not registration data alone. */
  readonly isTransfer: boolean
  /** null: no act of an operator. */
  readonly alterationKind: AlterationKind | null
}

const starting: readonly CompletionField[] = ['card-number', 'start-date']

/** What completing a movement takes. */
export function completionFieldsOf({
  enrollmentType,
  isTransfer,
  alterationKind,
}: CompletedMovement): readonly CompletionField[] {
  switch (enrollmentType) {
    case 'inclusion':
      return starting
    case 'exclusion':
      return ['end-date']
    case 'alteration':
      if (alterationKind !== null) return alterationRules[alterationKind].completionFields
      return isTransfer ? starting : []
    default:
      return enrollmentType satisfies never
  }
}

/** The completion fields that were sent. */
export function sentFields(data: CompletionData): CompletionField[] {
  return (Object.keys(keys) as CompletionField[]).filter((field) => data[keys[field]] != null)
}

/** The fields that were sent and do not belong to the status or, if it is known, to the movement. */
export function inapplicableFields(
  decision: CompletionData & { readonly status: EnrollmentStatus },
  movement: CompletedMovement | null,
): CompletionField[] {
  const isApplicable = (field: CompletionField) => {
    if (field === 'pending-items') return isPending(decision.status)
    if (field === 'carrier-protocol') return decision.status === 'carrier-processing'
    return decision.status === 'completed' && (movement === null || completionFieldsOf(movement).includes(field))
  }
  return sentFields(decision).filter((field) => !isApplicable(field))
}

/** Whether a day is more than two years from today, or before 1900: mostly a slip that takes years of cover away. */
export const isFarFrom = (today: LocalDate, day: LocalDate): boolean =>
  day < '1900-01-01' || day < inYears(today, -2) || day > inYears(today, 2)

/** The sent dates that are far from today. */
export function outOfRangeDates(
  dates: Readonly<Partial<Record<'startDate' | 'endDate', LocalDate | null>>>,
  today: LocalDate,
): ('start-date' | 'end-date')[] {
  return (['start-date', 'end-date'] as const).filter((field) => {
    const day = dates[keys[field]]
    return day != null && isFarFrom(today, day)
  })
}

/** The day with the same month and day; of 29 February it is only compared. */
function inYears(day: LocalDate, years: number): string {
  return String(Number(day.slice(0, 4)) + years).padStart(4, '0') + day.slice(4)
}

/** The details of an error for such dates. */
export function outOfRangeDetails(fields: readonly string[]): FieldError[] {
  return fields.map((field) => ({ field, code: 'date-out-of-range', message: { key: 'far-from-today' } }))
}
