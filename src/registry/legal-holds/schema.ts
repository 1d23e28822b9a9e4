import { type Static, Type } from 'typebox'
import {
  Closed,
  Cnpj,
  Cpf,
  Named,
  noControls,
  Nullable,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { filters, CompanyTaxId } from '#platform/http/filters.ts'

export const HoldQuery = Closed({
  'tax-id': Type.Optional(
    Type.String({ format: 'cpf', description: 'CPF, formatted or not: only those of this person.' }),
  ),
  'company-tax-id': filters.company,
  'in-force': Type.Optional(
    Type.Boolean({ description: '`true`: only those in force; `false`: only those released.' }),
  ),
  ...pageQuery,
})

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  ...noControls,
  description: 'Why, such as the number of a lawsuit. Emptied when the person is erased.',
})

export const HoldBody = Closed(
  {
    'tax-id': Type.Optional(Type.String({ format: 'cpf', description: 'CPF of a person, in all companies.' })),
    'company-tax-id': Type.Optional({ ...CompanyTaxId, description: 'CNPJ of a company, with all its people.' }),
    reason: Reason,
  },
  {
    examples: [{ 'tax-id': '529.982.247-25', reason: 'Ação trabalhista 0010123-45.2026.5.02.0001' }],
  },
)
export type HoldInput = Static<typeof HoldBody>

export const ReleaseBody = Closed({ reason: Reason }, { examples: [{ reason: 'Processo arquivado' }] })

export const LegalHold = Named(
  'LegalHold',
  Type.Object({
    'legal-hold-id': Uuid,
    'tax-id': Nullable({
      ...Cpf,
      description: 'CPF of the person, masked; null: a company, or a person who was erased since.',
    }),
    'company-tax-id': Nullable(Cnpj),
    'company-name': Nullable(Text),
    reason: Nullable(Type.String()),
    'created-by': Type.String({ description: 'Client id of the admin.' }),
    'created-at': Timestamp,
    'release-reason': Nullable(Type.String()),
    'released-by': Nullable(Type.String({ description: 'Client id of the admin; null: it is in force.' })),
    'released-at': Nullable(Timestamp),
  }),
)
