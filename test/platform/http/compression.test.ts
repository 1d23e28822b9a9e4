import { expect, test } from 'vitest'
import { acceptedCoding } from '#platform/http/compression.ts'

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['deflate', null],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br ; q=0.8 , gzip ; q=0.5', 'br'],
  ['gzip;q=0', null],
  ['gzip;q=0, br;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['gzip;q=high', null],
])('of Accept-Encoding %j the service uses %j', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding)
})
