import { Type } from 'typebox'
import { invalidParameter } from '../core/errors.ts'
import { parseCnpj } from '../domain/tax-id.ts'
import { DEPENDENT_TYPES, PRODUCT_TYPES, START_OPTIONS } from '../domain/enums.ts'
import { PageOf } from '../http/page.ts'
import { Closed, Cnpj, Name, Named, Nullable, OneOf, Text, Uuid } from '../http/schemas.ts'

/** The path parameter of a company; its format and check digits are validated. */
export const CompanyPath = Type.Object({
  companyTaxId: Type.String({
    format: 'cnpj',
    description: 'CNPJ, formatted (the slash as `%2F`) or not, letters in either case.',
    examples: ['12ABC34501DE35'],
  }),
})

/** The CNPJ of a path. @throws ApiError 400 when it is not valid. */
export function companyTaxIdOf({ companyTaxId }: { companyTaxId: string }): string {
  const taxId = parseCnpj(companyTaxId)
  if (taxId === null) throw invalidParameter([], 'Invalid company-tax-id')
  return taxId
}

const productFields = {
  'product-name': Text,
  'carrier-name': Text,
  'product-type': Type.String({
    pattern: '^[a-z][a-z0-9-]{0,49}$',
    description: `An open set, such as ${PRODUCT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
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
      description: 'Day of the month on which a billing period starts; null: 1.',
    }),
  ),
  'cut-off-day': Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description: 'After this day of the month an inclusion starts a billing period later; null: no cut-off.',
    }),
  ),
}

/** The days decide `on-next-billing-period`. */
export const Product = Named('Product', Type.Object({ 'product-id': Uuid, ...productFields, ...days }))

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
export const CompanyResponse = Type.Object(
  { result: Company },
  { description: 'The company and its products.', examples: [{ result: company }] },
)

/** A page of companies. */
export const CompanyList = PageOf(Company, company, { description: 'A page of companies.' })

/** The products that members can be included in. */
export const ProductList = Type.Object(
  { result: Type.Array(Type.Object({ ...Product.properties, 'company-tax-id': Cnpj })) },
  {
    description: 'All products, ordered by the name of the company.',
    examples: [{ result: [{ ...company.products[0], 'company-tax-id': company['tax-id'] }] }],
  },
)

const maxProducts = 500

/** The body of an operator's PUT: the whole company. */
export const CompanyBody = Closed(
  {
    'company-tax-id': Type.Optional(Type.String({ description: 'If present, the same as in the path.' })),
    name: Name,
    products: Type.Array(
      Closed({
        'product-id': Type.Optional(Uuid),
        ...productFields,
        'product-name': Name,
        'carrier-name': Name,
        'billing-day': Type.Optional(days['billing-day']),
        'cut-off-day': Type.Optional(days['cut-off-day']),
      }),
      { maxItems: maxProducts, description: 'In the order of display. A product that is not in the list is retired.' },
    ),
  },
  { examples: [{ name: company.name, products: [product] }] },
)
