import type { LocalDate } from './calendar.ts'
import { PROFILE_FIELDS, readDependency, readRole } from './inclusion-batch.ts'
import type { Collect } from './inclusion-batch.ts'
import { isAbsent, readCpf, readDate, readText } from './member-fields.ts'
import type { Reading } from './member-fields.ts'
import { productNameKey } from './product-name.ts'
import { parseCnpj } from './tax-id.ts'
import type { BeneficiaryType, DependentType, Offense } from './enums.ts'

/** What a line of an import is refused for beside the offenses of an inclusion. */
export const IMPORT_OFFENSES = [
  'invalid-card-number',
  'invalid-company-tax-id',
  'invalid-end-date',
  'invalid-start-date',
  'malformed-line',
  'missing-company-tax-id',
  'missing-start-date',
  'unknown-company',
] as const
export type ImportOffense = Offense | (typeof IMPORT_OFFENSES)[number]

/** The columns of an import; whatever else a file has is ignored. */
export const IMPORT_COLUMNS: readonly string[] = [
  'company-tax-id',
  'beneficiary-type',
  'tax-id',
  ...PROFILE_FIELDS.map(({ field }) => field),
  'admission-date',
  'primary-member-tax-id',
  'dependent-type',
  'product-name',
  'start-date',
  'end-date',
  'card-number',
]

/** One benefit of one person as a line tells it, in normal form, with the offenses that need nothing but the line itself. */
export interface ImportLine {
  /** In the file, from 1; the header of a CSV is 1. */
  readonly line: number
  readonly companyTaxId: string | null
  readonly role: BeneficiaryType | null
  readonly taxId: string | null
  readonly primaryTaxId: string | null
  readonly dependentType: DependentType | null
  readonly dateOfBirth: LocalDate | null
  /** Wire-format keys, normal forms, only what was sent. */
  readonly profile: Readonly<Record<string, string | number>>
  readonly nameKey: string | null
  readonly startDate: LocalDate | null
  /** The last day covered; null: none was sent, or a bad one. */
  readonly endDate: LocalDate | null
  readonly cardNumber: string | null
  readonly offenses: readonly ImportOffense[]
}

const NO_OFFENSES: readonly ImportOffense[] = []
const MALFORMED: readonly ImportOffense[] = ['malformed-line']

/**
 * Reads a line and judges it by itself.
 * @param sent its columns or keys; null: no line that can be read.
 */
export function readImportLine(line: number, sent: Readonly<Record<string, unknown>> | null): ImportLine {
  if (sent === null) return malformedLine(line)
  let offenses = NO_OFFENSES
  const note = <T>(reading: Reading<T>, missing: ImportOffense | null, invalid: ImportOffense): T | null => {
    if (reading === null) offenses = [...offenses, invalid]
    else if (reading === undefined && missing !== null) offenses = [...offenses, missing]
    return reading ?? null
  }
  const collect: Collect = note
  const companyTaxId = note(readCnpj(sent['company-tax-id']), 'missing-company-tax-id', 'invalid-company-tax-id')
  const role = readRole(sent, collect)
  const taxId = note(readCpf(sent['tax-id']), 'missing-tax-id', 'invalid-tax-id')
  const profile: Record<string, string | number> = {}
  for (const { field, read, missing, invalid } of PROFILE_FIELDS) {
    const value = note(read(sent[field]), missing, invalid)
    if (value !== null) profile[field] = value
  }
  // A dependent's own is never read: the primary's counts.
  const admission = role === 'dependent' ? null : note(readDate(sent['admission-date']), null, 'invalid-admission-date')
  if (admission !== null) profile['admission-date'] = admission
  const { primaryTaxId, dependentType } = readDependency(sent, role, taxId, collect)
  const nameKey = note(readNameKey(sent['product-name']), 'missing-product-name', 'unknown-product')
  const startDate = note(readDate(sent['start-date']), 'missing-start-date', 'invalid-start-date')
  const sentEnd = readDate(sent['end-date'])
  const isBackwards = typeof sentEnd === 'string' && startDate !== null && sentEnd < startDate
  const endDate = note(isBackwards ? null : sentEnd, null, 'invalid-end-date')
  const cardNumber = note(readText(sent['card-number']), null, 'invalid-card-number')
  const dateOfBirth = (profile['date-of-birth'] as LocalDate | undefined) ?? null
  const person = { role, taxId, primaryTaxId, dependentType, dateOfBirth, profile }
  return { line, companyTaxId, ...person, nameKey, startDate, endDate, cardNumber, offenses }
}

function malformedLine(line: number): ImportLine {
  return {
    line,
    companyTaxId: null,
    role: null,
    taxId: null,
    primaryTaxId: null,
    dependentType: null,
    dateOfBirth: null,
    profile: {},
    nameKey: null,
    startDate: null,
    endDate: null,
    cardNumber: null,
    offenses: MALFORMED,
  }
}

function readCnpj(value: unknown): Reading<string> {
  if (isAbsent(value)) return undefined
  return parseCnpj(value)
}

// Null for what no product can be named.
function readNameKey(value: unknown): Reading<string> {
  const name = readText(value)
  if (typeof name !== 'string') return name
  const key = productNameKey(name)
  return key === '' ? null : key
}
