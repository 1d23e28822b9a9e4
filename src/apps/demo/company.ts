import { completeCnpj } from '#kernel/tax-id.ts'

/** The demo company with four products, by the names of their columns. */
export const demoCompany = {
  taxId: '11222333000181',
  name: 'Padaria Aurora Ltda.',
  products: [
    {
      name: 'Saúde Essencial',
      carrier_name: 'Operadora Horizonte',
      product_type: 'health-insurance',
      allowed_dependent_types: ['spouse', 'partner', 'child', 'stepchild'],
      allowed_start_options: ['on-inclusion-date', 'on-admission-date', 'on-next-billing-period'],
      age_limits: [],
      billing_day: 1,
      cut_off_day: 20,
    },
    {
      name: 'Saúde Completa',
      carrier_name: 'Operadora Horizonte',
      product_type: 'health-insurance',
      allowed_dependent_types: ['spouse', 'partner', 'child'],
      allowed_start_options: ['on-inclusion-date', 'on-next-billing-period'],
      age_limits: [],
      billing_day: 15,
      cut_off_day: 5,
    },
    {
      name: 'Dental Sorriso',
      carrier_name: 'Odonto Vale',
      product_type: 'dental-insurance',
      allowed_dependent_types: ['spouse', 'child'],
      allowed_start_options: ['on-inclusion-date', 'on-admission-date'],
      age_limits: [],
      billing_day: null,
      cut_off_day: null,
    },
    {
      name: 'Vida em Grupo',
      carrier_name: 'Seguradora Atlas',
      product_type: 'life-insurance',
      allowed_dependent_types: [],
      allowed_start_options: ['on-admission-date'],
      age_limits: [],
      billing_day: null,
      cut_off_day: null,
    },
  ],
} as const

/** The carrier of the demo's contract. It has no registration at the ANS: it sells no health plans. */
export const demoCarrier = { name: 'Seguradora Atlas', taxId: completeCnpj('443332220001') } as const
