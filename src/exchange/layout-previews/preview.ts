import { invalidBody } from '#platform/core/errors.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { sentenceOf } from '#kernel/texts/messages.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { cellMessage, problemMessage } from '#registry/layouts/problems.ts'
import type { LayoutDefinition } from '#registry/layouts/definition.ts'
import { readMovementRecords } from '../shipments/movement-records.ts'
import { renderMovements } from '#registry/layouts/render.ts'
import { rulerOf, shownLines } from '#registry/layouts/shown-lines.ts'
import type { MovementRecord, ParsedFile } from '#registry/layouts/types.ts'

/** Movements of a preview. */
export const maxPreviewed = 20
/** Lines of a file that a preview shows. */
const maxShown = 100

/** The file of these movements as people see it. @throws ApiError 400 for an unknown id. */
export async function previewMovements(
  sql: Sql,
  definition: LayoutDefinition,
  ids: readonly string[],
  { today, language }: { readonly today: LocalDate; readonly language: Language },
) {
  const movements = await readPreviewed(sql, ids)
  const file = await renderMovements(definition, headerOf(movements, today), movements)
  return {
    ruler: rulerOf(definition),
    lines: await shownLines(definition, file.content),
    items: movements.map(({ enrollmentId }, index) => ({
      'enrollment-id': enrollmentId,
      'line-numbers': [...(file.items[index]?.lineNumbers ?? [])],
      problems: (file.items[index]?.problems ?? []).map((problem) => ({
        ...problem,
        message: sentenceOf(problemMessage(problem), language) ?? '',
      })),
    })),
  }
}

async function readPreviewed(sql: Sql, ids: readonly string[]): Promise<MovementRecord[]> {
  const found = await sql.query<{ companyId: string; id: string }>(
    'select company_id as "companyId", id from enrollment where id = any($1::uuid[])',
    [ids],
  )
  const unknown = ids.flatMap((id, index) =>
    found.some((enrollment) => enrollment.id === id)
      ? []
      : [{ field: `enrollment-ids[${index}]`, code: 'unknown' as const }],
  )
  if (unknown.length > 0) throw invalidBody(unknown)
  const movements: MovementRecord[] = []
  for (const companyId of new Set(found.map((enrollment) => enrollment.companyId))) {
    const ofCompany = found.filter((enrollment) => enrollment.companyId === companyId)
    movements.push(
      ...(await readMovementRecords(
        sql,
        companyId,
        ofCompany.map(({ id }) => id),
      )),
    )
  }
  return movements
}

/** A shipment that does not exist, of the contract of the first movement. */
function headerOf([first]: readonly MovementRecord[], today: LocalDate): Record<string, string> {
  const contract = Object.entries(first?.values ?? {}).filter(([source]) => source.startsWith('contract.'))
  return {
    ...Object.fromEntries(contract),
    'shipment.number': '1',
    'shipment.cut-off-date': today,
    'shipment.coverage-start': today,
  }
}

/** The first lines of a carrier's file as the layout reads them, and the counts of all. */
export function previewFile({ lines, refused, skipped, sheetsNotRead }: ParsedFile, language: Language) {
  return {
    counts: { read: lines.length, refused: refused.length, skipped },
    ...(sheetsNotRead.length > 0 && { 'sheets-not-read': [...sheetsNotRead] }),
    lines: lines.slice(0, maxShown),
    refused: refused.slice(0, maxShown).map(({ line, cells }) => ({
      line,
      cells: cells.map((cell) => ({ ...cell, message: sentenceOf(cellMessage(cell), language) ?? '' })),
    })),
  }
}
