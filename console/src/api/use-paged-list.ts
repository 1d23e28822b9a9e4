import { type Query, useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { Item, OperationId, ResponseBody } from '@vigencia/client'
import { useCallback, useDeferredValue, useState } from 'react'
import { type Client, operationQuery, type Parameters } from './use-operation.ts'

const pageSize = 100
/** Rows that are loaded before they come into view. */
const margin = 50

/** A list of the service, of which the pages in view are loaded. */
export interface PagedList<T> {
  /** Changes with the parameters. */
  readonly key: string
  /** null until the first page is loaded. While other parameters load: the former total. */
  readonly total: number | null
  /** The rows of the pages in view; the same array until they change. */
  readonly loaded: readonly T[]
  /** undefined while its page is loading. */
  at(index: number): T | undefined
  /** The rows in view: their pages are loaded. */
  readonly show: (first: number, last: number) => void
  readonly error: Error | null
  /** Whether what is shown belongs to former parameters, while the new ones load. */
  readonly isStale: boolean
  reload(): void
}

const firstPage = { first: 0, last: 0 }

/** What the pages of a list have in common. */
const keyOf = ({ path, query = {} }: Parameters) =>
  JSON.stringify([path, { ...query, page: undefined, 'items-per-page': undefined }])

interface Body<T> {
  readonly result: readonly T[]
  readonly pagination: { readonly 'total-items': number; readonly 'current-page': number }
}

/** The pages in view of a paginated GET operation. */
export function usePagedList<Id extends OperationId>(
  id: Id,
  query: object = {},
  {
    path,
    refetchInterval,
    enabled = true,
    client,
  }: Pick<Parameters, 'path'> & {
    readonly refetchInterval?: number
    readonly enabled?: boolean
    readonly client?: Client
  } = {},
): PagedList<Item<Id>> {
  const key = keyOf({ ...(path === undefined ? {} : { path }), query })
  const [view, setView] = useState({ key, ...firstPage })
  // Other parameters: the list starts at its first page.
  if (view.key !== key) setView({ key, ...firstPage })
  const asked = view.key === key ? view : firstPage
  const [known, setKnown] = useState<number | null>(null)
  // The list may have become shorter.
  const last = Math.min(asked.last, Math.max(0, Math.ceil((known ?? 0) / pageSize) - 1))
  const first = Math.min(asked.first, last)
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const combined = useQueries({
    queries: pages.map((page) => ({
      ...operationQuery(
        id,
        {
          ...(path === undefined ? {} : { path }),
          query: { ...query, page: page + 1, 'items-per-page': pageSize },
        },
        client,
      ),
      // Another page's rows are not shown in the place of this one's, when the parameters are others.
      placeholderData: (previous: ResponseBody<Id> | undefined, former: Query | undefined) =>
        former !== undefined && keyOf(former.queryKey[1] as Parameters) !== key ? previous : undefined,
      enabled,
      ...(refetchInterval === undefined ? {} : { refetchInterval }),
    })),
    combine: pagesOf<Item<Id>>,
  })
  // Stable: only a change of the rows in view asks for other pages.
  const show = useCallback((from: number, to: number) => {
    const next = {
      first: Math.floor(Math.max(0, from - margin) / pageSize),
      last: Math.floor((to + margin) / pageSize),
    }
    setView((now) => (now.first === next.first && now.last === next.last ? now : { ...now, ...next }))
  }, [])
  const { bodies, error, isStale } = combined
  // Rows that have arrived are rendered between frames of scrolling.
  const shown = useDeferredValue(combined)
  const reload = () => combined.refetches.forEach((refetch) => void refetch())
  const count = bodies.find((body) => body !== undefined)?.pagination['total-items'] ?? null
  if (count !== null && count !== known) setKnown(count)
  return {
    key,
    total: count ?? known,
    loaded: shown.loaded,
    at: (index) =>
      shown.bodies.find((body) => body?.pagination['current-page'] === Math.floor(index / pageSize) + 1)?.result[
        index % pageSize
      ],
    show,
    error,
    isStale,
    reload,
  }
}

/** Outside of the hook: TanStack Query combines again when a result has changed, not with each render. */
function pagesOf<T>(queries: readonly UseQueryResult[]) {
  const bodies = queries.map(({ data }) => data as Body<T> | undefined)
  return {
    bodies,
    loaded: bodies.flatMap((body) => body?.result ?? []),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    isStale: queries.some(({ isPlaceholderData }) => isPlaceholderData),
    refetches: queries.map(({ refetch }) => refetch),
  }
}
