/* How long data are kept, by class. Periods are defaults: counsel confirms them, and settings change those that have one. */

/** From when a period runs. */
const RETENTION_STARTS = [
  'upload',
  'last-change',
  'refusal',
  'family-end',
  'reference-month',
  'closing',
  'event',
  'none',
] as const
type RetentionStart = (typeof RETENTION_STARTS)[number]

interface RetentionPeriod {
  /** null: without an end. */
  readonly days: number | null
  readonly from: RetentionStart
  /** Whether a setting may change it. */
  readonly isSetting: boolean
}

// Five years have two leap days at most.
const fiveYears = 5 * 365 + 2

export const RETENTION_CLASSES = [
  'unused-document',
  'refused-document',
  'draft',
  'benefit',
  'carrier-file',
  'invoice',
  'forecast',
  'import',
  'event',
  'job',
  'account',
  'subject-request',
  'audit',
] as const
export type RetentionClass = (typeof RETENTION_CLASSES)[number]

/** The period of each class. A file of co-participation is never stored: its lines are of `carrier-file`. */
export const RETENTION_PERIODS: Readonly<Record<RetentionClass, RetentionPeriod>> = {
  /** Documents that no movement used. */
  'unused-document': { days: 7, from: 'upload', isSetting: false },
  /** Documents of movements that were rejected or cancelled. */
  'refused-document': { days: 180, from: 'refusal', isSetting: true },
  /** What employees filled in and no one approved. */
  draft: { days: 30, from: 'last-change', isSetting: true },
  /** People, their benefits, movements and documents: labour, tax and consumer limitation periods after the last benefit of the family. */
  benefit: { days: fiveYears, from: 'family-end', isSetting: true },
  /** Files of carriers and shipments, with their lines, reconciliations and claims. */
  'carrier-file': { days: fiveYears, from: 'reference-month', isSetting: true },
  /** Invoices with their files, payroll exports, closings. */
  invoice: { days: fiveYears, from: 'reference-month', isSetting: true },
  /** Forecasts of invoices that were stored. */
  forecast: { days: 730, from: 'reference-month', isSetting: true },
  /** Lines of imports that were rejected, as they came. */
  import: { days: 90, from: 'last-change', isSetting: true },
  /** Events and webhook deliveries. */
  event: { days: 90, from: 'event', isSetting: false },
  /** Jobs of decisions. */
  job: { days: 30, from: 'last-change', isSetting: false },
  /** Operators and people of companies: their names stay in histories while those do. */
  account: { days: fiveYears, from: 'closing', isSetting: true },
  'subject-request': { days: fiveYears, from: 'closing', isSetting: true },
  /** Ids only. */
  audit: { days: null, from: 'none', isSetting: false },
}
