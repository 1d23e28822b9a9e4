/* The lines of a list of people in any of its formats. */
import type { RosterFormat } from '#kernel/roster-syncs.ts'
import { isObject } from '#kernel/fields.ts'
import { batchLimits, parseJson } from '#platform/http/strict-json.ts'
import { fileTypeOf } from '#platform/tables/file-signature.ts'
import { formsOf, headerOf } from '#platform/tables/header.ts'
import { readRawTables } from '#platform/tables/raw-rows.ts'
import { maxHeaderRow } from '#platform/tables/records.ts'
import type { RowReader } from '#platform/tables/rows.ts'
import { TableError } from '#platform/tables/table-error.ts'
import { csvLine } from '#platform/tables/write.ts'
import { checkHeader, columnsWith } from '../imports/import-header.ts'
import {
  bytesOf,
  type ImportFile,
  type KeyLine,
  KeyLines,
  type LineForm,
  openRecords,
  type RecordReader,
  TableLines,
} from '../imports/records.ts'
import { type Candidate, universalSheetOf } from '../imports/table-header-row.ts'
import { joinedOf } from '../imports/table-read.ts'
import { universalSheets } from '../imports/universal-workbook.ts'
import { columnsOf, type TableProfile } from '../rules/column-profile.ts'
import type { RosterLine } from '../rules/roster.ts'
import { ROSTER_FORM } from '../rules/roster-columns.ts'
import { rosterLinesOfMember, rosterLinesOfRow } from '../rules/roster-line.ts'
import { withRole } from '../rules/role-of-row.ts'

export interface ListFile extends Omit<ImportFile, 'format'> {
  readonly format: RosterFormat
  readonly companyTaxId: string
}

/** The lines of a list: a member in JSON is one for each product. */
export interface ListRecords extends RecordReader<readonly RosterLine[]> {
  /** Whether a workbook has rows of movements, which are not read. */
  readonly hasMovementSheets: boolean
}

const maxMembers = 10_000
/** For a workbook of all carriers. */
const maxRows = 100_000

/** What cannot be read of a list because there is too much of it. */
export class TooManyLinesError extends Error {}

const formOf = (companyTaxId: string): LineForm<readonly RosterLine[]> => ({
  table: ROSTER_FORM,
  keys: new Set([...ROSTER_FORM.columns.keys(), 'products', 'exclusion-details', 'documents']),
  ofKeys: (line, sent) => rosterLinesOfMember(line, sent, companyTaxId),
  ofCells: (line, sent) => rosterLinesOfRow(line, sent, companyTaxId),
})

/** @throws TableError, JsonError and TooManyLinesError. */
export async function openList({ format, ...file }: ListFile): Promise<ListRecords> {
  const form = formOf(file.companyTaxId)
  const none = { hasMovementSheets: false }
  if (format === 'json') return Object.assign(new KeyLines(membersOf(bytesOf(file.file, file.size)), form), none)
  if (format === 'xlsx') {
    const found = await readUniversal(bytesOf(file.file, file.size), file.sheet, file.profile, form)
    if (found !== null) return found
  }
  return Object.assign(await openRecords({ ...file, format }, form), none)
}

function membersOf(bytes: Buffer): Iterator<KeyLine> {
  const body = parseJson(bytes, batchLimits)
  const members: unknown = isObject(body) ? body['members'] : null
  if (!Array.isArray(members)) throw new TableError([{ field: 'members', code: 'missing' }])
  if (members.length > maxMembers) throw new TooManyLinesError()
  const lines = members.map((member: unknown, index): KeyLine => {
    const fields = isObject(member) ? member : null
    return { number: index + 1, fields, content: null, bytes: 0 }
  })
  return lines.values()
}

/** The people of a workbook of all carriers: those of its sheets of inclusions. null: it is another workbook. */
async function readUniversal(
  bytes: Buffer,
  sheet: string | undefined,
  profile: TableProfile,
  form: LineForm<readonly RosterLine[]>,
): Promise<ListRecords | null> {
  // What is no workbook is refused with the others.
  if (fileTypeOf(bytes) !== 'xlsx') return null
  const known = columnsOf(profile, ROSTER_FORM)
  const { columnOf, complete, ownFields } = universalSheets('inclusion', (heading) => known(heading) ?? null, [])
  const options = { sheet, knownIn: () => 0 }
  let isUniversal = false
  for await (const table of readRawTables(bytes, { ...options, maxRows: maxHeaderRow, isCut: true }))
    isUniversal ||= universalSheetOf(table, undefined) !== null
  if (!isUniversal) return null
  const people: Candidate[] = []
  let hasMovementSheets = false
  let allSheets: readonly string[] = []
  for await (const table of readRawTables(bytes, { ...options, maxRows: maxRows + maxHeaderRow, isCut: false })) {
    ;({ allSheets } = table)
    const found = universalSheetOf(table, undefined)
    if (found?.kind === 'inclusion') people.push(found)
    else if (found !== null) hasMovementSheets ||= table.rows.length > found.at + 1
  }
  if (people.length === 0) return Object.assign(new KeyLines([].values(), form), { hasMovementSheets })
  const joined = joinedOf(people, allSheets, columnOf)
  const { headings, rows } = complete(joined, {})
  const found = checkHeader(
    headerOf(headings, columnOf),
    { ...columnsWith(profile, ROSTER_FORM), columnOf },
    ROSTER_FORM,
  )
  const readerOf = (): RowReader => {
    const all = rows.values()
    return {
      next: () => {
        const { value: row } = all.next()
        if (row === undefined) return null
        // Notes beside the table are no cells of it.
        const cells = row.cells === null ? null : headings.map((_, index) => row.cells?.[index] ?? '')
        return { number: row.number, cells, content: null }
      },
    }
  }
  const ofSheet: LineForm<readonly RosterLine[]> = {
    ...form,
    ofCells: (line, sent, columns) =>
      form.ofCells(line, sent === null ? null : ownFields(withRole(sent, columns)), columns),
  }
  const lines = new TableLines(ofSheet, csvLine(headings), found, readerOf(), formsOf(readerOf(), found.header), {
    sheets: joined.read,
    notRead: joined.notRead,
    close: () => {},
  })
  return Object.assign(lines, { hasMovementSheets })
}
