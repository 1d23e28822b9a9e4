import { type Static, Type } from 'typebox'
import { Uuid } from '#platform/http/schemas.ts'
import { MissingDocument } from '#registry/requirements/partner-schema.ts'
import type { MissingOfProduct } from '#registry/rules/requested-documents.ts'

/** The response to an accepted movement. */
export const AcceptedResponse = Type.Object(
  {
    'request-id': Uuid,
    'missing-documents': Type.Optional(
      Type.Array(MissingDocument, {
        description: 'What the carrier wants with it and is not there; absent when there is nothing.',
      }),
    ),
  },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)
export type Accepted = Static<typeof AcceptedResponse>

/** The response to a movement that lacks these documents. */
export function acceptedOf(requestId: string, missing: readonly MissingOfProduct[]): Accepted {
  const lacking = missing.map((document) => ({ ...document, 'any-of': [...document['any-of']] }))
  return { 'request-id': requestId, ...(lacking.length > 0 && { 'missing-documents': lacking }) }
}
