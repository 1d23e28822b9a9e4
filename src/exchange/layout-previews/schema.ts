import { Type } from 'typebox'
import { Closed, Named, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'
import { SheetsNotRead } from '#platform/http/table-types.ts'
import { CELL_CODES, ITEM_PROBLEMS } from '#registry/layouts/types.ts'
import { maxPreviewed } from './preview.ts'

/** The body of a preview of movements. */
export const PreviewBody = Closed(
  {
    'enrollment-ids': Type.Array(Uuid, {
      minItems: 1,
      maxItems: maxPreviewed,
      uniqueItems: true,
      description: 'Of any status.',
    }),
  },
  { examples: [{ 'enrollment-ids': ['01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'] }] },
)

const message = Type.String({ description: 'What is wrong, and what to do.' })

const written = {
  ruler: Nullable(Type.String({ description: 'Of `fixed-width`: `1` stands over character 10, `2` over 20.' })),
  lines: Type.Array(
    Type.Object({
      sheet: Nullable(Type.String()),
      line: Type.Integer({ description: 'In the file, or on its sheet.' }),
      text: Type.String(),
    }),
  ),
  items: Type.Array(
    Type.Object({
      'enrollment-id': Uuid,
      'line-numbers': Type.Array(Type.Integer()),
      problems: Type.Array(
        Type.Object({ code: OneOf(ITEM_PROBLEMS), field: Type.String(), column: Type.String(), message }),
      ),
    }),
  ),
}

const read = {
  counts: Type.Object({ read: Type.Integer(), refused: Type.Integer(), skipped: Type.Integer() }),
  'sheets-not-read': Type.Optional(SheetsNotRead),
  lines: Type.Array(
    Type.Object({
      line: Type.Integer(),
      record: Type.String(),
      values: Type.Record(Type.String(), Type.String()),
    }),
  ),
  refused: Type.Array(
    Type.Object({
      line: Type.Integer(),
      cells: Type.Array(
        Type.Object({
          column: Type.String(),
          target: Nullable(Type.String()),
          code: OneOf(CELL_CODES),
          message,
        }),
      ),
    }),
  ),
}

/** What a layout writes, or reads. */
export const PreviewResponse = Type.Object(
  {
    result: Type.Union([Named('LayoutLines', Type.Object(written)), Named('LayoutReading', Type.Object(read))]),
  },
  {
    description: 'Of a layout of movements what is written; of the others what is read.',
  },
)
