import { Type } from 'typebox'
import { Uuid } from '../http/schemas.ts'

/** The response to an accepted movement. */
export const AcceptedResponse = Type.Object(
  { 'request-id': Uuid },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)
