import { serveSession } from '#platform/core/threads.ts'
import type { RefusedTable } from '#platform/http/table-types.ts'
import { TableError } from '#platform/tables/table-error.ts'
import type { CarrierLine } from './carrier-line.ts'
import { rowsOf } from './line-rows.ts'
import { type CarrierFileTask, readCarrierFile, type ReadCarrierFile } from './carrier-file.ts'

/** First the file, then the rows of its lines, part by part. */
export type ReadRequest =
  | { readonly task: CarrierFileTask; readonly bytes: Uint8Array }
  | { readonly companyId: string; readonly fileId: string }

/** `rows`: null after the last ones. */
export type ReadResponse = { readonly file: ReadCarrierFile } | { readonly rows: Uint8Array | null } | RefusedTable

const linesOfPart = 2_000

/** Reads a carrier's file, and gives its lines as rows. */
export default serveSession<ReadRequest, ReadResponse>(() => {
  let lines: readonly CarrierLine[] = []
  let next = 0
  return async (request) => {
    if ('fileId' in request) {
      const part = lines.slice(next, next + linesOfPart)
      next += linesOfPart
      return { response: { rows: part.length === 0 ? null : rowsOf(request.companyId, request.fileId, part) } }
    }
    try {
      const read = await readCarrierFile(request.task, request.bytes)
      lines = read.lines
      return { response: { file: read.file } }
    } catch (error) {
      // Its details would be lost on the way.
      if (!(error instanceof TableError)) throw error
      return { response: { refused: error.details, isUnsupported: error.isUnsupported } }
    }
  }
})
