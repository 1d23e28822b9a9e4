import { v7 as uuidv7 } from 'uuid'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { appliedOf, type MappedHeading } from '../rules/column-profile.ts'
import type { ImportFacts } from '../rules/import-state.ts'
import { type ImportJudgement, judgeImport } from '../rules/import-judge.ts'
import type { Detail } from '#platform/core/errors.ts'
import { serveSession } from '#platform/core/threads.ts'
import type { SheetRead } from '#platform/tables/joined-columns.ts'
import { TableError } from '#platform/tables/table-error.ts'
import type { ImportLine } from '../rules/import-line.ts'
import {
  type FileWarning,
  importFormOf,
  type ImportFile,
  type ImportRecord,
  openRecords,
  type RecordReader,
} from './records.ts'

export interface ReaderTask extends ImportFile {
  /** The company of the lines that name none; null: each must. */
  readonly companyTaxId: string | null
  readonly today: string
}

/** `next`: read the next chunk of this file; `facts`: judge the chunk that was read last by these. */
export type ReaderRequest = { readonly next: ReaderTask } | { readonly facts: string }

/** The judged lines of a chunk; texts are JSON, for statements. */
export interface JudgedChunk {
  readonly accepted: number
  readonly rejected: number
  readonly errors: string
  readonly warnings: Listed
  readonly companyIds: readonly string[]
  readonly newPeople: Listed
  readonly knownPeople: Listed
  readonly begun: Listed
  /** Changes are written in this order: of two benefits of one product the active one must end first. */
  readonly ended: Listed
  readonly updated: Listed
  readonly held: Listed
}

export interface Listed {
  readonly count: number
  readonly json: string
}

export interface NextChunk {
  /** The people of the chunk as JSON; null at the end of the file. */
  readonly people: string | null
  /** The header of a table as a line of CSV; null for NDJSON. */
  readonly header: string | null
  /** The headings of a table to which its profile gives a column. */
  readonly applied: readonly MappedHeading[]
  /** The sheets of a workbook that are read, and those that are not; null: another file. */
  readonly sheets: { readonly read: readonly SheetRead[]; readonly notRead: readonly string[] } | null
  /** Unknown columns of the file, or keys of the lines so far. */
  readonly unknownColumns: readonly string[]
  /** The warnings of the lines so far. */
  readonly warnings: readonly FileWarning[]
}

export type ReaderResponse =
  | NextChunk
  | JudgedChunk
  | { readonly refused: readonly Detail[]; readonly isUnsupported: boolean }

const maxBytes = 2 * 1024 * 1024

export default serveSession<ReaderRequest, ReaderResponse>((onEnd) => {
  let source: RecordReader<ImportLine> | null = null
  let chunk: readonly ImportRecord[] = []
  let today = ''
  let ahead: (() => readonly ImportRecord[]) | null = null
  let isEnded = false
  onEnd(() => {
    isEnded = true
    source?.close()
  })
  return async (request) => {
    if ('facts' in request) {
      // The next chunk is read while the database writes this one, which stays available to be judged again.
      setImmediate(() => {
        if (source !== null) ahead ??= attempt(source)
      })
      return { response: judge(chunk, JSON.parse(request.facts) as ImportFacts, today) }
    }
    today = request.next.today
    try {
      source ??= await openRecords(request.next, importFormOf(request.next.companyTaxId))
      if (isEnded) source.close()
      chunk = ahead === null ? readChunk(source) : ahead()
      ahead = null
    } catch (error) {
      // Its details would be lost on the way.
      if (error instanceof TableError) {
        return { response: { refused: error.details, isUnsupported: error.isUnsupported } }
      }
      throw error
    }
    const { header, names, unknownColumns, warnings, sheets: read, sheetsNotRead: notRead } = source
    const sheets = read.length === 0 ? null : { read, notRead }
    const applied = appliedOf(names, request.next.profile)
    const people = chunk.length === 0 ? null : peopleOf(chunk)
    return { response: { people, header, applied, sheets, unknownColumns: [...unknownColumns], warnings } }
  }
})

/** Reads a chunk, and keeps it or its error for the next request. */
function attempt(source: RecordReader<ImportLine>): () => readonly ImportRecord[] {
  try {
    const lines = readChunk(source)
    return () => lines
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function readChunk(source: RecordReader<ImportLine>): readonly ImportRecord[] {
  const records: ImportRecord[] = []
  for (let bytes = 0; records.length < CHUNK_SIZE && bytes < maxBytes;) {
    const next = source.next()
    if (next === null) break
    records.push(next)
    bytes += next.bytes
  }
  return records
}

/** The people of the lines and their primaries, by company, as JSON. */
function peopleOf(records: readonly ImportRecord[]): string {
  const people = new Map<string, { companyTaxId: string; taxId: string | null }>()
  for (const { line } of records) {
    const { companyTaxId, taxId, primaryTaxId } = line
    if (companyTaxId === null) continue
    for (const cpf of new Set([taxId, primaryTaxId])) {
      people.set(`${companyTaxId} ${cpf}`, { companyTaxId, taxId: cpf })
    }
  }
  return JSON.stringify([...people.values()])
}

function judge(chunk: readonly ImportRecord[], facts: ImportFacts, today: string): JudgedChunk {
  const lines = chunk.map(({ line }) => line)
  const judgement = judgeImport(lines, facts, { today, newId: uuidv7 })
  const [ended, updated] = [
    judgement.changed.filter(({ status }) => status === 'inactive'),
    judgement.changed.filter(({ status }) => status !== 'inactive'),
  ]
  return {
    accepted: judgement.accepted,
    rejected: judgement.rejected.length,
    errors: JSON.stringify(withContent(judgement.rejected, chunk)),
    warnings: listed(judgement.warnings),
    companyIds: judgement.companyIds,
    newPeople: listed(judgement.newPeople),
    knownPeople: listed(judgement.knownPeople),
    begun: listed(judgement.newBenefits),
    ended: listed(ended),
    updated: listed(updated),
    held: listed(judgement.joinedPrimaries),
  }
}

/** The rejected lines with what the file has there. */
function withContent(rejected: ImportJudgement['rejected'], chunk: readonly ImportRecord[]): readonly object[] {
  if (rejected.length === 0) return []
  const contents = new Map(chunk.map(({ line, content }) => [line.line, content]))
  return rejected.map((line) => ({ ...line, content: contents.get(line.line) }))
}

function listed(rows: readonly unknown[]): Listed {
  return { count: rows.length, json: JSON.stringify(rows) }
}
