/* What a column of a layout is filled with or read as, as one value of a choice. */
import { isWritten } from '../../../../src/registry/rules/layout.ts'
import {
  type FieldOfLayout,
  isSourceOf,
  SOURCE_NAMES,
  SOURCES,
  type Source,
  type Target,
  TARGET_NAMES,
  TARGETS,
} from '../../../../src/registry/rules/layout-fields.ts'
import { type ReadKind, targetsOf } from '../../entities/layouts/file-words.ts'
import type { Direction, LayoutColumn } from '../../entities/layouts/layout.ts'
import { columnOf } from '../../entities/layouts/column-of.ts'
import { noContent, writtenFormat } from './sample.ts'

/** Choices that are no fields. */
export const contents = ['#none', '#text', '#position', '#lines', '#total'] as const
export type Content = (typeof contents)[number] | Source | Target

export function contentOf({ target, source, literal, total }: LayoutColumn): Content {
  if (total !== undefined) return total === 'position' || total === 'lines' ? `#${total}` : '#total'
  if (literal !== undefined && literal !== '') return '#text'
  return target ?? source ?? '#none'
}

const subjects = ['movement', 'acknowledgement', 'roster', 'invoice', 'coparticipation']

/** The fields that a file of the direction may have, the usual ones first. */
export function fieldsOf(direction: Direction): readonly (Source | Target)[] {
  if (isWritten(direction)) return SOURCE_NAMES.filter((name) => isSourceOf(direction, name))
  const kind = direction as ReadKind
  const others = TARGET_NAMES.filter((name) => {
    const [subject = ''] = name.split('.')
    return !subjects.includes(subject) || subject === kind
  })
  return [...new Set([...targetsOf(kind), ...others])]
}

/** The column with another content, in the form that its cells have. */
export function withContent(
  direction: Direction,
  column: LayoutColumn,
  content: Content,
  cells: readonly string[],
): LayoutColumn {
  const { heading, at, length, offset, pad, align, overflow } = column
  const place = {
    ...(heading !== undefined && { heading }),
    ...(at !== undefined && { at }),
    ...(length !== undefined && { length }),
    ...(offset !== undefined && { offset }),
    ...(pad !== undefined && { pad }),
    ...(align !== undefined && { align }),
    ...(overflow !== undefined && { overflow }),
  }
  switch (content) {
    case '#none':
      return { ...place, ...noContent(direction) }
    case '#text':
      return { ...place, literal: ' ' }
    case '#position':
    case '#lines':
      return { ...place, total: content.slice(1) }
    case '#total':
      return column
    default:
      return isWritten(direction)
        ? { ...place, source: content as Source, ...writtenFormat(content as Source) }
        : { ...place, ...columnOf(direction as ReadKind, content as Target, cells) }
  }
}

/** The field of a column; null: it has none. */
export function fieldOf({ target, source }: LayoutColumn): FieldOfLayout | null {
  if (target !== undefined) return TARGETS[target]
  return source === undefined ? null : SOURCES[source]
}
