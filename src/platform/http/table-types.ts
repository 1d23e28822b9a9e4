import { Type } from 'typebox'
import { ApiError, invalidBody, unavailable } from '../core/errors.ts'
import { NoThreadError, ThreadTimeoutError } from '../core/threads.ts'
import type { FieldError } from '#kernel/fields.ts'
import { xlsxType } from '../tables/media-type.ts'

/** The body or the response, for `openapi.json`. */
export const workbook = { schema: { type: 'string', contentMediaType: xlsxType } }

/** The query parameter of a table as a workbook. */
export const SheetParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 31,
    description:
      'Of a workbook: the name of the sheet. Without it all visible ones whose first 10 rows have a header with all required columns are read together.',
  }),
)

/** The sheets whose rows are read together. */
export const SheetsRead = Type.Array(
  Type.Object({
    sheet: Type.String(),
    'from-line': Type.Integer({
      description: 'The number of its first row: the rows of a further sheet follow on those of the one before.',
    }),
  }),
  { description: 'The sheets of a workbook that were read together; absent when it was one.' },
)

export const SheetsNotRead = Type.Array(Type.String(), {
  description:
    'The sheets of a workbook that were not read: hidden ones, and those without the headings. Absent when there are none.',
})

/** 415 for a file that is no table; of an .xlsb it says how to save it. */
export function unsupportedTable(type: string): ApiError {
  if (type !== 'application/vnd.ms-excel.sheet.binary.macroenabled.12') return new ApiError('unsupported-media-type')
  return refusedTable({
    refused: [{ field: 'file', code: 'invalid', message: { key: 'save-as-xlsx' } }],
    isUnsupported: true,
  })
}

/** 400 for a file that cannot be used, 415 for one of another type; the details say why. */
export function refusedTable({ refused, isUnsupported }: RefusedTable): ApiError {
  return isUnsupported ? new ApiError('unsupported-media-type', { details: refused }) : invalidBody(refused)
}

/** The content of a `TableError`, as it comes from a thread. */
export interface RefusedTable {
  readonly refused: readonly FieldError[]
  readonly isUnsupported: boolean
}

/** The response to an error of a thread that reads a file: 503 without a thread, 400 for a file that takes too long. */
export function threadRefusal(error: unknown): unknown {
  if (error instanceof NoThreadError) return unavailable()
  if (!(error instanceof ThreadTimeoutError)) return error
  return invalidBody([{ field: 'file', code: 'invalid', message: { key: 'file-takes-too-long' } }])
}
