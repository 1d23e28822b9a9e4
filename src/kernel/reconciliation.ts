/* What carriers' files are compared with, and what may differ: closed sets. Those of the database are the same (sql/0020_carrier_file.sql). */

export const CARRIER_FILE_KINDS = ['roster', 'invoice', 'coparticipation'] as const
export type CarrierFileKind = (typeof CARRIER_FILE_KINDS)[number]

/** Invoices of one month: of each kind the latest file counts, and they add up. */
export const INVOICE_KINDS = ['main', 'supplementary'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

export const CARRIER_FILE_STATUSES = ['reading', 'read', 'failed'] as const
export type CarrierFileStatus = (typeof CARRIER_FILE_STATUSES)[number]

/**
 * By what a line was found to be of a benefit, in the order in which they are tried. `family`: the number is of another person of the family, name
 * and birth date are this one's; `hand`: by an operator.
 */
export const MATCHED_BY = ['certificate', 'card-number', 'tax-id', 'family', 'employee-id', 'name', 'hand'] as const
export type MatchedBy = (typeof MATCHED_BY)[number]

/** What an entry of an invoice is for. */
export const ENTRY_TYPES = [
  'monthly',
  'inclusion',
  'inclusion-retroactive',
  'reactivation',
  'reactivation-retroactive',
  'transfer',
  'transfer-retroactive',
  'alteration',
  'alteration-retroactive',
  'cancellation',
  'cancellation-retroactive',
  'adjustment-debit',
  'adjustment-credit',
  'claims-recovery',
  'coparticipation',
  'fee',
  'tax',
  'discount',
  'other',
] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

/** Entries that are no premium: they are taken as charged. All others are a premium, or a correction of one. */
export const NOT_PREMIUM_ENTRY_TYPES = [
  'claims-recovery',
  'coparticipation',
  'fee',
  'tax',
  'discount',
  'other',
] as const satisfies readonly EntryType[]

export const isPremiumEntry = (type: EntryType): boolean =>
  !(NOT_PREMIUM_ENTRY_TYPES as readonly EntryType[]).includes(type)

/** Entries that may be of no person; all others are. */
export const IMPERSONAL_ENTRY_TYPES = [
  'adjustment-debit',
  'adjustment-credit',
  'claims-recovery',
  'fee',
  'tax',
  'discount',
  'other',
] as const satisfies readonly EntryType[]
export type ImpersonalEntryType = (typeof IMPERSONAL_ENTRY_TYPES)[number]

export const isImpersonal = (type: EntryType): type is ImpersonalEntryType =>
  (IMPERSONAL_ENTRY_TYPES as readonly EntryType[]).includes(type)

/** What a line is: of a person, an entry without a person, or a total of other lines, which is no charge. */
export const LINE_KINDS = ['person', 'entry', 'total'] as const
export type LineKind = (typeof LINE_KINDS)[number]

export const RECONCILIATION_KINDS = ['roster', 'invoice'] as const
export type ReconciliationKind = (typeof RECONCILIATION_KINDS)[number]

export const RECONCILIATION_STATUSES = ['computing', 'open', 'closed'] as const
export type ReconciliationStatus = (typeof RECONCILIATION_STATUSES)[number]

const ROSTER_CLASSES = [
  'missing-at-carrier',
  'unknown-here',
  'active-at-carrier-ended-here',
  'ended-at-carrier-active-here',
  'plan-differs',
  'start-date-differs',
  'relationship-differs',
  'name-differs',
  'date-of-birth-differs',
  'tax-id-differs',
  'card-number-missing-here',
  'duplicate-in-file',
  'ambiguous',
] as const
export type RosterClass = (typeof ROSTER_CLASSES)[number]

export const INVOICE_CLASSES = [
  'charged-unknown',
  'charged-after-end',
  'charged-before-start',
  'not-charged',
  'amount-differs',
  'duplicate-charge',
  'retroactive-without-movement',
  'credit-expected-missing',
  'price-missing',
  'fee-unknown',
  'ambiguous',
  'line-refused',
  'total-differs',
] as const
export type InvoiceClass = (typeof INVOICE_CLASSES)[number]

export const DISCREPANCY_CLASSES = [...new Set([...ROSTER_CLASSES, ...INVOICE_CLASSES])] as (
  | RosterClass
  | InvoiceClass
)[]
export type DiscrepancyClass = RosterClass | InvoiceClass

/** Those that are about the file only: no company sees them. */
export const FILE_CLASSES = [
  'duplicate-in-file',
  'ambiguous',
  'line-refused',
  'total-differs',
] as const satisfies readonly DiscrepancyClass[]

/** Those that the company of a contract may see. */
export const COMPANY_CLASSES = DISCREPANCY_CLASSES.filter(
  (name): name is Exclude<DiscrepancyClass, (typeof FILE_CLASSES)[number]> => !FILE_CLASSES.some((one) => one === name),
)
export type CompanyClass = (typeof COMPANY_CLASSES)[number]

/** Those of a comparison that a company may see: it has been computed. */
export const COMPANY_RECONCILIATION_STATUSES = ['open', 'closed'] as const satisfies readonly ReconciliationStatus[]

/** Those that are corrected here, by what the carrier has. The others are corrected by the carrier, or by a link. */
export const CORRECTABLE_CLASSES = [
  'unknown-here',
  'missing-at-carrier',
  'ended-at-carrier-active-here',
  'plan-differs',
  'name-differs',
  'date-of-birth-differs',
  'tax-id-differs',
  'start-date-differs',
  'card-number-missing-here',
] as const satisfies readonly RosterClass[]
export type CorrectableClass = (typeof CORRECTABLE_CLASSES)[number]

export const DISCREPANCY_STATUSES = ['open', 'explained', 'claimed', 'corrected', 'accepted'] as const
export type DiscrepancyStatus = (typeof DISCREPANCY_STATUSES)[number]

/** Why a discrepancy is none; `by-hand`: an operator says so in its note. */
export const EXPLANATIONS = [
  'open-movement',
  'within-cut-off',
  'new-age-band',
  'pro-rata',
  'annual-adjustment',
  'tolerated',
  'by-hand',
] as const
export type Explanation = (typeof EXPLANATIONS)[number]
