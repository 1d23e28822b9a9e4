import type { TFunction } from 'i18next'
import { isWritten } from '../../../../src/registry/rules/layout.ts'
import { layoutFieldLabel, layoutValueLabel } from '../../entities/layouts/field-label.ts'
import type { Direction, LayoutRecord } from '../../entities/layouts/layout.ts'

/** A record by its number, and its sheet. */
export function recordLabel(record: LayoutRecord, records: readonly LayoutRecord[], t: TFunction<'layouts'>): string {
  const label = t('recordNumber', { number: String(records.indexOf(record) + 1), name: record.name })
  return record.sheet === undefined ? label : `${label}, ${t('sheet', { name: record.sheet })}`
}

/** When a record is written, or which lines are of it. */
export function conditionsOf(record: LayoutRecord, direction: Direction, t: TFunction<'layouts'>): string[] {
  const { emit, sheet, when = {}, match, completes } = record
  const written = isWritten(direction)
  const ofSheet = sheet === undefined ? [] : [t('sheet', { name: sheet })]
  if (written) {
    const conditions = Object.entries(when).map(([source, values]) => {
      const words = [values].flat().map((value) => layoutValueLabel(source, value))
      return `${layoutFieldLabel(source)}: ${words.join(` ${t('or')} `)}`
    })
    const line = emit ?? (direction === 'payroll' ? 'each-deduction' : 'each')
    return [t(`emit.${line}`), ...ofSheet, ...conditions.map((condition) => t('when', { condition }))]
  }
  return [
    t(`lineOf.${lineOf(record, direction)}`),
    ...ofSheet,
    ...(match?.['first-cell'] === undefined ? [] : [t('firstCell', { text: match['first-cell'] })]),
    ...(match?.equals === undefined ? [] : [t('textAt', { text: match.equals, position: String(match.at ?? 1) })]),
    ...(completes === undefined ? [] : [t('completes', { name: completes })]),
  ]
}

/** What a line of a record that is read is of. */
function lineOf({ columns }: LayoutRecord, direction: Direction) {
  const targets = columns.flatMap(({ target }) => target ?? [])
  if (targets.length === 0) return 'nothing'
  if (targets.includes('invoice.total')) return 'total'
  const isOfFile = targets.every((target) => /^contract\.|\.reference-month$/.test(target))
  return isOfFile || isWritten(direction) ? 'file' : (direction as 'roster')
}

/** What a column counts. */
export function totalLabel(total: string, t: TFunction<'layouts'>): string {
  if (total === 'position' || total === 'lines') return t(`contents.${total}`)
  return t('countOf', { name: total.slice('count:'.length) })
}
