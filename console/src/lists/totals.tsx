import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { OperationId, ResponseBody } from '@vigencia/client'
import { operationQuery } from '../api/use-operation.ts'
import { useFilters } from './filters.tsx'

/** The totals of a list, of all items that the parameters of the address select; undefined while they load. */
export function useTotals<Id extends OperationId>(operation: Id): ResponseBody<Id> | undefined {
  const { search } = useFilters()
  return useQuery({
    ...operationQuery(operation, { query: { ...search, 'items-per-page': 1 } }),
    placeholderData: keepPreviousData,
  }).data
}
