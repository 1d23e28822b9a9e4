import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTimestamp } from '#kernel/timestamp.ts'

test.each([
  ['2026-11-23T10:00:00Z', '2026-11-23T10:00:00.000000Z'],
  ['2026-11-23t10:00:00z', '2026-11-23T10:00:00.000000Z'],
  ['2026-11-23 10:00:00Z', '2026-11-23T10:00:00.000000Z'],
  ['2026-11-23T10:00:00+00:00', '2026-11-23T10:00:00.000000Z'],
  ['2026-11-23T10:00:00 00:00', '2026-11-23T10:00:00.000000Z'],
  ['2026-11-23T10:00:00-00:00', '2026-11-23T10:00:00.000000Z'],
  ['2026-11-23T10:00:00.5-03:00', '2026-11-23T13:00:00.500000Z'],
  ['2026-11-23T23:30:00.123456789-03:00', '2026-11-24T02:30:00.123456Z'],
  ['2026-03-01T00:10:00+05:45', '2026-02-28T18:25:00.000000Z'],
  ['2026-11-23T10:00:00+23:59', '2026-11-22T10:01:00.000000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
  ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ['9999-12-31T23:59:59-23:00', '9999-12-31T23:59:59.999999Z'],
])('%s is %s', (text, utc) => {
  expect(parseTimestamp(text)).toBe(utc)
})

test.each([
  '',
  'x',
  '2026-11-23',
  '2026-11-23T10:00:00',
  '2026-11-23T10:00Z',
  '2026-11-23T24:00:00Z',
  '2026-11-23T10:60:00Z',
  '2026-11-23T10:00:61Z',
  '2026-02-29T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-00-01T10:00:00Z',
  '2026-11-23T10:00:00.Z',
  '2026-11-23T10:00:00+0300',
  '2026-11-23T10:00:00+24:00',
  '2026-11-23T10:00:00Z ',
  '12026-11-23T10:00:00Z',
])('%j is none', (text) => {
  expect(parseTimestamp(text)).toBeNull()
})

test('an instant is the same with every offset', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      fc.integer({ min: -1439, max: 1439 }),
      (instant, minutes) => {
        const two = (value: number) => String(value).padStart(2, '0')
        const [size, sign] = [Math.abs(minutes), minutes < 0 ? '-' : '+']
        const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const text = `${local}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
        expect(parseTimestamp(text)).toBe(instant.toISOString().replace('Z', '000Z'))
      },
    ),
  )
})
