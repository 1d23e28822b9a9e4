import { type Static, Type } from 'typebox'
import { Uuid } from '#platform/http/schemas.ts'
import { MissingDocument } from '#registry/requirements/partner-schema.ts'
import type { MissingOfProduct } from '#registry/rules/requested-documents.ts'

/** What the response to a movement and that to its dry run have. */
export const judgedFields = {
  'missing-documents': Type.Optional(
    Type.Array(MissingDocument, {
      description: 'What the carrier wants with it and is not there; absent when there is nothing.',
    }),
  ),
}

/** The response to an accepted movement. */
export const AcceptedResponse = Type.Object(
  { 'request-id': Uuid, ...judgedFields },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)
export type Accepted = Static<typeof AcceptedResponse>

/** The response to a movement that lacks these documents. */
export function acceptedOf(requestId: string, missing: readonly MissingOfProduct[]): Accepted {
  const lacking = missing.map((document) => ({ ...document, 'any-of': [...document['any-of']] }))
  return { 'request-id': requestId, ...(lacking.length > 0 && { 'missing-documents': lacking }) }
}

/** The response to the same movement of a dry run. */
export function judgedOf<Response extends Accepted>({ 'request-id': _id, ...judged }: Response) {
  return { 'dry-run': true as const, ...judged }
}
