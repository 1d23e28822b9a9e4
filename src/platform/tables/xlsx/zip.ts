import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { refusedFile, type TableError } from '../table-error.ts'

/** The largest workbook, compressed. */
export const maxWorkbookBytes = 16 * 1024 * 1024

const MiB = 1024 * 1024
const maxEntries = 2_000
/** Of all files of a workbook together, inflated. */
export const maxTotalBytes = 256 * MiB
const maxEntryBytes = 200 * MiB
const maxRatio = 100
/** Smaller entries may have any ratio: a few styles repeat themselves hundreds of times. */
const minBytesOfRatio = MiB
const blockBytes = 64 * 1024

/** A file in a ZIP. */
export interface ZipEntry {
  readonly isDeflated: boolean
  /** As the ZIP declares it; more is not inflated. */
  readonly size: number
  readonly crc: number
  readonly data: Buffer
  /** Of elements and attributes, of the whole ZIP: it bounds the time. */
  readonly budget: Budget
}

/** Elements and attributes of all parts of a workbook that are read: 100,000 rows of 20 columns have 14 million. */
const maxXmlNodes = 32_000_000

/** Bounds what is read of a workbook, in whatever parts. */
export class Budget {
  #left: number

  constructor(max: number) {
    this.#left = max
  }

  /** @throws TableError when more is spent than there is. */
  spend(count = 1): void {
    this.#left -= count
    if (this.#left < 0) throw tooLarge()
  }
}

export const unreadable = (): TableError => refusedFile({ key: 'workbook-unreadable' })
export const tooLarge = (): TableError => refusedFile({ key: 'workbook-too-large' })

/**
 * The files of a ZIP by name. Their declared sizes are checked before anything is inflated.
 * @throws TableError for what is no ZIP, is encrypted, or declares more than a workbook has.
 */
export function readZip(zip: Buffer): ReadonlyMap<string, ZipEntry> {
  try {
    return readDirectory(zip)
  } catch (error) {
    // An offset outside of the file.
    throw error instanceof RangeError ? unreadable() : error
  }
}

function readDirectory(zip: Buffer): Map<string, ZipEntry> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0) throw unreadable()
  const count = zip.readUInt16LE(end + 10)
  if (count > maxEntries) throw tooLarge()
  const entries = new Map<string, ZipEntry>()
  const budget = new Budget(maxXmlNodes)
  let at = zip.readUInt32LE(end + 16)
  let total = 0
  for (let index = 0; index < count; index += 1) {
    if (zip.readUInt32LE(at) !== 0x0201_4b50) throw unreadable()
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    // Some programs of Windows separate folders by backslashes.
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0)).replaceAll('\\', '/')
    const entry = { ...readEntry(zip, at), budget }
    total += entry.size
    if (total > maxTotalBytes) throw tooLarge()
    if (entries.has(name)) throw unreadable()
    entries.set(name, entry)
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return entries
}

/** @param at of its record in the directory. */
function readEntry(zip: Buffer, at: number): Omit<ZipEntry, 'budget'> {
  const isEncrypted = (zip.readUInt16LE(at + 8) & 1) === 1
  const method = zip.readUInt16LE(at + 10)
  const crc = zip.readUInt32LE(at + 16)
  const compressed = zip.readUInt32LE(at + 20)
  const size = zip.readUInt32LE(at + 24)
  const header = zip.readUInt32LE(at + 42)
  if (isEncrypted || (method !== 0 && method !== 8)) throw unreadable()
  if (method === 0 && size !== compressed) throw unreadable()
  if (size > maxEntryBytes || (size > minBytesOfRatio && size > maxRatio * compressed)) throw tooLarge()
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  if (start + compressed > zip.length) throw unreadable()
  return { isDeflated: method === 8, size, crc, data: zip.subarray(start, start + compressed) }
}

/** The bytes of a file in blocks. @throws TableError for more than it declares, another checksum, and for what cannot be inflated. */
export async function* inflate({ isDeflated, size, crc, data }: ZipEntry): AsyncGenerator<Buffer> {
  let total = 0
  let sum = 0
  try {
    for await (const block of isDeflated ? inflated(data) : blocksOf(data)) {
      total += block.length
      if (total > size) throw tooLarge()
      sum = crc32(block, sum)
      yield block
    }
  } catch (error) {
    throw isZlibError(error) ? unreadable() : error
  }
  if (sum !== crc) throw unreadable()
}

const inflated = (data: Buffer) =>
  Readable.from([data]).pipe(createInflateRaw({ chunkSize: blockBytes })) as AsyncIterable<Buffer>

function* blocksOf(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += blockBytes) yield data.subarray(at, at + blockBytes)
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
