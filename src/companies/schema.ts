import { Type } from 'typebox'

import { DEPENDENT_TYPES, PRODUCT_TYPES, START_OPTIONS } from '../domain/enums.ts'
import { Cnpj, Name, Named, Nullable, OneOf, Text, Uuid } from '../http/schemas.ts'

/** A path's CNPJ, check digits verified with the shape. */
export const CompanyPath = Type.Object({
  companyTaxId: Type.String({
    format: 'cnpj',
    description: 'CNPJ, formatted (its slash as `%2F`) or not, letters in either case.',
    examples: ['12ABC34501DE35'],
  }),
})

const productFields = {
  'product-name': Text,
  'carrier-name': Text,
  'product-type': Type.String({
    pattern: '^[a-z][a-z0-9-]{0,49}$',
    description: `An open set; known by name are ${PRODUCT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    examples: ['health-insurance'],
  }),
  'allowed-dependent-types': Type.Array(OneOf(DEPENDENT_TYPES), { uniqueItems: true }),
  'allowed-start-options': Type.Array(OneOf(START_OPTIONS), { uniqueItems: true }),
}

const days = {
  'billing-day': Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 28,
      description: 'Day of the month on which a billing period begins; null: 1.',
    }),
  ),
  'cut-off-day': Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description: 'Past this day of the month an inclusion waits for the period after the next; null: no cut-off.',
    }),
  ),
}

/** Product, with the days that decide `on-next-billing-period`. */
export const Product = Named('Product', Type.Object({ 'product-id': Uuid, ...productFields, ...days }))

/** Company. */
export const Company = Named(
  'Company',
  Type.Object({ id: Uuid, name: Type.String(), 'tax-id': Cnpj, products: Type.Array(Product) }),
)

const product = {
  'product-name': 'Saúde Essencial',
  'carrier-name': 'Operadora Aurora',
  'product-type': 'health-insurance',
  'allowed-dependent-types': ['spouse', 'child'],
  'allowed-start-options': ['on-inclusion-date', 'on-next-billing-period'],
  'billing-day': 1,
  'cut-off-day': 20,
}

const company = {
  id: '01995e0b-29f4-7b12-8e33-d4c5b6a79808',
  name: 'Metalúrgica Serra Azul S.A.',
  'tax-id': '12ABC34501DE35',
  products: [{ 'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32', ...product }],
}

/** One company in its envelope. */
export const CompanyAnswer = Type.Object(
  { result: Company },
  { description: 'The company and its products.', examples: [{ result: company }] },
)

/** A page of companies. */
export const CompanyList = Type.Object(
  { result: Type.Array(Company), pagination: Type.Ref('Pagination') },
  {
    description: 'A page of companies.',
    examples: [
      {
        result: [company],
        pagination: { 'current-page': 1, 'total-items': 1, 'total-pages': 1, 'next-page': null, 'previous-page': null },
      },
    ],
  },
)

/** Every product that the caller may include people in. */
export const ProductList = Type.Object(
  { result: Type.Array(Type.Object({ ...Product.properties, 'company-tax-id': Cnpj })) },
  {
    description: 'All products, by the name of the company.',
    examples: [{ result: [{ ...company.products[0], 'company-tax-id': company['tax-id'] }] }],
  },
)

const maxProducts = 500

/** What an operator puts: the company as it shall be. */
export const CompanyBody = Type.Object(
  {
    'company-tax-id': Type.Optional(Type.String({ description: 'If sent, that of the path.' })),
    name: Name,
    products: Type.Array(
      Type.Object(
        {
          'product-id': Type.Optional(Uuid),
          ...productFields,
          'product-name': Name,
          'carrier-name': Name,
          'billing-day': Type.Optional(days['billing-day']),
          'cut-off-day': Type.Optional(days['cut-off-day']),
        },
        { additionalProperties: false },
      ),
      { maxItems: maxProducts, description: 'In the order in which they are shown. One left out is retired.' },
    ),
  },
  { additionalProperties: false, examples: [{ name: company.name, products: [product] }] },
)
