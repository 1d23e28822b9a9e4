import * as fc from 'fast-check'
import { isUtf8 } from 'node:buffer'
import { mkdtempSync, readdirSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { spool } from '#movements/imports/spool.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigencia-spool-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

async function spooled(bytes: Buffer, size: number) {
  const file = await spool(folder, chunksOf(bytes, size), 1_000)
  const content = Buffer.alloc(file.size)
  readSync(file.file, content, 0, file.size, 0)
  expect(readdirSync(folder)).toEqual([])
  await file.close()
  return { content, size: file.size, encoding: file.encoding, from: file.from }
}

test('stores the bytes in an unlinked file, and detects UTF-8 or Windows-1252 wherever chunks end', async () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'ç', '€', '😀', '\uFEFF', '\n').map((text) => Buffer.from(text)),
    fc.constantFrom(0xe7, 0x80, 0xff, 0xc3, 0xf0).map((byte) => Buffer.from([byte])),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), async (pieces, size) => {
      const bytes = Buffer.concat(pieces)
      const { content, encoding, from } = await spooled(bytes, size)
      expect(content.equals(bytes)).toBe(true)
      expect(encoding).toBe(isUtf8(bytes) ? 'utf-8' : 'windows-1252')
      expect(from).toBe(bytes.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? 3 : 0)
    }),
  )
})

test('accepts bytes up to the limit, and gives 413 for one more', async () => {
  expect((await spooled(Buffer.alloc(1_000, 0x61), 300)).size).toBe(1_000)
  await expect(spooled(Buffer.alloc(1_001, 0x61), 300)).rejects.toMatchObject({ statusCode: 413 })
  expect(readdirSync(folder)).toEqual([])
})

test('an aborted transfer leaves no file', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('a')
    throw new Error('broken')
  }
  await expect(spool(folder, broken(), 1_000)).rejects.toThrow('broken')
  expect(readdirSync(folder)).toEqual([])
})
