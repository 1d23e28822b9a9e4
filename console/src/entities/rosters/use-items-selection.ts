import { useState } from 'react'
import { isWaiting, type DraftItem } from '../movement-drafts/draft.ts'
import { isInBulk } from './classes.ts'

export type Selected = ReadonlyMap<number, DraftItem>

const none: Selected = new Map()

/** The selected items of a tab. @param key with another one nothing is selected. */
export function useItemsSelection(key: string, items: readonly DraftItem[]) {
  const [stored, setStored] = useState({ key, selected: none, last: null as number | null })
  const { selected, last } = stored.key === key ? stored : { selected: none, last: null }
  const set = (next: Selected, from: number | null = null) => setStored({ key, selected: next, last: from })
  const page = items.filter((item) => isWaiting(item) && isInBulk(item))
  const isPageSelected = page.length > 0 && page.every(({ number }) => selected.has(number))
  return {
    selected,
    isPageSelected,
    hasPage: page.length > 0,
    /** Selects one, or no longer. @param isRange also those between it and the last one, but for those that are selected one by one. */
    toggle: (item: DraftItem, isRange = false) => {
      if (!isWaiting(item)) return
      const next = new Map(selected)
      const from = items.findIndex(({ number }) => number === last)
      if (isRange && from !== -1) {
        const to = items.indexOf(item)
        for (const one of items.slice(Math.min(from, to), Math.max(from, to) + 1)) {
          if (page.includes(one) || one === item) next.set(one.number, one)
        }
      } else if (!next.delete(item.number)) next.set(item.number, item)
      set(next, item.number)
    },
    togglePage: () => {
      const next = new Map(selected)
      for (const item of page) {
        if (isPageSelected) next.delete(item.number)
        else next.set(item.number, item)
      }
      set(next)
    },
    clear: () => set(none),
  }
}

export type ItemsSelection = ReturnType<typeof useItemsSelection>
