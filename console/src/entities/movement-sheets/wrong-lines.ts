import type { TFunction } from 'i18next'
import { ALTERATION_KEYS } from '../../../../src/movements/rules/alteration-columns.ts'
import type { TableMovement } from '../../../../src/movements/rules/table-columns.ts'
import { currentLanguage } from '../../language/language.ts'
import type { WrongLine } from '../../tables/mend-cell.tsx'
import { offenseWords } from '../../components/offense-texts.ts'
import type { ReadSheet } from './use-sheet.ts'

interface Wrong {
  readonly reasons: Set<string>
  readonly fields: Set<string>
}

/** The lines of a table with what the service says of them: those that it could not read, and those of people with offenses. */
export function wrongLinesOf(
  { table, judged }: ReadSheet,
  movement: TableMovement,
  t: TFunction<'sheets'>,
): readonly WrongLine[] {
  const found = new Map<number, Wrong>()
  const wrongOf = (line: number): Wrong => {
    const wrong = found.get(line) ?? { reasons: new Set(), fields: new Set() }
    found.set(line, wrong)
    return wrong
  }
  for (const { line, error, cell = '' } of table['row-errors']) {
    const { reasons, fields } = wrongOf(line)
    reasons.add(t(`rowErrors.${error}`, { cell }))
    if (error === 'other-company') fields.add('company-tax-id')
  }
  for (const { index, 'offense-details': details } of judged?.rejected ?? []) {
    for (const line of table['member-lines'][index] ?? []) {
      const { reasons, fields } = wrongOf(line)
      for (const detail of details) {
        reasons.add(offenseWords(detail, movement, currentLanguage()))
        for (const column of columnsOf(detail.field)) fields.add(column)
      }
    }
  }
  return table.rows.flatMap(({ line, cells }) => {
    const wrong = found.get(line)
    return wrong === undefined ? [] : [{ line, cells, reasons: [...wrong.reasons], wrong: wrong.fields }]
  })
}

/** The columns of a field of a batch, such as `products.health-insurance[0].start-option`; a key of `alteration-data` may have two. */
function columnsOf(field: string): readonly string[] {
  const last =
    field
      .split('.')
      .at(-1)
      ?.replace(/\[\d+\]$/, '') ?? field
  const isProduct = field.startsWith('products') && (last === 'name' || last === 'products' || !field.includes('['))
  if (isProduct) return ['product-name']
  if (!field.startsWith('alteration-data.')) return [last]
  const named = [...ALTERATION_KEYS].flatMap(([column, key]) => (key === last ? [column] : []))
  return last === 'tax-id' ? named : [last, ...named]
}
