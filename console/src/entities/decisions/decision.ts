import type { Item, RequestBody } from '@vigencia/client'
import { completionFieldsOf, type CompletionField } from '../../../../src/coverage/rules/completion-fields.ts'
import { mayTransition } from '../../../../src/coverage/rules/enrollment-status.ts'

type QueueItem = Item<'listEnrollmentQueue'>
type SentMove = Extract<RequestBody<'moveEnrollments'>, { 'enrollment-ids': string[] }>

type Status = QueueItem['status']
/** A status that an operator may set. */
export type Target = SentMove['status']
export type PendingItem = NonNullable<SentMove['pending-items']>[number]

/** What a decision needs to know: an item of the queue, or a movement as it is read for review. */
export type DecidedMovement = Pick<
  QueueItem,
  | 'id'
  | 'enrollment-type'
  | 'alteration-kind'
  | 'status'
  | 'member-name'
  | 'member-tax-id'
  | 'member-type'
  | 'primary-member-tax-id'
  | 'company-tax-id'
  | 'company-name'
  | 'product-name'
  | 'destination-company-tax-id'
  | 'start-date'
  | 'end-date'
  | 'history'
> & { readonly asked?: Readonly<Record<string, unknown>> }

/** The fields of one movement that completes, under their names in the API. */
export type CompletionValues = Readonly<Partial<Record<'card-number' | 'start-date' | 'end-date', string>>> & {
  /** Dates far from today are meant. */
  readonly confirm?: true
}

/** The field names of what a person writes. */
export type CompletionInput = Exclude<keyof CompletionValues, 'confirm'>

export interface Decision {
  readonly target: Target
  readonly reason: string | null
  /** What the partner has to send or to correct, with the two pending statuses. */
  readonly pendingItems: readonly PendingItem[]
  /** By the id of the movement. */
  readonly completion: ReadonlyMap<string, CompletionValues>
}

const queue: readonly Status[] = ['scheduled', 'created', 'broker-processing', 'carrier-processing']

/**
 * The statuses from where a movement is to a target: one step forward in the queue at a time, everything else at once. Empty when the target
 * cannot be reached.
 */
export function stepsTo({ status, history }: Pick<DecidedMovement, 'status' | 'history'>, target: Target): Target[] {
  const reachedCarrier = history.some((step) => step.status === 'carrier-processing')
  if (mayTransition(status, target, reachedCarrier)) return [target]
  const [from, to] = [queue.indexOf(status), queue.indexOf(target)]
  return from === -1 || to <= from ? [] : (queue.slice(from + 1, to + 1) as Target[])
}

/** The fields that completing a movement takes. An alteration takes them when it changes the plan or the company, as `asked` says. */
export function completionFields(movement: DecidedMovement): readonly Exclude<CompletionField, 'pending-items'>[] {
  const data = movement.asked?.['alteration-data'] ?? {}
  const isTransfer = movement['destination-company-tax-id'] !== null || Object.hasOwn(data, 'new-product-id')
  const { 'enrollment-type': enrollmentType, 'alteration-kind': alterationKind } = movement
  const fields = completionFieldsOf({ enrollmentType, isTransfer, alterationKind })
  return fields.filter((field) => field !== 'pending-items')
}

/** What a person wrote, without empty fields. */
export function filled(values: Readonly<Partial<Record<CompletionInput, string | null>>>): CompletionValues {
  const entries = Object.entries(values).flatMap(([field, value]) => {
    const text = value?.trim() ?? ''
    return text === '' ? [] : [[field, text] as const]
  })
  return Object.fromEntries(entries)
}
