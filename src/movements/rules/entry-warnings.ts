import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { isAbsent } from '#kernel/fields.ts'
import { INCLUSION_FIELDS } from '#kernel/inclusion-fields.ts'
import { isSuspicious } from '#kernel/person-text.ts'
import type { InclusionWarningCode } from '#kernel/warnings.ts'
import type { Suggestions } from './suggestions.ts'

export interface EntryWarning {
  warning: InclusionWarningCode
  /** A path within the member. */
  field: string
  /** The day on which the benefit starts, of a `StartWarning`. */
  'start-date'?: LocalDate
  /** Only for `after-cut-off`: the day on which the carrier's cover is expected to start. */
  'expected-start-date'?: LocalDate
  /** Only for `late-inclusion`: the last day that was not late. */
  'last-day'?: LocalDate
  /** Only of a limit: the last day. */
  until?: LocalDate
  /** Only for `unknown-field`: the field that was most likely meant. */
  suggestion?: string
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(INCLUSION_FIELDS))
// Without a limit, 16 MiB of short unknown keys would give a response of a hundred times that size.
const MAX_UNKNOWN_FIELD_WARNINGS = 20

const IGNORED_FOR_DEPENDENTS = ['admission-date']
const IGNORED_FOR_PRIMARIES = ['primary-member-tax-id', 'dependent-type']

/** Up to 20 keys of an object that are not `known`, each cut after 200 characters, for `unknown-field` warnings. */
export function unknownFields(sent: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): readonly string[] {
  const unknown: string[] = []
  for (const key in sent) {
    if (known.has(key)) continue
    unknown.push(key.length <= MAX_TEXT_CHARACTERS ? key : key.slice(0, MAX_TEXT_CHARACTERS).toWellFormed())
    if (unknown.length === MAX_UNKNOWN_FIELD_WARNINGS) break
  }
  return unknown
}

/** @param fields looks up the fields that unknown ones most likely stand for. */
export function warningsOf(
  sent: Record<string, unknown>,
  role: BeneficiaryType | null,
  fields: Suggestions,
): readonly EntryWarning[] {
  const warnings = unknownFields(sent, KNOWN_FIELDS).map((field): EntryWarning => {
    const suggestion = fields.of(field)
    return { warning: 'unknown-field', field, ...(suggestion !== undefined && { suggestion }) }
  })
  for (const field of role === 'dependent' ? IGNORED_FOR_DEPENDENTS : IGNORED_FOR_PRIMARIES) {
    if (!isAbsent(sent[field])) warnings.push({ warning: 'ignored-field', field })
  }
  return warnings
}

/** Warnings about the texts of the profile, which are judged as they were sent. */
export function suspiciousTexts(sent: Readonly<Record<string, unknown>>, profile: object): EntryWarning[] {
  return Object.keys(profile).flatMap((field): EntryWarning[] => {
    const text = sent[field]
    return typeof text === 'string' && isSuspicious(text) ? [{ warning: 'suspicious-text', field }] : []
  })
}
