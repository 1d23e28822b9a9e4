/** The filters of the list of continuations, under the names of the API. */
export interface ContinuationsSearch {
  readonly status?: string
  readonly 'company-tax-id'?: string
  /** Those on which an operator has to act within 60 days. */
  readonly within?: '60'
}

export function continuationsSearchOf(raw: Readonly<Record<string, unknown>>): ContinuationsSearch {
  const names = ['status', 'company-tax-id'] as const
  return Object.fromEntries([
    ...names.flatMap((name) => (typeof raw[name] === 'string' && raw[name] !== '' ? [[name, raw[name]]] : [])),
    ...(raw['within'] === '60' ? [['within', '60']] : []),
  ])
}
