/* What a carrier should charge for a person in a month, and how the amount comes about. */
import type { AgeOn, Proration } from '#kernel/broker-enums.ts'
import { addDays, daysBetween, type LocalDate } from '#kernel/calendar.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import { portion } from '#kernel/money.ts'
import { isByAge, type PriceCategory, priceCategory, priceOf, type PriceTable } from './price-table.ts'

/** What a contract says of its prices; null: not set. */
export interface PriceSettings {
  readonly ageOn: AgeOn | null
  readonly proration: Proration | null
  /** Only for `full-if-started-until-day`. */
  readonly prorationDay: number | null
  readonly anniversaryMonth: number | null
}

const PRICE_SETTINGS = ['age-on', 'proration', 'anniversary-month'] as const
export type PriceSetting = (typeof PRICE_SETTINGS)[number]

/** The settings without which the prices of these tables cannot be calculated. */
export function missingSettings(settings: PriceSettings, tables: readonly PriceTable[]): PriceSetting[] {
  const needsAge = tables.some((table) => isByAge(table.kind))
  const needsAnniversary = needsAge && settings.ageOn === 'contract-anniversary'
  return [
    ...(needsAge && settings.ageOn === null ? (['age-on'] as const) : []),
    ...(settings.proration === null ? (['proration'] as const) : []),
    ...(needsAnniversary && settings.anniversaryMonth === null ? (['anniversary-month'] as const) : []),
  ]
}

/** The same settings, when none is missing that the tables need. */
export interface PriceRules {
  readonly ageOn: AgeOn
  readonly proration: Proration
  readonly prorationDay: number | null
  readonly anniversaryMonth: number | null
}

export const firstDay = (month: Month): LocalDate => `${month}-01`
export const lastDay = (month: Month): LocalDate => `${month}-${daysOf(month)}`

// Without the engine's dates: an invoice asks for each month of cover of each person.
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

function daysOf(month: Month): number {
  const days = monthDays[Number(month.slice(5)) - 1] ?? 0
  return days === 28 && isLeap(Number(month.slice(0, 4))) ? 29 : days
}

/** The day of the age that counts for a month. */
export function ageDay(month: Month, { ageOn, anniversaryMonth }: PriceRules): LocalDate {
  switch (ageOn) {
    case 'first-day-of-reference-month':
      return firstDay(month)
    case 'month-after-birthday':
      return addDays(firstDay(month), -1)
    case 'birthday-month':
      return lastDay(month)
    case 'contract-anniversary': {
      const ofYear = `${month.slice(0, 4)}-${String(anniversaryMonth ?? 1).padStart(2, '0')}`
      return firstDay(ofYear <= month ? ofYear : addMonths(ofYear, -12))
    }
    default:
      return ageOn satisfies never
  }
}

/** The age in whole years on a day; before the birth 0. Who was born on 29 February has the birthday on 1 March of other years. */
export function ageAt(dateOfBirth: LocalDate, day: LocalDate): number {
  const year = Number(day.slice(0, 4))
  const years = year - Number(dateOfBirth.slice(0, 4))
  const born = dateOfBirth.slice(5)
  const birthday = born === '02-29' && !isLeap(year) ? '03-01' : born
  return Math.max(0, birthday <= day.slice(5) ? years : years - 1)
}

/** A cover, both days included; without an end null. */
interface Cover {
  readonly startDate: LocalDate
  readonly endDate: LocalDate | null
}

/** The days of a month on which a person is covered. */
export function coveredDays({ startDate, endDate }: Cover, month: Month): number {
  const [first, last] = [firstDay(month), lastDay(month)]
  if (startDate <= first && (endDate === null || endDate >= last)) return daysOf(month)
  if (startDate > last || (endDate !== null && endDate < first)) return 0
  const from = startDate > first ? startDate : first
  const until = endDate !== null && endDate < last ? endDate : last
  return Math.max(0, daysBetween(from, until) + 1)
}

/** What of a full price is owed for a cover in a month. */
export function prorate(amount: number, cover: Cover, month: Month, rules: PriceRules): number {
  const days = coveredDays(cover, month)
  const daysOfMonth = daysOf(month)
  if (days === 0) return 0
  if (days === daysOfMonth) return amount
  switch (rules.proration) {
    case 'none':
      return amount
    case 'daily-30':
      return portion(amount, Math.min(days, 30), 30)
    case 'daily-calendar':
      return portion(amount, days, daysOfMonth)
    case 'full-if-started-until-day':
      return cover.startDate <= lastDayToStart(month, rules.prorationDay ?? 31) ? amount : 0
    default:
      return rules.proration satisfies never
  }
}

const lastDayToStart = (month: Month, day: number): LocalDate => `${month}-${String(day).padStart(2, '0')}`

/** A person with a cover. */
interface CoveredPerson extends Cover {
  readonly dateOfBirth: LocalDate
  readonly type: BeneficiaryType
}

/** How an amount comes about. */
export interface Premium {
  readonly category: PriceCategory
  readonly age: number
  /** The price of a whole month. */
  readonly price: number
  readonly coveredDays: number
  readonly amount: number
}

/** The premium of a person in a month; null when the table has no price. */
export function premiumOf(person: CoveredPerson, month: Month, table: PriceTable, rules: PriceRules): Premium | null {
  const age = ageAt(person.dateOfBirth, isByAge(table.kind) ? ageDay(month, rules) : firstDay(month))
  const category = priceCategory(table.kind, age, person.type)
  const price = priceOf(table, category)
  if (price === null) return null
  const amount = prorate(price, person, month, rules)
  return { category, age, price, coveredDays: coveredDays(person, month), amount }
}

/** A table as the contract has it: of a plan's code, or of every plan that has none of its own. */
export interface DatedTable extends PriceTable {
  readonly carrierPlanCode: string | null
  readonly validFrom: LocalDate
}

/** The table of a plan in a month: the latest one of its code that is valid on the first day, else of all plans. */
export function tableOf<T extends DatedTable>(tables: readonly T[], planCode: string | null, month: Month): T | null {
  const own = planCode === null ? null : latest(tables, planCode, firstDay(month))
  return own ?? latest(tables, null, firstDay(month))
}

function latest<T extends DatedTable>(tables: readonly T[], planCode: string | null, day: LocalDate): T | null {
  let found: T | null = null
  for (const table of tables) {
    if (table.carrierPlanCode !== planCode || table.validFrom > day) continue
    if (found === null || table.validFrom > found.validFrom) found = table
  }
  return found
}
