import type { RequestMedium } from '#kernel/broker-enums.ts'
import { INTAKE_MEDIA } from '#kernel/broker-enums.ts'
import { addDays, businessDate, type LocalDate } from '#kernel/calendar.ts'
import { choice, email, name, phone, uuid } from '#kernel/field-types.ts'
import { type FieldError, fieldType, invalidValue, isAbsent, isObject, optional, required } from '#kernel/fields.ts'
import { unknownField } from '#kernel/nearest.ts'
import { holdsCpf } from '#kernel/reference.ts'
import { parseTimestamp } from '#kernel/timestamp.ts'

/** How a request of an operator came. */
export interface Intake {
  readonly medium: RequestMedium
  /** RFC 3339. */
  readonly receivedAt: string
  /** Who asked; null: the medium says it. */
  readonly requesterName: string | null
  /** An e-mail address or a phone number. */
  readonly requesterContact: string | null
  /** The documents that show it, by their ids. They belong to the request, not to its movements. */
  readonly documents: readonly string[]
}

/** When a request is typed. */
export interface TypedAt {
  readonly now: Date
  /** The business day. */
  readonly today: LocalDate
}

export const MAX_EVIDENCE = 20
/** A request is typed within so many days. */
const MAX_AGE_DAYS = 366

const timestamp = fieldType({ type: 'string', format: 'date-time' }, { key: 'rule-timestamp' }, (value) =>
  typeof value === 'string' ? parseTimestamp(value) : null,
)
const hasCpf = (value: unknown): boolean => typeof value === 'string' && holdsCpf(value)
const requester = fieldType(name.schema, name.rule, (value) => (hasCpf(value) ? null : (name.parse(value) ?? null)))
const contact = fieldType({ type: 'string', minLength: 1, maxLength: 200 }, { key: 'rule-contact' }, (value) =>
  hasCpf(value) ? null : (email.parse(value) ?? phone.parse(value) ?? null),
)
const evidence = fieldType<readonly string[]>(
  { type: 'array', maxItems: MAX_EVIDENCE, uniqueItems: true, items: { type: 'string', format: 'uuid' } },
  { key: 'rule-evidence', limit: MAX_EVIDENCE },
  (value) => {
    if (!Array.isArray(value) || value.length > MAX_EVIDENCE) return null
    const ids = value.map((id: unknown) => uuid.parse(id) ?? null)
    return ids.includes(null) || new Set(ids).size < ids.length ? null : (ids as string[])
  },
)

/** The fields of `intake`. Errors are listed in this order. */
export const INTAKE_FIELDS = {
  medium: required(choice(INTAKE_MEDIA)),
  'received-at': required(timestamp),
  'requester-name': optional(requester),
  'requester-contact': optional(contact),
  documents: optional(evidence),
}

/** Parses `intake`, in a body that was typed at a time. Its documents are judged later. */
export function parseIntake(sent: unknown, at: TypedAt): Intake | readonly FieldError[] {
  if (!isObject(sent)) return [{ field: 'intake', code: isAbsent(sent) ? 'missing' : 'invalid' }]
  const errors = Object.keys(sent)
    .filter((key) => !Object.hasOwn(INTAKE_FIELDS, key))
    .map((key) => unknownField(key, Object.keys(INTAKE_FIELDS)))
  const medium = INTAKE_FIELDS.medium.parse(sent['medium'])
  const receivedAt = INTAKE_FIELDS['received-at'].parse(sent['received-at'])
  const requesterName = INTAKE_FIELDS['requester-name'].parse(sent['requester-name'])
  const requesterContact = INTAKE_FIELDS['requester-contact'].parse(sent['requester-contact'])
  const documents = INTAKE_FIELDS.documents.parse(sent['documents'])
  const values = {
    medium,
    'received-at': receivedAt,
    'requester-name': requesterName,
    'requester-contact': requesterContact,
    documents,
  }
  for (const [key, type] of Object.entries(INTAKE_FIELDS)) {
    const value = values[key as keyof typeof values]
    const isNeeded = type.presence === 'required' || (key === 'requester-name' && medium !== 'carrier-portal')
    if (value === null) errors.push(invalidValue(key, type, sent[key]))
    else if (value === undefined && isNeeded) errors.push({ field: key, code: 'missing' })
  }
  if (typeof receivedAt === 'string' && !isWithinYear(receivedAt, at)) {
    errors.push({ field: 'received-at', code: 'invalid', message: { key: 'within-a-year' } })
  }
  if (errors.length > 0 || medium == null || receivedAt == null) {
    return errors.map((error) => ({ ...error, field: `intake.${error.field}` }))
  }
  return {
    medium,
    receivedAt,
    requesterName: requesterName ?? null,
    requesterContact: requesterContact ?? null,
    documents: documents ?? [],
  }
}

/** Not after now, nor more than a year ago. The business day may be ahead of the clock. */
function isWithinYear(receivedAt: string, { now, today }: TypedAt): boolean {
  const day = businessDate(new Date(receivedAt))
  const isFuture = businessDate(now) === today ? new Date(receivedAt) > now : day > today
  return !isFuture && day >= addDays(today, -MAX_AGE_DAYS)
}

/** That of a request which nobody typed. */
export const intakeBy = (medium: RequestMedium, at: Date): Intake => ({
  medium,
  receivedAt: at.toISOString(),
  requesterName: null,
  requesterContact: null,
  documents: [],
})

/** The day on which it came, from which the days of RN 561 count. */
export const dayOf = ({ receivedAt }: Intake): LocalDate => businessDate(new Date(receivedAt))
