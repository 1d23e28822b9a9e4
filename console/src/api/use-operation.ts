import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { OperationId, ResponseBody } from '@vigencia/client'
import { api } from './client.ts'

export interface Parameters {
  readonly path?: readonly string[]
  readonly query?: object
}

/** A client of the operator API, or of the partner API. */
export type Client = Pick<typeof api, 'operations'>

/** The options of a query of one GET operation, by its operationId. The key is `[id, parameters]`: `invalidateQueries({ queryKey: [id] })`. */
export function operationQuery<Id extends OperationId>(id: Id, parameters: Parameters = {}, client: Client = api) {
  return queryOptions({
    queryKey: [id, parameters] as const,
    queryFn: ({ signal }) => client.operations.request(id, { ...parameters, options: { signal } }),
    // The service audits each read that discloses: none repeats itself.
    ...(parameters.query !== undefined && 'disclose' in parameters.query ? { staleTime: Infinity } : {}),
  })
}

export interface QueryOptions {
  readonly refetchInterval?: number | false
  readonly enabled?: boolean
  readonly staleTime?: number
}

/** What a GET operation sends, kept fresh. */
export function useOperation<Id extends OperationId>(
  id: Id,
  parameters: Parameters = {},
  options: QueryOptions = {},
): UseQueryResult<ResponseBody<Id>> {
  return useQuery({ ...operationQuery(id, parameters), ...options })
}
