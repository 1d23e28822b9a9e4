/* What of a person may be erased, what stays, and why: pure. */
import { addDays, type LocalDate } from '#kernel/calendar.ts'

/** Why something stays: LGPD arts. 7 V and VI, 15 and 16 I. `other-people`: it shows them too. `not-in-plan`: it arrived after the approval. */
export const ERASURE_GROUNDS = [
  'legal-hold',
  'open-movement',
  'active-benefit',
  'retention',
  'other-people',
  'not-in-plan',
] as const
type ErasureGround = (typeof ERASURE_GROUNDS)[number]

export const ERASURE_ACTIONS = ['erase', 'keep'] as const

/** What decides about the data of a person in a company. */
interface ErasureFacts {
  readonly isHeld: boolean
  readonly isOpen: boolean
  readonly isActive: boolean
  /** The last day of the family's benefits; null: there was none. */
  readonly endedOn: LocalDate | null
}

/** `ground` null: it may be erased. `until` null: it is not known until when it stays. */
interface ErasureVerdict {
  readonly ground: ErasureGround | null
  readonly until: LocalDate | null
}

/** @param days that benefits are kept after the end of the last one of a family; null: without an end. */
export function judgeErasure(
  { isHeld, isOpen, isActive, endedOn }: ErasureFacts,
  days: number | null,
  today: LocalDate,
): ErasureVerdict {
  if (isHeld) return { ground: 'legal-hold', until: null }
  if (isOpen) return { ground: 'open-movement', until: null }
  if (isActive) return { ground: 'active-benefit', until: null }
  if (endedOn === null) return { ground: null, until: null }
  const until = days === null ? null : addDays(endedOn, days)
  return until === null || until >= today ? { ground: 'retention', until } : { ground: null, until: null }
}

/** `evidence`: documents that show how a request came to the broker. `file`: of a carrier, a shipment or an invoice, with the data of several people. `mention`: free text of others. */
export const ERASURE_CLASSES = ['benefit', 'refused-document', 'evidence', 'import', 'file', 'mention'] as const
type ErasureClass = (typeof ERASURE_CLASSES)[number]

/** A place in free text of others that names the person, in wire keys: `text` is what stands around it, as it will be. */
export interface ErasureMention {
  readonly record: string
  readonly 'record-id': string
  readonly field: string
  readonly text: string
}

/** The same in a plan. */
export interface PlannedMention extends Omit<ErasureMention, 'text'> {
  readonly 'company-tax-id': string | null
  readonly 'company-name': string | null
  readonly action: (typeof ERASURE_ACTIONS)[number]
  readonly ground: ErasureGround | null
  /** null once it is done. */
  readonly text: string | null
}

/** How often an erasure that fails is tried, and how long after each attempt the next one is. */
export const ERASURE_DELAYS_SECONDS = [30, 120, 600, 3_600] as const

/** A line of a plan, in wire keys. */
export interface ErasureItem {
  readonly class: ErasureClass
  readonly 'company-tax-id': string | null
  readonly 'company-name': string | null
  readonly action: (typeof ERASURE_ACTIONS)[number]
  /** Benefits and movements, documents, lines of imports, files, or places in texts. */
  readonly rows: number
  readonly ground: ErasureGround | null
  readonly until: LocalDate | null
}
