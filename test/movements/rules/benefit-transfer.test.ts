import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween } from '#kernel/calendar.ts'
import { transferOf } from '#movements/rules/benefit-transfer.ts'
import { lastDay } from '#movements/rules/exclusion.ts'

test.each([
  ['the first of March of a year of 28 days in February', '2027-03-01', '2027-02-28'],
  ['the first of March of a leap year', '2028-03-01', '2028-02-29'],
  ['the first of May, after 30 days', '2027-05-01', '2027-04-30'],
  ['the first of August, after 31 days', '2027-08-01', '2027-07-31'],
  ['New Year', '2027-01-01', '2026-12-31'],
  ['the 29th of February', '2028-02-29', '2028-02-28'],
])('on %s the old benefit ends the day before', (_name, day, end) => {
  const change = transferOf({ startDate: '2020-01-01', endDate: null }, day, '2026-11-23')
  expect(change).toEqual({ oldEnd: end, newStart: day, newEnd: null, now: false })
})

const day = fc.integer({ min: 0, max: 3_000 }).map((days) => addDays('2024-01-01', days))

test('for any days there is neither a gap nor an overlap, and no benefit starts before its own start date', () => {
  fc.assert(
    fc.property(day, fc.option(fc.nat({ max: 900 })), day, day, (startDate, length, on, today) => {
      const endDate = length === null ? null : addDays(startDate, length)
      const change = transferOf({ startDate, endDate }, on, today)
      if (change === null) {
        expect(endDate !== null && endDate < on).toBe(true)
        return
      }
      expect(daysBetween(change.oldEnd, change.newStart)).toBe(1)
      expect(change.newStart >= startDate && change.newStart >= on).toBe(true)
      expect(change.newEnd).toBe(endDate)
      expect(change.now).toBe(on <= today)
    }),
  )
})

test('a transfer on the first day of a benefit makes it void: it ends the day before its start', () => {
  expect(transferOf({ startDate: '2026-12-01', endDate: null }, '2026-12-01', '2026-11-23')).toMatchObject({
    oldEnd: '2026-11-30',
    newStart: '2026-12-01',
  })
})

test('a benefit that ends before the day is not transferred', () => {
  expect(transferOf({ startDate: '2026-01-01', endDate: '2026-11-30' }, '2026-12-01', '2026-11-23')).toBeNull()
})

test('no benefit ends before its own start', () => {
  expect(lastDay('2026-11-30', '2026-12-05')).toBe('2026-12-05')
  expect(lastDay('2026-12-31', '2026-12-05')).toBe('2026-12-31')
})
