import { type Static, Type } from 'typebox'
import { START_OPTIONS } from '#kernel/enums.ts'
import { email, MAX_REASON_CHARACTERS } from '#kernel/field-types.ts'
import { KEPT_DAYS, ONBOARDING_STATUSES } from '../rules/onboarding.ts'
import { filters } from '#platform/http/filters.ts'
import { PageOf } from '#platform/http/page.ts'
import {
  Closed,
  Cnpj,
  Cpf,
  DateOnly,
  Name,
  Named,
  noControls,
  Nullable,
  OneOf,
  pageQuery,
  Text,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import { InclusionWarnings } from '../include/schema.ts'
import { MissingDocuments } from '#registry/requirements/partner-schema.ts'
import { OnboardingFile, Submission } from './public-schema.ts'

const InvitationId = { ...Uuid, description: 'From the list of invitations.' }
export const InvitationPath = Type.Object({ invitationId: InvitationId })
export const InvitationFilePath = Type.Object({
  invitationId: InvitationId,
  documentId: { ...Uuid, description: 'One of its `documents`.' },
})

const job = Type.String({ minLength: 1, maxLength: 200, ...noControls, pattern: '\\S' })
const product = { 'product-id': Uuid, 'start-option': OneOf(START_OPTIONS) }

export const NewInvitationBody = Closed(
  {
    'company-tax-id': Type.String({ format: 'cnpj', description: 'CNPJ, formatted or not.' }),
    name: { ...Name, description: 'The employee may correct it.' },
    'tax-id': Type.String({
      format: 'cpf',
      description: 'CPF, formatted or not. The employee types its last five digits.',
    }),
    'date-of-birth': { ...DateOnly, description: 'The employee types it too.' },
    email: Type.Optional(
      Type.Unsafe<string>({
        ...email.schema,
        maxLength: 254,
        description: 'Where mail is on: the link is also sent there. It is not stored longer.',
        examples: ['helena.prado@aurora.example'],
      }),
    ),
    'admission-date': Type.Optional(DateOnly),
    'employee-id': Type.Optional(job),
    'cost-center': Type.Optional(job),
    'job-title': Type.Optional(job),
    products: Type.Array(Named('InvitedProductInput', Closed(product)), {
      minItems: 1,
      maxItems: 20,
      description: 'The employee takes or waives each.',
    }),
    'expires-in-days': Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: KEPT_DAYS,
        description: `Days for which the link works. Default: ${KEPT_DAYS / 2}.`,
      }),
    ),
  },
  {
    examples: [
      {
        'company-tax-id': '12ABC34501DE35',
        name: 'Helena Prado',
        'tax-id': '529.982.247-25',
        'date-of-birth': '1990-05-17',
        'admission-date': '2026-11-16',
        products: [{ 'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32', 'start-option': 'on-admission-date' }],
      },
    ],
  },
)
export type NewInvitationBody = Static<typeof NewInvitationBody>

export const InvitationLink = Type.Object({
  result: Type.Object({
    'invitation-id': Uuid,
    link: Type.String({ description: 'For the employee alone. Shown only in this response.' }),
    'expires-at': Timestamp,
    mailed: Type.Boolean({ description: 'Whether it is also sent to `email`.' }),
  }),
})

const listed = {
  'invitation-id': Uuid,
  'company-tax-id': Cnpj,
  'company-name': Text,
  name: Text,
  'tax-id': Cpf,
  'date-of-birth': DateOnly,
  'admission-date': Nullable(DateOnly),
  'employee-id': Nullable(Type.String()),
  'cost-center': Nullable(Type.String()),
  'job-title': Nullable(Type.String()),
  products: Type.Array(Type.Object({ ...product, 'product-name': Text, 'product-type': Type.String() })),
  status: OneOf(ONBOARDING_STATUSES, {
    description:
      '`opened` once the second factor was right. What is not approved is deleted 30 days after it was created or submitted.',
  }),
  'return-message': Nullable(Type.String({ description: 'What the employee has to correct.' })),
  'request-id': Nullable({ ...Uuid, description: 'The inclusion; null of an approved one: every product is waived.' }),
  'created-at': Timestamp,
  'expires-at': Type.String({ ...Timestamp, description: 'Until when the link works.' }),
  'opened-at': Nullable(Timestamp),
  'submitted-at': Nullable(Type.String({ ...Timestamp, description: 'Also the time of the waivers.' })),
  'last-updated-at': Timestamp,
}

export const InvitationList = PageOf(Named('OnboardingInvitation', Type.Object(listed)))

export const InvitationResponse = Type.Object({
  result: Named(
    'OnboardingReview',
    Type.Object({ ...listed, submission: Nullable(Submission), documents: Type.Array(OnboardingFile) }),
  ),
})

export const InvitationQuery = Closed({
  'company-tax-id': filters.company,
  status: Type.Optional(OneOf(ONBOARDING_STATUSES, { description: 'What has become of it.' })),
  ...pageQuery,
})

export const ReturnBody = Closed(
  {
    message: Type.String({
      minLength: 1,
      maxLength: MAX_REASON_CHARACTERS,
      ...noControls,
      pattern: '\\S',
      description: 'For the employee: what to correct.',
    }),
  },
  { examples: [{ message: 'Envie a certidão de casamento legível.' }] },
)

export const ApproveBody = Closed(
  {
    'submitted-at': Type.String({ ...Timestamp, description: 'Of the submission that you reviewed.' }),
  },
  { examples: [{ 'submitted-at': '2026-11-26T18:40:12.330Z' }] },
)

/** What an inclusion responds with. */
export const ApprovalResponse = Type.Object({
  'request-id': Type.Optional({ ...Uuid, description: 'The inclusion; absent where every product is waived.' }),
  warnings: InclusionWarnings,
  'missing-documents': MissingDocuments,
})
