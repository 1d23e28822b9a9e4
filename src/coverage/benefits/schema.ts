import { Type } from 'typebox'
import { BENEFICIARY_TYPES, BENEFIT_STATUSES, DEPENDENT_TYPES } from '#kernel/enums.ts'
import { PageOf, ResultOf } from '#platform/http/page.ts'
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

export const benefitExample = {
  'benefit-id': '01995e0c-7020-7d3f-9b11-5a6c7d8e9f01',
  status: 'active',
  'company-tax-id': '12ABC34501DE35',
  'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
  'product-name': 'Saúde Essencial',
  'product-type': 'health-insurance',
  'carrier-name': 'Operadora Aurora',
  type: 'primary',
  'start-date': '2026-12-01',
  'end-date': null,
  'extension-plan': false,
  'card-number': '0045 1120 7788',
  'dependent-type': null,
  'primary-member-tax-id': null,
}

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

/** One benefit, as operators read it. */
export const OperatorBenefitResponse = ResultOf(OperatorBenefit)

const member = { 'member-id': Uuid, 'member-tax-id': Cpf }
const description = 'A page of benefits.'

/** A page of benefits with their members. */
export const BenefitList = PageOf(Type.Object({ ...Benefit.properties, ...member }), description)

/** The same for operators. */
export const OperatorBenefitList = PageOf(Type.Object({ ...OperatorBenefit.properties, ...member }), description)
