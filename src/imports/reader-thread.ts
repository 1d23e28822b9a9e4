import { parentPort, workerData } from 'node:worker_threads'
import { v7 as uuidv7 } from 'uuid'
import type { ImportFacts } from '../domain/import-state.ts'
import { judgeImport } from '../domain/import-judge.ts'
import type { ImportLine } from '../domain/import-line.ts'
import { type Encoding, HeaderError, type ImportFormat, type RecordReader, openRecords } from './records.ts'

export interface ReaderTask {
  readonly file: number
  /** Of the first line: after a byte order mark. */
  readonly from: number
  readonly format: ImportFormat
  readonly encoding: Encoding
  readonly today: string
}

/** `next`: read on; otherwise the facts of the lines read last, to judge them by, once or again. */
export type ReaderRequest = { readonly next: true } | { readonly facts: string }

/** The lines of a chunk as judged; texts are JSON, for statements. */
export interface JudgedChunk {
  readonly accepted: number
  readonly rejected: number
  readonly errors: string
  readonly companyIds: readonly string[]
  readonly newPeople: Listed
  readonly knownPeople: Listed
  readonly begun: Listed
  /** Changes are written in this order: of two benefits of one product the one in force must have ended first. */
  readonly ended: Listed
  readonly kept: Listed
  readonly held: Listed
}

export interface Listed {
  readonly count: number
  readonly json: string
}

export type ReaderResponse =
  /** What facts the next lines are to be judged by; null at the end of the file. */
  | { readonly asked: string | null }
  | { readonly judged: JudgedChunk }
  | { readonly headerError: string }
  | { readonly failure: string }

// Four times as many take twice the memory and are no faster.
const maxLines = 500
// Of lines that are as long as lines may be.
const maxBytes = 2 * 1024 * 1024

const task = workerData as ReaderTask
let source: RecordReader | null = null
let chunk: readonly ImportLine[] = []
let ahead: (() => readonly ImportLine[]) | null = null

function answer(question: ReaderRequest): ReaderResponse {
  try {
    if ('facts' in question) return { judged: judge(JSON.parse(question.facts) as ImportFacts) }
    chunk = (ahead ?? readChunk)()
    ahead = null
    return { asked: chunk.length === 0 ? null : peopleOf(chunk) }
  } catch (error) {
    if (error instanceof HeaderError) return { headerError: error.fault }
    return { failure: error instanceof Error ? `${error.name}\n${error.stack ?? ''}` : 'unknown' }
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

// Every company, and everybody who stands or is named in it.
function peopleOf(lines: readonly ImportLine[]): string {
  const asked = new Map<string, { companyTaxId: string; taxId: string | null }>()
  for (const { companyTaxId, taxId, primaryTaxId } of lines) {
    if (companyTaxId === null) continue
    for (const one of new Set([taxId, primaryTaxId])) {
      asked.set(`${companyTaxId} ${one}`, { companyTaxId, taxId: one })
    }
  }
  return JSON.stringify([...asked.values()])
}

function judge(facts: ImportFacts): JudgedChunk {
  const made = judgeImport(chunk, facts, { today: task.today, newId: uuidv7 })
  const [ended, kept] = [
    made.changed.filter(({ status }) => status === 'inactive'),
    made.changed.filter(({ status }) => status !== 'inactive'),
  ]
  return {
    accepted: made.accepted,
    rejected: made.rejected.length,
    errors: JSON.stringify(made.rejected),
    companyIds: made.companyIds,
    newPeople: listed(made.newPeople),
    knownPeople: listed(made.knownPeople),
    begun: listed(made.begun),
    ended: listed(ended),
    kept: listed(kept),
    held: listed(made.held),
  }
}

function listed(rows: readonly unknown[]): Listed {
  return { count: rows.length, json: JSON.stringify(rows) }
}

parentPort?.on('message', (question: ReaderRequest) => {
  parentPort?.postMessage(answer(question), [])
  // While the database keeps this chunk the next one is read; if it has to be judged again, it is still there.
  if ('facts' in question) ahead ??= readAhead()
})

/** What was read, or threw, to be told when it is asked for. */
function readAhead(): () => readonly ImportLine[] {
  try {
    const lines = readChunk()
    return () => lines
  } catch (error) {
    return () => {
      throw error
    }
  }
}
