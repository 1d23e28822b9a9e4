/* The columns of a record of fixed width, between cuts: each character is of one column. */
import type { LayoutColumn } from '../../entities/layouts/layout.ts'

/** What a column without content is: not read, or left empty. */
export type NoContent = { readonly drop: true } | { readonly literal: '' }

export interface PlacedColumn extends LayoutColumn {
  readonly at: number
  readonly length: number
}

const placed = (column: LayoutColumn): PlacedColumn => ({ ...column, at: column.at ?? 1, length: column.length ?? 1 })
const endOf = ({ at, length }: PlacedColumn) => at + length - 1

/** The columns in the order of their positions, up to the length of a line; between them are columns without content. */
export function withoutGaps(columns: readonly LayoutColumn[], length: number, none: NoContent): PlacedColumn[] {
  const whole: PlacedColumn[] = []
  let next = 1
  const fillTo = (end: number) => {
    if (end >= next) whole.push({ at: next, length: end - next + 1, ...none })
  }
  for (const column of columns.map(placed).toSorted((one, other) => one.at - other.at)) {
    if (column.at > length) break
    fillTo(column.at - 1)
    whole.push({ ...column, length: Math.min(column.length, length - column.at + 1) })
    next = endOf(column) + 1
  }
  fillTo(length)
  return whole
}

/** After which characters the columns end. */
export const cutsOf = (columns: readonly PlacedColumn[]): number[] => columns.slice(0, -1).map(endOf)

const hasContent = ({ drop, literal }: LayoutColumn) => drop !== true && literal !== ''

/** Cuts after a character; where there is a cut already, the columns on both sides become one. */
export function toggleCut(columns: readonly PlacedColumn[], position: number, none: NoContent): PlacedColumn[] {
  return columns.flatMap((column, index): PlacedColumn[] => {
    const after = columns[index + 1]
    if (endOf(column) === position && after !== undefined) {
      const kept = hasContent(column) ? column : after
      return [{ ...kept, at: column.at, length: column.length + after.length }]
    }
    if (column.at === position + 1 && index > 0) return []
    if (position < column.at || position >= endOf(column)) return [column]
    const first = position - column.at + 1
    return [
      { ...column, length: first },
      { at: position + 1, length: column.length - first, ...none },
    ]
  })
}

/** Moves the cut at the end of a column; each of the two keeps a character. */
export function moveCut(columns: readonly PlacedColumn[], index: number, position: number): readonly PlacedColumn[] {
  const [column, after] = [columns[index], columns[index + 1]]
  if (column === undefined || after === undefined) return columns
  const end = Math.max(column.at, Math.min(position, endOf(after) - 1))
  return columns.with(index, { ...column, length: end - column.at + 1 }).with(index + 1, {
    ...after,
    at: end + 1,
    length: endOf(after) - end,
  })
}
