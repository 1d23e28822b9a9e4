import { Type } from 'typebox'
import { Benefit, benefitExample, OperatorBenefit, operatorBenefitExample } from '../benefits/schema.ts'
import { BENEFICIARY_TYPES, BENEFIT_STATUSES, DEPENDENT_TYPES, GENDERS, MARITAL_STATUSES } from '#kernel/enums.ts'
import { INCLUSION_FIELDS, PROFILE_FIELDS } from '#kernel/inclusion-fields.ts'
import { MASKED_FIELDS } from '#kernel/masking.ts'
import { REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'
import { onePage, PageOf } from '#platform/http/page.ts'
import { Cnpj, Cpf, DateOnly, Named, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'

/** A person with the profile and the benefits in the caller's companies. */
const Member = Named(
  'Member',
  Type.Object({
    id: Uuid,
    profile: Type.Object({
      name: Type.String(),
      'mothers-name': Type.String(),
      'date-of-birth': DateOnly,
      gender: OneOf(GENDERS),
      'marital-status': Nullable(OneOf(MARITAL_STATUSES)),
      'tax-id': Cpf,
    }),
    benefits: Type.Array(Benefit),
  }),
)

const memberExample = {
  id: '5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11',
  profile: {
    name: 'Helena Brandão Souza',
    'mothers-name': 'Fátima Brandão',
    'date-of-birth': '1990-05-17',
    gender: 'female',
    'marital-status': 'married',
    'tax-id': '52998224725',
  },
  benefits: [benefitExample],
}

/** The whole list, or a page of it. */
export const MemberList = Type.Object(
  { result: Type.Array(Member), pagination: Type.Optional(Type.Ref('Pagination')) },
  {
    description: 'The whole list; with `page` or `items-per-page` a page of it and `pagination`.',
    examples: [{ result: [memberExample] }, { result: [memberExample], pagination: onePage }],
  },
)

const registrationKeys = ['tax-id', 'admission-date', ...Object.keys(PROFILE_FIELDS)].filter(
  (key) => !Object.hasOwn(REGISTRATION_ALIASES, key),
) as (keyof typeof INCLUSION_FIELDS)[]

/** What a company has of a person, under the keys of an inclusion; a field without a value is left out. */
const Registration = Named(
  'Registration',
  Type.Object({
    'company-tax-id': Cnpj,
    ...Object.fromEntries(
      registrationKeys.map((key) => {
        const { type, enum: values } = INCLUSION_FIELDS[key].schema
        return [key, Type.Optional(Type.Unsafe<unknown>({ type, ...(values === undefined ? {} : { enum: values }) }))]
      }),
    ),
  }),
)

const bankKeys = registrationKeys.filter((key) => Object.hasOwn(MASKED_FIELDS, key) && key !== 'tax-id')

/** What is masked of a person. */
export const DisclosureResponse = Type.Object(
  {
    result: Named(
      'MemberDisclosure',
      Type.Object({
        'tax-id': Cpf,
        registrations: Type.Array(
          Type.Object({
            'company-tax-id': Cnpj,
            ...Object.fromEntries(
              bankKeys.map((key) => [
                key,
                Type.Optional(Type.Unsafe<unknown>({ type: INCLUSION_FIELDS[key].schema['type'] })),
              ]),
            ),
          }),
          { description: 'One item for each company, with those of the fields that it has.' },
        ),
      }),
    ),
  },
  {
    examples: [
      {
        result: {
          'tax-id': '52998224725',
          registrations: [
            {
              'company-tax-id': '12ABC34501DE35',
              'bank-number': '001',
              'bank-branch-number': '1234',
              'bank-account-number': '56789-0',
              'bank-account-owners-name': 'Helena Brandão Souza',
              'bank-account-owners-tax-id': '52998224725',
            },
          ],
        },
      },
    ],
  },
)

const Relative = Type.Object({
  'member-id': Uuid,
  name: Type.String(),
  'company-tax-id': Cnpj,
  type: OneOf(BENEFICIARY_TYPES),
  'dependent-type': Nullable(OneOf(DEPENDENT_TYPES)),
  status: OneOf(BENEFIT_STATUSES, {
    description: '`active` when one of the benefits is, else `pending`, else `inactive`.',
  }),
})

const detailFields = {
  ...Member.properties,
  registrations: Type.Array(Registration, { description: 'One item for each of the caller’s companies.' }),
  family: Type.Array(Relative, {
    description:
      'The others who have, or had, a benefit under the same primary, the primary included; one item for each company and relation.',
  }),
}

const detailExample = {
  ...memberExample,
  registrations: [
    {
      'company-tax-id': '12ABC34501DE35',
      ...memberExample.profile,
      'admission-date': '2026-11-02',
      'employee-id': '00172',
      salary: 523_000,
      'address-postal-code': '01310100',
      'address-city': 'São Paulo',
      'address-state': 'SP',
    },
  ],
  family: [
    {
      'member-id': '7b0c2d9e-4f51-8a63-9c1d-51e0a7c2f6b8',
      name: 'Davi Brandão Souza',
      'company-tax-id': '12ABC34501DE35',
      type: 'dependent',
      'dependent-type': 'child',
      status: 'active',
    },
  ],
}

/** A member with the registration data of each company. */
export const MemberResponse = Type.Object(
  { result: Named('MemberDetail', Type.Object(detailFields)) },
  { examples: [{ result: detailExample }] },
)

const companies = Type.Array(Type.Object({ 'tax-id': Cnpj, name: Type.String() }), {
  description: 'The companies of the benefits.',
})
const companiesExample = [{ 'tax-id': '12ABC34501DE35', name: 'Metalúrgica Serra Azul S.A.' }]

const operatorFields = { benefits: Type.Array(OperatorBenefit), companies }
const operatorExample = { benefits: [operatorBenefitExample], companies: companiesExample }

/** A page of members for operators: also with the names of their companies. */
export const OperatorMemberList = PageOf(
  Named('OperatorMember', Type.Object({ ...Member.properties, ...operatorFields })),
  { ...memberExample, ...operatorExample },
)

/** A member for operators. */
export const OperatorMemberResponse = Type.Object(
  { result: Named('OperatorMemberDetail', Type.Object({ ...detailFields, ...operatorFields })) },
  { examples: [{ result: { ...detailExample, ...operatorExample } }] },
)
