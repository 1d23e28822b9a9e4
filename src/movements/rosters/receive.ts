import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RosterFormat, RosterStatus } from '#kernel/roster-syncs.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { tooLarge } from '#platform/http/refused-content.ts'
import { unsupportedTable } from '#platform/http/table-types.ts'
import { chunksOf } from '#platform/http/upload-stream.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { maxWorkbookBytes } from '#platform/tables/xlsx/zip.ts'
import { deleteOrphan, storeFile } from '#registry/documents/orphans.ts'
import { claimOrphan } from '#registry/documents/queries.ts'
import { requireSync, syncNotFound } from './queries.ts'
import { lockStoredBytes, lockSync, startReading } from './rows.ts'

const mebibyte = 1024 * 1024
/** The largest list as CSV or NDJSON, and as JSON. */
const maxListBytes = 256 * mebibyte
const maxJsonBytes = 16 * mebibyte
/** The lists of the syncs of one client that have not ended, together. */
const maxStoredBytes = 1024 * mebibyte

const formats: ReadonlyMap<string, RosterFormat> = new Map([
  ['text/csv', 'csv'],
  // The type that browsers give a CSV where Excel is installed; the first bytes tell a workbook.
  ['application/vnd.ms-excel', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/json', 'json'],
  [xlsxType, 'xlsx'],
])

export const maxBytesOf: Readonly<Record<RosterFormat, number>> = {
  csv: maxListBytes,
  ndjson: maxListBytes,
  json: maxJsonBytes,
  xlsx: maxWorkbookBytes,
}

/** @throws ApiError 413 for a declared length over the limit, 415 for another media type. */
export function formatOf({ headers }: IncomingMessage): RosterFormat {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const format = formats.get(type)
  if (format === undefined) throw unsupportedTable(type)
  if (Number(headers['content-length'] ?? 0) > maxBytesOf[format]) throw tooLarge(maxBytesOf[format])
  return format
}

export interface ListOptions {
  readonly fileName: string | null
  /** For a workbook; null: all that have the columns. */
  readonly sheet: string | null
}

/**
 * Takes the list of a roster sync from the body: the whole file is stored first, so that a broken upload stores nothing. The same bytes again
 * change nothing.
 * @throws ApiError 400, 404, 409, 413, 415 or 503.
 */
export async function receiveList(
  context: Context,
  actor: ClientActor,
  request: IncomingMessage,
  id: string,
  options: ListOptions,
): Promise<void> {
  const chunks = chunksOf(request)
  const format = formatOf(request)
  const body = new Measured(chunks, maxBytesOf[format])
  try {
    const { companyId, status, sha256 } = await requireSync(context.database, actor, id)
    if (status !== 'open') {
      if (sha256 === null) throw wrongStatus(status)
      for await (const _ of body.chunks());
      body.checkIsNotEmpty()
      requireSame(status, sha256, body.sha256)
      return
    }
    const { key, size } = await storeFile(context, 'roster', body.chunks(), () => body.checkIsNotEmpty())
    const list = { ...options, storageKey: key, format, sha256: body.sha256, size }
    let isTaken = false
    try {
      isTaken = await write(
        context,
        actor,
        { may: mayRequest(actor), companies: ownCompany(companyId) },
        async (tx) => {
          const sync = await lockSync(tx, companyId, id)
          if (sync === null) throw syncNotFound()
          if (sync.status !== 'open') {
            requireSame(sync.status, sync.sha256, list.sha256)
            return false
          }
          if ((await lockStoredBytes(tx, sync.createdBy)) + size > maxStoredBytes)
            throw new ApiError('too-many-roster-syncs')
          if (!(await claimOrphan(tx, key))) throw new ApiError('roster-storage-unavailable')
          await startReading(tx, companyId, id, sync.createdBy, list)
          tx.audit({ action: 'roster-sync.file-received', target: id, companyId })
          return true
        },
      )
    } catch (error) {
      // After a failed commit it is unknown whether it happened; the retention job decides by the row of the orphan.
      if (error instanceof ApiError) await deleteOrphan(context, key)
      throw error
    }
    if (!isTaken) await deleteOrphan(context, key)
  } finally {
    await chunks.return(undefined)
    // Discards the rest of the body: many clients read the response only after they have sent everything.
    request.resume()
  }
}

export const ownCompany = (companyId: string) => ({ ids: [companyId], entitled: 'all', error: syncNotFound }) as const
export const wrongStatus = (status: RosterStatus) => new ApiError('roster-sync-status', { status })

/** @throws ApiError 409 for another file than the one that a roster sync has. */
function requireSame(status: RosterStatus, stored: string | null, sent: string): void {
  if (stored === null || status === 'cancelled') throw wrongStatus(status)
  if (stored !== sent) throw new ApiError('file-differs')
}

/** The bytes of a body, with their hash. */
class Measured {
  readonly #chunks: AsyncIterable<Buffer>
  readonly #limit: number
  readonly #hash = createHash('sha256')
  #size = 0

  constructor(chunks: AsyncIterable<Buffer>, limit: number) {
    this.#chunks = chunks
    this.#limit = limit
  }

  /** @throws ApiError 413 when there are too many. */
  async *chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#chunks) {
      this.#size += chunk.length
      if (this.#size > this.#limit) throw tooLarge(this.#limit)
      this.#hash.update(chunk)
      yield chunk
    }
  }

  checkIsNotEmpty(): void {
    if (this.#size === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
  }

  /** In hexadecimal; once. */
  get sha256(): string {
    return this.#hash.digest('hex')
  }
}
