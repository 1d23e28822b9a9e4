import { useEffect } from 'react'
import { usePagedList } from '../../api/use-paged-list.ts'
import { useSession } from '../../session/session.ts'
import { markRow } from '../../entities/queue/use-active-row.ts'
import { listQueryOf } from '../../entities/queue/queue-search.ts'
import type { MovementSearch } from './movement-search.ts'

export interface Neighbour {
  readonly id: string
  /** Its place in the list. */
  readonly index: number
}

export interface Neighbours {
  readonly previous: Neighbour | null
  readonly next: Neighbour | null
}

/** How far a movement may have moved in the list since it was opened, by decisions of this and other operators. */
const reach = 50

/** Those before and after a movement in the queue that one came from. None when one came from elsewhere. */
export function useNeighbours(enrollmentId: string, search: MovementSearch): Neighbours {
  const { index, ...filters } = search
  const session = useSession()
  const query = listQueryOf(filters, session?.['client-id'] ?? '')
  const list = usePagedList('listEnrollmentQueue', query, { enabled: index !== undefined })
  const { show, key } = list
  const near = index ?? 0
  useEffect(() => show(Math.max(0, near - 1), near + 1), [show, near])
  // Back in the queue it is the marked row.
  useEffect(() => {
    if (index !== undefined) markRow({ key, index, id: enrollmentId })
  }, [key, index, enrollmentId])
  const neighbour = (place: number): Neighbour | null => {
    const id = place < 0 ? undefined : list.at(place)?.id
    return id === undefined ? null : { id, index: place }
  }
  if (index === undefined) return { previous: null, next: null }
  for (let distance = 0; distance <= reach; distance += 1) {
    for (const place of [near - distance, near + distance]) {
      if (place >= 0 && list.at(place)?.id === enrollmentId) {
        return { previous: neighbour(place - 1), next: neighbour(place + 1) }
      }
    }
  }
  // It left the list: what followed it is in its place.
  return { previous: neighbour(near - 1), next: neighbour(near) }
}
