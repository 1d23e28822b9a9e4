import {
  type DeadlineFacts,
  DEADLINE_DAYS,
  deadlinesOf,
  type Deadline,
  LISTED_DEADLINES,
  type ListedDeadline,
  lossDateOf,
  REGULATED_PRODUCT_TYPES,
} from '../rules/deadline.ts'
import { type DueDeadline } from '#kernel/enums.ts'
import { hasRule } from './kind.ts'

/** The values of `due-kind`; beside the listed deadlines the cut-off day, and the day on which the movement takes effect. */
export const DUE_KINDS = [...LISTED_DEADLINES, 'cut-off', 'scheduled-action'] as const

/** What the deadlines of a movement follow from, as it is stored. */
export interface StoredDeadlineFacts extends Omit<DeadlineFacts, 'lossDate'> {
  /** Only for an exclusion from a health or dental plan. */
  readonly loss: Parameters<typeof lossDateOf>[0] | null
}

const detail = (key: string) => `enrollment.data->'exclusion-details'->'${key}'`

/** SQL: the person keeps no plan after the `enrollment`: an exclusion ends the cover. */
const keepsNoPlan = `${detail('extension-plan')} is distinct from 'true'`

/** SQL of the facts, over `enrollment` and its `product`. */
export const deadlineFacts = `json_build_object('acceptedOn', enrollment.accepted_on, 'eventDate', enrollment.event_date,
  'newbornDate', enrollment.newborn_date, 'requestedOn', enrollment.requested_on,
  'retroactiveUntil', case when ${keepsNoPlan} then enrollment.retroactive_until end, 'informedOn', enrollment.informed_on,
  'proofUntil', enrollment.proof_until, 'noticeDate', enrollment.notice_date,
  'loss', case when ${hasRule('enrollment.enrollment_type', 'endsBenefit')} and product.product_type in (${REGULATED_PRODUCT_TYPES.map((type) => `'${type}'`).join(', ')})
    then json_build_object('reason', ${detail('exclusion-reason')}, 'keepsPlan', ${detail('extension-plan')}, 'noticeDate', ${detail('notice-date')},
      'followsPrimary', enrollment.primary_enrollment_id is not null, 'endDate', enrollment.effective_date) end)`

/** The deadlines of a movement. */
export function deadlinesOfMovement({ loss, ...facts }: StoredDeadlineFacts): Deadline[] {
  return deadlinesOf({ ...facts, lossDate: loss === null ? null : lossDateOf(loss) })
}

const reachable = (until: string) =>
  `case when not enrollment.reached_carrier and ${until} >= enrollment.accepted_on then ${until} end`

/** SQL of the day until which each is open, over `enrollment`; null: it is not. `due_date` of the table has the same. */
const openUntil: Readonly<Record<DueDeadline, string>> = {
  'inclusion-window': reachable(`enrollment.event_date + ${DEADLINE_DAYS['inclusion-window']}`),
  newborn: reachable(`enrollment.newborn_date + ${DEADLINE_DAYS.newborn}`),
  'carrier-notice': `case when not enrollment.reached_carrier then enrollment.requested_on + ${DEADLINE_DAYS['carrier-notice']} end`,
  'retroactive-limit': `case when ${keepsNoPlan} then ${reachable('enrollment.retroactive_until')} end`,
  'proof-of-exclusion': 'enrollment.proof_until',
  'continuation-option': `next_business_day(enrollment.notice_date + ${DEADLINE_DAYS['continuation-option']})`,
}

/** SQL: rows (kind, until) of a movement, over `enrollment`; `until` is null where the deadline is not open. */
const rowsOf = (untils: Readonly<Record<string, string>>) =>
  `unnest(array[${Object.keys(untils)
    .map((kind) => `'${kind}'`)
    .join(', ')}], array[${Object.values(untils).join(', ')}]) as deadline(kind, until)`

/** SQL of the open deadlines of norms and contracts: see `rowsOf`. */
export const openDeadlines = rowsOf(openUntil)

const listedUntil: Readonly<Record<ListedDeadline, string>> = {
  ...openUntil,
  'exclusion-end': `case when ${hasRule('enrollment.enrollment_type', 'endsBenefit')} and not enrollment.reached_carrier
    and ${keepsNoPlan} then enrollment.effective_date end`,
}

/** SQL of the deadlines of the operators' list: see `rowsOf`. */
export const listedDeadlines = rowsOf(listedUntil)

/** SQL: what is due on `due_date`, over `enrollment`. */
export const dueKind = `case enrollment.due_date ${Object.entries(listedUntil)
  .map(([kind, until]) => `when ${until} then '${kind}'`)
  .join(' ')}
  when enrollment.cut_off_date then 'cut-off'
  else case when enrollment.scheduled_reason = 'next-billing-period' and enrollment.cut_off_day is not null then 'cut-off'
    when enrollment.scheduled_action_date is not null then 'scheduled-action' end end`
