import './mend-cell.css'
import { createContext, useContext } from 'react'
import { formatNumber } from '../../format/number.ts'
import { Value } from '../../components/value.tsx'
import { offenseOf, type RejectedLine } from './rejected-lines.ts'

/** What was mended: the cells of lines, by number. */
export type Mended = ReadonlyMap<number, readonly string[]>

interface Mending {
  readonly mended: Mended
  /** null: the role may not mend. */
  readonly onMend: ((line: number, cells: readonly string[]) => void) | null
  readonly onFocus: (line: RejectedLine) => void
}

/** The cells read it here, since a changed column would mount its cells again. */
export const MendingContext = createContext<Mending>({ mended: new Map(), onMend: null, onFocus: () => {} })

/** A field for a cell of a rejected line. */
export function MendCell(props: { readonly row: RejectedLine; readonly column: string; readonly position: number }) {
  const { row, column, position } = props
  const { mended, onMend, onFocus } = useContext(MendingContext)
  const cells = mended.get(row.line) ?? row.cells
  if (cells === null) return <Value>—</Value>
  const value = cells[position] ?? ''
  return (
    <span translate="no">
      <input
        className="cell-input"
        aria-label={`${column}, ${formatNumber(row.line)}`}
        aria-invalid={offenseOf(row, column) !== undefined && value === row.cells?.[position]}
        readOnly={onMend === null}
        value={value}
        onFocus={() => onFocus(row)}
        onChange={({ currentTarget }) => onMend?.(row.line, cells.with(position, currentTarget.value))}
      />
    </span>
  )
}
