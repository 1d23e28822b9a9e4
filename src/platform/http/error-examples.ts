import type { TSchema } from 'typebox'
import type { ErrorCode } from '#kernel/error-codes.ts'
import { englishOf } from '#kernel/texts/messages.ts'
import { ENGLISH } from '#kernel/texts/texts.ts'

/** An error that an operation declares: its code, and the operation's own sentence where it has one. */
export type DeclaredError = ErrorCode | readonly [code: ErrorCode, error: string]

const ids = ['01995e0c-7011-7a0e-8c44-0e9b1d2f3a45']

/** What errors have beside code and sentence. */
const additions: { readonly [Code in ErrorCode]?: object } = {
  'invalid-body': { details: [{ field: 'company-tax-id', code: 'missing' }] },
  'invalid-parameter': {
    details: [{ field: 'page', code: 'invalid', message: englishOf({ key: 'minimum', limit: 1 }), value: 0 }],
  },
  'unknown-parameter': {
    details: [
      {
        field: 'pag',
        code: 'unknown',
        message: englishOf({ key: 'did-you-mean', name: 'page' }),
        allowed: ['page', 'items-per-page'],
      },
    ],
  },
  'body-too-large': {
    details: [{ field: 'body', code: 'too-many', message: englishOf({ key: 'max-bytes', limit: 1_048_576 }) }],
  },
  'unsupported-media-type': {
    details: [
      {
        field: 'content-type',
        code: 'invalid',
        message: englishOf({ key: 'content-type', found: 'text/plain', values: ['application/json'] }),
        allowed: ['application/json'],
      },
    ],
  },
  'not-applicable': { details: [{ field: 'card-number', code: 'not-applicable' }] },
  'before-start-date': { details: [{ field: 'end-date', code: 'before-start-date' }] },
  'date-out-of-range': {
    details: [
      {
        field: 'end-date',
        code: 'date-out-of-range',
        message: englishOf({ key: 'far-from-today' }),
      },
    ],
  },
  'not-in-bulk': { details: [{ field: 'classes', code: 'not-applicable' }] },
  'needs-missing': {
    details: [{ field: 'items', code: 'missing' }],
    items: [{ number: 44, needs: ['exclusion-reason', 'end-date'] }],
  },
  'guard-not-confirmed': {
    people: 120,
    products: [
      {
        'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
        'product-name': 'Saúde Essencial',
        covered: 1000,
        leaving: 120,
      },
    ],
  },
  'movement-draft-status': { status: 'closed' },
  'invalid-exclusion-details': { details: [{ field: 'exclusion-details.end-date', code: 'missing' }] },
  'invalid-alteration-data': { details: [{ field: 'alteration-data.shoe-size', code: 'unknown' }] },
  'ongoing-enrollments': { 'enrollment-ids': ids },
  'ambiguous-product': { 'benefit-ids': ids },
  'ambiguous-company': { 'benefit-ids': ids },
  'illegal-transition': {
    from: 'rejected',
    to: 'completed',
    allowed: [],
    details: [
      { field: 'status', code: 'illegal-transition', message: englishOf({ key: 'final-status', from: 'rejected' }) },
    ],
  },
  'continuation-status': { status: 'declined' },
  'contract-setting-missing': { 'missing-setting': 'retirement-remainder' },
  'text-not-printable': { characters: ['王'] },
  'price-setting-missing': { 'missing-settings': ['age-on', 'proration'] },
  'forecast-frozen': { 'reference-month': '2026-11' },
  'closing-open-items': { 'open-items': ['roster', 'invoice'] },
  'claim-status': { status: 'credited', allowed: [] },
  'subject-request-open': { 'subject-request-id': ids[0] },
  'subject-request-status': { status: 'fulfilled', allowed: [] },
  'month-closed': { 'reference-month': '2026-11' },
  'continuation-not-eligible': { 'not-eligible-reason': 'post-paid-plan' },
  'payroll-incomplete': { employees: 2 },
  'not-a-leaver': { 'member-ids': ['5d1f7a52-1c0b-8e6f-9a3d-27c4b8e90f11'] },
  'another-contract': { found: '900002' },
  'another-period': { found: '2026-10' },
  'carrier-file-status': { status: 'reading' },
  'roster-sync-status': { status: 'cancelled' },
  'reconciliation-status': { status: 'computing' },
  'import-broke-off': { 'import-id': ids[0] },
}

type Examples = Record<string, { readonly value: unknown }>

/** The examples of a response in an OpenAPI document, each under its code. */
export function errorExamples(errors: readonly DeclaredError[]): Examples {
  return Object.fromEntries(
    errors.map((declared) => {
      const [code, error] = typeof declared === 'string' ? [declared, ENGLISH.errors[declared]] : declared
      const value = { error, code, ...additions[code], 'request-trace-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }
      return [code, { value }] as const
    }),
  )
}

interface Response {
  readonly description?: string
  readonly content?: { readonly 'application/json': { readonly schema: object; readonly examples?: Examples } }
  readonly examples?: readonly { readonly code: string }[]
}

/** Adds the errors of every operation of a kind to the responses of one: each keeps its own description, schema and examples. */
export function withErrorResponses(
  own: Record<string, unknown>,
  common: Record<string, TSchema>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...common, ...own }
  for (const [status, added] of Object.entries(common)) {
    if (own[status] !== undefined) merged[status] = merge(own[status] as Response, added)
  }
  return merged
}

function merge({ description, content, examples = [], ...schema }: Response, added: Response): Response {
  const json = content?.['application/json'] ?? {
    schema,
    examples: Object.fromEntries(examples.map((value) => [value.code, { value }])),
  }
  const all = { ...json.examples, ...added.content?.['application/json'].examples }
  return {
    description: description ?? added.description ?? '',
    content: { 'application/json': { ...json, examples: all } },
  }
}
