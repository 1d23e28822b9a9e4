import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { uploadPath, verifyUploadPath } from '#registry/documents/signed-upload-url.ts'

const key = randomBytes(32)
const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const at = new Date('2026-11-23T12:30:00.000Z')

function queryOf(path: string): Record<string, string> {
  return Object.fromEntries(new URL(path, 'http://host').searchParams)
}

test('a URL has its expiry, also after it', () => {
  expect(verifyUploadPath(key, id, queryOf(uploadPath(key, id, at)))).toEqual(at)
  const past = new Date('2020-01-01T00:00:00.000Z')
  expect(verifyUploadPath(key, id, queryOf(uploadPath(key, id, past)))).toEqual(past)
})

test('an address of another key, document or end is none', () => {
  const query = queryOf(uploadPath(key, id, at))
  expect(verifyUploadPath(randomBytes(32), id, query)).toBeNull()
  expect(verifyUploadPath(key, id.replace('9', '8'), query)).toBeNull()
  expect(verifyUploadPath(key, id, { ...query, expires: String(Number(query['expires']) + 1) })).toBeNull()
})

test('no other text of the signature is accepted', () => {
  const query = queryOf(uploadPath(key, id, at))
  const right = query['signature'] ?? ''
  fc.assert(
    fc.property(
      fc.nat({ max: right.length - 1 }),
      fc.constantFrom(...Array.from('ABCDEFabcdef0189-_=')),
      (position, sign) => {
        const signature = right.slice(0, position) + sign + right.slice(position + 1)
        fc.pre(signature !== right)
        expect(verifyUploadPath(key, id, { ...query, signature })).toBeNull()
      },
    ),
    { numRuns: 1_000 },
  )
})
