import { PORTUGUESE, type Terms, ownValue, termOf } from '#kernel/texts/texts.ts'
import type { CopiedTable } from '../personal-tables.ts'

/* The copy of a person's data has the names of fields and values in Portuguese: those of the glossary. */

/** What relatives are called in a person's data: it is theirs, and left out. */
const otherPeople: ReadonlySet<string> = new Set(['primary-member-tax-id', 'primary-member-id', 'primary-member-name'])

/** The closed set of a field's values. */
const termsOfFields: Readonly<Record<string, keyof Terms>> = {
  actor: 'actor',
  'alteration-kind': 'alterationKind',
  'beneficiary-type': 'beneficiaryType',
  'carrier-file-kind': 'carrierFileKind',
  channel: 'contractChannel',
  class: 'discrepancyClass',
  'dependent-type': 'dependentType',
  'document-type': 'documentType',
  'enrollment-type': 'type',
  'entry-type': 'entryType',
  'exclusion-reason': 'exclusionReason',
  explanation: 'explanation',
  gender: 'gender',
  'initial-actor': 'actor',
  'initial-status': 'status',
  'marital-status': 'maritalStatus',
  'matched-by': 'matchedBy',
  medium: 'requestMedium',
  'member-type': 'beneficiaryType',
  'product-type': 'productType',
  'request-type': 'type',
  'payroll-kind': 'beneficiaryType',
  'scheduled-reason': 'scheduledReason',
  'start-option': 'startOption',
  'subject-request-kind': 'subjectRequestKind',
  'work-contract-type': 'workContractType',
}

/** Tables of a person's data, and what is read beside them. */
export type Section = CopiedTable | 'document' | 'member_import_error' | 'subject_request'

const statusTerms: Readonly<Partial<Record<Section, keyof Terms>>> = {
  benefit: 'benefitStatus',
  discrepancy: 'discrepancyStatus',
  enrollment: 'status',
  enrollment_history: 'status',
  request: 'requestStatus',
  shipment_item: 'shipmentItemStatus',
  subject_request: 'subjectRequestStatus',
}

const wireName = (column: string) => column.replaceAll('_', '-')

/** The Portuguese name of a field or a column; undefined: there is none. */
export function labelOf(name: string): string | undefined {
  const wire = wireName(name)
  return termOf(wire) ?? ownValue(PORTUGUESE.columns, wire)
}

function valueIn(table: Section, field: string, value: unknown): unknown {
  const set = field === 'status' ? statusTerms[table] : field === 'type' ? 'beneficiaryType' : termsOfFields[field]
  return typeof value === 'string' && set !== undefined ? (ownValue(PORTUGUESE.terms[set], value) ?? value) : value
}

/** A row of a table with names and values in Portuguese, without what is null and what is of other people. */
export function inPortuguese(table: Section, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(row).flatMap(([column, value]) => {
    const field = wireName(column)
    if (value === null || otherPeople.has(field)) return []
    return [[labelOf(field) ?? field, translate(table, field, value)] as const]
  })
  return Object.fromEntries(entries)
}

function translate(table: Section, field: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item) => !otherPeople.has(String((item as { field?: unknown } | null)?.field)))
      .map((item: unknown) => translate(table, field, item))
  }
  if (typeof value === 'object' && value !== null) return inPortuguese(table, value as Record<string, unknown>)
  return valueIn(table, field, value)
}
