// The closed sets of roster syncs: lists of who should be covered, compared with who is.
import { DRAFT_CLASSES, type DraftClass } from './movement-drafts.ts'
import { type Offense, OFFENSES } from './offenses.ts'

/** What a list may be complete in. */
export const ROSTER_STATES = ['people', 'dependents', 'products'] as const
export type RosterState = (typeof ROSTER_STATES)[number]

/** `open`: it has no list yet. */
export const ROSTER_STATUSES = ['open', 'reading', 'comparing', 'compared', 'failed', 'cancelled'] as const
export type RosterStatus = (typeof ROSTER_STATUSES)[number]

/** The forms of a list; `json`: `{ "members": […] }`. */
export const ROSTER_FORMATS = ['csv', 'ndjson', 'json', 'xlsx'] as const
export type RosterFormat = (typeof ROSTER_FORMATS)[number]

/** By what a line is found to be of somebody who is here. */
export const ROSTER_MATCHES = ['tax-id', 'employee-id', 'name'] as const

/** What may be a mistake in a list as a whole. With any of them only inclusions are proposed. */
export const ROSTER_DOUBTS = [
  'too-few-people',
  'no-dependents',
  'many-refused-lines',
  'many-identity-conflicts',
  'suspicious-text',
  'count-differs',
  'incomplete-file',
  'former-list',
  'movement-sheets',
] as const
export type RosterDoubt = (typeof ROSTER_DOUBTS)[number]

/** Why a list could not be compared. */
export const ROSTER_PROBLEMS = [
  'not-readable',
  'no-people',
  'missing-column',
  'scope-not-in-file',
  'mixed-dates',
  'too-many-lines',
  'client-revoked',
  'role-not-allowed',
  'not-entitled',
] as const
export type RosterProblem = (typeof ROSTER_PROBLEMS)[number]

/** Why nothing is done about a difference. */
export const ROSTER_HELD = [
  'open-movement',
  'waits-for-approval',
  'under-continuation',
  'ends-already',
  'future-start',
  'newer-than-list',
  'product-not-stated',
  'unknown-product',
  'identity-conflict',
  'doubtful-list',
  'outside-scope',
  'follows-primary',
  'other-primary',
  'carrier-only-field',
  'not-alterable',
] as const

/** The same, and why a proposed exclusion is confirmed by its number only. */
export const ROSTER_EXPLANATIONS = [...ROSTER_HELD, 'may-have-moved', 'dependents-listed'] as const
export type RosterExplanation = (typeof ROSTER_EXPLANATIONS)[number]

/** The classes that a company may have confirmed without anybody: never an exclusion by absence, nor a CPF. */
export const AUTOMATIC_CLASSES = ['inclusion', 'leaver', 'plan-change', 'correction', 'company-data'] as const
export type AutomaticClass = (typeof AUTOMATIC_CLASSES)[number]

/** The classes of items that are about the ends of benefits. */
export const LEAVING_CLASSES: readonly DraftClass[] = DRAFT_CLASSES.filter(
  (one) => one === 'exclusion' || one === 'leaver',
)

/** Why a line of a list cannot be used, beside the offenses of inclusions. */
const LINE_OFFENSES = [
  'malformed-line',
  'other-company',
  'invalid-company-tax-id',
  'invalid-card-number',
  'invalid-start-date',
  'invalid-end-date',
  'invalid-exclusion-details',
] as const
export type RosterLineOffense = Offense | (typeof LINE_OFFENSES)[number]

/** Sorted. */
export const ROSTER_LINE_OFFENSES: readonly RosterLineOffense[] = [
  ...OFFENSES.filter(
    (offense) => offense === 'missing-tax-id' || offense === 'unknown-product' || offense.startsWith('invalid-'),
  ),
  ...LINE_OFFENSES,
].toSorted()
