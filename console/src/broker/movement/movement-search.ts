import { parseQueueSearch, type QueueSearch } from '../../entities/queue/queue-search.ts'

/** The filters of the queue that one came from, and the place of the movement in it. */
export interface MovementSearch extends QueueSearch {
  readonly index?: number
}

export function parseMovementSearch(search: Readonly<Record<string, unknown>>): MovementSearch {
  const index = Number(search['index'])
  const isPlace = search['index'] !== undefined && Number.isSafeInteger(index) && index >= 0
  return { ...parseQueueSearch(search), ...(isPlace ? { index } : {}) }
}
