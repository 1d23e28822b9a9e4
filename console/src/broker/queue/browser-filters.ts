import { parseQueueSearch } from '../../entities/queue/queue-search.ts'
import { type ViewFilters, viewFiltersOf } from './view-filters.ts'

/** Where former versions of the console kept filters with a name, in the browser. */
const key = 'vigencia-queue-filters'

interface NamedFilters {
  readonly name: string
  readonly filters: ViewFilters
}

/** The filters that this browser still has. */
export function browserFilters(): readonly NamedFilters[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    if (!Array.isArray(value)) return []
    return value.flatMap((one: { readonly name?: unknown; readonly search?: Record<string, unknown> } | null) =>
      typeof one?.name === 'string'
        ? [{ name: one.name, filters: viewFiltersOf(parseQueueSearch(one.search ?? {})) }]
        : [],
    )
  } catch {
    return []
  }
}

export function forgetBrowserFilters(): void {
  localStorage.removeItem(key)
}
