import type { PagedList } from './use-paged-list.ts'

/** Items that are there as a list of any length, for tables. */
export function listOf<T>(items: readonly T[]): PagedList<T> {
  return {
    key: '',
    total: items.length,
    loaded: items,
    at: (index) => items[index],
    show: () => {},
    error: null,
    isStale: false,
    reload: () => {},
  }
}
