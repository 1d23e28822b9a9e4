import type { RequestBody, Result } from '@vigencia/client'
import { createContext, useContext } from 'react'
import { api } from '../../api/client.ts'
import type { Client } from '../../api/use-operation.ts'
import { companyApi } from '../company-hr/client.ts'

export type RosterSync = Result<'readRosterSync'>
export type RosterSyncBody = RequestBody<'createRosterSync'>
export type Confirmation = RequestBody<'confirmMovementDraft'>
type Discard = RequestBody<'discardMovementDraft'>

const ofCompany = {
  list: 'listRosterSyncs',
  read: 'readRosterSync',
  policy: 'readRosterPolicy',
  draft: 'readMovementDraft',
  items: 'listMovementDraftItems',
} as const

const ofOperator: Readonly<Record<keyof typeof ofCompany, string>> = {
  list: 'listAllRosterSyncs',
  read: 'readAnyRosterSync',
  policy: 'readAnyRosterPolicy',
  draft: 'readAnyMovementDraft',
  items: 'listAnyMovementDraftItems',
}

/** What the pages of lists call, of the API of who is signed in. */
export interface RosterClient {
  readonly isBroker: boolean
  readonly client: Client
  readonly operations: typeof ofCompany
  readonly filePath: (id: string) => string
  readonly cancel: (id: string) => Promise<unknown>
  readonly confirm: (draftId: string, body: Confirmation) => Promise<unknown>
  readonly discard: (draftId: string, body: Discard) => Promise<unknown>
}

/** A confirmation waits so long for its requests. */
const waiting = { headers: { prefer: 'wait=10' } }

export const companyRosters: RosterClient = {
  isBroker: false,
  client: companyApi,
  operations: ofCompany,
  filePath: (id) => `/v1/roster-sync/${id}/file`,
  cancel: (id) => companyApi.roster.cancel(id),
  confirm: (draftId, body) => companyApi.movementDrafts.confirm(draftId, body, waiting),
  discard: (draftId, body) => companyApi.movementDrafts.discard(draftId, body),
}

export const operatorRosters: RosterClient = {
  isBroker: true,
  client: api,
  // Their responses are those of the twins.
  operations: ofOperator as typeof ofCompany,
  filePath: (id) => `/operator/v1/roster-sync/${id}/file`,
  cancel: (id) => api.roster.cancel(id),
  confirm: (draftId, body) => api.movementDrafts.confirm(draftId, body, waiting),
  discard: (draftId, body) => api.movementDrafts.discard(draftId, body),
}

const RosterClientContext = createContext<RosterClient | null>(null)

export const RosterClientProvider = RosterClientContext.Provider

export function useRosterClient(): RosterClient {
  const client = useContext(RosterClientContext)
  if (client === null) throw new Error('The page gives no client')
  return client
}
