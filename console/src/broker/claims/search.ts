import { CLAIM_STATUSES, type ClaimStatus } from '../../../../src/kernel/operator-enums.ts'

/** The filters of the list, under the names of the API. */
export interface ClaimsSearch {
  readonly 'company-tax-id'?: string
  readonly 'carrier-id'?: string
  readonly 'contract-id'?: string
  readonly 'reference-month'?: string
  readonly status?: ClaimStatus
}

const id = /^[0-9a-f-]{36}$/
const patterns = {
  'company-tax-id': /./,
  'carrier-id': id,
  'contract-id': id,
  'reference-month': /^2[01]\d{2}-(0[1-9]|1[0-2])$/,
} as const

export function claimsSearchOf(raw: Readonly<Record<string, unknown>>): ClaimsSearch {
  const status = CLAIM_STATUSES.find((one) => one === raw['status'])
  const texts = Object.entries(patterns).flatMap(([name, pattern]) => {
    const value = raw[name]
    return typeof value === 'string' && pattern.test(value) ? [[name, value]] : []
  })
  return { ...Object.fromEntries(texts), ...(status === undefined ? {} : { status }) }
}
