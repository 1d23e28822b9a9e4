import { type TProperties, type TSchema, Type } from 'typebox'
import { DETAIL_CODES } from '#kernel/enums.ts'
import { cnpj } from '#kernel/field-types.ts'
import { MAX_BATCH_MEMBERS } from '../rules/inclusion-batch.ts'
import {
  AllowedValues,
  Closed,
  Details,
  ErrorCodeReference,
  errorExplanation,
  Named,
  offenseExplanation,
  OneOf,
} from '#platform/http/schemas.ts'
import { MissingDocuments } from '#registry/requirements/partner-schema.ts'
import { englishOf } from '#kernel/texts/messages.ts'
import { AsSent, JudgedResponse, Reference } from '../schema.ts'

/* The schemas of batches of exclusions and of alterations, which differ by their entries. */

const companyTaxId = '11222333000181'
const requestId = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

/** The body of a batch. `readEntryBody` enforces it: an invalid entry has offenses. */
export const EntryBatchBody = (member: TSchema, example: object) =>
  Closed(
    {
      'company-tax-id': Type.Unsafe<string>({ ...cnpj.schema, description: englishOf(cnpj.rule) }),
      members: Type.Array(member, { minItems: 1, maxItems: MAX_BATCH_MEMBERS }),
      reference: Type.Optional(Reference),
    },
    { examples: [{ 'company-tax-id': companyTaxId, members: [example] }] },
  )

/** An entry that was not accepted, with its offenses. */
export const RejectedEntry = (title: string, offenses: readonly string[]) =>
  Named(
    title,
    Type.Object({
      index: Type.Integer({ description: 'Index in the batch, from 0.' }),
      'tax-id': AsSent,
      'company-tax-id': Type.String(),
      offenses: Type.Array(OneOf(offenses)),
      'offense-details': Type.Array(
        Type.Object({
          code: OneOf(offenses),
          field: Type.String({ description: 'The field of the entry that the offense concerns.' }),
          'product-name': Type.Optional(Type.String()),
          reason: Type.Optional(
            OneOf(DETAIL_CODES, {
              description: 'What is wrong with the field: the code that a single call has in `details`.',
            }),
          ),
          'document-index': Type.Optional(
            Type.Integer({ minimum: 0, description: 'Of a document that is not usable: its index in the list.' }),
          ),
          ...offenseExplanation,
          allowed: AllowedValues,
        }),
      ),
    }),
  )

/** @param more what else the batch of one kind has. */
export const EntryBatchResponse = (name: string, rejected: TSchema, more: TProperties = {}) =>
  JudgedResponse(name, {
    result: Type.Optional(
      Type.Array(rejected, { description: 'With `Prefer: handling=lenient`: entries that were not accepted.' }),
    ),
    ...more,
    'missing-documents': MissingDocuments,
  })

/** @param detail of the example: an offense of an entry. */
export const EntryBatchErrorResponse = (
  rejected: TSchema,
  detail: { readonly code: string; readonly field: string; readonly 'product-name'?: string },
) =>
  Type.Object(
    {
      error: Type.String(),
      code: ErrorCodeReference,
      ...errorExplanation,
      'request-trace-id': Type.String(),
      details: Type.Optional(Details),
      result: Type.Optional(Type.Array(rejected)),
      'missing-documents': MissingDocuments,
    },
    {
      description:
        'A malformed body or parameter, with `details`; or `Invalid members`, with every offending entry. Nothing was stored.',
      examples: [
        {
          error: 'Invalid members',
          code: 'invalid-members',
          result: [
            {
              index: 0,
              'tax-id': '529.982.247-25',
              'company-tax-id': companyTaxId,
              offenses: [detail.code],
              'offense-details': [detail],
            },
          ],
          'request-trace-id': requestId,
        },
      ],
    },
  )
