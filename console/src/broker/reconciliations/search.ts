import {
  CARRIER_FILE_KINDS,
  type CarrierFileKind,
  DISCREPANCY_CLASSES,
  DISCREPANCY_STATUSES,
  type DiscrepancyClass,
  type DiscrepancyStatus,
} from '../../../../src/kernel/reconciliation.ts'

/** The filters of the list of files, under the names of the API. */
export interface FilesSearch {
  readonly 'company-tax-id'?: string
  readonly 'contract-id'?: string
  readonly kind?: CarrierFileKind
  readonly 'reference-month'?: string
}

type Raw = Readonly<Record<string, unknown>>

const one = <Known>(name: string, values: readonly Known[], value: unknown): Record<string, Known> => {
  const known = values.find((each) => each === value)
  return known === undefined ? {} : { [name]: known }
}
const text = (name: string, value: unknown, pattern: RegExp): Record<string, string> =>
  typeof value === 'string' && pattern.test(value) ? { [name]: value } : {}

export function filesSearchOf(raw: Raw): FilesSearch {
  return {
    ...text('company-tax-id', raw['company-tax-id'], /./),
    ...text('contract-id', raw['contract-id'], /./),
    ...one('kind', CARRIER_FILE_KINDS, raw['kind']),
    ...text('reference-month', raw['reference-month'], /^2[01]\d{2}-(0[1-9]|1[0-2])$/),
  }
}

/** How lines are selected: the values of the API. */
export const LINE_MATCHES = ['matched', 'unmatched', 'ambiguous', 'refused'] as const
export type LineMatch = (typeof LINE_MATCHES)[number]

/** What the page of a file shows: its discrepancies under filters, or its lines. */
export interface FileSearch {
  readonly view?: 'lines'
  readonly match?: LineMatch
  readonly class?: DiscrepancyClass
  readonly status?: DiscrepancyStatus
  readonly assignee?: string
  readonly q?: string
}

export function fileSearchOf(raw: Raw): FileSearch {
  return {
    ...one('view', ['lines'] as const, raw['view']),
    ...one('match', LINE_MATCHES, raw['match']),
    ...one('class', DISCREPANCY_CLASSES, raw['class']),
    ...one('status', DISCREPANCY_STATUSES, raw['status']),
    ...text('assignee', raw['assignee'], /./),
    ...text('q', raw['q'], /./),
  }
}
