import { chunksOf } from '#platform/core/chunk.ts'
import type { BeneficiaryType, MovementKind } from '#kernel/enums.ts'

/** An enrollment that an accepted batch still has to become: a row of `movement_item`. */
export interface MovementItem {
  /** What it changes. Of two batches with one subject the one that was accepted first is processed first. */
  readonly subject: string
  /** The subject that must exist: of a dependent's inclusion that of the primary. */
  readonly requires: string | null
  readonly taxId: string
  readonly type: BeneficiaryType
  readonly reference: string | null
  /** What the statements of its kind read with `itemsOfChunk`. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** The request that items are stored for; its reference is that of the entries without one. */
export interface ItemRequest {
  readonly companyId: string
  readonly requestId: string
}

/** The COPY statement of `itemRows`. */
export const copyItems = `copy movement_item (company_id, request_id, chunk, position, kind, subject, requires, tax_id, type, reference,
  payload) from stdin`

/**
 * The rows of items in COPY's text format, UTF-8, in chunks that divide no family. The bytes have an ArrayBuffer of their own, so that a
 * thread can transfer them.
 */
export function itemRows(
  kind: MovementKind,
  families: Iterable<readonly MovementItem[]>,
  { companyId, requestId }: ItemRequest,
): Uint8Array {
  let position = 0
  const rows = chunksOf(families).flatMap((chunk, number) =>
    chunk.flat().map(({ subject, requires, taxId, type, reference, payload }) => {
      const own = [subject, requires, taxId, type, reference === null ? null : escaped(reference)]
      position += 1
      return copyLine([companyId, requestId, number, position, kind, ...own, escaped(JSON.stringify(payload))])
    }),
  )
  return new TextEncoder().encode(rows.join(''))
}

function copyLine(row: readonly (string | number | null)[]): string {
  return `${row.map((value) => value ?? '\\N').join('\t')}\n`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escaped(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '')
}
