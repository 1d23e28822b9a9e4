import { parentPort, workerData } from 'node:worker_threads'
import { v7 as uuidv7 } from 'uuid'
import type { ImportFacts } from '../domain/import-state.ts'
import { type ImportJudgement, judgeImport } from '../domain/import-judge.ts'
import type { Encoding } from '../csv/encoding.ts'
import type { Detail } from '../platform/errors.ts'
import { HeaderError } from './import-header.ts'
import { type ImportFormat, type ImportRecord, openRecords, type RecordReader, type RestoredZeros } from './records.ts'

export interface ReaderTask {
  readonly file: number
  /** Offset of the first line: after a byte order mark. */
  readonly from: number
  readonly format: ImportFormat
  readonly encoding: Encoding
  readonly today: string
}

/** `next`: read the next chunk; `facts`: judge the chunk that was read last by these. */
export type ReaderRequest = { readonly next: true } | { readonly facts: string }

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
  /** The first line of a CSV; null for NDJSON. */
  readonly header: string | null
  /** Unknown columns of the file, or keys of the lines so far. */
  readonly unknownColumns: readonly string[]
  /** Of the lines so far. */
  readonly restoredZeros: readonly RestoredZeros[]
}

export type ReaderResponse =
  | NextChunk
  | { readonly judged: JudgedChunk }
  | { readonly headerErrors: readonly Detail[] }
  | { readonly errorStack: string }

// Four times as many need twice the memory and are not faster.
const maxLines = 500
const maxBytes = 2 * 1024 * 1024

const task = workerData as ReaderTask
let source: RecordReader | null = null
let chunk: readonly ImportRecord[] = []
let prefetched: (() => readonly ImportRecord[]) | null = null

function respond(request: ReaderRequest): ReaderResponse {
  try {
    if ('facts' in request) return { judged: judge(JSON.parse(request.facts) as ImportFacts) }
    chunk = (prefetched ?? readChunk)()
    prefetched = null
    const { header = null, unknownColumns = [], restoredZeros = [] } = source ?? {}
    const people = chunk.length === 0 ? null : peopleOf(chunk)
    return { people, header, unknownColumns: [...unknownColumns], restoredZeros }
  } catch (error) {
    if (error instanceof HeaderError) return { headerErrors: error.details }
    return { errorStack: error instanceof Error ? `${error.name}\n${error.stack ?? ''}` : 'unknown' }
  }
}

function readChunk(): readonly ImportRecord[] {
  source ??= openRecords(task.file, task.from, task.format, task.encoding)
  const records: ImportRecord[] = []
  for (let bytes = 0; records.length < maxLines && bytes < maxBytes;) {
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
    for (const one of new Set([taxId, primaryTaxId])) {
      people.set(`${companyTaxId} ${one}`, { companyTaxId, taxId: one })
    }
  }
  return JSON.stringify([...people.values()])
}

function judge(facts: ImportFacts): JudgedChunk {
  const lines = chunk.map(({ line }) => line)
  const judgement = judgeImport(lines, facts, { today: task.today, newId: uuidv7 })
  const [ended, updated] = [
    judgement.changed.filter(({ status }) => status === 'inactive'),
    judgement.changed.filter(({ status }) => status !== 'inactive'),
  ]
  return {
    accepted: judgement.accepted,
    rejected: judgement.rejected.length,
    errors: JSON.stringify(withContent(judgement.rejected)),
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
function withContent(rejected: ImportJudgement['rejected']): readonly object[] {
  if (rejected.length === 0) return []
  const contents = new Map(chunk.map(({ line, content }) => [line.line, content]))
  return rejected.map((one) => ({ ...one, content: contents.get(one.line) }))
}

function listed(rows: readonly unknown[]): Listed {
  return { count: rows.length, json: JSON.stringify(rows) }
}

parentPort?.on('message', (request: ReaderRequest) => {
  parentPort?.postMessage(respond(request), [])
  // The next chunk is read while the database writes this one, which stays available to be judged again.
  if ('facts' in request) prefetched ??= prefetch()
})

/** Reads a chunk and defers its result or error to the next request. */
function prefetch(): () => readonly ImportRecord[] {
  try {
    const lines = readChunk()
    return () => lines
  } catch (error) {
    return () => {
      throw error
    }
  }
}
