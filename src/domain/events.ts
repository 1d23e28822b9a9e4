/*
 * The domain events. `npm run docs` writes the table of docs/webhooks.md from here.
 */

interface EventDescription {
  /** When it happens. */
  readonly when: string
  /** Its `data`, beside `company-id`. */
  readonly data: string
}

const requestData = '`request-id`, `status`, `reference` if sent'
const enrollmentData = '`request-id`, `enrollment-id`, `status`, `reference` if sent'
const benefitData = '`benefit-id`, `member-id`, `status`'
const invoiceData = '`invoice-id`, `status`: its `invoice-status`'

export const EVENTS = {
  'request.completed': { when: 'every part of a movement request became an enrollment', data: requestData },
  'request.partial_failure': { when: 'some parts of a movement request became enrollments', data: requestData },
  'request.failed': { when: 'no part of a movement request became an enrollment', data: requestData },
  'enrollment.created': { when: 'a movement exists; `status` is `created` or `scheduled`', data: enrollmentData },
  'enrollment.updated': { when: 'it reached another open status, or its day came', data: enrollmentData },
  'enrollment.pending': { when: 'it waits for documents or a correction', data: enrollmentData },
  'enrollment.completed': { when: 'it was carried out', data: enrollmentData },
  'enrollment.rejected': { when: 'it was refused', data: enrollmentData },
  'enrollment.cancelled': { when: 'it was withdrawn', data: enrollmentData },
  'benefit.activated': { when: 'a benefit is in force', data: benefitData },
  'benefit.deactivated': { when: 'a benefit is no longer in force', data: benefitData },
  'invoice.issued': { when: 'an invoice was created', data: invoiceData },
  'invoice.overdue': { when: 'the due date of an unpaid part passed; again after it was postponed', data: invoiceData },
  'invoice.paid': { when: 'nothing is left to pay', data: invoiceData },
  'webhook.test': { when: 'you requested it', data: '`endpoint-id` alone, no company' },
} as const satisfies Readonly<Record<string, EventDescription>>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]
