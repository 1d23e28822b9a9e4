import type { DetailCode } from '#kernel/enums.ts'
import type { FieldError } from '#kernel/fields.ts'
import type { Message } from '#kernel/messages.ts'

/* What entries of a batch of exclusions and of alterations tell of a field. */

/** An offense with the field of the entry that it concerns. */
export interface EntryOffenseDetail<Offense> {
  readonly code: Offense
  readonly field: string
  readonly 'product-name'?: string
  /** What a single call says of the field. */
  readonly reason?: DetailCode
  /** The index in the list of documents, from 0. */
  readonly 'document-index'?: number
  readonly message?: Message
  readonly allowed?: readonly string[]
  /** The field that was most likely meant. */
  readonly suggestion?: string
}

type FieldOffense = Omit<EntryOffenseDetail<never>, 'code'>

/** The error that a single call has in `details`. */
export function asInSingleCall({ field, code: reason, message, allowed }: FieldError): FieldOffense {
  if (message?.key === 'did-you-mean') return { field, reason, suggestion: message.name }
  return { field, reason, ...(message !== undefined && { message }), ...(allowed !== undefined && { allowed }) }
}
