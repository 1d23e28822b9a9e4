/** The demo company with four products, as /v1/company shows it. */
export const demoCompany = {
  'company-tax-id': '11222333000181',
  name: 'Padaria Aurora Ltda.',
  products: [
    {
      'product-name': 'Saúde Essencial',
      'carrier-name': 'Operadora Horizonte',
      'product-type': 'health-insurance',
      'allowed-dependent-types': ['spouse', 'partner', 'child', 'stepchild'],
      'allowed-start-options': ['on-inclusion-date', 'on-admission-date', 'on-next-billing-period'],
      'billing-day': 1,
      'cut-off-day': 20,
    },
    {
      'product-name': 'Saúde Completa',
      'carrier-name': 'Operadora Horizonte',
      'product-type': 'health-insurance',
      'allowed-dependent-types': ['spouse', 'partner', 'child'],
      'allowed-start-options': ['on-inclusion-date', 'on-next-billing-period'],
      'billing-day': 15,
      'cut-off-day': 5,
    },
    {
      'product-name': 'Dental Sorriso',
      'carrier-name': 'Odonto Vale',
      'product-type': 'dental-insurance',
      'allowed-dependent-types': ['spouse', 'child'],
      'allowed-start-options': ['on-inclusion-date', 'on-admission-date'],
    },
    {
      'product-name': 'Vida em Grupo',
      'carrier-name': 'Seguradora Atlas',
      'product-type': 'life-insurance',
      'allowed-dependent-types': [],
      'allowed-start-options': ['on-admission-date'],
    },
  ],
} as const
