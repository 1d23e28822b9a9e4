import { withoutSeparators } from '#platform/http/content-disposition.ts'

/** A file of a ZIP, stored without compression. */
interface ZipEntry {
  readonly name: string
  readonly size: number
  readonly crc32: number
  /** `YYYY-MM-DD HH:MM:SS`; ZIP has no time zones. */
  readonly at: string
}

/** The parts of a ZIP around its files: a header before each file, the directory after the last. */
export interface ZipLayout {
  readonly headers: readonly Buffer[]
  readonly directory: Buffer
  /** The size of the whole ZIP, in bytes. */
  readonly size: number
}

const storedVersion = 20
const zip64Version = 45
const madeOnUnix = 3 << 8
const utf8Names = 0x0800
const ordinaryFile = (0o100_644 << 16) >>> 0
const max32 = 0xffff_ffff
const max16 = 0xffff

/**
 * The layout of a ZIP of stored files (APPNOTE 6.3). Sizes and checksums are known, so no file needs a data descriptor, which streaming
 * readers refuse for stored files, and the size of the ZIP is known before its first byte. A file is smaller than 4 GiB; the ZIP may be
 * larger (ZIP64).
 */
export function layOutZip(entries: readonly ZipEntry[]): ZipLayout {
  const headers: Buffer[] = []
  const records: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const header = localHeader(entry, name)
    headers.push(header)
    records.push(directoryRecord(entry, name, offset))
    offset += header.length + entry.size
  }
  const entryRecords = Buffer.concat(records)
  const directory = Buffer.concat([entryRecords, endOfDirectory(entries.length, entryRecords.length, offset)])
  return { headers, directory, size: offset + directory.length }
}

/** The fields that both headers have, from the version needed to the length of the name. */
function commonFields(entry: ZipEntry, name: Buffer, version: number): Buffer {
  const fields = Buffer.alloc(24)
  fields.writeUInt16LE(version, 0)
  fields.writeUInt16LE(utf8Names, 2)
  fields.writeUInt32LE(dosTime(entry.at), 6)
  fields.writeUInt32LE(entry.crc32, 10)
  fields.writeUInt32LE(entry.size, 14)
  fields.writeUInt32LE(entry.size, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

function localHeader(entry: ZipEntry, name: Buffer): Buffer {
  const noExtra = Buffer.alloc(2)
  return Buffer.concat([Buffer.from('PK\x03\x04'), commonFields(entry, name, storedVersion), noExtra, name])
}

function directoryRecord(entry: ZipEntry, name: Buffer, offset: number): Buffer {
  const needsZip64 = offset >= max32
  const version = needsZip64 ? zip64Version : storedVersion
  const extra = needsZip64 ? zip64Offset(offset) : Buffer.alloc(0)
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(madeOnUnix | version)
  // Lengths of the extra field and the comment, disk, internal and external attributes, offset.
  const rest = Buffer.alloc(16)
  rest.writeUInt16LE(extra.length, 0)
  rest.writeUInt32LE(ordinaryFile, 8)
  rest.writeUInt32LE(needsZip64 ? max32 : offset, 12)
  return Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, commonFields(entry, name, version), rest, name, extra])
}

function zip64Offset(offset: number): Buffer {
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(offset), 4)
  return extra
}

function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const needsZip64 = count >= max16 || size >= max32 || offset >= max32
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(needsZip64 ? max16 : count, 8)
  end.writeUInt16LE(needsZip64 ? max16 : count, 10)
  end.writeUInt32LE(needsZip64 ? max32 : size, 12)
  end.writeUInt32LE(needsZip64 ? max32 : offset, 16)
  return needsZip64 ? Buffer.concat([zip64End(count, size, offset), end]) : end
}

/** The ZIP64 end of directory record and its locator. */
function zip64End(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(76)
  end.write('PK\x06\x06', 'latin1')
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(madeOnUnix | zip64Version, 12)
  end.writeUInt16LE(zip64Version, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.write('PK\x06\x07', 56, 'latin1')
  end.writeBigUInt64LE(BigInt(offset + size), 64)
  end.writeUInt32LE(1, 72)
  return end
}

/** Date and time in the MS-DOS format: steps of two seconds from 1980 on. */
function dosTime(at: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = at.split(/\D/).map(Number)
  const date = (Math.max(year - 1980, 0) << 9) | (month << 5) | day
  const time = (hour << 11) | (minute << 5) | (second >> 1)
  return ((date << 16) | time) >>> 0
}

/**
 * Unique names of files in a ZIP, in their order: slashes, backslashes and control characters become `_`, and a repeated name
 * (ignoring case) gets a number before its extension.
 */
export function archiveNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((original) => {
    const name = entryName(original)
    const dot = name.lastIndexOf('.')
    const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    let unique = name
    for (let number = 1; used.has(keyOf(unique)); number += 1) unique = `${base} (${number})${extension}`
    used.add(keyOf(unique))
    return unique
  })
}

/** `.` and `..` would be folders. */
function entryName(original: string): string {
  const name = withoutSeparators(original)
  return name === '.' || name === '..' ? '_'.repeat(name.length) : name
}

/** Equal for names that a file system may treat as equal, ignoring case and Unicode normalization. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
