import { VIEW_FILTERS } from '../../../../src/movements/rules/view.ts'
import type { QueueSearch } from '../../entities/queue/queue-search.ts'

export type ViewFilters = Readonly<Record<string, string>>

/** A view that is created or replaced. */
export interface PutView {
  /** null: a new view. */
  readonly id: string | null
  readonly name: string
  readonly filters: ViewFilters
}

/** What a view stores of the filters: a search text and a person are left out. */
export function viewFiltersOf(search: QueueSearch): ViewFilters {
  return Object.fromEntries(
    VIEW_FILTERS.queue.flatMap((name) => (search[name] === undefined ? [] : [[name, String(search[name])]])),
  )
}

/** Whether both select the same. */
export function isSameView(one: ViewFilters, other: ViewFilters): boolean {
  return VIEW_FILTERS.queue.every((name) => one[name] === other[name])
}
