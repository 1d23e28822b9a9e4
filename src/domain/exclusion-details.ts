import type { LocalDate } from './calendar.ts'
import { EXCLUSION_REASONS } from './enums.ts'
import type { ExclusionReason } from './enums.ts'
import { choice, date, documents, flag, isObject, MAX_KEY_LENGTH, optional, reason, required } from './field-types.ts'
import type { DocumentReference, FieldError, ParsedBody } from './field-types.ts'
import { reference } from './reference.ts'

/** The fields of `exclusion-details`. Errors are listed in this order. */
export const EXCLUSION_FIELDS = {
  'end-date': required(date, 'The last day covered: past, today or future.'),
  'exclusion-reason': required(choice(EXCLUSION_REASONS)),
  'extension-plan': optional(
    flag,
    'Keeps the cover after `dismissal` or `retirement` (Lei 9.656 arts. 30 and 31), until the operator ends it. For a ' +
      'dependent only while the plan keeps the primary (400 `primary-not-kept`).',
  ),
  'exclusion-reason-details': optional(reason, 'Required for `other`.'),
  documents: optional(documents),
}

export interface ExclusionDetails {
  readonly 'end-date': LocalDate
  readonly 'exclusion-reason': ExclusionReason
  readonly 'exclusion-reason-details': string | null
  readonly 'extension-plan': boolean
  readonly documents: readonly DocumentReference[]
}

export interface ExclusionRequest {
  readonly details: ExclusionDetails
  readonly reference: string | null
}

export const invalidDetails = 'Invalid exclusion-details'
export const otherRequiresDetails = "Exclusion reason 'other' requires details"
const extensionNotAvailable = 'Extension plan is only available for dismissal or retirement'

const withExtension: ReadonlySet<ExclusionReason> = new Set(['dismissal', 'retirement'])

/** Parses the body of an exclusion. */
export function parseExclusion(body: Readonly<Record<string, unknown>>): ParsedBody<ExclusionRequest> {
  const { 'exclusion-details': sent, reference: sentReference, ...others } = body
  const ownReference = reference.parse(sentReference)
  const errors = Object.keys(others).map(unknownField)
  if (ownReference === null) errors.push({ field: 'reference', code: 'invalid' })
  if (errors.length > 0) return { ok: false, error: 'Invalid body', details: errors }
  const parsed = parseExclusionDetails(sent)
  return parsed.ok ? { ok: true, value: { details: parsed.value, reference: ownReference ?? null } } : parsed
}

/** Parses the value of `exclusion-details`. */
export function parseExclusionDetails(sent: unknown): ParsedBody<ExclusionDetails> {
  if (isObject(sent)) return parseDetails(sent)
  return refuse(invalidDetails, [{ field: 'exclusion-details', code: sent === undefined ? 'missing' : 'invalid' }])
}

function parseDetails(sent: Readonly<Record<string, unknown>>): ParsedBody<ExclusionDetails> {
  const errors = Object.keys(sent)
    .filter((key) => !Object.hasOwn(EXCLUSION_FIELDS, key))
    .map(unknownField)
  const parsed = new Map<string, unknown>()
  for (const [field, { parse, presence }] of Object.entries(EXCLUSION_FIELDS)) {
    const value = parse(sent[field])
    if (value === null) errors.push({ field, code: 'invalid' })
    else if (value !== undefined) parsed.set(field, value)
    else if (presence === 'required') errors.push({ field, code: 'missing' })
  }
  if (errors.length > 0) {
    return refuse(
      invalidDetails,
      errors.map(({ field, code }) => ({ field: `exclusion-details.${field}`, code })),
    )
  }
  const details = {
    'end-date': parsed.get('end-date') as LocalDate,
    'exclusion-reason': parsed.get('exclusion-reason') as ExclusionReason,
    'exclusion-reason-details': (parsed.get('exclusion-reason-details') as string | undefined) ?? null,
    'extension-plan': parsed.get('extension-plan') === true,
    documents: (parsed.get('documents') as DocumentReference[] | undefined) ?? [],
  }
  if (details['exclusion-reason'] === 'other' && details['exclusion-reason-details'] === null) {
    return refuse(otherRequiresDetails, [])
  }
  if (details['extension-plan'] && !withExtension.has(details['exclusion-reason'])) {
    return refuse(extensionNotAvailable, [])
  }
  return { ok: true, value: details }
}

function unknownField(key: string): FieldError {
  return { field: key.slice(0, MAX_KEY_LENGTH), code: 'unknown' }
}

function refuse(error: string, details: readonly FieldError[]): ParsedBody<ExclusionDetails> {
  return { ok: false, error, details }
}
