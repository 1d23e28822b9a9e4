import type { ExclusionReason } from './enums.ts'

// The closed sets of the operator API. Each is the single source of its type, its schema and the order of its values.

export const CONTRACT_STATUSES = ['active', 'ended'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

export const CONTRACT_LIVES = ['up-to-29', '30-or-more'] as const
export type ContractLives = (typeof CONTRACT_LIVES)[number]

/** How a carrier takes movements. */
export const CONTRACT_CHANNELS = ['portal', 'file', 'email', 'sftp', 'connector'] as const
export type ContractChannel = (typeof CONTRACT_CHANNELS)[number]

/** On which day the age counts. Contracts differ: there is no default. */
export const AGE_ON = [
  'first-day-of-reference-month',
  'month-after-birthday',
  'birthday-month',
  'contract-anniversary',
] as const
export type AgeOn = (typeof AGE_ON)[number]

/** In what the time is counted in which a carrier recognizes a movement. */
export const RETROACTIVE_UNITS = ['days', 'months'] as const

/** What a month costs that is covered in part. Contracts differ: there is no default. */
export const PRORATIONS = ['none', 'daily-30', 'daily-calendar', 'full-if-started-until-day'] as const
export type Proration = (typeof PRORATIONS)[number]

/** What becomes of the months beyond whole years of a retired person's contribution: the norm does not say. */
export const RETIREMENT_REMAINDERS = ['whole-years', 'proportional'] as const
export type RetirementRemainder = (typeof RETIREMENT_REMAINDERS)[number]

/** An open one takes movements; a closed one has its file; the acknowledgements are those of the carrier. */
export const SHIPMENT_STATUSES = [
  'open',
  'closed',
  'sent',
  'partly-acknowledged',
  'acknowledged',
  'finished',
  'cancelled',
] as const
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number]

/** The statuses of the items of a shipment that was closed. */
export const STORED_ITEM_STATUSES = ['ready', 'sent', 'accepted', 'refused', 'unanswered', 'cancelled'] as const
export type StoredItemStatus = (typeof STORED_ITEM_STATUSES)[number]

/** Those of an open shipment are `ready` or `not-ready`, as the layout of the contract can write them now. */
export const ITEM_STATUSES = ['not-ready', ...STORED_ITEM_STATUSES] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** Why an item of a shipment is cancelled. `movement-changed`: it had another status when the shipment was sent. */
export const CANCELLED_ITEM_REASONS = ['shipment-cancelled', 'movement-cancelled', 'movement-changed'] as const
export type CancelledItemReason = (typeof CANCELLED_ITEM_REASONS)[number]

/** The sides of a plan change to another contract: the carrier that gains the person, and the one that loses it. */
export const ITEM_SIDES = ['joining', 'leaving'] as const
export type ItemSide = (typeof ITEM_SIDES)[number]

/** As stored: `credited` follows from the lines. */
export const STORED_CLAIM_STATUSES = ['draft', 'sent', 'accepted', 'refused'] as const
export type StoredClaimStatus = (typeof STORED_CLAIM_STATUSES)[number]

/** What a charge is read from. `closed`: an invoice of a closed month. */
export const CHARGE_BASES = ['invoice', 'closed', 'forecast'] as const
export type ChargeBasis = (typeof CHARGE_BASES)[number]

export const CLAIM_STATUSES = [...STORED_CLAIM_STATUSES, 'credited'] as const
export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

export const CLOSING_STATUSES = ['open', 'closed', 'exported'] as const
export type ClosingStatus = (typeof CLOSING_STATUSES)[number]

export const CLOSING_ACTS = ['closed', 'reopened', 'exported'] as const

/** What is to be done in a month, in this order; the last two follow from the closing. */
export const CLOSING_ITEMS = ['roster', 'invoice', 'claims', 'allocation', 'payroll'] as const
export type ClosingItem = (typeof CLOSING_ITEMS)[number]

/** `missing`: there is no file of the carrier to compare. */
export const CLOSING_ITEM_STATES = ['done', 'open', 'missing'] as const
export type ClosingItemState = (typeof CLOSING_ITEM_STATES)[number]

export const SUBJECT_REQUEST_KINDS = ['access', 'erasure'] as const
export type SubjectRequestKind = (typeof SUBJECT_REQUEST_KINDS)[number]

/** `planned`, `approved` and `partly-fulfilled` are of an erasure only: some of the data had to stay. */
export const SUBJECT_REQUEST_STATUSES = [
  'open',
  'planned',
  'approved',
  'partly-fulfilled',
  'fulfilled',
  'cancelled',
] as const
export type SubjectRequestStatus = (typeof SUBJECT_REQUEST_STATUSES)[number]

/** What is deducted: for the employee's own premium, that of the dependents, and what was used. */
export const PAYROLL_KINDS = ['primary', 'dependent', 'coparticipation'] as const
export type PayrollKind = (typeof PAYROLL_KINDS)[number]

/** When payroll takes the part of an employee: once the month of the charge is closed, or in the month of the cover. */
export const PAYROLL_BASES = ['closed-month', 'effective-date'] as const

/** For a period of the payroll, or for those who leave. */
export const PAYROLL_EXPORT_KINDS = ['period', 'leavers'] as const
export type PayrollExportKind = (typeof PAYROLL_EXPORT_KINDS)[number]

/** What becomes of the deductions of who is on unpaid leave. */
export const UNPAID_LEAVES = ['bill', 'defer'] as const

/** What yearly figures of a month are of. */
export const TAX_FIGURE_BASES = ['charge', 'deduction'] as const
export type TaxFigureBasis = (typeof TAX_FIGURE_BASES)[number]

/** How much is deducted from an employee who leaves. */
export const FINAL_LIMITS = ['remuneration'] as const

/** Who collects an amount: the payroll, or the company by a bill. */
export const DESTINATIONS = ['payroll', 'bill'] as const
export type Destination = (typeof DESTINATIONS)[number]

/** The reasons of an exclusion that end the employment. */
export const END_OF_EMPLOYMENT = [
  'dismissal',
  'dismissal-with-cause',
  'resignation',
  'mutual-agreement',
  'end-of-contract',
  'retirement',
  'death',
] as const satisfies readonly ExclusionReason[]

/** How a request came to the broker. */
export const INTAKE_MEDIA = ['email', 'phone', 'message', 'in-person', 'letter', 'carrier-portal'] as const

/** The same, and `draft`: what a draft became. */
export const REQUEST_MEDIA = [...INTAKE_MEDIA, 'draft'] as const
export type RequestMedium = (typeof REQUEST_MEDIA)[number]
