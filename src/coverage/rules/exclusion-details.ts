import { addDays } from '#kernel/calendar.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { groundOf, isOptionDateOutOfRange, leavingReasonOf } from './continuation.ts'
import { CONTINUATION_OPTIONS, EXCLUSION_REASONS } from '#kernel/enums.ts'
import type { ContinuationOption, ExclusionReason } from '#kernel/enums.ts'
import type { CodeOf } from '#kernel/error-codes.ts'
import { choice, date, documents, flag, integer, reason, trueOrFalse } from '#kernel/field-types.ts'
import { invalidValue, isObject, optional, required } from '#kernel/fields.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import type { FieldError, ParsedBody } from '#kernel/fields.ts'
import { unknownField, unknownFieldOfBody } from '#kernel/nearest.ts'
import { reference } from '#kernel/reference.ts'
import { type Sandbox, sandbox } from '#kernel/sandbox.ts'

/** What a carrier must know of a person who may keep the plan (RN 488 arts. 10 to 12). */
const CONTINUATION_FIELDS = {
  contributed: optional(trueOrFalse),
  'contribution-months': optional(integer(0, 720)),
  'keeps-working-after-retirement': optional(trueOrFalse),
  'notice-date': optional(date),
  option: optional(choice(CONTINUATION_OPTIONS)),
  'option-date': optional(date),
}

/** The fields that belong to some reasons only. */
export const FIELDS_OF_REASONS = ['requested-at', ...Object.keys(CONTINUATION_FIELDS)] as readonly (
  | 'requested-at'
  | keyof typeof CONTINUATION_FIELDS
)[]

/** The fields of `exclusion-details`. Errors are listed in this order. */
export const EXCLUSION_FIELDS = {
  'end-date': required(date),
  'exclusion-reason': required(choice(EXCLUSION_REASONS)),
  'extension-plan': optional(flag),
  'exclusion-reason-details': optional(reason),
  'requested-at': optional(date),
  ...CONTINUATION_FIELDS,
  documents: optional(documents),
}

export interface ExclusionDetails {
  readonly 'end-date': LocalDate
  readonly 'exclusion-reason': ExclusionReason
  readonly 'exclusion-reason-details': string | null
  readonly 'extension-plan': boolean
  /** The day on which the person asked for it. */
  readonly 'requested-at'?: LocalDate
  readonly contributed?: boolean
  readonly 'contribution-months'?: number
  readonly 'keeps-working-after-retirement'?: boolean
  readonly 'notice-date'?: LocalDate
  readonly option?: ContinuationOption
  readonly 'option-date'?: LocalDate
  readonly documents: readonly DocumentReference[]
}

export interface ExclusionRequest {
  readonly details: ExclusionDetails
  readonly reference: string | null
  /** Staging only. */
  readonly sandbox: Sandbox | null
}

const BODY_FIELDS = ['exclusion-details', 'reference', 'sandbox'] as const

/** Whether a person who leaves this way may keep the plan: after a dismissal, and who has retired whatever ends the employment. */
function mayContinue(details: Readonly<Partial<ExclusionDetails>>): boolean {
  const reason = details['exclusion-reason'] === undefined ? null : leavingReasonOf(details['exclusion-reason'])
  return (
    reason !== null && groundOf({ reason, keepsWorking: details['keeps-working-after-retirement'] === true }) !== null
  )
}

/** Parses the body of an exclusion. */
export function parseExclusion(body: Readonly<Record<string, unknown>>): ParsedBody<ExclusionRequest> {
  const { 'exclusion-details': sent, reference: sentReference, sandbox: sentSandbox, ...others } = body
  const ownReference = reference.parse(sentReference)
  const ownSandbox = sandbox.parse(sentSandbox)
  const errors = Object.keys(others)
    // Fields that were sent without their object: that it is missing says more.
    .filter((key) => sent !== undefined || !Object.hasOwn(EXCLUSION_FIELDS, key))
    .map((key) => unknownFieldOfBody(key, BODY_FIELDS, 'exclusion-details', Object.keys(EXCLUSION_FIELDS)))
  if (ownReference === null) errors.push({ field: 'reference', code: 'invalid' })
  if (ownSandbox === null) errors.push(invalidValue('sandbox', sandbox, sentSandbox))
  if (errors.length > 0) return { ok: false, code: 'invalid-body', details: errors }
  const parsed = parseExclusionDetails(sent)
  if (!parsed.ok) return parsed
  return { ok: true, value: { details: parsed.value, reference: ownReference ?? null, sandbox: ownSandbox ?? null } }
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
    .map((key) => unknownField(key, Object.keys(EXCLUSION_FIELDS)))
  const parsed = new Map<string, unknown>()
  for (const [field, type] of Object.entries(EXCLUSION_FIELDS)) {
    const value = type.parse(sent[field])
    if (value === null) errors.push(invalidValue(field, type, sent[field]))
    else if (value !== undefined) parsed.set(field, value)
    else if (type.presence === 'required') errors.push({ field, code: 'missing' })
  }
  if (errors.length > 0) return refuseDetails(errors)
  const details = {
    'end-date': parsed.get('end-date') as LocalDate,
    'exclusion-reason': parsed.get('exclusion-reason') as ExclusionReason,
    'exclusion-reason-details': (parsed.get('exclusion-reason-details') as string | undefined) ?? null,
    'extension-plan': parsed.get('extension-plan') === true,
    ...Object.fromEntries(FIELDS_OF_REASONS.flatMap((key) => (parsed.has(key) ? [[key, parsed.get(key)]] : []))),
    documents: (parsed.get('documents') as DocumentReference[] | undefined) ?? [],
  }
  if (lacksReasonDetails(details)) {
    return refuse('exclusion-reason-details-required', [])
  }
  if (lacksExtensionPlan(details)) {
    return refuse('extension-plan-not-available', [])
  }
  const misplaced = misplacedDetails(details)
  if (misplaced.length > 0) return refuseDetails(misplaced.map((field) => ({ field, code: 'not-applicable' })))
  return { ok: true, value: details }
}

/** `other` has to be explained. */
export function lacksReasonDetails(details: Omit<ExclusionDetails, 'documents'>): boolean {
  return details['exclusion-reason'] === 'other' && (details['exclusion-reason-details'] ?? null) === null
}

/** Whether an extension plan is requested with a reason that has none. */
export function lacksExtensionPlan(details: Omit<ExclusionDetails, 'documents'>): boolean {
  return details['extension-plan'] && !mayContinue(details)
}

/** The fields that do not belong to the reason, and the day of an option that is not there. */
export function misplacedDetails(details: Readonly<Partial<ExclusionDetails>>): string[] {
  const reasonOfAll = details['exclusion-reason']
  const isAsked = mayContinue(details)
  const isAllowed: Readonly<Record<(typeof FIELDS_OF_REASONS)[number], boolean>> = {
    'requested-at': reasonOfAll === 'requested-by-beneficiary',
    contributed: isAsked,
    'contribution-months': isAsked,
    'keeps-working-after-retirement': reasonOfAll !== undefined && leavingReasonOf(reasonOfAll) !== null,
    'notice-date': isAsked,
    option: isAsked,
    'option-date': isAsked && (details.option ?? null) !== null,
  }
  return FIELDS_OF_REASONS.filter((key) => !isAllowed[key] && (details[key] ?? null) !== null)
}

/**
 * The items of RN 488 arts. 10 to 12 that a dismissal or a retirement of a contributory contract lacks. Who did not contribute keeps nothing: the
 * others are not needed then.
 */
export function missingContinuationItems(details: Readonly<Partial<ExclusionDetails>>): readonly string[] {
  const reasonOfAll = details['exclusion-reason']
  if (!mayContinue(details)) return []
  const needed = [
    'contributed',
    ...(details.contributed === false ? [] : ['contribution-months', 'notice-date', 'option']),
    ...(reasonOfAll === 'retirement' && details.contributed !== false ? ['keeps-working-after-retirement'] : []),
    ...(['accepted', 'declined'].includes(details.option ?? '') ? ['option-date'] : []),
  ] as (keyof ExclusionDetails)[]
  return needed.filter((key) => (details[key] ?? null) === null)
}

/** The days that cannot be: of a request after the last day on which it can have been made, or more than a year ago, and of an answer out of its time. */
export function impossibleDays(
  details: Partial<ExclusionDetails>,
  today: LocalDate,
  lastDay: LocalDate = today,
): FieldError[] {
  const { 'requested-at': requestedAt, 'option-date': optionDate, 'notice-date': noticeDate } = details
  const isOutOfYear = typeof requestedAt === 'string' && (requestedAt > lastDay || requestedAt < addDays(today, -366))
  const isOutOfTime = typeof optionDate === 'string' && isOptionDateOutOfRange(optionDate, noticeDate ?? null, today)
  return [
    ...(isOutOfYear ? [{ field: 'requested-at', code: 'invalid', message: { key: 'within-a-year' } } as const] : []),
    ...(isOutOfTime ? [{ field: 'option-date', code: 'invalid', message: { key: 'option-in-time' } } as const] : []),
  ]
}

function refuseDetails(errors: readonly FieldError[]): ParsedBody<ExclusionDetails> {
  const details = errors.map((error) => ({ ...error, field: `exclusion-details.${error.field}` }))
  return refuse('invalid-exclusion-details', details)
}

function refuse(code: CodeOf<400>, details: readonly FieldError[]): ParsedBody<ExclusionDetails> {
  return { ok: false, code, details }
}
