import { CLOSING_STATUSES, type ClosingStatus } from '../../../../src/kernel/operator-enums.ts'

/** The filters of the list, under the names of the API. */
export interface ClosingsSearch {
  readonly 'company-tax-id'?: string
  readonly 'reference-month'?: string
  readonly status?: ClosingStatus
}

export function closingsSearchOf(raw: Readonly<Record<string, unknown>>): ClosingsSearch {
  const { 'company-tax-id': taxId, 'reference-month': month } = raw
  const status = CLOSING_STATUSES.find((one) => one === raw['status'])
  return {
    ...(typeof taxId === 'string' && taxId !== '' ? { 'company-tax-id': taxId } : {}),
    ...(typeof month === 'string' && /^2[01]\d{2}-(0[1-9]|1[0-2])$/.test(month) ? { 'reference-month': month } : {}),
    ...(status === undefined ? {} : { status }),
  }
}
