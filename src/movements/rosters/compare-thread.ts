import { serveSession } from '#platform/core/threads.ts'
import type { RosterFamily, RosterItem, RosterTally, RosterTerms } from '../rules/roster.ts'
import { deriveFamily } from '../rules/roster-family.ts'
import { addTally, emptyTally } from '../rules/roster-doubts.ts'

export interface CompareTask {
  readonly terms: RosterTerms
  /** JSON of `RosterFamily[]`. */
  readonly families: string
}

export interface Compared {
  readonly items: readonly DerivedItem[]
  readonly tally: RosterTally
}

/** An item with its family. */
export type DerivedItem = RosterItem & { readonly family: string }

/** Compares families: the main thread serves others meanwhile. */
export default serveSession<CompareTask, Compared>(() => async ({ terms, families }) => {
  const items: DerivedItem[] = []
  let tally = emptyTally
  for (const family of JSON.parse(families) as readonly RosterFamily[]) {
    const derived = deriveFamily(family, terms)
    for (const item of derived.items) items.push({ ...item, family: family.family })
    tally = addTally(tally, derived.tally)
  }
  return { response: { items, tally } }
})
