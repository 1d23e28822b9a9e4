import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AGE_LIMIT_ENDS,
  type AgedPerson,
  type AgeLimit,
  birthdayAt,
  lastCoveredDay,
  tooOldFrom,
} from '#registry/rules/age-limit.ts'
import { addDays } from '#kernel/calendar.ts'
import { ageOn } from '#registry/rules/requirement.ts'

const limit: AgeLimit = {
  'dependent-type': 'child',
  'max-age': 21,
  'student-max-age': 24,
  unless: ['disabled'],
  ends: 'birthday',
  'draft-exclusion': false,
}
const person: AgedPerson = { dateOfBirth: '2005-11-23', studentUntil: null, disabled: false }

describe('too old from', () => {
  test.for([
    ['the birthday', {}, '2026-11-23'],
    ['the birthday, for a student until the day before it', { studentUntil: '2026-11-22' }, '2026-11-23'],
    ['the day after the studies', { studentUntil: '2026-11-23' }, '2026-11-24'],
    ['the birthday of students', { studentUntil: '2029-11-23' }, '2029-11-23'],
    ['the birthday of students, whose studies end before it', { studentUntil: '2029-11-21' }, '2029-11-22'],
    ['1 March, born on 29 February', { dateOfBirth: '2004-02-29' }, '2025-03-01'],
    [
      '29 February, born on one, in a leap year',
      { dateOfBirth: '2004-02-29', studentUntil: '2030-01-01' },
      '2028-02-29',
    ],
    ['no day: with a disability', { disabled: true }, null],
  ] as const)('%s', ([, changes, day]) => {
    expect(tooOldFrom({ ...person, ...changes }, limit)).toBe(day)
  })

  test('the birthday, with a disability that the limit does not exempt, and for a student where students have none', () => {
    expect(tooOldFrom({ ...person, disabled: true }, { ...limit, unless: [] })).toBe('2026-11-23')
    const noStudents = { ...limit, 'student-max-age': null }
    expect(tooOldFrom({ ...person, studentUntil: '2029-11-23' }, noStudents)).toBe('2026-11-23')
  })
})

describe('the last day covered', () => {
  test.for([
    ['2026-11-23', 'birthday', '2026-11-22'],
    ['2026-11-23', 'end-of-month', '2026-11-30'],
    ['2026-11-01', 'end-of-month', '2026-11-30'],
    ['2028-02-29', 'end-of-month', '2028-02-29'],
    ['2026-12-31', 'end-of-month', '2026-12-31'],
    ['2026-11-23', 'end-of-billing-period', '2026-12-09'],
    ['2026-11-10', 'end-of-billing-period', '2026-12-09'],
    ['2026-11-09', 'end-of-billing-period', '2026-11-09'],
    ['2026-11-23', 'contract-anniversary', '2027-03-14'],
    ['2027-03-14', 'contract-anniversary', '2027-03-14'],
    ['2027-03-15', 'contract-anniversary', '2028-03-14'],
    ['2027-03-16', 'contract-anniversary', '2028-03-14'],
  ] as const)('from %s on, %s: %s', ([day, ends, last]) => {
    expect(lastCoveredDay(day, ends, { billingDay: 10, anniversary: '03-15' })).toBe(last)
  })

  test('without an anniversary of the contract it is not known', () => {
    const periods = { billingDay: null, anniversary: null }
    expect(lastCoveredDay('2026-11-23', 'contract-anniversary', periods)).toBeNull()
    expect(lastCoveredDay('2026-11-23', 'end-of-billing-period', periods)).toBe('2026-11-30')
  })
})

const seed = 35
const days = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const births = fc.oneof(
  days,
  fc.integer({ min: 1952, max: 2036 }).map((year) => birthdayAt('1952-02-29', year - 1952)),
)
const monthDays = days.map((day) => day.slice(5))

test('the birthday is the first day of the age', () => {
  fc.assert(
    fc.property(births, fc.integer({ min: 0, max: 120 }), (birth, age) => {
      const day = birthdayAt(birth, age)
      expect(ageOn(birth, day)).toBe(age)
      if (age > 0) expect(ageOn(birth, addDays(day, -1))).toBe(age - 1)
    }),
    { seed, numRuns: 2_000 },
  )
})

test('a person is covered until a day that is not before the last day of the age, and less than a period after it', () => {
  const ends = fc.constantFrom(...AGE_LIMIT_ENDS)
  const periods = fc.record({ billingDay: fc.option(fc.integer({ min: 1, max: 28 })), anniversary: monthDays })
  const most = { birthday: -1, 'end-of-month': 30, 'end-of-billing-period': 30, 'contract-anniversary': 366 }
  fc.assert(
    fc.property(births, ends, periods, (day, end, given) => {
      const last = lastCoveredDay(day, end, given) ?? ''
      expect(last >= addDays(day, -1)).toBe(true)
      expect(last <= addDays(day, most[end])).toBe(true)
    }),
    { seed, numRuns: 2_000 },
  )
})

test('studies never shorten the cover and never lengthen it beyond the age of students', () => {
  fc.assert(
    fc.property(births, fc.option(days), (dateOfBirth, studentUntil) => {
      const day = tooOldFrom({ dateOfBirth, studentUntil, disabled: false }, limit) ?? ''
      expect(day >= birthdayAt(dateOfBirth, 21) && day <= birthdayAt(dateOfBirth, 24)).toBe(true)
      if (day > birthdayAt(dateOfBirth, 21) && day < birthdayAt(dateOfBirth, 24))
        expect(day).toBe(addDays(studentUntil ?? '', 1))
    }),
    { seed, numRuns: 2_000 },
  )
})
