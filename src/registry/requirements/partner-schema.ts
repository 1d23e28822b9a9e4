import { Type } from 'typebox'
import {
  BENEFICIARY_TYPES,
  DEPENDENT_TYPES,
  EXCLUSION_REASONS,
  MOVEMENT_KINDS,
  WORK_CONTRACT_TYPES,
} from '#kernel/enums.ts'
import { Closed, Named, OneOf, Text, Uuid } from '#platform/http/schemas.ts'
import { Enforcement, requiredDocument } from './schema.ts'
import { CompanyTaxId } from '#platform/http/filters.ts'

const WhenOpen = Type.Object(
  {
    'dependent-types': Type.Optional(Type.Array(OneOf(DEPENDENT_TYPES))),
    'work-contract-types': Type.Optional(Type.Array(OneOf(WORK_CONTRACT_TYPES))),
    'exclusion-reasons': Type.Optional(Type.Array(OneOf(EXCLUSION_REASONS))),
    'beneficiary-types': Type.Optional(Type.Array(OneOf(BENEFICIARY_TYPES))),
    'age-from': Type.Optional(Type.Integer()),
    'age-until': Type.Optional(Type.Integer()),
    'days-since-admission-over': Type.Optional(Type.Integer()),
    late: Type.Optional(Type.Boolean()),
  },
  { description: 'Asked for only under these conditions, which the query does not decide. Empty: always.' },
)

/** A document that a movement lacks. */
export const MissingDocument = Named(
  'MissingDocument',
  Type.Object({
    'product-name': Text,
    ...requiredDocument,
    enforcement: Enforcement,
  }),
)

/** What the members of a batch lack. */
export const MissingDocuments = Type.Optional(
  Type.Array(
    Named(
      'MissingDocumentOfMember',
      Type.Object({
        index: Type.Integer({ description: 'Index in the batch, from 0.' }),
        'tax-id': Type.Optional(Type.String()),
        ...MissingDocument.properties,
      }),
    ),
    {
      description:
        'The documents that the carriers of the products want and the members do not have, in batch order. `pending`: the movement is accepted and ' +
        'waits for it as `pending-documents`; `offense`: the member is rejected.',
    },
  ),
)

/** What partners may have to send. */
export const RequirementList = Type.Object(
  {
    result: Type.Array(
      Named('Requirement', Type.Object({ ...requiredDocument, enforcement: Enforcement, when: WhenOpen })),
    ),
  },
  {
    description: 'The documents, those without which a movement is refused first.',
  },
)

export const RequirementQuery = Closed({
  'company-tax-id': CompanyTaxId,
  'product-id': { ...Uuid, description: 'A product of the company.' },
  movement: OneOf(MOVEMENT_KINDS, { description: 'The kind of movement.' }),
  'beneficiary-type': Type.Optional(
    OneOf(BENEFICIARY_TYPES, { description: 'Whom it is for; left out: `dependent` where `dependent-type` is sent.' }),
  ),
  'dependent-type': Type.Optional(OneOf(DEPENDENT_TYPES, { description: 'Of a dependent, such as `spouse`.' })),
  'work-contract-type': Type.Optional(OneOf(WORK_CONTRACT_TYPES, { description: 'Of the person.' })),
  'exclusion-reason': Type.Optional(OneOf(EXCLUSION_REASONS, { description: 'Of an exclusion.' })),
})
