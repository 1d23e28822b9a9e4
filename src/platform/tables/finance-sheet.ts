/* The workbooks of finance: discrepancies, and claims that go to carriers. One form for both. */
import type { DiscrepancyClass } from '#kernel/reconciliation.ts'
import { type Language, PORTUGUESE, TEXTS } from '#kernel/texts/texts.ts'
import { portugueseCell } from './portuguese.ts'
import type { SheetColumn } from './xlsx/write.ts'

/** What is said otherwise in a workbook of money than in general. */
const headings: Readonly<Partial<Record<string, string>>> = {
  'member-type': 'Papel',
  expected: 'Valor devido',
  found: 'Valor cobrado',
  amount: 'Diferença',
}

const amounts: readonly string[] = ['expected', 'found', 'amount']
const counts: readonly string[] = ['days', 'line-number']

type FieldName = keyof typeof PORTUGUESE.fields

/** The columns. @param isOfRoster its `expected` and `found` are no amounts, but days, names and words. */
export function financeColumns(names: readonly FieldName[], language: Language, isOfRoster: boolean): SheetColumn[] {
  return names.map((name) => {
    const isMoney = amounts.includes(name) && (!isOfRoster || name === 'amount')
    const isDate = amounts.includes(name) && !isMoney
    const own = isDate ? undefined : headings[name]
    const header = language === 'pt-BR' ? (own ?? PORTUGUESE.fields[name]) : name
    return { header, isMoney, isDate, isNumber: counts.includes(name) }
  })
}

/** A value as the workbook has it: words of closed sets in the language, CNPJs with their punctuation. */
export function financeCell(
  name: FieldName,
  value: string | number | null | undefined,
  language: Language,
  of: DiscrepancyClass,
): string | null {
  if (value === null || value === undefined) return null
  const text = String(value)
  const { terms } = TEXTS[language]
  const wordOf = (words: Readonly<Record<string, string>>) =>
    Object.hasOwn(words, text) ? (words[text] ?? text) : text
  if (name === 'class') return wordOf(terms.discrepancyClass)
  if (name === 'status') return wordOf(terms.discrepancyStatus)
  if (name === 'explanation') return wordOf(terms.explanation)
  const isRole = name === 'member-type' || (of === 'relationship-differs' && (name === 'expected' || name === 'found'))
  if (isRole) return wordOf({ ...terms.dependentType, ...terms.beneficiaryType })
  if (name === 'company-tax-id') return portugueseCell('cnpj', text)
  if (name === 'reference-month' && language === 'pt-BR') return text.split('-').toReversed().join('/')
  return text
}
