import { readSync } from 'node:fs'
import type { RosterProblem, RosterState } from '#kernel/roster-syncs.ts'
import { JsonError } from '#platform/http/strict-json.ts'
import { serveSession } from '#platform/core/threads.ts'
import { TableError } from '#platform/tables/table-error.ts'
import type { RosterLine } from '../rules/roster.ts'
import { ROSTER_PRODUCT_COLUMNS, ROSTER_ROLE_COLUMNS } from '../rules/roster-columns.ts'
import { type ListFile, type ListRecords, openList, TooManyLinesError } from './list-records.ts'
import { rowsOf } from './line-rows.ts'
import type { ReadCounts, RosterSyncProblem } from './rows.ts'

export interface ListTask extends ListFile {
  readonly companyId: string
  readonly syncId: string
  readonly states: readonly RosterState[]
}

/** `open`: from the first line on, also again; `next`: a part of the lines. */
export type ListRequest = { readonly open: ListTask } | 'next'

/** `rows`: of the part, for `copyLines`; of the last one `end` says what was read, or why the list cannot be used. */
export type ListResponse =
  | 'opened'
  | { readonly rows: Uint8Array; readonly end: null }
  | { readonly rows: null; readonly end: ReadCounts | { readonly problems: readonly RosterSyncProblem[] } }

const linesOfPart = 2_000
const maxLines = 200_000

/** Reads a list, and gives its lines as rows. */
export default serveSession<ListRequest, ListResponse>((onEnd) => {
  let reading: Reading | null = null
  onEnd(() => reading?.close())
  return async (request) => {
    if (request !== 'next') {
      reading?.close()
      reading = new Reading(request.open)
      return { response: 'opened' }
    }
    if (reading === null) throw new Error('no list is open')
    try {
      return { response: await reading.next() }
    } catch (error) {
      const problems = problemsOf(error)
      if (problems === null) throw error
      return { response: { rows: null, end: { problems } } }
    }
  }
})

class Reading {
  readonly #task: ListTask
  #records: ListRecords | null = null
  #rows = 0
  #lines = 0
  #refused = 0
  #suspicious = 0
  #isComplete = true
  #lastContent: string | null = null

  constructor(task: ListTask) {
    this.#task = task
  }

  close(): void {
    this.#records?.close()
    this.#records = null
  }

  async next(): Promise<ListResponse> {
    this.#records ??= await openList(this.#task)
    if (this.#records.forms?.hasMixedDates === true) return ended(problem('mixed-dates'))
    const { companyId, syncId } = this.#task
    const part: RosterLine[] = []
    while (part.length < linesOfPart) {
      const record = this.#records.next()
      if (record === null) break
      this.#lines += 1
      if (this.#lines > maxLines) throw new TooManyLinesError()
      if (record.line.some(({ offenses }) => offenses.length > 0)) this.#refused += 1
      if (record.hasSuspiciousName) this.#suspicious += 1
      this.#isComplete = !record.isMalformed
      this.#lastContent = record.content
      part.push(...record.line)
    }
    if (part.length === 0) return this.#end(this.#records)
    const rows = rowsOf(companyId, syncId, this.#rows + 1, part)
    this.#rows += part.length
    return { rows, end: null }
  }

  #end(records: ListRecords): ListResponse {
    const { states, format } = this.#task
    if (this.#lines === this.#refused) return ended(problem('no-people'))
    const lacking = [
      ...(states.includes('products') ? [ROSTER_PRODUCT_COLUMNS] : []),
      ...(states.includes('dependents') ? [ROSTER_ROLE_COLUMNS] : []),
    ].filter((columns) => !columns.some((name) => records.columns.has(name)))
    if (lacking.length > 0) return ended(...lacking.map(([field]) => problem('scope-not-in-file', field)))
    return {
      rows: null,
      end: {
        lines: this.#lines,
        refusedLines: this.#refused,
        suspiciousLines: this.#suspicious,
        isComplete: format === 'xlsx' || format === 'json' || (this.#isComplete && !this.#isCut(records)),
        hasMovementSheets: records.hasMovementSheets,
        warnings: [
          ...[...records.unknownColumns].map((field) => ({ warning: 'unknown-column', field })),
          ...records.warnings,
        ],
        sheetsNotRead: records.sheetsNotRead,
      },
    }
  }

  /** Whether a CSV ends within a row: without a line end, after fewer cells than its header has. */
  #isCut({ header }: ListRecords): boolean {
    const { format, file, size } = this.#task
    if (format !== 'csv' || header === null || this.#lastContent === null) return false
    const last = Buffer.alloc(1)
    readSync(file, last, 0, 1, size - 1)
    const delimiter = delimiterOf(header)
    return !lineEnds.has(last[0] ?? 0) && cellsIn(this.#lastContent, delimiter) < cellsIn(header, delimiter)
  }
}

const lineEnds: ReadonlySet<number> = new Set([10, 13])

/** The cells of a line of CSV, as far as no text has the delimiter: then there are more. */
function cellsIn(line: string, delimiter: string): number {
  return line.split(delimiter).length
}

/** The delimiter of a header. */
const delimiterOf = (header: string): string =>
  [';', ',', '\t'].toSorted((a, b) => cellsIn(header, b) - cellsIn(header, a))[0] ?? ';'

const problem = (code: RosterProblem, field: string | null = null, line: number | null = null): RosterSyncProblem => ({
  problem: code,
  field,
  line,
})
const ended = (...problems: RosterSyncProblem[]): ListResponse => ({ rows: null, end: { problems } })

/** Why a list cannot be used; null: the error is not the list's. */
function problemsOf(error: unknown): readonly RosterSyncProblem[] | null {
  if (error instanceof TooManyLinesError) return [problem('too-many-lines')]
  if (error instanceof JsonError) return [problem('not-readable', null, error.detail.line ?? null)]
  if (!(error instanceof TableError)) return null
  const { details } = error
  if (details.some(({ message }) => message?.key === 'workbook-rows')) return [problem('too-many-lines')]
  const missing = details.filter(({ code }) => code === 'missing')
  if (missing.length > 0) return missing.map(({ field }) => problem('missing-column', field))
  return [problem('not-readable', details[0]?.field ?? null)]
}
