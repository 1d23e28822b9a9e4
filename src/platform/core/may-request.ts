import type { May } from './access.ts'
import type { ClientActor } from './actor.ts'
import { ApiError, notEntitled } from './errors.ts'

/** The roles of operators that request movements, beside `admin`. */
export const requesters = ['analyst'] as const

/** Who may request a movement: a partner for its companies, and operators of these roles for all. */
export const mayRequest = ({ kind }: Pick<ClientActor, 'kind'>): May => (kind === 'partner' ? kind : requesters)

/** The error of a company that is unknown, or not one of the caller's: a partner does not learn which. */
export const noSuchCompany = ({ kind }: Pick<ClientActor, 'kind'>): ApiError =>
  kind === 'partner' ? notEntitled('company') : new ApiError('company-not-found')
