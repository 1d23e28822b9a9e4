/* The columns of built-in layouts, said shortly. */
import type { LayoutColumn } from '../definition.ts'
import type { Source, Target } from '../../rules/layout-fields.ts'

type More = Omit<LayoutColumn, 'heading' | 'literal' | 'source' | 'target' | 'drop' | 'at' | 'length'>

/** A column of each heading, filled with its source; null: left empty. */
export function filled(
  columns: readonly (readonly [heading: string, source: Source | null, more?: More])[],
): LayoutColumn[] {
  return columns.map(([heading, source, more]) =>
    source === null ? { heading, literal: '' } : { heading, source, ...more },
  )
}

/** A column of each heading, read as its target; null: not read. */
export function read(
  columns: readonly (readonly [heading: string, target: Target | null, more?: More])[],
): LayoutColumn[] {
  return columns.map(([heading, target, more]) =>
    target === null ? { heading, drop: true } : { heading, target, ...more },
  )
}

/** The characters from the first to the last one, read as the target; null: not read. */
export function between(first: number, last: number, target: Target | null, more?: More): LayoutColumn {
  const place = { at: first, length: last - first + 1 }
  return target === null ? { ...place, drop: true } : { ...place, target, ...more }
}
