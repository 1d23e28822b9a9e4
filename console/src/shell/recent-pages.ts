import { useMatches } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import type { Session } from '../session/session.ts'
import { type Area, areaOf } from './areas.ts'

/** A page that was left. */
export interface RecentPage {
  readonly path: string
  readonly search: object
  readonly title: string
  readonly area: Area['name']
  /** Who opened it. */
  readonly operator: string
}

const maxPages = 5

// In memory only: titles have the names of people.
let pages: readonly RecentPage[] = []
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The pages that were opened last, the latest first, without the one that is open. */
export function useRecentPages(session: Session): readonly RecentPage[] {
  const all = useSyncExternalStore(subscribe, () => pages)
  const here = useMatches({ select: (matches) => matches.at(-1)?.pathname })
  return all.filter(({ path, operator }) => operator === session['client-id'] && path !== here).slice(0, maxPages)
}

/** Keeps each page that is left. */
export function useRecordedPages(operator: string | undefined): void {
  const match = useMatches({ select: (matches) => matches.at(-1) })
  const path = match?.pathname
  const area = areaOf(match?.fullPath ?? '')?.name
  const search = match?.search ?? {}
  useEffect(() => {
    if (path === undefined || area === undefined || operator === undefined) return undefined
    return () => {
      const title = document.title.replace(/ · Vigencia$/, '')
      const others = pages.filter((one) => one.path !== path)
      pages = [{ path, search, title, area, operator }, ...others].slice(0, maxPages + 1)
      for (const listener of listeners) listener()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the filters are those with which the page was opened
  }, [path, area, operator])
}
