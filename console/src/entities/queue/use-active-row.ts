import type { Item } from '@vigencia/client'
import { useState } from 'react'
import type { PagedList } from '../../api/use-paged-list.ts'

type QueueItem = Item<'listEnrollmentQueue'>

/** How far a row may have moved when the list is read again. */
const reach = 50

interface MarkedRow {
  /** The key of the list. */
  readonly key: string
  readonly index: number
  readonly id: string | undefined
}

let marked: MarkedRow | null = null

/** The row of the queue that is marked when one comes back to it. */
export function markRow(row: MarkedRow | null): void {
  marked = row
}

/**
 * The row that the keyboard is on: by its id as long as it is near, else by its place. A row that leaves the list, because it was decided on,
 * leaves its place to the next.
 */
export function useActiveRow(list: PagedList<QueueItem>) {
  const [active, setState] = useState(marked)
  const setActive = (next: MarkedRow | null) => {
    setState(next)
    markRow(next)
  }
  const { key } = list
  // Other filters: no row.
  const index = active?.key === key ? placeOf(list, active) : null
  const move = (to: number) => {
    const last = (list.total ?? 0) - 1
    if (last < 0) return
    const next = Math.min(Math.max(to, 0), last)
    setActive({ key, index: next, id: list.at(next)?.id })
  }
  return {
    index,
    item: index === null ? undefined : list.at(index),
    move,
    next: () => move(index === null ? 0 : index + 1),
    previous: () => move(index === null ? 0 : index - 1),
    /** After a decision on the active row: the next one, which takes its place when it leaves the list. */
    advance: () => {
      if (index !== null) setActive({ key, index, id: list.at(index + 1)?.id })
    },
    leave: () => setActive(null),
  }
}

function placeOf(
  list: PagedList<QueueItem>,
  { index, id }: { readonly index: number; readonly id: string | undefined },
) {
  const last = (list.total ?? 0) - 1
  if (id !== undefined) {
    for (let distance = 0; distance <= reach; distance++) {
      for (const place of [index + distance, index - distance]) {
        if (place >= 0 && place <= last && list.at(place)?.id === id) return place
      }
    }
  }
  return last < 0 ? null : Math.min(index, last)
}
