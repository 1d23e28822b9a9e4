import { type OperationId, type ResponseBody, Vigencia } from '@vigencia/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { clientOptions } from '../../api/client.ts'
import { operationQuery, type Parameters, type QueryOptions } from '../../api/use-operation.ts'

/** The partner API, for the people of companies. */
export const companyApi = new Vigencia(clientOptions)

/** `operationQuery` of the partner API. */
export const companyQuery = <Id extends OperationId>(id: Id, parameters: Parameters = {}) =>
  operationQuery(id, parameters, companyApi)

/** `useOperation` of the partner API. */
export function useCompanyOperation<Id extends OperationId>(
  id: Id,
  parameters: Parameters = {},
  options: QueryOptions = {},
): UseQueryResult<ResponseBody<Id>> {
  return useQuery({ ...companyQuery(id, parameters), ...options })
}
