import { type Static, Type } from 'typebox'
import { invalidParameter } from '#platform/core/errors.ts'
import { parseSearch } from '#kernel/search.ts'
import type { DiscrepancyFilter } from './discrepancy-queries.ts'
import { discrepancyFilters } from './schema.ts'

const Filters = Type.Object(discrepancyFilters)

/** @throws ApiError 400 for a search that is too short. */
export function filterOf(filters: Partial<Static<typeof Filters>>): DiscrepancyFilter {
  const search = filters.q === undefined ? null : parseSearch(filters.q)
  if (filters.q !== undefined && search === null) throw invalidParameter([{ field: 'q', code: 'invalid' }])
  return {
    class: filters.class ?? null,
    status: filters.status ?? null,
    explanation: filters.explanation ?? null,
    assignee: filters.assignee ?? null,
    search: search?.text ?? null,
  }
}
