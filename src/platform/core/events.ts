import type {
  AlterationKind,
  BenefitStatus,
  EnrollmentStatus,
  FinishedRequestStatus,
  DueDeadline,
  InvoiceStatus,
} from '#kernel/enums.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { DraftClass, DraftClosedBecause } from '#kernel/movement-drafts.ts'
import type { EventSubject, EventTypeOf } from '#kernel/events.ts'
import type { CompanyClass, DiscrepancyStatus, ReconciliationKind } from '#kernel/reconciliation.ts'

/** The `data` of an event, by its subject, without the company: ids and statuses, never a CPF or a name. */
export interface EventData {
  readonly request: {
    readonly 'request-id': string
    readonly status: FinishedRequestStatus
    readonly 'alteration-kind'?: AlterationKind
    readonly reference?: string
  }
  readonly enrollment: {
    readonly 'request-id': string
    readonly 'enrollment-id': string
    readonly status: EnrollmentStatus
    readonly 'alteration-kind'?: AlterationKind
    readonly reference?: string
  } & Partial<MissedCutOff>
  readonly benefit: { readonly 'benefit-id': string; readonly 'member-id': string; readonly status: BenefitStatus }
  readonly invoice: { readonly 'invoice-id': string; readonly status: InvoiceStatus }
  readonly deadline: {
    readonly 'request-id': string
    readonly 'enrollment-id': string
    readonly kind: DueDeadline
    readonly until: LocalDate
    readonly reference?: string
  }
  readonly 'movement-draft': {
    readonly 'draft-id': string
    readonly status: 'open' | 'closed'
    readonly 'closed-because'?: DraftClosedBecause
    readonly counts?: { readonly class: DraftClass; readonly items: number }[]
  }
  readonly reconciliation: {
    readonly 'reconciliation-id': string
    readonly kind: ReconciliationKind
    readonly 'reference-month': string
    readonly counts: readonly DiscrepancyCount[]
  }
  readonly discrepancy: {
    readonly 'discrepancy-id': string
    readonly kind: ReconciliationKind
    readonly class: CompanyClass
    readonly 'request-id'?: string
  }
  readonly 'roster-sync': {
    readonly 'roster-sync-id': string
    readonly status: 'compared' | 'failed'
    /** How many items its draft has of each class. */
    readonly counts?: readonly DraftCount[]
  }
  readonly endpoint: { readonly 'endpoint-id': string }
}

/** How many discrepancies of a class a comparison has, by status. */
export type DiscrepancyCount = { readonly class: CompanyClass } & Readonly<Record<DiscrepancyStatus, number>>

/** How many items a draft has of a class. */
export interface DraftCount {
  readonly class: DraftClass
  readonly items: number
}

/** What an event of a movement that missed a cut-off of the carrier has besides: when it is expected to be covered now. */
export interface MissedCutOff {
  readonly warning: 'after-cut-off'
  readonly 'cut-off-date': LocalDate
  /** An exclusion has none. */
  readonly 'expected-start-date'?: LocalDate
}

type Events = {
  readonly [Subject in EventSubject]: { readonly type: EventTypeOf<Subject>; readonly data: EventData[Subject] }
}

/** A domain event. Made by the functions below only, one for each subject: none can leave out a field. */
export type DomainEvent = Events[EventSubject]
export type BenefitEvent = Events['benefit']

interface Named {
  /** Only for an act of an operator; null: none. */
  readonly alterationKind?: AlterationKind | null
  /** What a client calls it; null: it sent none. */
  readonly reference: string | null
}

const namesOf = ({ alterationKind = null, reference }: Named) => ({
  ...(alterationKind === null ? {} : { 'alteration-kind': alterationKind }),
  ...(reference === null ? {} : { reference }),
})

const requestEvents: Readonly<Record<FinishedRequestStatus, EventTypeOf<'request'>>> = {
  completed: 'request.completed',
  'partial-failure': 'request.partial_failure',
  failed: 'request.failed',
}

/** The event of a request that has ended. */
export function requestFinished(
  request: Named & { readonly id: string; readonly status: FinishedRequestStatus },
): DomainEvent {
  const { id, status } = request
  return { type: requestEvents[status], data: { 'request-id': id, status, ...namesOf(request) } }
}

/** What an event of an enrollment has. */
export interface EventEnrollment extends Named {
  readonly id: string
  readonly requestId: string
  readonly status: EnrollmentStatus
}

/** An event of an enrollment: it was created, has another status, was corrected, or missed a cut-off. */
export function enrollmentEvent(
  type: EventTypeOf<'enrollment'>,
  enrollment: EventEnrollment,
  missed?: MissedCutOff,
): DomainEvent {
  const { id, requestId, status } = enrollment
  return { type, data: { 'request-id': requestId, 'enrollment-id': id, status, ...namesOf(enrollment), ...missed } }
}

interface EventBenefit {
  readonly id: string
  readonly memberId: string
}

/** The event of a benefit that is active now. */
export function activated({ id, memberId }: EventBenefit): BenefitEvent {
  return { type: 'benefit.activated', data: { 'benefit-id': id, 'member-id': memberId, status: 'active' } }
}

/** The event of a benefit that is no longer active. */
export function deactivated({ id, memberId }: EventBenefit): BenefitEvent {
  return { type: 'benefit.deactivated', data: { 'benefit-id': id, 'member-id': memberId, status: 'inactive' } }
}

/** The event of a benefit that an operator corrected. */
export function corrected({ id, memberId, status }: EventBenefit & { readonly status: BenefitStatus }): DomainEvent {
  return { type: 'benefit.updated', data: { 'benefit-id': id, 'member-id': memberId, status } }
}

/** The event of a benefit that will end. */
export function ending({ id, memberId }: EventBenefit): DomainEvent {
  return { type: 'benefit.ending', data: { 'benefit-id': id, 'member-id': memberId, status: 'active' } }
}

/** The event of an open deadline of a movement that is near. */
export function deadlineApproaching(deadline: {
  readonly id: string
  readonly requestId: string
  readonly kind: DueDeadline
  readonly until: LocalDate
  readonly reference: string | null
}): DomainEvent {
  const { id, requestId, kind, until, reference } = deadline
  const named = namesOf({ reference })
  return { type: 'deadline.approaching', data: { 'request-id': requestId, 'enrollment-id': id, kind, until, ...named } }
}

/** The event of a movement draft that is open, or closed. @param draft `closedBecause` null: it is open; `counts` of a list. */
export function draftEvent({
  id,
  closedBecause,
  counts,
}: {
  readonly id: string
  readonly closedBecause: DraftClosedBecause | null
  readonly counts?: { readonly class: DraftClass; readonly items: number }[]
}): DomainEvent {
  if (closedBecause === null) {
    return { type: 'movement-draft.opened', data: { 'draft-id': id, status: 'open', ...(counts && { counts }) } }
  }
  const data = { 'draft-id': id, status: 'closed', 'closed-because': closedBecause } as const
  return { type: 'movement-draft.closed', data }
}

/** The event of a comparison with a carrier's file that was computed. */
export function reconciliationOpened(reconciliation: {
  readonly id: string
  readonly kind: ReconciliationKind
  readonly referenceMonth: string
  readonly counts: readonly DiscrepancyCount[]
}): DomainEvent {
  const { id, kind, referenceMonth, counts } = reconciliation
  const data = { 'reconciliation-id': id, kind, 'reference-month': referenceMonth, counts }
  return { type: 'reconciliation.opened', data }
}

/** The event of a discrepancy that was corrected here. @param discrepancy `requestId` null: by no movement. */
export function discrepancyCorrected(discrepancy: {
  readonly id: string
  readonly kind: ReconciliationKind
  readonly class: CompanyClass
  readonly requestId: string | null
}): DomainEvent {
  const { id, kind, class: name, requestId } = discrepancy
  const corrected = { 'discrepancy-id': id, kind, class: name }
  return {
    type: 'discrepancy.corrected',
    data: requestId === null ? corrected : { ...corrected, 'request-id': requestId },
  }
}

/** The event of a roster sync that was compared, or failed. @param sync `counts` null: it failed. */
export function rosterSyncEvent({
  id,
  counts,
}: {
  readonly id: string
  readonly counts: readonly DraftCount[] | null
}): DomainEvent {
  if (counts === null) return { type: 'roster-sync.failed', data: { 'roster-sync-id': id, status: 'failed' } }
  return { type: 'roster-sync.compared', data: { 'roster-sync-id': id, status: 'compared', counts } }
}

/** An event of an invoice. */
export function invoiceEvent(type: EventTypeOf<'invoice'>, invoiceId: string, status: InvoiceStatus): DomainEvent {
  return { type, data: { 'invoice-id': invoiceId, status } }
}
