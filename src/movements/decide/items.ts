import { type Static, Type } from 'typebox'
import { PendingItem } from '#platform/http/pending-item.ts'
import type { Decision } from '../transition/types.ts'
import type { Detail } from '#platform/core/errors.ts'
import { needsReason, transitionTargets } from '#coverage/rules/enrollment-status.ts'
import { MAX_REASON_CHARACTERS, MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { isScientificNotation } from '#kernel/spreadsheet-cell.ts'
import { Closed, Code, DateOnly, noControls, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'

const maxPendingItems = 50

export const Confirm = Type.Boolean({
  description: '`true`: `start-date` and `end-date` are meant, although more than two years from today.',
})

/** The fields of a decision, in an item and a line of a file. */
const decisionFields = {
  status: OneOf(transitionTargets, { description: 'The new status.' }),
  reason: Type.Optional(
    Nullable(
      Type.String({
        maxLength: MAX_REASON_CHARACTERS,
        ...noControls,
        description:
          'Required for `rejected` and both `pending-*`; the partner can read it. A blank reason counts as absent.',
      }),
    ),
  ),
  'start-date': Type.Optional(
    Nullable({
      ...DateOnly,
      description:
        'To complete an inclusion, a plan change or a company change: the start date that the carrier set. Of a change: a day ' +
        'that the old benefit covers.',
    }),
  ),
  'end-date': Type.Optional(Nullable({ ...DateOnly, description: 'To complete an exclusion: the last day covered.' })),
  'card-number': Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT_CHARACTERS,
        ...noControls,
        description:
          'To complete an inclusion, a plan change or a company change: of the benefit that starts. Not in scientific notation.',
      }),
    ),
  ),
  'carrier-protocol': Type.Optional(
    Nullable(
      Code(60, 'Only with `carrier-processing`: what the carrier calls the movement, or its lot, by.', ['2026-118840']),
    ),
  ),
  confirm: Type.Optional(Confirm),
}

/** `confirm` of a file. */
export const ConfirmDates = Type.Boolean({
  default: false,
  description: '`true`: the dates of all lines are meant, also those more than two years from today.',
})

/** The fields of a transition in a body of its own. */
export const moveFields = {
  ...decisionFields,
  'pending-items': Type.Optional(
    Type.Array(PendingItem, {
      maxItems: maxPendingItems,
      description:
        'For both `pending-*`: what the partner has to send or to correct, with `POST /v1/enrollment/{enrollment-id}/answer`. ' +
        'Shown on the enrollment until the pending status ends.',
    }),
  ),
}

/** A decision on one enrollment. */
export const DecisionItem = Closed({ 'enrollment-id': Uuid, ...decisionFields })

/** A decision as it was sent. */
export interface DecidedItem {
  readonly id: string
  readonly decision: Decision
  /** Why it cannot be decided at all; empty: it can. */
  readonly errors: readonly Detail[]
}

const MoveFields = Type.Object(moveFields)
type SentDecision = Static<typeof MoveFields>

/** What a validated body sets. */
export function decisionOf(body: SentDecision): Decision {
  return {
    status: body.status,
    reason: body.reason?.trim() || null,
    startDate: body['start-date'] ?? null,
    endDate: body['end-date'] ?? null,
    cardNumber: body['card-number'] ?? null,
    carrierProtocol: body['carrier-protocol'] ?? null,
    confirm: body.confirm ?? false,
    ...(body['pending-items'] === undefined ? {} : { pendingItems: body['pending-items'] }),
  }
}

/** What the schema does not check. */
export function decisionErrors({ status, reason, cardNumber, pendingItems = [] }: Decision): Detail[] {
  const missing: Detail[] = reason === null && needsReason(status) ? [{ field: 'reason', code: 'missing' }] : []
  // An item names a document or a field, as its kind says.
  const mixed = pendingItems.flatMap((item, index): Detail[] => {
    const other = item.kind === 'document' ? 'field' : 'document-type'
    return item[other] === undefined ? [] : [{ field: `pending-items[${index}].${other}`, code: 'not-applicable' }]
  })
  const spoilt: Detail[] =
    cardNumber != null && isScientificNotation(cardNumber)
      ? [{ field: 'card-number', code: 'invalid', message: { key: 'scientific-notation' } }]
      : []
  return [...missing, ...spoilt, ...mixed]
}

/** A validated item. */
export function readItem({ 'enrollment-id': id, ...body }: Static<typeof DecisionItem>): DecidedItem {
  const decision = decisionOf(body)
  return { id, decision, errors: decisionErrors(decision) }
}

/** The items, with dates that are meant. */
export function confirmed<Item extends DecidedItem>(items: readonly Item[], confirm = false): readonly Item[] {
  return confirm ? items.map((item) => ({ ...item, decision: { ...item.decision, confirm } })) : items
}
