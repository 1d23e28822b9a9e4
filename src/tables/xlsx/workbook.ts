import { posix } from 'node:path'
import { refusedFile } from '../table-error.ts'
import { isDateFormat } from './cells.ts'
import { SharedStrings } from './shared-strings.ts'
import { readXml } from './xml.ts'
import { readZip, unreadable, type ZipEntry } from './zip.ts'

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
  /** Of each style of cells, whether it shows days. */
  readonly dateStyles: readonly boolean[]
  readonly strings: SharedStrings
}

type Entries = ReadonlyMap<string, ZipEntry>

/** @throws TableError. */
export async function readWorkbook(bytes: Buffer): Promise<Workbook> {
  const entries = readZip(bytes)
  const root = await readRelationships(entries, '')
  const path = root.find(({ type }) => type === 'officeDocument')?.target
  if (path === undefined) throw unreadable()
  if (path.endsWith('.bin')) throw refusedFile({ key: 'save-as-xlsx' }, { isUnsupported: true })
  const parts = await readRelationships(entries, path)
  const partOf = (type: string): ZipEntry | null => {
    const target = parts.find((one) => one.type === type)?.target
    return target === undefined ? null : (entries.get(target) ?? null)
  }
  const { found, is1904 } = await readSheets(required(entries, path))
  const sheets = found.flatMap(({ name, isHidden, id }): SheetEntry[] => {
    const part = parts.find((one) => one.id === id)
    return part?.type === 'worksheet' ? [{ name, isHidden, entry: required(entries, part.target) }] : []
  })
  // Else one part could be read as often as there are sheets.
  if (new Set(sheets.map(({ entry }) => entry)).size < sheets.length) throw unreadable()
  const styles = partOf('styles')
  const dateStyles = styles === null ? [] : await readDateStyles(styles)
  return { sheets, is1904, dateStyles, strings: await SharedStrings.read(partOf('sharedStrings')) }
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

async function readDateStyles(entry: ZipEntry): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const styles: boolean[] = []
  let isOfCells = false
  await readXml(entry, {
    open(name, attributes) {
      const format = Number(attributes['numFmtId'] ?? 0)
      if (name === 'cellXfs') isOfCells = true
      else if (name === 'numFmt') codes.set(format, attributes['formatCode'] ?? '')
      else if (name === 'xf' && isOfCells) styles.push(isDateFormat(format, codes.get(format) ?? null))
      if (styles.length > maxStyles || codes.size > maxStyles) throw unreadable()
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return styles
}
