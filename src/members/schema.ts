import { Type } from 'typebox'
import { Benefit, benefitExample } from '../benefits/schema.ts'
import { GENDERS, MARITAL_STATUSES } from '../domain/enums.ts'
import { onePage } from '../http/page.ts'
import { Cpf, DateOnly, Named, Nullable, OneOf, Uuid } from '../http/schemas.ts'

/** A person with the profile and the benefits in the caller's companies. */
export const Member = Named(
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

export const memberExample = {
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
