import type { TFunction } from 'i18next'
import { COLUMN_FORMATS } from '../../../../src/registry/rules/layout.ts'
import type { FieldOfLayout } from '../../../../src/registry/rules/layout-fields.ts'

type Format = (typeof COLUMN_FORMATS)[number]

/** 30/11/2026 as a pattern writes it. */
const dayAs = (format: Format) =>
  format.slice('date:'.length).replace('yyyy', '2026').replace('yy', '26').replace('MM', '11').replace('dd', '30')

/** Without a format it is this one. */
const unnamed: Partial<Record<FieldOfLayout['type'], Format>> = { date: 'date:yyyy-MM-dd', money: 'money:cents' }

/** How a field may be written; `''`: as it is. */
export function formatOptions({ type }: FieldOfLayout, isWritten: boolean, t: TFunction<'layouts'>) {
  if (type === 'code') return []
  if (type === 'date') {
    const dates = COLUMN_FORMATS.filter((format) => format.startsWith('date:'))
    return dates.map((format) => ({ value: format === unnamed.date ? '' : format, label: dayAs(format) }))
  }
  if (type === 'money') {
    return (['comma', 'point', 'cents'] as const).map((form) => ({
      value: form === 'cents' ? '' : `money:${form}`,
      label: t(`amounts.${form}`),
    }))
  }
  const texts = isWritten ? (['digits', 'upper', 'upper-ascii'] as const) : (['digits'] as const)
  return [
    { value: '', label: t('texts.asItIs') },
    ...(type === 'cpf' && !isWritten ? [] : texts.map((value) => ({ value, label: t(`texts.${value}`) }))),
  ]
}

/** The words for a format. */
export function formatLabel(format: Format, t: TFunction<'layouts'>): string {
  if (format.startsWith('date:')) return dayAs(format)
  if (format.startsWith('money:')) return t(`amounts.${format.slice('money:'.length) as 'comma'}`)
  return format === 'text' ? t('texts.asItIs') : t(`texts.${format as 'digits'}`)
}
