/*
 * Outcomes that a movement of staging may ask for: what the carrier would say of it, and when.
 */
import { type EnrollmentStatus, SANDBOX_OUTCOMES, type SandboxOutcome } from './enums.ts'
import { cardNumber, choice, reason } from './field-types.ts'
import { type FieldType, fieldType, isObject, type Parsed } from './fields.ts'

/** Latest day of an outcome, counted from the acceptance. */
const MAX_AFTER_DAYS = 60

export interface Sandbox {
  readonly outcome: SandboxOutcome
  readonly 'after-days': number
  readonly reason: string | null
  readonly 'card-number': string | null
}

const outcome = choice(SANDBOX_OUTCOMES)
const afterDays = fieldType<number>(
  { type: 'integer', minimum: 0, maximum: MAX_AFTER_DAYS, default: 0 },
  { key: 'rule-after-days', limit: MAX_AFTER_DAYS },
  (value) => (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_AFTER_DAYS ? Number(value) : null),
)

const fields: Readonly<Record<keyof Sandbox, FieldType<string | number>>> = {
  outcome,
  'after-days': afterDays,
  reason,
  'card-number': cardNumber,
}

/** Where the value goes wrong first; null: nowhere, or it is no object. */
function locate(value: unknown): ReturnType<NonNullable<FieldType<unknown>['locate']>> {
  if (!isObject(value)) return null
  for (const [key, type] of Object.entries(fields)) {
    const parsed: Parsed<unknown> = type.parse(value[key])
    if (parsed === null || (key === 'outcome' && parsed === undefined)) return { path: `.${key}`, type }
  }
  return null
}

/** The outcome that a movement of staging asks for. */
export const sandbox: FieldType<Sandbox> = {
  ...fieldType<Sandbox>(
    {
      type: 'object',
      required: ['outcome'],
      additionalProperties: false,
      properties: {
        outcome: outcome.schema,
        'after-days': afterDays.optionalSchema,
        reason: reason.optionalSchema,
        'card-number': cardNumber.optionalSchema,
      },
      examples: [{ outcome: 'rejected', 'after-days': 3, reason: 'Pessoa já tem o plano' }],
    },
    { key: 'rule-sandbox', values: SANDBOX_OUTCOMES },
    (value) => {
      if (!isObject(value) || locate(value) !== null) return null
      if (Object.keys(value).some((key) => !Object.hasOwn(fields, key))) return null
      return {
        outcome: value['outcome'] as SandboxOutcome,
        'after-days': afterDays.parse(value['after-days']) ?? 0,
        reason: reason.parse(value['reason']) ?? null,
        'card-number': cardNumber.parse(value['card-number']) ?? null,
      }
    },
  ),
  locate,
}

const queue: readonly EnrollmentStatus[] = ['created', 'broker-processing', 'carrier-processing']

/** The statuses that take an open movement to its outcome, in order. */
export function stepsTo(wanted: SandboxOutcome, status: EnrollmentStatus): readonly EnrollmentStatus[] {
  switch (wanted) {
    case 'completed':
    case 'rejected':
      return [wanted]
    case 'pending-documents':
    case 'pending-correction':
      return status === 'scheduled' ? ['created', wanted] : [wanted]
    case 'no-answer':
      return queue.slice(queue.indexOf(status) + 1)
    default:
      return wanted satisfies never
  }
}
