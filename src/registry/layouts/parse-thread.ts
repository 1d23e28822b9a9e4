import { serveSession } from '#platform/core/threads.ts'
import type { RefusedTable } from '#platform/http/table-types.ts'
import { TableError } from '#platform/tables/table-error.ts'
import type { LayoutDefinition } from './definition.ts'
import { parseFile } from './parse.ts'
import type { ParsedFile } from './types.ts'

export interface ParseTask {
  readonly definition: LayoutDefinition
  readonly bytes: Uint8Array
}

export type ParseResponse = ParsedFile | RefusedTable

/** Reads the file of a carrier. */
export default serveSession<ParseTask, ParseResponse>(() => async ({ definition, bytes }) => {
  try {
    return { response: await parseFile(definition, bytes) }
  } catch (error) {
    // Its details would be lost on the way.
    if (!(error instanceof TableError)) throw error
    return { response: { refused: error.details, isUnsupported: error.isUnsupported } }
  }
})
