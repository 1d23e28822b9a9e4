import { Type } from 'typebox'
import { BENEFICIARY_TYPES, BENEFIT_STATUSES, DEPENDENT_TYPES } from '#kernel/enums.ts'
import { PageOf } from '#platform/http/page.ts'
import { Cnpj, Cpf, DateOnly, Named, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'

export const Benefit = Named(
  'Benefit',
  Type.Object({
    'benefit-id': Uuid,
    status: OneOf(BENEFIT_STATUSES, { examples: ['active'] }),
    'company-tax-id': Cnpj,
    'product-id': Uuid,
    'product-name': Type.String(),
    'product-type': Type.String(),
    'carrier-name': Type.String(),
    type: OneOf(BENEFICIARY_TYPES),
    'start-date': DateOnly,
    'end-date': Nullable({ ...DateOnly, description: 'The last day covered.' }),
    'extension-plan': Type.Boolean({ description: 'Kept after dismissal or retirement (Lei 9.656, arts. 30 and 31).' }),
    'card-number': Nullable(Type.String()),
    'dependent-type': Nullable(OneOf(DEPENDENT_TYPES)),
    'primary-member-tax-id': Nullable(Cpf),
  }),
)

/** A benefit for operators. */
export const OperatorBenefit = Named(
  'OperatorBenefit',
  Type.Object({
    ...Benefit.properties,
    'carrier-certificate': Nullable(
      Type.String({ description: 'The number that the carrier has for the family: of its first file that named it.' }),
    ),
    'carrier-dependent-code': Nullable(Type.String({ description: 'That of the person in the family.' })),
  }),
)

const member = { 'member-id': Uuid, 'member-tax-id': Cpf }
const description = 'A page of benefits.'

const BenefitOfMember = Named('BenefitOfMember', Type.Object({ ...Benefit.properties, ...member }))

/** A page of benefits with their members. */
export const BenefitList = PageOf(BenefitOfMember, description)

/** One of them. */
export const BenefitResponse = Type.Object({ result: BenefitOfMember })

/** The same for operators. */
export const OperatorBenefitList = PageOf(Type.Object({ ...OperatorBenefit.properties, ...member }), description)
