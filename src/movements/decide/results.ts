import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { decideEnrollments, type DecisionResult } from './decide.ts'
import type { Decision } from '../transition/types.ts'
import type { Detail } from '#platform/core/errors.ts'
import { outOfRangeDetails } from '#coverage/rules/completion-fields.ts'
import { explainTransition } from '#coverage/rules/enrollment-status.ts'
import type { TransitionWarning } from '../rules/transitions.ts'
import {
  ACKNOWLEDGEMENT_FLAGS,
  ACKNOWLEDGEMENT_OUTCOMES,
  type AcknowledgementCode,
  type AcknowledgementFlag,
  type AcknowledgementOutcome,
} from '#registry/rules/acknowledgement.ts'
import { ENROLLMENT_STATUSES, type EnrollmentStatus } from '#kernel/enums.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Context } from '#platform/http/context.ts'
import { DateOnly, Details, ErrorCodeReference, OneOf } from '#platform/http/schemas.ts'
import { StartWarnings } from '#platform/http/warning-schemas.ts'
import { ENGLISH } from '#kernel/texts/texts.ts'
import type { DecidedItem } from './items.ts'

/** The result of an item: of its decision, or why there was none. */
export type ItemResult =
  | DecisionResult
  | { readonly accepted: false; readonly code: 'duplicated-enrollment' }
  | { readonly accepted: false; readonly code: 'decision-held' }
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

/** What a line of an acknowledgement has too. */
export const acknowledgedFields = {
  outcome: Type.Optional(
    OneOf(ACKNOWLEDGEMENT_OUTCOMES, {
      description: 'Of an acknowledgement: what the carrier says of the movement; `in-analysis` decides nothing.',
    }),
  ),
  'card-number': Type.Optional(
    Type.String({ description: 'Of an acknowledgement: the card that the line gives the movement.' }),
  ),
  'start-date': Type.Optional({ ...DateOnly, description: 'Of an acknowledgement: as the line says.' }),
  'end-date': Type.Optional({ ...DateOnly, description: 'Of an acknowledgement: as the line says.' }),
  flags: Type.Optional(
    Type.Array(OneOf(ACKNOWLEDGEMENT_FLAGS), {
      description:
        'Of an acknowledgement. `unmapped-code`: the contract does not say what the code of the refusal means; `unchanged`: said before; ' +
        '`card-corrected`: the benefit gets the card number that the acceptance lacked; `in-later-shipment`: the movement was sent again, and the line has no effect.',
    }),
  ),
}

/** The result of a decision as it is stored: without sentences. */
export interface StoredResult {
  readonly status?: EnrollmentStatus
  readonly code?: ItemCode | AcknowledgementCode | 'decision-undone'
  readonly from?: EnrollmentStatus
  readonly to?: EnrollmentStatus
  readonly allowed?: readonly EnrollmentStatus[]
  readonly details?: readonly Detail[]
  readonly warnings?: readonly TransitionWarning[]
  /** Only for an acknowledgement: what the carrier says of the movement. */
  readonly outcome?: AcknowledgementOutcome
  readonly 'card-number'?: string
  readonly 'start-date'?: string
  readonly 'end-date'?: string
  readonly flags?: readonly AcknowledgementFlag[]
}

/** The result in wire format; the messages of its details become sentences when it is sent. */
export function resultBody(stored: StoredResult): StoredResult & { readonly error?: string } {
  return stored.code === undefined ? stored : { error: ENGLISH.errors[stored.code], ...stored }
}

/** The result of a decision for `status`, as it is stored. */
export function storedResultOf(result: ItemResult, status: EnrollmentStatus): StoredResult {
  if (result.accepted) return result.warnings === undefined ? { status } : { status, warnings: result.warnings }
  const { code } = result
  switch (code) {
    case 'illegal-transition': {
      const { from, allowed } = result
      const message = explainTransition(from, status, allowed)
      return { code, from, to: status, allowed, details: [{ field: 'status', code, message }] }
    }
    case 'not-applicable':
      return { code, details: result.fields.map((field) => ({ field, code })) }
    case 'date-out-of-range':
      return { code, details: outOfRangeDetails(result.fields) }
    case 'before-start-date':
      return { code, details: [{ field: 'end-date', code }] }
    case 'invalid-body':
      return { code, details: result.details }
    case 'primary-member-not-active':
    case 'enrollment-not-found':
    case 'duplicated-enrollment':
    case 'decision-held':
    case 'unavailable':
      return { code }
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
