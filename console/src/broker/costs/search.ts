/** How many months are shown. */
export const RANGES = [12, 24, 36] as const

/** Whose months are shown, under the names of the API. */
export interface CostsSearch {
  readonly 'company-tax-id'?: string
  readonly 'contract-id'?: string
  readonly months?: number
}

export function costsSearchOf(raw: Readonly<Record<string, unknown>>): CostsSearch {
  const text = (name: 'company-tax-id' | 'contract-id') =>
    typeof raw[name] === 'string' && raw[name] !== '' ? { [name]: raw[name] } : {}
  const months = RANGES.find((one) => one === Number(raw['months']))
  return { ...text('company-tax-id'), ...text('contract-id'), ...(months === undefined ? {} : { months }) }
}
