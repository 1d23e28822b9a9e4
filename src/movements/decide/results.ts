import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { decideEnrollments, type Outcome } from './decide.ts'
import type { Move } from '../transition/types.ts'
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

/** The outcome of an item: of its decision, or why there was none. */
export type ItemOutcome =
  | Outcome
  | { readonly moved: false; readonly code: 'duplicated-enrollment' }
  | { readonly moved: false; readonly code: 'invalid-body'; readonly details: readonly Detail[] }

type ItemCode = Extract<ItemOutcome, { moved: false }>['code']

const Status = OneOf(ENROLLMENT_STATUSES)

/** What an item of a response has beside its id: `status`, or `error` with `code`. */
export const outcomeFields = {
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
export const outcomeExample = {
  error: 'Illegal transition',
  code: 'illegal-transition',
  from: 'completed',
  to: 'completed',
  allowed: [],
  details: [
    { field: 'status', code: 'illegal-transition', message: 'Enrollment is already completed, which is final' },
  ],
} as const

export interface OutcomeBody {
  status?: EnrollmentStatus
  error?: string
  code?: ItemCode
  from?: EnrollmentStatus
  to?: EnrollmentStatus
  allowed?: EnrollmentStatus[]
  details?: Static<typeof Details>
  warnings?: Static<typeof StartWarnings>
}

/** The outcome of a decision for `status` in wire format. */
export function outcomeBody(outcome: ItemOutcome, status: EnrollmentStatus): OutcomeBody {
  if (outcome.moved) return outcome.warnings === undefined ? { status } : { status, warnings: [...outcome.warnings] }
  const { code } = outcome
  const refused = { error: ERRORS[code].error, code }
  switch (outcome.code) {
    case 'illegal-transition': {
      const { from, allowed } = outcome
      const message = explainTransition(from, status, allowed)
      const details = [{ field: 'status', code: outcome.code, message }]
      return { ...refused, from, to: status, allowed: [...allowed], details }
    }
    case 'not-applicable':
      return { ...refused, details: outcome.fields.map((field) => ({ field, code: outcome.code })) }
    case 'date-out-of-range':
      return { ...refused, details: outOfRangeDetails(outcome.fields) }
    case 'before-start-date':
      return { ...refused, details: [{ field: 'end-date', code: outcome.code }] }
    case 'invalid-body':
      return { ...refused, details: outcome.details as Static<typeof Details> }
    case 'primary-member-not-active':
    case 'enrollment-not-found':
    case 'duplicated-enrollment':
    case 'unavailable':
      return refused
    default:
      return outcome satisfies never
  }
}

/** Why an item is not decided at all; undefined when it is. */
type RefusedItem = Extract<ItemOutcome, { code: 'duplicated-enrollment' | 'invalid-body' }>

/** What is decided of the items: one that is named twice is decided once if both are equal, otherwise not at all. */
export function movesOf(items: readonly DecidedItem[]): {
  readonly moves: ReadonlyMap<string, Move>
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
    if (duplicated.has(id)) return { moved: false, code: 'duplicated-enrollment' }
    return errors.length > 0 ? { moved: false, code: 'invalid-body', details: errors } : undefined
  }
  const decided = [...firsts.values()].filter((item) => refusalOf(item) === undefined)
  return { moves: new Map(decided.map(({ id, move }) => [id, move])), refusalOf }
}

/** Decides on the items at once. @returns an outcome for each item, in their order. */
export async function decideItems(
  context: Context,
  actor: ClientActor,
  items: readonly DecidedItem[],
): Promise<ItemOutcome[]> {
  const { moves, refusalOf } = movesOf(items)
  const outcomes = await decideEnrollments(context, actor, moves)
  return items.map((item): ItemOutcome => {
    return refusalOf(item) ?? outcomes.get(item.id) ?? { moved: false, code: 'enrollment-not-found' }
  })
}
