import { type Static, Type } from 'typebox'
import { AGE_LIMIT_ENDS, AGE_LIMIT_EXEMPTIONS } from '../rules/age-limit.ts'
import { DEPENDENT_TYPES, PRODUCT_TYPES, START_OPTIONS } from '#kernel/enums.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
import { ContactsInput, Contacts } from '#platform/http/contact-schemas.ts'
import { Closed, Cnpj, Name, Named, Nullable, OneOf, Text, Uuid } from '#platform/http/schemas.ts'

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

const age = (description: string) => Type.Integer({ minimum: 1, maximum: 120, description })
const ageLimit = {
  'dependent-type': OneOf(DEPENDENT_TYPES),
  'max-age': age('The age, in whole years, that is too old.'),
}
const studentMaxAge = Nullable(
  age(
    'The same of students: who has `student-until` and, at inclusion, a document `proof-of-enrollment`; null: as all others.',
  ),
)
const unless = Type.Array(OneOf(AGE_LIMIT_EXEMPTIONS), { uniqueItems: true, description: 'Whom it does not concern.' })
const ends = OneOf(AGE_LIMIT_ENDS, {
  description:
    'When the cover of a person who is too old from a day on ends: the day before, or the end of the month, of the billing period, or of the year of ' +
    'the contract that has that day. On the first day of a billing period or of a year of the contract it is the one that starts. ' +
    '`contract-anniversary` needs the `anniversary-month` of the contract.',
})
const draftDescription = 'Whether the clock proposes the exclusion, which an operator confirms.'
const draftExclusion = Type.Boolean({ description: draftDescription })

/** How long a product covers a kind of dependent. */
const AgeLimit = Named(
  'AgeLimit',
  Type.Object({ ...ageLimit, 'student-max-age': studentMaxAge, unless, ends, 'draft-exclusion': draftExclusion }),
)

const AgeLimitInput = Closed({
  ...ageLimit,
  'student-max-age': Type.Optional(studentMaxAge),
  unless: Type.Optional(unless),
  ends,
  'draft-exclusion': Type.Optional({ ...draftExclusion, description: `${draftDescription} Default: \`false\`.` }),
})
export type AgeLimitInput = Static<typeof AgeLimitInput>

const ageLimitsDescription =
  'Until what age dependents are covered, one limit for each kind at most; a kind without one has no limit.'

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
const Product = Named(
  'Product',
  Type.Object({
    'product-id': Uuid,
    ...productFields,
    'age-limits': Type.Array(AgeLimit, { description: ageLimitsDescription }),
    ...days,
  }),
)

const Company = Named(
  'Company',
  Type.Object({
    id: Uuid,
    name: Type.String({ examples: ['Metalúrgica Serra Azul S.A.'] }),
    'tax-id': Cnpj,
    products: Type.Array(Product),
  }),
)

const product = {
  'product-name': 'Saúde Essencial',
  'carrier-name': 'Operadora Aurora',
  'product-type': 'health-insurance',
  'allowed-dependent-types': ['spouse', 'child'],
  'allowed-start-options': ['on-inclusion-date', 'on-next-billing-period'],
  'age-limits': [
    {
      'dependent-type': 'child',
      'max-age': 21,
      'student-max-age': 24,
      unless: ['disabled'],
      ends: 'end-of-month',
      'draft-exclusion': false,
    },
  ],
  'billing-day': 1,
  'cut-off-day': 20,
}

const company = {
  id: '01995e0b-29f4-7b12-8e33-d4c5b6a79808',
  name: 'Metalúrgica Serra Azul S.A.',
  'tax-id': '12ABC34501DE35',
  products: [{ 'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32', ...product }],
}

/** A company for operators: also whom the broker talks to. */
export const OperatorCompany = Named('OperatorCompany', Type.Object({ ...Company.properties, contacts: Contacts }))

/** How many people have each product of a company. */
export const HeadcountResponse = Type.Object({
  result: Type.Array(
    Named(
      'CompanyHeadcount',
      Type.Object({
        'product-id': Uuid,
        'product-name': Type.String(),
        'carrier-name': Type.String(),
        'product-type': Type.String(),
        retired: Type.Boolean({ description: 'It takes no new inclusion.' }),
        primaries: Type.Integer({ description: 'Covered today.' }),
        dependents: Type.Integer({ description: 'Covered today.' }),
        starting: Type.Integer({ description: 'Whose benefit starts after today.' }),
      }),
    ),
  ),
})

/** One company in its envelope. */
export const CompanyResponse = ResultOf(Company, 'The company and its products.')

/** A page of companies. */
export const CompanyList = PageOf(Company, 'A page of companies.')

/** The products that members can be included in. */
export const ProductList = Type.Object(
  { result: Type.Array(Type.Object({ ...Product.properties, 'company-tax-id': Cnpj })) },
  {
    description: 'All products, ordered by the name of the company.',
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
        'age-limits': Type.Optional(
          Type.Array(AgeLimitInput, { maxItems: DEPENDENT_TYPES.length, description: ageLimitsDescription }),
        ),
        'billing-day': Type.Optional(days['billing-day']),
        'cut-off-day': Type.Optional(days['cut-off-day']),
      }),
      { maxItems: maxProducts, description: 'In the order of display. A product that is not in the list is retired.' },
    ),
    contacts: Type.Optional({ ...ContactsInput, description: 'Whom the broker talks to; without it they stay.' }),
  },
  { examples: [{ name: company.name, products: [product] }] },
)
