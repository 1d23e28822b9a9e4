import type { FieldError } from '../domain/field-types.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { v7 as uuidv7 } from 'uuid'
import type { ImportFacts } from '../domain/import-state.ts'
import { judgeImport } from '../domain/import-judge.ts'
import type { ImportLine } from '../domain/import-line.ts'
import { type Encoding, HeaderError, type ImportFormat, type RecordReader, openRecords } from './records.ts'

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

export type ReaderResponse =
  /** The people of the next chunk as JSON; null at the end of the file. */
  | { readonly people: string | null }
  | { readonly judged: JudgedChunk }
  | { readonly headerError: FieldError }
  | { readonly errorStack: string }

// Four times as many need twice the memory and are not faster.
const maxLines = 500
const maxBytes = 2 * 1024 * 1024

const task = workerData as ReaderTask
let source: RecordReader | null = null
let chunk: readonly ImportLine[] = []
let prefetched: (() => readonly ImportLine[]) | null = null

function respond(request: ReaderRequest): ReaderResponse {
  try {
    if ('facts' in request) return { judged: judge(JSON.parse(request.facts) as ImportFacts) }
    chunk = (prefetched ?? readChunk)()
    prefetched = null
    return { people: chunk.length === 0 ? null : peopleOf(chunk) }
  } catch (error) {
    if (error instanceof HeaderError) return { headerError: error.detail }
    return { errorStack: error instanceof Error ? `${error.name}\n${error.stack ?? ''}` : 'unknown' }
  }
}

function readChunk(): readonly ImportLine[] {
  source ??= openRecords(task.file, task.from, task.format, task.encoding)
  const lines: ImportLine[] = []
  for (let bytes = 0; lines.length < maxLines && bytes < maxBytes;) {
    const next = source.next()
    if (next === null) break
    lines.push(next.line)
    bytes += next.bytes
  }
  return lines
}

/** The people of the lines and their primaries, by company, as JSON. */
function peopleOf(lines: readonly ImportLine[]): string {
  const people = new Map<string, { companyTaxId: string; taxId: string | null }>()
  for (const { companyTaxId, taxId, primaryTaxId } of lines) {
    if (companyTaxId === null) continue
    for (const one of new Set([taxId, primaryTaxId])) {
      people.set(`${companyTaxId} ${one}`, { companyTaxId, taxId: one })
    }
  }
  return JSON.stringify([...people.values()])
}

function judge(facts: ImportFacts): JudgedChunk {
  const judgement = judgeImport(chunk, facts, { today: task.today, newId: uuidv7 })
  const [ended, updated] = [
    judgement.changed.filter(({ status }) => status === 'inactive'),
    judgement.changed.filter(({ status }) => status !== 'inactive'),
  ]
  return {
    accepted: judgement.accepted,
    rejected: judgement.rejected.length,
    errors: JSON.stringify(judgement.rejected),
    companyIds: judgement.companyIds,
    newPeople: listed(judgement.newPeople),
    knownPeople: listed(judgement.knownPeople),
    begun: listed(judgement.newBenefits),
    ended: listed(ended),
    updated: listed(updated),
    held: listed(judgement.joinedPrimaries),
  }
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
function prefetch(): () => readonly ImportLine[] {
  try {
    const lines = readChunk()
    return () => lines
  } catch (error) {
    return () => {
      throw error
    }
  }
}
