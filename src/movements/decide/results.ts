import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { decideEnrollments, type DecisionResult } from './decide.ts'
import type { Decision } from '../transition/types.ts'
import type { Detail } from '../../core/errors.ts'
import { outOfRangeDetails } from '../../domain/completion-fields.ts'
import { explainTransition } from '../../domain/enrollment-status.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { ENROLLMENT_STATUSES, type EnrollmentStatus } from '../../domain/enums.ts'
import type { ClientActor } from '../../core/actor.ts'
import type { Context } from '../../http/context.ts'
import { Details, ErrorCodeReference, OneOf } from '../../http/schemas.ts'
import { StartWarnings } from '../../http/warning-schemas.ts'
import type { DecidedItem } from './items.ts'

/** The result of an item: of its decision, or why there was none. */
export type ItemResult =
  | DecisionResult
  | { readonly accepted: false; readonly code: 'duplicated-enrollment' }
  | { readonly accepted: false; readonly code: 'invalid-body'; readonly details: readonly Detail[] }

type ItemCode = Extract<ItemResult, { accepted: false }>['code']

const Status = OneOf(ENROLLMENT_STATUSES)

/** What an item of a response has beside its id: `status`, or `error` with `code`. */
export const resultFields = {
  status: Type.Optional(OneOf(ENROLLMENT_STATUSES, { description: 'The new status.' })),
  error: Type.Optional(Type.String({ description: 'The error, in one sentence. Nothing was done.' })),
  code: Type.Optional(ErrorCodeReference),
  from: Type.Optional(Status),
  to: Type.Optional(Status),
  allowed: Type.Optional(Type.Array(Status, { description: 'The statuses that the enrollment can go to now.' })),
  details: Type.Optional(Details),
  warnings: Type.Optional(StartWarnings),
}

/** A refused transition. */
export const resultExample = {
  error: 'Illegal transition',
  code: 'illegal-transition',
  from: 'completed',
  to: 'completed',
  allowed: [],
  details: [
    { field: 'status', code: 'illegal-transition', message: 'Enrollment is already completed, which is final' },
  ],
} as const

export interface ResultBody {
  status?: EnrollmentStatus
  error?: string
  code?: ItemCode
  from?: EnrollmentStatus
  to?: EnrollmentStatus
  allowed?: EnrollmentStatus[]
  details?: Static<typeof Details>
  warnings?: Static<typeof StartWarnings>
}

/** The result of a decision for `status` in wire format. */
export function resultBody(result: ItemResult, status: EnrollmentStatus): ResultBody {
  if (result.accepted) return result.warnings === undefined ? { status } : { status, warnings: [...result.warnings] }
  const { code } = result
  const refused = { error: ERRORS[code].error, code }
  switch (result.code) {
    case 'illegal-transition': {
      const { from, allowed } = result
      const message = explainTransition(from, status, allowed)
      const details = [{ field: 'status', code: result.code, message }]
      return { ...refused, from, to: status, allowed: [...allowed], details }
    }
    case 'not-applicable':
      return { ...refused, details: result.fields.map((field) => ({ field, code: result.code })) }
    case 'date-out-of-range':
      return { ...refused, details: outOfRangeDetails(result.fields) }
    case 'before-start-date':
      return { ...refused, details: [{ field: 'end-date', code: result.code }] }
    case 'invalid-body':
      return { ...refused, details: result.details as Static<typeof Details> }
    case 'primary-member-not-active':
    case 'enrollment-not-found':
    case 'duplicated-enrollment':
    case 'unavailable':
      return refused
    default:
      return result satisfies never
  }
}

/** Why an item is not decided at all; undefined when it is. */
type RefusedItem = Extract<ItemResult, { code: 'duplicated-enrollment' | 'invalid-body' }>

/** What is decided of the items: one that is named twice is decided once if both are equal, otherwise not at all. */
export function decisionsOf(items: readonly DecidedItem[]): {
  readonly decisions: ReadonlyMap<string, Decision>
  readonly refusalOf: (item: DecidedItem) => RefusedItem | undefined
} {
  const duplicated = new Set<string>()
  const firsts = new Map<string, DecidedItem>()
  for (const item of items) {
    const first = firsts.get(item.id)
    if (first === undefined) firsts.set(item.id, item)
    else if (!isDeepStrictEqual(first, item)) duplicated.add(item.id)
  }
  const refusalOf = ({ id, errors }: DecidedItem): RefusedItem | undefined => {
    if (duplicated.has(id)) return { accepted: false, code: 'duplicated-enrollment' }
    return errors.length > 0 ? { accepted: false, code: 'invalid-body', details: errors } : undefined
  }
  const decided = [...firsts.values()].filter((item) => refusalOf(item) === undefined)
  return { decisions: new Map(decided.map(({ id, decision }) => [id, decision])), refusalOf }
}

/** Decides on the items at once. @returns a result for each item, in their order. */
export async function decideItems(
  context: Context,
  actor: ClientActor,
  items: readonly DecidedItem[],
): Promise<ItemResult[]> {
  const { decisions, refusalOf } = decisionsOf(items)
  const results = await decideEnrollments(context, actor, decisions)
  return items.map((item): ItemResult => {
    return refusalOf(item) ?? results.get(item.id) ?? { accepted: false, code: 'enrollment-not-found' }
  })
}
