import { Type } from 'typebox'
import { Benefit, OperatorBenefit } from '../benefits/schema.ts'
import { BENEFICIARY_TYPES, BENEFIT_STATUSES, DEPENDENT_TYPES, GENDERS, MARITAL_STATUSES } from '#kernel/enums.ts'
import { INCLUSION_FIELDS, PROFILE_FIELDS } from '#kernel/inclusion-fields.ts'
import { MASKED_FIELDS } from '#kernel/masking.ts'
import { REGISTRATION_ALIASES } from '#kernel/registration-fields.ts'
import { PageOf } from '#platform/http/page.ts'
import { Cnpj, Cpf, DateOnly, Named, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'

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

const memberFields = {
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
}

/** A person with the profile and the benefits in the caller's companies. */
const Member = Named(
  'Member',
  Type.Object({
    ...memberFields,
    registrations: Type.Optional(
      Type.Array(Registration, {
        description: 'With `include=registration`: one item for each of the caller’s companies, by `company-tax-id`.',
      }),
    ),
  }),
)

/** The whole list, or a page of it. */
export const MemberList = Type.Object(
  { result: Type.Array(Member), pagination: Type.Optional(Type.Ref('Pagination')) },
  {
    description: 'The whole list; with `page` or `items-per-page` a page of it and `pagination`.',
  },
)

const bankKeys = registrationKeys.filter((key) => Object.hasOwn(MASKED_FIELDS, key) && key !== 'tax-id')

/** What is masked of a person. */
export const DisclosureResponse = Type.Object({
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
})

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
  ...memberFields,
  registrations: Type.Array(Registration, { description: 'One item for each of the caller’s companies.' }),
  family: Type.Array(Relative, {
    description:
      'The others who have, or had, a benefit under the same primary, the primary included; one item for each company and relation.',
  }),
}

/** A member with the registration data of each company. */
export const MemberResponse = Type.Object({ result: Named('MemberDetail', Type.Object(detailFields)) })

const companies = Type.Array(Type.Object({ 'tax-id': Cnpj, name: Type.String() }), {
  description: 'The companies of the benefits.',
})

const operatorFields = { benefits: Type.Array(OperatorBenefit), companies }

/** A page of members for operators: also with the names of their companies. */
export const OperatorMemberList = PageOf(Named('OperatorMember', Type.Object({ ...memberFields, ...operatorFields })))

/** A member for operators. */
export const OperatorMemberResponse = Type.Object({
  result: Named('OperatorMemberDetail', Type.Object({ ...detailFields, ...operatorFields })),
})
