import { keepPreviousData, useQueries } from '@tanstack/react-query'
import type { Item, OperationId } from '@vigencia/client'
import { useCallback, useState } from 'react'
import { operationQuery, type Parameters } from './use-operation.ts'

export const pageSize = 100

/** A list of the service, of which the pages in view are loaded. */
export interface PagedList<T> {
  /** null until the first page is loaded. */
  readonly total: number | null
  /** undefined while its page is loading. */
  at(index: number): T | undefined
  /** The rows in view: their pages are loaded. */
  readonly show: (first: number, last: number) => void
  readonly error: Error | null
  /** Whether what is shown belongs to former parameters, while the new ones load. */
  readonly isStale: boolean
  reload(): void
}

interface Body<T> {
  readonly result: readonly T[]
  readonly pagination: { readonly 'total-items': number }
}

/** The pages in view of a paginated GET operation. */
export function usePagedList<Id extends OperationId>(
  id: Id,
  query: object = {},
  {
    path,
    refetchInterval,
    enabled = true,
  }: Pick<Parameters, 'path'> & { readonly refetchInterval?: number; readonly enabled?: boolean } = {},
): PagedList<Item<Id>> {
  const key = JSON.stringify([path, query])
  const [view, setView] = useState({ key, first: 0, last: 0 })
  const { first, last } = view.key === key ? view : { first: 0, last: 0 }
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const queries = useQueries({
    queries: pages.map((page) => ({
      ...operationQuery(id, {
        ...(path === undefined ? {} : { path }),
        query: { ...query, page: page + 1, 'items-per-page': pageSize },
      }),
      placeholderData: keepPreviousData,
      enabled,
      ...(refetchInterval === undefined ? {} : { refetchInterval }),
    })),
  })
  const show = useCallback(
    (from: number, to: number) => {
      const next = { key, first: Math.floor(from / pageSize), last: Math.floor(to / pageSize) }
      setView((now) => (now.key === key && now.first === next.first && now.last === next.last ? now : next))
    },
    [key],
  )
  const bodies = queries.map(({ data }) => data as Body<Item<Id>> | undefined)
  const total = bodies.find((body) => body !== undefined)?.pagination['total-items'] ?? null
  return {
    total,
    at: (index) => bodies[Math.floor(index / pageSize) - first]?.result[index % pageSize],
    show,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    isStale: queries.some(({ isPlaceholderData }) => isPlaceholderData),
    reload: () => queries.forEach((one) => void one.refetch()),
  }
}
