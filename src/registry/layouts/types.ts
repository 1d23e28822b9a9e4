/* What the engine of layouts takes and gives: the same for every format, without the database. */
import type { LinesRead } from './reader.ts'

/** Why a movement cannot be written into the file of a layout. */
export const ITEM_PROBLEMS = [
  'field-missing',
  'value-too-long',
  'not-representable',
  'no-code',
  'date-out-of-range',
  'primary-not-in-shipment',
  'plan-code-missing',
] as const
export type ItemProblemCode = (typeof ITEM_PROBLEMS)[number]

export interface ItemProblem {
  readonly code: ItemProblemCode
  /** The source of the value, such as `person.name`. */
  readonly field: string
  /** The name, heading or position of the column. */
  readonly column: string
  /** Whose line it is: the former benefit of a dependent who moves along with the primary; absent: of the movement itself. */
  readonly benefitId?: string
  /** Only for `not-representable`: the first character that cannot be written. */
  readonly character?: string
}

/** The values of a movement by their source, such as `person.name`; dates as `YYYY-MM-DD`, money in cents. Absent: it has none. */
export type SourceValues = Readonly<Record<string, string>>

/** A movement as a layout reads it. */
export interface MovementRecord {
  readonly enrollmentId: string
  /** The primary of the family. */
  readonly familyId: string
  readonly values: SourceValues
  /** For a change of company, or of plan to another contract: those who move along with the primary, in lines of their own. */
  readonly dependents?: readonly MovingDependent[]
}

interface MovingDependent {
  /** The former one. */
  readonly benefitId: string
  readonly values: SourceValues
}

/** The file of movements, and what became of each. */
export interface RenderedFile {
  readonly content: Uint8Array
  readonly mediaType: string
  /** With the dot, such as `.csv`. */
  readonly extension: string
  /** Whether it has more bytes or lines than a file may have. */
  readonly isTooLarge: boolean
  /** In the order of the movements. With problems the movement is not in the file and has no lines. */
  readonly items: readonly RenderedItem[]
}

interface RenderedItem {
  /** Its lines, from 1; of a workbook the rows of their sheets. */
  readonly lineNumbers: readonly number[]
  /** For a workbook: the sheet of each line. */
  readonly sheets?: readonly string[]
  readonly problems: readonly ItemProblem[]
}

/** A line of a carrier's file, read by its layout. */
export interface ParsedLine {
  /** In the file, from 1; of a workbook the row of the sheet. */
  readonly line: number
  /** The name of the record of the layout. */
  readonly record: string
  /** By target, such as `person.tax-id` or `acknowledgement.card-number`; dates as `YYYY-MM-DD`, money in cents. */
  readonly values: Readonly<Record<string, string>>
}

/** Why a line, or a cell of it, cannot be read. */
export const CELL_CODES = ['no-record', 'malformed', 'too-long', 'missing', 'invalid', 'no-code'] as const
export type CellCode = (typeof CELL_CODES)[number]

/** A line that its layout does not describe, or with cells that are refused. */
export interface RefusedLine {
  readonly line: number
  readonly cells: readonly { readonly column: string; readonly target: string | null; readonly code: CellCode }[]
}

export interface ParsedFile extends LinesRead {
  readonly lines: readonly ParsedLine[]
  readonly refused: readonly RefusedLine[]
}
