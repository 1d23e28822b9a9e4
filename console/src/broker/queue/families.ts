import { createContext } from 'react'
import type { QueueItem } from './queue-columns.tsx'

/** The ids of the dependents whose primary stands above them in the list. A context: else each new page would render every row. */
export const BelowPrimary = createContext<ReadonlySet<string>>(new Set())

/** @param items rows of the list, in its order. */
export function belowPrimary(items: readonly QueueItem[]): ReadonlySet<string> {
  const ids = new Set<string>()
  let family: string | null = null
  for (const item of items) {
    if (item['member-type'] === 'primary') family = familyOf(item, item['member-tax-id'])
    else if (family === familyOf(item, item['primary-member-tax-id'])) ids.add(item.id)
    else family = null
  }
  return ids
}

const familyOf = (item: QueueItem, primaryTaxId: string | null) => `${item['company-tax-id']} ${primaryTaxId}`
