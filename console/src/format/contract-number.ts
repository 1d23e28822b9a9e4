/** The number of a contract, with that of its sub-contract. */
export const contractNumber = (one: { readonly 'contract-number': string; readonly 'sub-contract': string }): string =>
  [one['contract-number'], one['sub-contract']].filter(Boolean).join(' / ')
