import type { LocalDate } from '#kernel/calendar.ts'
import { cardNumber as cardNumberType, cnpj, date, text } from '#kernel/field-types.ts'
import type { Parsed } from '#kernel/fields.ts'
import { parseDependency, parseField, parsePerson } from './inclusion-batch.ts'
import type { ImportOffense } from '#kernel/offenses.ts'
import { productNameKey } from '#kernel/product-name.ts'
import type { BeneficiaryType, DependentType } from '#kernel/enums.ts'

/** One benefit of one person, in normal form, with the offenses that follow from the line alone. */
export interface ImportLine {
  /** Line number in the file, from 1; the header of a CSV is 1. */
  readonly line: number
  readonly companyTaxId: string | null
  readonly role: BeneficiaryType | null
  readonly taxId: string | null
  readonly primaryTaxId: string | null
  readonly dependentType: DependentType | null
  readonly dateOfBirth: LocalDate | null
  /** Wire-format keys, normal forms, only what was sent. */
  readonly profile: Readonly<Record<string, string | number | boolean>>
  readonly nameKey: string | null
  readonly startDate: LocalDate | null
  /** The last day covered; null: missing or invalid. */
  readonly endDate: LocalDate | null
  readonly cardNumber: string | null
  readonly offenses: readonly ImportOffense[]
}

/**
 * Parses a line and judges it by itself.
 * @param sent its columns or keys; null: the line is malformed.
 */
export function parseImportLine(line: number, sent: Readonly<Record<string, unknown>> | null): ImportLine {
  if (sent === null) return { ...parseImportLine(line, {}), offenses: ['malformed-line'] }
  const offenses: ImportOffense[] = []
  const collect = <T>(parsed: Parsed<T>, missing: ImportOffense | null, invalid: ImportOffense): T | null => {
    if (parsed === null) offenses.push(invalid)
    else if (parsed === undefined && missing !== null) offenses.push(missing)
    return parsed ?? null
  }
  const companyTaxId = collect(cnpj.parse(sent['company-tax-id']), 'missing-company-tax-id', 'invalid-company-tax-id')
  const { role, taxId, profile } = parsePerson(sent, offenses)
  // The own date of a dependent is ignored.
  const admission = role === 'dependent' ? null : parseField(sent, 'admission-date', offenses)
  if (admission !== null) profile['admission-date'] = admission
  const { primaryTaxId, dependentType } = parseDependency(sent, role, taxId, offenses)
  const nameKey = collect(parseNameKey(sent['product-name']), 'missing-product-name', 'unknown-product')
  const startDate = collect(date.parse(sent['start-date']), 'missing-start-date', 'invalid-start-date')
  const sentEnd = date.parse(sent['end-date'])
  const endsBeforeStart = typeof sentEnd === 'string' && startDate !== null && sentEnd < startDate
  const endDate = collect(endsBeforeStart ? null : sentEnd, null, 'invalid-end-date')
  const cardNumber = collect(cardNumberType.parse(sent['card-number']), null, 'invalid-card-number')
  const dateOfBirth = (profile['date-of-birth'] as LocalDate | undefined) ?? null
  const person = { role, taxId, primaryTaxId, dependentType, dateOfBirth, profile }
  return { line, companyTaxId, ...person, nameKey, startDate, endDate, cardNumber, offenses }
}

/** null: no product can have this name. */
function parseNameKey(value: unknown): Parsed<string> {
  const name = text.parse(value)
  if (typeof name !== 'string') return name
  const key = productNameKey(name)
  return key === '' ? null : key
}
