/*
 * The domain events. `npm run docs` writes the table of docs/reference/events.md from here.
 */

/** What an event is about: it decides which `data` the event has. */
export type EventSubject = 'request' | 'enrollment' | 'benefit' | 'invoice' | 'endpoint'

interface EventDescription {
  /** When it happens. */
  readonly when: string
  readonly subject: EventSubject
}

export const EVENTS = {
  'request.completed': { when: 'every part of a movement request became an enrollment', subject: 'request' },
  'request.partial_failure': { when: 'some parts of a movement request became enrollments', subject: 'request' },
  'request.failed': { when: 'no part of a movement request became an enrollment', subject: 'request' },
  'enrollment.created': { when: 'a movement exists; `status` is `created` or `scheduled`', subject: 'enrollment' },
  'enrollment.updated': {
    when: 'it reached another open status, its day came, or an answer corrected it',
    subject: 'enrollment',
  },
  'enrollment.pending': { when: 'it waits for documents or a correction', subject: 'enrollment' },
  'enrollment.completed': { when: 'it was carried out', subject: 'enrollment' },
  'enrollment.rejected': { when: 'it was refused', subject: 'enrollment' },
  'enrollment.cancelled': { when: 'it was withdrawn', subject: 'enrollment' },
  'benefit.activated': { when: 'a benefit is in force', subject: 'benefit' },
  'benefit.deactivated': { when: 'a benefit is no longer in force', subject: 'benefit' },
  'invoice.issued': { when: 'an invoice was created', subject: 'invoice' },
  'invoice.overdue': {
    when: 'the due date of an unpaid part passed; again after it was postponed',
    subject: 'invoice',
  },
  'invoice.paid': { when: 'nothing is left to pay', subject: 'invoice' },
  'webhook.test': { when: 'you requested it; it has no company', subject: 'endpoint' },
} as const satisfies Readonly<Record<string, EventDescription>>

export type EventType = keyof typeof EVENTS
/** The types of the events about a subject. */
export type EventTypeOf<Subject extends EventSubject> = {
  [Type in EventType]: (typeof EVENTS)[Type]['subject'] extends Subject ? Type : never
}[EventType]

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]
