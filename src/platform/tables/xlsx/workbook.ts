import { posix } from 'node:path'
import { refusedFile } from '../table-error.ts'
import { GENERAL, type NumberFormat, numberFormatOf } from './number-format.ts'
import { SharedStrings } from './shared-strings.ts'
import { readXml } from './xml.ts'
import { Budget, readZip, unreadable, type ZipEntry } from './zip.ts'

/** A sheet of a workbook. */
export interface SheetEntry {
  readonly name: string
  readonly isHidden: boolean
  readonly entry: ZipEntry
}

/** What is read of a workbook before its rows. Macros, links, drawings and names are never read. */
export interface Workbook {
  readonly sheets: readonly SheetEntry[]
  /** Dates are counted from 1904. */
  readonly is1904: boolean
  /** How each style of cells shows numbers. */
  readonly formats: readonly NumberFormat[]
  readonly strings: SharedStrings
  /** The budget for the texts of all cells that are read. */
  readonly characters: Budget
}

type Entries = ReadonlyMap<string, ZipEntry>

/** The texts of the cells of a table that is held in memory: as long as those of the largest file of CSV. */
const maxHeldCharacters = 16 * 1024 * 1024
/** Those of a table whose rows go to a file. */
export const maxSpooledCharacters = 128 * 1024 * 1024

/** @throws TableError. */
export async function readWorkbook(bytes: Buffer, maxCharacters = maxHeldCharacters): Promise<Workbook> {
  const entries = await readZip(bytes)
  const root = await readRelationships(entries, '')
  const path = root.find(({ type }) => type === 'officeDocument')?.target
  if (path === undefined) throw unreadable()
  if (path.endsWith('.bin')) throw refusedFile({ key: 'save-as-xlsx' }, { isUnsupported: true })
  const parts = await readRelationships(entries, path)
  const partOf = (type: string): ZipEntry | null => {
    const target = parts.find((part) => part.type === type)?.target
    return target === undefined ? null : (entries.get(target) ?? null)
  }
  const { found, is1904 } = await readSheets(required(entries, path))
  const sheets = found.flatMap(({ name, isHidden, id }): SheetEntry[] => {
    const part = parts.find((part) => part.id === id)
    return part?.type === 'worksheet' ? [{ name, isHidden, entry: required(entries, part.target) }] : []
  })
  // Else one part could be read as often as there are sheets.
  if (new Set(sheets.map(({ entry }) => entry)).size < sheets.length) throw unreadable()
  const styles = partOf('styles')
  const formats = styles === null ? [] : await readFormats(styles)
  const strings = await SharedStrings.read(partOf('sharedStrings'))
  return { sheets, is1904, formats, strings, characters: new Budget(maxCharacters) }
}

function required(entries: Entries, path: string): ZipEntry {
  const entry = entries.get(path)
  if (entry === undefined) throw unreadable()
  return entry
}

interface Relationship {
  readonly id: string
  /** The last name of its URI. */
  readonly type: string
  /** A path in the ZIP. */
  readonly target: string
}

const maxRelationships = 2_000

/** What a part refers to within the file. @param path of the part; empty: of the package. */
async function readRelationships(entries: Entries, path: string): Promise<Relationship[]> {
  const folder = posix.dirname(path)
  const found: Relationship[] = []
  const entry = required(entries, posix.join(folder, '_rels', `${posix.basename(path)}.rels`))
  await readXml(entry, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External') return
      if (found.length === maxRelationships) throw unreadable()
      const inZip = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: inZip })
    },
  })
  return found
}

const maxSheets = 256

async function readSheets(entry: ZipEntry) {
  const found: { name: string; isHidden: boolean; id: string }[] = []
  let is1904 = false
  await readXml(entry, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      if (found.length === maxSheets) throw unreadable()
      const id = Object.entries(attributes).find(([key]) => /:id$/i.test(key))?.[1] ?? ''
      found.push({
        name: attributes['name'] ?? '',
        isHidden: 'state' in attributes && attributes['state'] !== 'visible',
        id,
      })
    },
  })
  return { found, is1904 }
}

/** Excel has up to 65,490 styles. */
const maxStyles = 65_536

/** Each format is judged once, however many styles have it. */
async function readFormats(entry: ZipEntry): Promise<NumberFormat[]> {
  const judged = new Map<number, NumberFormat>()
  const styles: NumberFormat[] = []
  let isOfCells = false
  await readXml(entry, {
    open(name, attributes) {
      const format = Number(attributes['numFmtId'] ?? 0)
      if (name === 'cellXfs') isOfCells = true
      else if (name === 'numFmt') judged.set(format, numberFormatOf(format, attributes['formatCode'] ?? ''))
      else if (name === 'xf' && isOfCells) styles.push(judged.get(format) ?? numberFormatOf(format, null))
      if (styles.length > maxStyles || judged.size > maxStyles) throw unreadable()
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return styles
}

/** @param style of a cell. */
export function formatOf({ formats }: Workbook, style: number): NumberFormat {
  return formats[style] ?? GENERAL
}
