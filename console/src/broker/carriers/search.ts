/** The filters of the list of contracts, under the names of the API. */
export interface ContractsSearch {
  readonly 'company-tax-id'?: string
  readonly 'carrier-name'?: string
}

export function contractsSearchOf(raw: Readonly<Record<string, unknown>>): ContractsSearch {
  const names = ['company-tax-id', 'carrier-name'] as const
  return Object.fromEntries(
    names.flatMap((name) => (typeof raw[name] === 'string' && raw[name] !== '' ? [[name, raw[name]]] : [])),
  )
}
