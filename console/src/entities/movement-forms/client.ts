import type { Download, LinesOptions, MemberDetail, Query, RequestBody, RequestOptions, Result } from '@vigencia/client'
import { createContext, useContext } from 'react'
import type { Profile } from '../../tables/profile.ts'
import type { Judged } from './use-batch.ts'

export interface SendOptions {
  readonly 'dry-run'?: true
  readonly handling?: 'lenient'
  readonly idempotencyKey?: string
}

type Send<Body> = (body: Body, options: SendOptions) => Promise<Judged>

/** What the forms and the spreadsheets of movements call. It depends on who is signed in: the page that shows them gives it. */
export interface MovementClient {
  readonly include: Send<RequestBody<'includeMembers'>>
  readonly exclude: Send<RequestBody<'excludeMembers'>>
  readonly alter: Send<RequestBody<'alterMembers'>>
  readonly upload: (file: File) => Promise<{ readonly 'document-id': string }>
  readonly listRequirements: (query: object, options: RequestOptions) => Promise<Result<'listRequirements'>>
  readonly readMember: (id: string, options: RequestOptions) => Promise<MemberDetail>
  readonly readTable: (file: File, query: Query<'readTable'>, options: LinesOptions) => Promise<Result<'readTable'>>
  readonly readWorkbook: (file: File, query: Query<'readTable'>) => Promise<Download>
  readonly readTemplate: (query: Query<'readTableTemplate'>, options: RequestOptions) => Promise<Download>
  readonly readColumnProfile: (companyTaxId: string, options: RequestOptions) => Promise<Profile>
  readonly putColumnProfile: (companyTaxId: string, profile: Profile) => Promise<Profile>
}

const MovementClientContext = createContext<MovementClient | null>(null)

export const MovementClientProvider = MovementClientContext.Provider

export function useMovementClient(): MovementClient {
  const client = useContext(MovementClientContext)
  if (client === null) throw new Error('The page gives no client')
  return client
}
