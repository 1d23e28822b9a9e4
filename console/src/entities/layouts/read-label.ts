import { type Target, TARGETS } from '../../../../src/registry/rules/layout-fields.ts'
import { formatDate } from '../../format/date.ts'
import { formatMonth } from '../../format/month.ts'
import { formatMoney } from '../../format/number.ts'
import { formatCpf } from '../../format/tax-id.ts'
import { layoutValueLabel } from './field-label.ts'

/** A value that a column reads, as people write it. */
export function readLabel(target: Target, value: string): string {
  if (value === '') return ''
  const { type } = TARGETS[target]
  if (type === 'money') return formatMoney(Number(value))
  if (type === 'date') return target.endsWith('-month') ? formatMonth(value) : formatDate(value)
  if (type === 'cpf') return formatCpf(value)
  return type === 'code' ? layoutValueLabel(target, value) : value
}
