import './mend-cell.css'
import { createContext, useContext } from 'react'
import { formatNumber } from '../format/number.ts'
import { Absent } from '../components/value.tsx'

/** A line of a file with what is wrong with it. */
export interface WrongLine {
  readonly line: number
  /** In the order of the columns; null for a line that cannot be split into them. */
  readonly cells: readonly string[] | null
  /** What is wrong, in words. */
  readonly reasons: readonly string[]
  /** The fields that are wrong. */
  readonly wrong: ReadonlySet<string>
}

/** A column of a file, and the field that it stands for; null: none. */
export interface FileColumn {
  readonly heading: string
  readonly field: string | null
}

/** What was mended: the cells of lines, by number. */
export type Mended = ReadonlyMap<number, readonly string[]>

interface Mending {
  readonly mended: Mended
  /** null: the role may not mend. */
  readonly onMend: ((line: number, cells: readonly string[]) => void) | null
  readonly onFocus: (line: WrongLine) => void
}

/** The cells read it here, since a changed column would mount its cells again. */
export const MendingContext = createContext<Mending>({ mended: new Map(), onMend: null, onFocus: () => {} })

interface Props {
  readonly row: WrongLine
  readonly column: FileColumn
  readonly position: number
}

/** A field for a cell of a rejected line. */
export function MendCell({ row, column: { heading, field }, position }: Props) {
  const { mended, onMend, onFocus } = useContext(MendingContext)
  const cells = mended.get(row.line) ?? row.cells
  if (cells === null) return <Absent />
  const value = cells[position] ?? ''
  return (
    <span translate="no">
      <input
        className="cell-input"
        aria-label={`${heading}, ${formatNumber(row.line)}`}
        aria-invalid={field !== null && row.wrong.has(field) && value === row.cells?.[position]}
        readOnly={onMend === null}
        value={value}
        onFocus={() => onFocus(row)}
        onChange={({ currentTarget }) => onMend?.(row.line, cells.with(position, currentTarget.value))}
      />
    </span>
  )
}
