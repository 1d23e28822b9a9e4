import type { LocalDate } from './calendar.ts'
import { EXCLUSION_REASONS } from './enums.ts'
import type { ExclusionReason } from './enums.ts'
import type { CodeOf } from './error-codes.ts'
import {
  choice,
  date,
  documents,
  flag,
  invalidValue,
  isObject,
  MAX_KEY_LENGTH,
  optional,
  reason,
  required,
} from './field-types.ts'
import type { DocumentReference, FieldError, ParsedBody } from './field-types.ts'
import { reference } from './reference.ts'

/** The fields of `exclusion-details`. Errors are listed in this order. */
export const EXCLUSION_FIELDS = {
  'end-date': required(date),
  'exclusion-reason': required(choice(EXCLUSION_REASONS)),
  'extension-plan': optional(flag),
  'exclusion-reason-details': optional(reason),
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

const withExtension: ReadonlySet<ExclusionReason> = new Set(['dismissal', 'retirement'])

/** Parses the body of an exclusion. */
export function parseExclusion(body: Readonly<Record<string, unknown>>): ParsedBody<ExclusionRequest> {
  const { 'exclusion-details': sent, reference: sentReference, ...others } = body
  const ownReference = reference.parse(sentReference)
  const errors = Object.keys(others).map(unknownField)
  if (ownReference === null) errors.push({ field: 'reference', code: 'invalid' })
  if (errors.length > 0) return { ok: false, code: 'invalid-body', details: errors }
  const parsed = parseExclusionDetails(sent)
  return parsed.ok ? { ok: true, value: { details: parsed.value, reference: ownReference ?? null } } : parsed
}

/** Parses the value of `exclusion-details`. */
export function parseExclusionDetails(sent: unknown): ParsedBody<ExclusionDetails> {
  if (isObject(sent)) return parseDetails(sent)
  return refuse('invalid-exclusion-details', [
    { field: 'exclusion-details', code: sent === undefined ? 'missing' : 'invalid' },
  ])
}

function parseDetails(sent: Readonly<Record<string, unknown>>): ParsedBody<ExclusionDetails> {
  const errors = Object.keys(sent)
    .filter((key) => !Object.hasOwn(EXCLUSION_FIELDS, key))
    .map(unknownField)
  const parsed = new Map<string, unknown>()
  for (const [field, type] of Object.entries(EXCLUSION_FIELDS)) {
    const value = type.parse(sent[field])
    if (value === null) errors.push(invalidValue(field, type, sent[field]))
    else if (value !== undefined) parsed.set(field, value)
    else if (type.presence === 'required') errors.push({ field, code: 'missing' })
  }
  if (errors.length > 0) {
    return refuse(
      'invalid-exclusion-details',
      errors.map((error) => ({ ...error, field: `exclusion-details.${error.field}` })),
    )
  }
  const details = {
    'end-date': parsed.get('end-date') as LocalDate,
    'exclusion-reason': parsed.get('exclusion-reason') as ExclusionReason,
    'exclusion-reason-details': (parsed.get('exclusion-reason-details') as string | undefined) ?? null,
    'extension-plan': parsed.get('extension-plan') === true,
    documents: (parsed.get('documents') as DocumentReference[] | undefined) ?? [],
  }
  if (lacksReasonDetails(details)) {
    return refuse('exclusion-reason-details-required', [])
  }
  if (lacksExtensionPlan(details)) {
    return refuse('extension-plan-not-available', [])
  }
  return { ok: true, value: details }
}

/** `other` has to be explained. */
export function lacksReasonDetails(details: Omit<ExclusionDetails, 'documents'>): boolean {
  return details['exclusion-reason'] === 'other' && (details['exclusion-reason-details'] ?? null) === null
}

/** Whether an extension plan is requested with a reason that has none. */
export function lacksExtensionPlan(details: Omit<ExclusionDetails, 'documents'>): boolean {
  return details['extension-plan'] && !withExtension.has(details['exclusion-reason'])
}

function unknownField(key: string): FieldError {
  return { field: key.slice(0, MAX_KEY_LENGTH), code: 'unknown' }
}

function refuse(code: CodeOf<400>, details: readonly FieldError[]): ParsedBody<ExclusionDetails> {
  return { ok: false, code, details }
}
