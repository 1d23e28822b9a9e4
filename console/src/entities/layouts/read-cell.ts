import { visible } from '../../../../src/kernel/person-text.ts'
import { TARGETS } from '../../../../src/registry/rules/layout-fields.ts'
import { mappedValue, readValue } from '../../../../src/registry/rules/read-value.ts'
import type { LayoutColumn } from './layout.ts'

/** What a column reads in a text, as the service stores it; `''`: nothing, null: it refuses the text. */
export function readCell({ target, map, format, required }: LayoutColumn, cell: string): string | null {
  const text = visible(cell).trim()
  const mapped = map === undefined ? null : mappedValue(map, text)
  if (mapped !== null) return mapped
  if (text === '') return required === true ? null : ''
  if (map !== undefined || target === undefined) return null
  return readValue(text, TARGETS[target], format)
}
