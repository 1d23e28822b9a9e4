/*
 * Until what age a product covers a dependent. The limits are of the contract with the carrier, not of the law; a product has one for each kind of
 * dependent.
 */
import { addDays, type LocalDate, nextBillingDate } from '#kernel/calendar.ts'
import type { DependentType } from '#kernel/enums.ts'
import type { FieldError } from '#kernel/fields.ts'

/** When the cover of a person who is too old ends: the day before, or the end of a period that has that day. */
export const AGE_LIMIT_ENDS = ['birthday', 'end-of-month', 'end-of-billing-period', 'contract-anniversary'] as const
type AgeLimitEnd = (typeof AGE_LIMIT_ENDS)[number]

/** Whom a limit does not concern. */
export const AGE_LIMIT_EXEMPTIONS = ['disabled'] as const

export interface AgeLimit {
  readonly 'dependent-type': DependentType
  /** The age, in whole years, that is too old. */
  readonly 'max-age': number
  /** The age for students; null: the same age as for all others. */
  readonly 'student-max-age': number | null
  readonly unless: readonly (typeof AGE_LIMIT_EXEMPTIONS)[number][]
  readonly ends: AgeLimitEnd
  /** Whether the clock proposes the exclusion. */
  readonly 'draft-exclusion': boolean
}

/** What a limit depends on of a person. */
export interface AgedPerson {
  readonly dateOfBirth: LocalDate
  /** The last day of the studies; null: no student. */
  readonly studentUntil: LocalDate | null
  readonly disabled: boolean
}

/** What a limit depends on, of registration data in wire keys. */
export function agedPersonOf(dateOfBirth: LocalDate, profile: Readonly<Record<string, unknown>>): AgedPerson {
  const { 'student-until': until, disabled } = profile
  return { dateOfBirth, studentUntil: typeof until === 'string' ? until : null, disabled: disabled === true }
}

/** The day on which a person reaches an age. Who was born on 29 February does so on 1 March of other years (Civil Code art. 132 § 3). */
export function birthdayAt(dateOfBirth: LocalDate, age: number): LocalDate {
  return dayOf(Number(dateOfBirth.slice(0, 4)) + age, dateOfBirth.slice(5))
}

/** @param monthDay `MM-DD`; 29 February is 1 March of a year that has none. */
function dayOf(year: number, monthDay: string): LocalDate {
  return new Date(Date.UTC(year, Number(monthDay.slice(0, 2)) - 1, Number(monthDay.slice(3))))
    .toISOString()
    .slice(0, 10)
}

/** The first day on which the person is too old; null: never. */
export function tooOldFrom(person: AgedPerson, limit: AgeLimit): LocalDate | null {
  const { dateOfBirth, studentUntil, disabled } = person
  if (disabled && limit.unless.includes('disabled')) return null
  const day = birthdayAt(dateOfBirth, limit['max-age'])
  const studentMax = limit['student-max-age']
  if (studentMax === null || studentUntil === null || studentUntil < day) return day
  const asStudent = birthdayAt(dateOfBirth, studentMax)
  return studentUntil < asStudent ? addDays(studentUntil, 1) : asStudent
}

/** What the end of cover depends on beside the person. */
interface AgeLimitPeriods {
  /** The billing day of the product; null: 1. */
  readonly billingDay: number | null
  /** The anniversary of the contract, `MM-DD`; null: not known. */
  readonly anniversary: string | null
}

/** The last day of cover of a person who is too old from a day on; null where the contract's anniversary is not known. */
export function lastCoveredDay(day: LocalDate, ends: AgeLimitEnd, periods: AgeLimitPeriods): LocalDate | null {
  switch (ends) {
    case 'birthday':
      return addDays(day, -1)
    case 'end-of-month':
      return addDays(nextBillingDate(day, 1, null), -1)
    case 'end-of-billing-period':
      return addDays(nextBillingDate(day, periods.billingDay, null), -1)
    case 'contract-anniversary': {
      const { anniversary } = periods
      if (anniversary === null) return null
      const year = Number(day.slice(0, 4))
      const ofYear = dayOf(year, anniversary)
      // On the first day of a year, as of a billing period, it is the one that starts.
      return addDays(ofYear > day ? ofYear : dayOf(year + 1, anniversary), -1)
    }
    default:
      return ends satisfies never
  }
}

/** The limit of a kind of dependent; undefined: none. */
export function ageLimitOf(limits: readonly AgeLimit[], dependentType: string | null): AgeLimit | undefined {
  return limits.find((limit) => limit['dependent-type'] === dependentType)
}

/** What is wrong with limits whose fields are valid each. @param field the path of the list. */
export function ageLimitErrors(limits: readonly AgeLimit[], field: string): FieldError[] {
  return limits.flatMap((limit, index): FieldError[] => {
    const studentMax = limit['student-max-age']
    const isRepeated = ageLimitOf(limits, limit['dependent-type']) !== limit
    return [
      ...(isRepeated ? [{ field: `${field}[${index}].dependent-type`, code: 'repeated' } as const] : []),
      ...(studentMax !== null && studentMax <= limit['max-age']
        ? [{ field: `${field}[${index}].student-max-age`, code: 'invalid' } as const]
        : []),
    ]
  })
}

/** What a `dependent-too-old` may be. */
export type AllowedAge = Pick<AgeLimit, 'max-age' | 'student-max-age'>

export const allowedAge = (limit: AgeLimit): AllowedAge => ({
  'max-age': limit['max-age'],
  'student-max-age': limit['student-max-age'],
})
