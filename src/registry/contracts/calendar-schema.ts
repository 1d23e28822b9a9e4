import { Type } from 'typebox'
import { HOLIDAY_SETS } from '#kernel/business-days.ts'
import { MONTH_PATTERN, NOT_BUSINESS_DAY_RULES } from '../rules/cut-off.ts'
import { Closed, DateOnly, Named, Nullable, OneOf } from '#platform/http/schemas.ts'

export const Month = Type.String({ pattern: MONTH_PATTERN, description: 'A month, `YYYY-MM`.', examples: ['2026-12'] })

const OwnHoliday = Type.String({
  pattern: '^(2[01]\\d{2}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  examples: ['01-25'],
})

const cutOffDay = Type.Integer({ minimum: 1, maximum: 31, description: 'In a shorter month its last day.' })
const businessDaysBefore = Type.Integer({
  minimum: 1,
  maximum: 30,
  description: 'Instead of `cut-off-day`: business days before the coverage day.',
})
const whenNotBusinessDay = OneOf(NOT_BUSINESS_DAY_RULES, {
  description: 'Where the cut-off day is no business day: the one before, the one after, or the day itself.',
})
const holidays = OneOf(HOLIDAY_SETS, { description: '`banking`: also Carnival and Corpus Christi.' })
const ownHolidays = Type.Array(OwnHoliday, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Further holidays, as of a municipality: a day, or `MM-DD` of each year.',
})
const coverage = {
  'coverage-day': Type.Integer({
    minimum: 1,
    maximum: 28,
    description: 'The cover of a month’s movements starts on it.',
  }),
  'coverage-month-offset': Type.Integer({ minimum: 0, maximum: 2, description: 'So many months after the cut-off.' }),
}
const exceptions = Type.Array(Closed({ month: Month, 'cut-off-date': DateOnly }), {
  maxItems: 120,
  description: 'The cut-off days of single months, which carriers publish. They win.',
})

/** The calendar of a contract (src/registry/rules/cut-off.ts). */
export const Calendar = Named(
  'ContractCalendar',
  Type.Object({
    'cut-off-day': Nullable(cutOffDay),
    'cut-off-business-days-before-billing': Nullable(businessDaysBefore),
    'when-not-business-day': whenNotBusinessDay,
    holidays,
    'own-holidays': ownHolidays,
    ...coverage,
    exceptions,
  }),
)

/** As it is sent. */
export const CalendarBody = Closed({
  'cut-off-day': Type.Optional(Nullable(cutOffDay)),
  'cut-off-business-days-before-billing': Type.Optional(Nullable(businessDaysBefore)),
  'when-not-business-day': Type.Optional(whenNotBusinessDay),
  holidays: Type.Optional(holidays),
  'own-holidays': Type.Optional(ownHolidays),
  ...coverage,
  exceptions: Type.Optional(exceptions),
})

export const calendarExample = {
  'cut-off-day': 20,
  'when-not-business-day': 'previous',
  holidays: 'banking',
  'own-holidays': ['01-25'],
  'coverage-day': 1,
  'coverage-month-offset': 1,
  exceptions: [{ month: '2026-12', 'cut-off-date': '2026-12-10' }],
}
