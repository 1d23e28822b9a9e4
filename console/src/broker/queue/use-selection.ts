import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { PagedList } from '../../api/use-paged-list.ts'
import type { QueueItem } from './queue-columns.tsx'
import type { listQueryOf } from '../../entities/queue/queue-search.ts'
import { maxSelection } from './selection-bar.tsx'

type Selected = ReadonlyMap<string, QueueItem>

const none: Selected = new Map()

/** The selected movements. They belong to the filters: with others nothing is selected. */
export function useSelection(list: PagedList<QueueItem>, query: ReturnType<typeof listQueryOf>) {
  const key = JSON.stringify(query)
  const [stored, setStored] = useState({ key, selected: none })
  const selected = stored.key === key ? stored.selected : none
  const set = (next: Selected) => setStored({ key, selected: next })
  const selectAll = useMutation({
    mutationFn: async () => {
      const found = new Map<string, QueueItem>()
      for await (const item of api.enrollments.list({ ...query, 'items-per-page': 500 })) {
        found.set(item.id, item)
        if (found.size === maxSelection) break
      }
      return found
    },
    onSuccess: set,
  })
  return {
    selected,
    ids: new Set(selected.keys()),
    /** Selects just these, of those that are selected or loaded. */
    select: (ids: ReadonlySet<string>) => {
      const next = new Map([...selected].filter(([id]) => ids.has(id)))
      for (let index = 0; next.size < ids.size && index < (list.total ?? 0); index++) {
        const item = list.at(index)
        if (item !== undefined && ids.has(item.id)) next.set(item.id, item)
      }
      set(next)
    },
    toggle: (item: QueueItem) => {
      const next = new Map(selected)
      if (!next.delete(item.id)) next.set(item.id, item)
      set(next)
    },
    remove: (ids: Iterable<string>) => {
      const next = new Map(selected)
      for (const id of ids) next.delete(id)
      set(next)
    },
    clear: () => set(none),
    selectAll,
  }
}
