/*
 * The domain events.
 */

/** What an event is about: it decides which `data` the event has. */
export type EventSubject =
  | 'request'
  | 'enrollment'
  | 'benefit'
  | 'invoice'
  | 'deadline'
  | 'movement-draft'
  | 'reconciliation'
  | 'discrepancy'
  | 'roster-sync'
  | 'endpoint'

/** What each is about. When it happens is said in texts/. */
export const EVENTS = {
  'request.completed': 'request',
  'request.partial_failure': 'request',
  'request.failed': 'request',
  'enrollment.created': 'enrollment',
  'enrollment.updated': 'enrollment',
  'enrollment.pending': 'enrollment',
  'enrollment.completed': 'enrollment',
  'enrollment.rejected': 'enrollment',
  'enrollment.cancelled': 'enrollment',
  'benefit.activated': 'benefit',
  'benefit.updated': 'benefit',
  'benefit.deactivated': 'benefit',
  'benefit.ending': 'benefit',
  'deadline.approaching': 'deadline',
  'movement-draft.opened': 'movement-draft',
  'movement-draft.closed': 'movement-draft',
  'reconciliation.opened': 'reconciliation',
  'discrepancy.corrected': 'discrepancy',
  'roster-sync.compared': 'roster-sync',
  'roster-sync.failed': 'roster-sync',
  'invoice.issued': 'invoice',
  'invoice.overdue': 'invoice',
  'invoice.paid': 'invoice',
  'webhook.test': 'endpoint',
} as const satisfies Readonly<Record<string, EventSubject>>

export type EventType = keyof typeof EVENTS
/** The types of the events about a subject. */
export type EventTypeOf<Subject extends EventSubject> = {
  [Type in EventType]: (typeof EVENTS)[Type] extends Subject ? Type : never
}[EventType]

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]
