import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, businessDate, daysBetween, isLocalDate, nextBillingDate } from '#kernel/calendar.ts'

const instants = fc.date({
  min: new Date('1800-01-01T00:00:00Z'),
  max: new Date('2200-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const dates = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe('the business day', () => {
  test.each([
    ['2026-08-20T02:59:59.999Z', '2026-08-19'],
    ['2026-08-20T03:00:00Z', '2026-08-20'],
    ['2018-11-04T02:59:59Z', '2018-11-03'],
    ['2018-12-31T01:59:59Z', '2018-12-30'],
    ['2018-12-31T02:00:00Z', '2018-12-31'],
    ['2024-02-29T12:00:00Z', '2024-02-29'],
    ['1913-12-31T23:00:00Z', '1913-12-31'],
  ])('of %s is %s', (instant, date) => {
    expect(businessDate(new Date(instant))).toBe(date)
  })

  test('is the date of a clock in Sao Paulo', () => {
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' })
    fc.assert(
      fc.property(instants, (instant) => {
        expect(businessDate(instant)).toBe(clock.format(instant))
      }),
    )
  })

  test('is the same in every time zone of the machine', () => {
    const program = `
      const { businessDate } = await import(${JSON.stringify(new URL('../../src/kernel/calendar.ts', import.meta.url).href)})
      const days = []
      for (let hour = 0; hour < 24 * 400; hour += 1) days.push(businessDate(new Date(Date.UTC(2018, 5, 1, hour))))
      process.stdout.write(days.join())`
    const under = (zone: string): string =>
      execFileSync(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      })
    const here = under('America/Sao_Paulo')
    expect(here.length).toBeGreaterThan(24 * 400 * 10)
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) expect(under(zone)).toBe(here)
  }, 120_000)

  test('an invalid instant throws', () => {
    expect(() => businessDate(new Date(Number.NaN))).toThrow(RangeError)
  })
})

describe('a date', () => {
  test.each(['1990-05-17', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s is one', (value) => {
    expect(isLocalDate(value)).toBe(true)
  })

  test.each([
    '1990-02-30',
    '2023-02-29',
    '1900-02-29',
    '1990-13-01',
    '1990-00-10',
    '1990-01-00',
    '1990-04-31',
    '0000-01-01',
    '1990-5-17',
    '17/05/1990',
    '1990-05-17T00:00:00Z',
    ' 1990-05-17',
    '1990-05-17\n',
    '19900-5-17',
    '-990-05-17',
    '١٩٩٠-٠٥-١٧',
    '',
    19900517,
    null,
    undefined,
    new Date(),
  ])('%j is none', (value) => {
    expect(isLocalDate(value)).toBe(false)
  })

  test('is valid exactly when the calendar of the platform has it', () => {
    const part = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max })
    fc.assert(
      fc.property(part(1900, 2200), part(0, 14), part(0, 33), (year, month, day) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const parsed = new Date(`${text}T00:00:00Z`)
        const exists = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
        expect(isLocalDate(text)).toBe(exists)
      }),
      { numRuns: 1000 },
    )
  })

  test('plus days is a date, and the difference gives the days again', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
        const later = addDays(date, days)
        expect(isLocalDate(later)).toBe(true)
        expect(daysBetween(date, later)).toBe(days)
        expect(later).toBe(new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10))
      }),
    )
  })

  test('beyond the year 9999 throws', () => {
    expect(addDays('9999-12-30', 1)).toBe('9999-12-31')
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError)
    expect(() => addDays('0001-01-01', -1)).toThrow(RangeError)
  })
})

describe('the next billing period', () => {
  test.each([
    ['2026-03-20', 1, 20, '2026-04-01'],
    ['2026-03-21', 1, 20, '2026-05-01'],
    ['2026-03-01', 1, 20, '2026-04-01'],
    ['2026-03-04', 15, 5, '2026-03-15'],
    ['2026-03-06', 15, 5, '2026-04-15'],
    ['2026-03-15', 15, 5, '2026-05-15'],
    ['2026-03-14', 15, null, '2026-03-15'],
    ['2026-03-15', 15, null, '2026-04-15'],
    ['2026-12-21', 1, 20, '2027-02-01'],
    ['2026-11-30', null, 20, '2027-01-01'],
    ['2026-12-31', null, null, '2027-01-01'],
  ])('from %s with billing day %s and cut-off day %s starts %s', (today, billingDay, cutOffDay, expected) => {
    expect(nextBillingDate(today, billingDay, cutOffDay)).toBe(expected)
  })

  test('is a billing day after today, within two months', () => {
    const day = fc.option(fc.integer({ min: 1, max: 28 }))
    fc.assert(
      fc.property(dates, day, fc.option(fc.integer({ min: 1, max: 31 })), (today, billingDay, cutOffDay) => {
        const start = nextBillingDate(today, billingDay, cutOffDay)
        expect(isLocalDate(start)).toBe(true)
        expect(start > today).toBe(true)
        expect(Number(start.slice(8))).toBe(billingDay ?? 1)
        const isPastCutOff = cutOffDay !== null && Number(today.slice(8)) > cutOffDay
        expect(daysBetween(today, start)).toBeLessThanOrEqual(isPastCutOff ? 62 : 31)
      }),
    )
  })
})
