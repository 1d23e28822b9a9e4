import { expect, test } from 'vitest'
import { layOutZip } from '#money/invoices/zip.ts'
import { directoryOf } from '../../world/invoice.ts'

const entry = (name: string, size: number) => ({ name, size, crc32: 0xdeadbeef, at: '2026-11-23 10:20:31' })

test('an empty ZIP is its end record', () => {
  const { headers, directory, size } = layOutZip([])
  expect(headers).toEqual([])
  expect(directory.toString('hex')).toBe(`504b0506${'00'.repeat(18)}`)
  expect(size).toBe(22)
})

test('time, size and checksum stand before the bytes: no descriptor follows them', () => {
  const [header = Buffer.alloc(0)] = layOutZip([entry('a.pdf', 1_000)]).headers
  // 2026-11-23 as (46 << 9 | 11 << 5 | 23), 10:20:31 as (10 << 11 | 20 << 5 | 15).
  expect(header.readUInt16LE(12)).toBe((46 << 9) | (11 << 5) | 23)
  expect(header.readUInt16LE(10)).toBe((10 << 11) | (20 << 5) | 15)
  expect(header.readUInt16LE(6) & 0x0008).toBe(0)
  expect(header.readUInt32LE(14)).toBe(0xdeadbeef)
  expect([header.readUInt32LE(18), header.readUInt32LE(22)]).toEqual([1_000, 1_000])
})

const hundredMebibytes = 100 * 1024 * 1024

test('past 4 GiB the directory is ZIP64, and so are the records of the files that lie there', () => {
  const entries = Array.from({ length: 60 }, (_, index) =>
    entry(`f${String(index).padStart(2, '0')}.pdf`, hundredMebibytes),
  )
  const { headers, directory, size } = layOutZip(entries)
  const found = directoryOf(Buffer.concat([directory]))
  expect(found.isZip64).toBe(true)
  expect(found.count).toBe(60)
  expect(found.offset).toBe(60 * (hundredMebibytes + (headers[0]?.length ?? 0)))
  expect(found.offset + directory.length).toBe(size)
  let at = 0
  for (const [index] of entries.entries()) {
    const offset = index * (hundredMebibytes + 37)
    const extra = directory.readUInt16LE(at + 30)
    const isFar = offset >= 0xffff_ffff
    expect(extra).toBe(isFar ? 12 : 0)
    const stated = isFar ? Number(directory.readBigUInt64LE(at + 46 + 7 + 4)) : directory.readUInt32LE(at + 42)
    expect(stated).toBe(offset)
    at += 46 + 7 + extra
  }
})

test('more than 65,534 files are ZIP64', () => {
  const few = layOutZip(Array.from({ length: 65_534 }, (_, index) => entry(String(index), 1)))
  const many = layOutZip(Array.from({ length: 65_535 }, (_, index) => entry(String(index), 1)))
  expect(directoryOf(few.directory)).toMatchObject({ count: 65_534, isZip64: false })
  expect(directoryOf(many.directory)).toMatchObject({ count: 65_535, isZip64: true })
})
