import type { LayoutColumn } from './layout.ts'
import { visible } from '../../../../src/kernel/person-text.ts'
import { type Target, TARGETS } from '../../../../src/registry/rules/layout-fields.ts'
import { mappedValue, readValue } from '../../../../src/registry/rules/read-value.ts'
import { formatDate } from '../../format/date.ts'
import { formatMonth } from '../../format/month.ts'
import { formatMoney } from '../../format/number.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { layoutValueLabel } from './field-label.ts'

/** What a column reads in a text, as the service stores it; `''`: nothing, null: it refuses the text. */
export function readCell({ target, map, format, required }: LayoutColumn, cell: string): string | null {
  const text = visible(cell).trim()
  const mapped = map === undefined ? null : mappedValue(map, text)
  if (mapped !== null) return mapped
  if (text === '') return required === true ? null : ''
  if (map !== undefined || target === undefined) return null
  return readValue(text, TARGETS[target], format)
}

/** Such a value as people write it. */
export function readLabel(target: Target, value: string): string {
  if (value === '') return ''
  const { type } = TARGETS[target]
  if (type === 'money') return formatMoney(Number(value))
  if (type === 'date') return target.endsWith('-month') ? formatMonth(value) : formatDate(value)
  if (type === 'cpf') return formatCpf(value)
  return type === 'code' ? layoutValueLabel(target, value) : value
}
