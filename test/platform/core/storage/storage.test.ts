import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStorage } from '#platform/core/storage/open-storage.ts'
import { newKey, type Storage } from '#platform/core/storage/storage.ts'
import { StartError } from '#platform/core/errors.ts'
import { startS3, type S3Store } from './s3-store.ts'

const mebibyte = 1024 * 1024

let folder: string
let store: S3Store

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-storage-'))
  store = await startS3()
})

afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function* breakingAfter(bytes: Buffer, why: Error): AsyncGenerator<Buffer> {
  yield* inPieces(bytes, 64 * 1024)
  throw why
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

describe.each([
  ['a folder', () => ({ storageUrl: null, dataDir: folder })],
  ['S3', () => ({ storageUrl: store.url, dataDir: folder })],
])('%s', (_name, config) => {
  let storage: Storage

  beforeAll(async () => {
    storage = await openStorage(config())
  })

  afterAll(() => storage.close())

  const readBack = async (key: string) => {
    const { stream, size } = await storage.read(key)
    return { size, bytes: await buffer(stream) }
  }

  test.each([
    ['nothing', 0, 1_000],
    ['one byte', 1, 1_000],
    ['one piece', 70_000, 70_000],
    ['pieces that fill a part of S3 exactly', 5 * mebibyte, 64 * 1024],
    ['one byte more than a part', 5 * mebibyte + 1, 64 * 1024],
    ['pieces that do not fit parts', 12 * mebibyte + 345, 70_001],
    ['a piece larger than two parts', 11 * mebibyte, 11 * mebibyte],
  ])('gives back what was written: %s', async (_case, size, piece) => {
    const bytes = randomBytes(size)
    const key = newKey('document')
    expect(await storage.write(key, inPieces(bytes, piece))).toEqual({ size })
    const read = await readBack(key)
    expect(read.size).toBe(size)
    expect(read.bytes.equals(bytes)).toBe(true)
  })

  test.each([
    ['before the first byte', 0],
    ['in the first part', 300_000],
    ['after two parts', 11 * mebibyte],
  ])('throws what broke the source, and nothing can be read: %s', async (_case, size) => {
    const key = newKey('document')
    const why = new Error('the source broke off')
    await expect(storage.write(key, breakingAfter(randomBytes(size), why))).rejects.toBe(why)
    expect(await failureOf(storage.read(key))).not.toBeNull()
  })

  test.each([
    [0, 9],
    [1_000, 299_999],
    [299_999, 299_999],
  ])('gives back a part: bytes %i to %i', async (first, last) => {
    const bytes = randomBytes(300_000)
    const key = newKey('document')
    await storage.write(key, inPieces(bytes, 70_000))
    const { stream, size } = await storage.read(key, { first, last })
    expect(size).toBe(last - first + 1)
    expect((await buffer(stream)).equals(bytes.subarray(first, last + 1))).toBe(true)
  })

  test('nothing can be read while a write is under way', async () => {
    const key = newKey('document')
    const paused = Promise.withResolvers<void>()
    const half = Promise.withResolvers<void>()
    async function* slowly() {
      yield randomBytes(6 * mebibyte)
      half.resolve()
      await paused.promise
      yield randomBytes(100)
    }
    const writing = storage.write(key, slowly())
    await half.promise
    expect(await failureOf(storage.read(key))).not.toBeNull()
    paused.resolve()
    await writing
    expect((await readBack(key)).size).toBe(6 * mebibyte + 100)
  })

  test('removes, also what is not there', async () => {
    const key = newKey('document')
    await storage.write(key, inPieces(randomBytes(10), 10))
    await storage.remove(key)
    expect(await failureOf(storage.read(key))).not.toBeNull()
    await expect(storage.remove(key)).resolves.toBeUndefined()
    await expect(storage.remove(newKey('document'))).resolves.toBeUndefined()
  })

  test('refuses a key that the service did not create', async () => {
    for (const key of ['../../etc/passwd', 'document/../../x', '/tmp/x', 'document/a.pdf', 'document/', '']) {
      await expect(storage.write(key, inPieces(Buffer.from('x'), 1))).rejects.toThrow('invalid storage key')
    }
  })
})

describe('a folder', () => {
  test('is readable by its owner only, and stores nothing of an incomplete write', async () => {
    const dataDir = await mkdtemp(join(folder, 'own-'))
    const storage = await openStorage({ storageUrl: null, dataDir })
    const key = newKey('document')
    await storage.write(key, inPieces(randomBytes(10), 10))
    await storage.write(newKey('document'), breakingAfter(randomBytes(100_000), new Error('broke'))).catch(() => {})
    const files = join(dataDir, 'files')
    const [kind = '', name = ''] = key.split('/')
    expect((await stat(files)).mode & 0o777).toBe(0o700)
    expect((await stat(join(files, kind))).mode & 0o777).toBe(0o700)
    expect((await stat(join(files, kind, name))).mode & 0o777).toBe(0o600)
    expect(await readdir(join(files, kind))).toEqual([name])
  })

  test('may be anywhere', async () => {
    const elsewhere = join(folder, 'com espaço')
    const storage = await openStorage({ storageUrl: new URL(`file://${elsewhere}`).href, dataDir: folder })
    await storage.write(newKey('document'), inPieces(randomBytes(10), 10))
    expect(await readdir(elsewhere)).toEqual(['document'])
  })
})

test('S3 that is away fails the write and the read', async () => {
  const gone = await startS3()
  await gone.close()
  const storage = await openStorage({ storageUrl: gone.url, dataDir: folder })
  expect(await failureOf(storage.write(newKey('document'), inPieces(randomBytes(10), 10)))).not.toBeNull()
  expect(await failureOf(storage.read(newKey('document')))).not.toBeNull()
  storage.close()
})

test.each([
  'ftp://host/bucket',
  's3://key:secret@host:9000',
  's3://key:secret@host:9000/',
  's3://key@host/bucket',
  's3://key:secret@host/bucket?secure=true',
  's3://key:secret@host/bucket?protocol=gopher',
  'file://host/folder',
  'no address',
])('refuses to start with %s, without repeating it', async (storageUrl) => {
  const opening = openStorage({ storageUrl, dataDir: folder })
  await expect(opening).rejects.toThrow(StartError)
  await expect(opening).rejects.not.toThrow(/secret@host/)
})
