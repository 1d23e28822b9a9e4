import type { LocalDate } from '#kernel/calendar.ts'
import { EXCLUSION_FIELDS, parseExclusionDetails } from '#coverage/rules/exclusion-details.ts'
import type { ExclusionDetails } from '#coverage/rules/exclusion-details.ts'
import type { ExclusionOffense } from '#kernel/exclusion-offenses.ts'
import type { ExclusionTarget } from './exclusion.ts'
import { asInSingleCall, type EntryOffenseDetail } from './entry-offenses.ts'
import { unknownFieldOfBody } from '#kernel/nearest.ts'
import { dayOf, type Intake } from './intake.ts'
import { cpf, MAX_TEXT_CHARACTERS, uuid } from '#kernel/field-types.ts'
import { type FieldError, isAbsent } from '#kernel/fields.ts'
import { reference } from '#kernel/reference.ts'
import { type Sandbox, sandbox } from '#kernel/sandbox.ts'

export type ExclusionOffenseDetail = EntryOffenseDetail<ExclusionOffense>

/** An entry of a batch in normal form, with the offenses that follow from the entry alone. */
export interface ExclusionEntry {
  readonly index: number
  /** As sent, null when absent. An object or array of over 200 characters of JSON is null too, to bound the memory of a batch. */
  readonly echo: unknown
  /** null: missing or invalid; likewise the next two. */
  readonly taxId: string | null
  readonly target: ExclusionTarget | null
  readonly details: ExclusionDetails | null
  /** The day on which the request came to an operator: nothing was asked after it. */
  readonly cameOn: LocalDate | null
  readonly reference: string | null
  /** Staging only. */
  readonly sandbox: Sandbox | null
  readonly offenses: readonly ExclusionOffenseDetail[]
}

/** The fields that select benefits; an entry has one at most, and without one it selects everything in the company. */
const SELECTORS = {
  'product-id': { parse: uuid.parse, targetOf: (productId: string): ExclusionTarget => ({ by: 'product', productId }) },
  'benefit-id': { parse: uuid.parse, targetOf: (benefitId: string): ExclusionTarget => ({ by: 'benefit', benefitId }) },
  'primary-member-tax-id': {
    parse: cpf.parse,
    targetOf: (primaryTaxId: string): ExclusionTarget => ({ by: 'primary', primaryTaxId }),
  },
} as const

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'tax-id',
  'exclusion-details',
  'reference',
  'sandbox',
  ...Object.keys(SELECTORS),
])
const unknownField = (key: string) =>
  asInSingleCall(unknownFieldOfBody(key, [...KNOWN_FIELDS], 'exclusion-details', Object.keys(EXCLUSION_FIELDS)))
/** Further unknown fields and errors of an entry are not listed. */
const MAX_DETAILS = 20

/**
 * Normalizes an entry of a batch and judges it by itself.
 * @param sent an object parsed from JSON.
 * @param intake of the body: how the request came.
 */
export function parseExclusionEntry(
  sent: Readonly<Record<string, unknown>>,
  index: number,
  intake: Intake | null = null,
): ExclusionEntry {
  const offenses: ExclusionOffenseDetail[] = []
  const taxId = cpf.parse(sent['tax-id']) ?? null
  if (taxId === null) offenses.push({ code: 'invalid-tax-id', field: 'tax-id' })
  const target = parseTarget(sent, offenses)
  const cameOn = intake === null ? null : dayOf(intake)
  const details = askedOn(parseDetails(sent['exclusion-details'], offenses), cameOn)
  const ownReference = reference.parse(sent['reference'])
  if (ownReference === null) offenses.push({ code: 'invalid-reference', field: 'reference' })
  const ownSandbox = sandbox.parse(sent['sandbox'])
  if (ownSandbox === null) offenses.push({ code: 'invalid-sandbox', field: 'sandbox' })
  const own = { reference: ownReference ?? null, sandbox: ownSandbox ?? null }
  return { index, echo: echoOf(sent['tax-id']), taxId, target, details, cameOn, ...own, offenses }
}

/** A selector that is null, blank or misspelt is refused: read as absent it would select everything. */
function parseTarget(
  sent: Readonly<Record<string, unknown>>,
  offenses: ExclusionOffenseDetail[],
): ExclusionTarget | null {
  const targets: (ExclusionTarget | null)[] = []
  let isRefused = false
  for (const [field, { parse, targetOf }] of Object.entries(SELECTORS)) {
    if (!Object.hasOwn(sent, field)) continue
    const value = parse(sent[field]) ?? null
    targets.push(value === null ? null : targetOf(value))
    if (value === null) offenses.push({ code: 'invalid-selector', field })
    if (targets.length === 2) offenses.push({ code: 'conflicting-selector', field })
  }
  for (const key in sent) {
    if (KNOWN_FIELDS.has(key)) continue
    isRefused = true
    offenses.push({ code: 'invalid-selector', ...unknownField(key) })
    if (offenses.length >= MAX_DETAILS) break
  }
  if (isRefused || targets.length > 1) return null
  return targets[0] === undefined ? { by: 'company' } : targets[0]
}

function parseDetails(sent: unknown, offenses: ExclusionOffenseDetail[]): ExclusionDetails | null {
  const parsed = parseExclusionDetails(isAbsent(sent) ? undefined : sent)
  if (parsed.ok) return parsed.value
  const isReasonMissing = parsed.code === 'exclusion-reason-details-required'
  const errors: readonly FieldError[] =
    parsed.code === 'invalid-exclusion-details'
      ? parsed.details
      : isReasonMissing
        ? [{ field: 'exclusion-details.exclusion-reason-details', code: 'missing' }]
        : [{ field: 'exclusion-details.extension-plan', code: 'not-applicable' }]
  for (const error of errors.slice(0, MAX_DETAILS)) {
    offenses.push({ code: 'invalid-exclusion-details', ...asInSingleCall(error) })
  }
  return null
}

/** What a person asked for without a day was asked on the day on which the request came, from which the days of RN 561 count. */
function askedOn(details: ExclusionDetails | null, day: LocalDate | null): ExclusionDetails | null {
  if (day === null || details?.['exclusion-reason'] !== 'requested-by-beneficiary') return details
  return { ...details, 'requested-at': details['requested-at'] ?? day }
}

/** A CPF as sent, to be returned: null when absent or long. */
export function echoOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null
  return JSON.stringify(value).length <= MAX_TEXT_CHARACTERS ? value : null
}
