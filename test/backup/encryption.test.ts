import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chunkBytes, decrypt, encrypt, headerBytes } from '../../src/backup/encryption.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigencia-encryption-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const masterKey = Buffer.alloc(32, 7)
/** A full chunk as it stands in the file. */
const storedBytes = chunkBytes + 16

async function encryptAll(content: readonly Buffer[], key = masterKey): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(encrypt(Readable.from(content) as AsyncIterable<Buffer>, key)))
}

async function decryptAll(bytes: Buffer, key = masterKey): Promise<Buffer[]> {
  const path = join(folder, 'one.backup')
  await writeFile(path, bytes)
  const file = await open(path, 'r')
  try {
    return await Array.fromAsync(decrypt(file, path, key))
  } finally {
    await file.close()
  }
}

const sizes = [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes - 1, 3 * chunkBytes, 3 * chunkBytes + 1]

test.for(sizes)('%i bytes come back, however they were handed over, and no more than a chunk at once', async (size) => {
  const content = randomBytes(size)
  for (const piece of [1_000, chunkBytes, size + 1]) {
    const pieces = Array.from({ length: Math.ceil(size / piece) }, (_, index) =>
      content.subarray(index * piece, (index + 1) * piece),
    )
    const read = await decryptAll(await encryptAll(pieces))
    expect(Buffer.concat(read).equals(content)).toBe(true)
    expect(Math.max(...read.map((one) => one.length))).toBeLessThanOrEqual(chunkBytes)
  }
})

describe('refused is', () => {
  let bytes: Buffer
  let other: Buffer
  const chunk = (of: Buffer, index: number) =>
    of.subarray(headerBytes + index * storedBytes, headerBytes + (index + 1) * storedBytes)
  beforeAll(async () => {
    const content = [randomBytes(3 * chunkBytes)]
    bytes = await encryptAll(content)
    other = await encryptAll(content)
  })

  test('a byte that was changed, and an end at any other place', async () => {
    const edge = fc.constantFrom(0, 1, 2, 3).map((index) => headerBytes + index * storedBytes)
    const position = fc.oneof(fc.nat(3 * storedBytes + headerBytes - 1), edge)
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const altered = Buffer.from(bytes)
        altered[Math.min(at, bytes.length - 1)] = (altered[Math.min(at, bytes.length - 1)] ?? 0) ^ bits
        await expect(decryptAll(altered)).rejects.toThrow('Nothing was written')
        if (at < bytes.length) await expect(decryptAll(bytes.subarray(0, at))).rejects.toThrow('Nothing was written')
      }),
      { numRuns: 100, seed: 14 },
    )
  })

  test.for<[string, () => Buffer[]]>([
    ['a chunk that is missing', () => [chunk(bytes, 0), chunk(bytes, 2)]],
    ['the last chunk missing', () => [chunk(bytes, 0), chunk(bytes, 1)]],
    ['chunks that changed places', () => [chunk(bytes, 1), chunk(bytes, 0), chunk(bytes, 2)]],
    ['a chunk that stands twice', () => [chunk(bytes, 0), chunk(bytes, 0), chunk(bytes, 1), chunk(bytes, 2)]],
    ['a chunk behind the last', () => [chunk(bytes, 0), chunk(bytes, 1), chunk(bytes, 2), chunk(bytes, 2)]],
    ['a byte behind the last', () => [chunk(bytes, 0), chunk(bytes, 1), chunk(bytes, 2), Buffer.of(0)]],
    ['a chunk of another file', () => [chunk(bytes, 0), chunk(other, 1), chunk(bytes, 2)]],
    ['all chunks of another file', () => [other.subarray(headerBytes)]],
    ['no chunk', () => []],
  ])('%s', async ([, chunks]) => {
    const altered = Buffer.concat([bytes.subarray(0, headerBytes), ...chunks()])
    await expect(decryptAll(altered)).rejects.toThrow('was cut short or altered')
  })

  test('another master key, with what to set', async () => {
    await expect(decryptAll(bytes, Buffer.alloc(32, 8))).rejects.toThrow(
      /^The master key is not the one under which .*.*Set VIGENCIA_MASTER_KEY to the master key of the service that was backed up, or put it into DATA_DIR\/master\.key\./s,
    )
  })

  test('another format', async () => {
    const older = Buffer.from(bytes)
    older.write('VIGENCIA-BACKUP-1\n')
    await expect(decryptAll(older)).rejects.toThrow('no backup of Vigencia in the format that this version reads')
  })
})

test('two backups of the same content share no key and no bytes', async () => {
  const content = [Buffer.alloc(chunkBytes)]
  const [one, two] = [await encryptAll(content), await encryptAll(content)]
  expect(one.subarray(headerBytes, headerBytes + 32).equals(two.subarray(headerBytes, headerBytes + 32))).toBe(false)
})
