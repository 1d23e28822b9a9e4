import type { ReactNode } from 'react'
import type { RosterSync } from './client.ts'

/** What leads from a list to other pages. */
export interface ListLinks {
  /** undefined: it is said elsewhere. */
  readonly company?: (taxId: string) => ReactNode
  readonly person: (memberId: string, name: string) => ReactNode
  readonly request: (requestId: string, number: number) => ReactNode
  /** Begins another list, of which the sender may answer for these doubts; null: who is signed in sends none. */
  readonly again: ((sync: RosterSync) => ReactNode) | null
}
