import type { ResponseBody } from '@vigencia/client'
import { api } from '../../api/client.ts'

/** A client of a partner or an operator: what both have. */
export interface Account {
  readonly 'client-id': string
  readonly name: string
  /** The valid ones, the oldest first. */
  readonly secrets: readonly { readonly 'created-at': string }[]
}

/** The operations on the secrets of one kind of accounts. */
export interface AccountOperations {
  /** The operation of the query to read again. */
  readonly list: 'listClients' | 'listOperators'
  rotate(id: string): Promise<NewSecret>
  endFormer(id: string): Promise<void>
}

export type NewSecret = ResponseBody<'createClient'>

export const clientAccounts: AccountOperations = {
  list: 'listClients',
  rotate: (id) => api.clients.rotateSecret(id),
  endFormer: (id) => api.clients.endFormerSecret(id),
}

export const operatorAccounts: AccountOperations = {
  list: 'listOperators',
  rotate: (id) => api.operators.rotateSecret(id),
  endFormer: (id) => api.operators.endFormerSecret(id),
}
