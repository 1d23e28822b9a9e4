import type { MemberDetail, RequestBody, RequestOptions, Result } from '@vigencia/client'
import { createContext, useContext } from 'react'
import type { Judged } from './use-batch.ts'

export interface SendOptions {
  readonly 'dry-run'?: true
  readonly handling?: 'lenient'
  readonly idempotencyKey?: string
}

type Send<Body> = (body: Body, options: SendOptions) => Promise<Judged>

/** What the forms of movements call. It depends on who is signed in: the page that shows them gives it. */
export interface MovementClient {
  readonly include: Send<RequestBody<'includeMembers'>>
  readonly exclude: Send<RequestBody<'excludeMembers'>>
  readonly alter: Send<RequestBody<'alterMembers'>>
  readonly upload: (file: File) => Promise<{ readonly 'document-id': string }>
  readonly listRequirements: (query: object, options: RequestOptions) => Promise<Result<'listRequirements'>>
  readonly readMember: (id: string, options: RequestOptions) => Promise<MemberDetail>
}

const MovementClientContext = createContext<MovementClient | null>(null)

export const MovementClientProvider = MovementClientContext.Provider

export function useMovementClient(): MovementClient {
  const client = useContext(MovementClientContext)
  if (client === null) throw new Error('The page gives no client')
  return client
}
