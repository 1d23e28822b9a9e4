import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { refusedFile, TableError } from '../table-error.ts'

/** The largest workbook, compressed. */
export const maxWorkbookBytes = 16 * 1024 * 1024

const MiB = 1024 * 1024
const maxEntries = 2_000
/** The maximum of all files of a workbook together, inflated. */
const maxTotalBytes = 256 * MiB
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
  /** The budget of elements and attributes of the whole ZIP: it bounds the time. */
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
export async function readZip(bytes: Buffer): Promise<ReadonlyMap<string, ZipEntry>> {
  try {
    return await readDirectory(bytes)
  } catch (error) {
    throw error instanceof TableError ? error : unreadable()
  }
}

async function readDirectory(bytes: Buffer): Promise<Map<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>()
  const budget = new Budget(maxXmlNodes)
  // Names are compared and never used as paths of files: none is refused.
  const zip = await fromBufferPromise(withoutRest(bytes), { decodeStrings: false })
  if (zip.entryCount > maxEntries) throw tooLarge()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const { compressionMethod: method, compressedSize, uncompressedSize: size, crc32: crc } = entry
    // Some programs of Windows separate folders by backslashes.
    const name = entry.fileNameRaw.toString().replaceAll('\\', '/')
    if (entry.isEncrypted() || (method !== 0 && method !== 8) || entries.has(name)) throw unreadable()
    total += size
    const isDense = size > minBytesOfRatio && size > maxRatio * compressedSize
    if (size > maxEntryBytes || total > maxTotalBytes || isDense) throw tooLarge()
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const data = bytes.subarray(start, start + compressedSize)
    entries.set(name, { isDeflated: method === 8, size, crc, data, budget })
  }
  return entries
}

/** The ZIP without what programs that send files add after its end, which yauzl takes for a wrong comment. */
function withoutRest(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  return end === -1 || end + 22 > bytes.length ? bytes : bytes.subarray(0, end + 22 + bytes.readUInt16LE(end + 20))
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
