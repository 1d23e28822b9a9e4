import { type ComputedFacts, computedFacts, withComputedFields } from './computed-fields.ts'
import { decidingProduct } from '#registry/contracts/carrier-cut-off.ts'
import { dueKind } from './deadlines.ts'
import { operatorIntake, requestIntake } from './intake.ts'
import { byKind } from './kind.ts'
import { isOpen } from './open-movement.ts'
import { activeClient, isEntitled, rowOfActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'

const ofBenefit = (column: string) =>
  `(select ${column} from benefit where company_id = enrollment.company_id and id = enrollment.benefit_id)`

/** The start of the benefit of an inclusion: as accepted, or as the carrier set it. Of an alteration the requested start. */
export const startDate = byKind('enrollment.enrollment_type', {
  inclusion: `coalesce(${ofBenefit('start_date')}, enrollment.start_date)`,
  exclusion: 'null::date',
  alteration: 'enrollment.effective_date',
})

/** The end that an exclusion requests; once it is completed, that of the benefit, unless an extension plan keeps it. */
export const endDate = byKind('enrollment.enrollment_type', {
  inclusion: 'null::date',
  exclusion: `coalesce(case when enrollment.status = 'completed' then ${ofBenefit('end_date')} end, enrollment.effective_date)`,
  alteration: 'null::date',
})

const exclusionDetail = `enrollment.data->'exclusion-details'`

const columns = `'id', enrollment.id, 'enrollment-type', enrollment.enrollment_type, 'alteration-kind', enrollment.alteration_kind, 'status', enrollment.status, 'reason', enrollment.reason,
  'created-at', iso(enrollment.created_at), 'last-updated-at', iso(enrollment.updated_at),
  'member-type', enrollment.member_type, 'member-tax-id', enrollment.member_tax_id, 'member-id', enrollment.member_id,
  'company-tax-id', company.tax_id, 'product-id', product.id, 'product-name', product.name, 'product-type', product.product_type,
  'carrier-name', product.carrier_name, 'scheduled-action-date', enrollment.scheduled_action_date, 'scheduled-reason', enrollment.scheduled_reason,
  'request-id', enrollment.request_id, 'reference', enrollment.reference, 'benefit-id', enrollment.benefit_id, 'start-date', ${startDate},
  'end-date', ${endDate},
  'exclusion-reason', ${exclusionDetail}->>'exclusion-reason', 'extension-plan', (${exclusionDetail}->>'extension-plan')::boolean,
  'exclusion-details', ${exclusionDetail},
  'destination-company-tax-id', case when enrollment.destination_company_id <> enrollment.company_id then (
    select destination_company.tax_id from company destination_company where destination_company.id = enrollment.destination_company_id) end,
  'pending-items', enrollment.pending_items, 'requested-by', enrollment.initial_actor`

/** SQL: how it came to the broker. What a partner requested, which is most, has nothing to look for. */
const intake = (of: typeof requestIntake) =>
  `'intake', case when enrollment.initial_actor = 'operator' then ${of('enrollment.company_id', 'enrollment.request_id')} end`

const requester =
  '(select client_id from request where company_id = enrollment.company_id and id = enrollment.request_id)'

/** A step with its fields and, of a person of a company, the name. @param of SQL: who of `person` took it. */
function stepJson(fields: string, of: string): string {
  const name = `(select client.name from client join person on person.client_id = client.id ${of})`
  return `(case when ${name} is null then json_build_object(${fields})
    else json_build_object(${fields}, 'actor-name', ${name}) end)::text`
}

// On Citus a subquery of reference tables alone has none of a company's table: `request` is joined.
const isRequester = `join request on request.client_id = client.id
  where enrollment.initial_actor = 'partner' and request.company_id = enrollment.company_id and request.id = enrollment.request_id`

/** The creation is in the enrollment itself, every later step in its history. */
function historyJson(created: string, later: string): string {
  // Joined as text: a union of a row of no table with rows of a distributed one is refused by Citus.
  const createdFields = `'status', enrollment.initial_status, 'at', iso(enrollment.created_at),
    'actor', enrollment.initial_actor${created}, 'reason', null`
  const laterFields = `'status', status, 'at', iso(at), 'actor', actor${later}, 'reason', reason`
  return `('[' || concat_ws(', ', ${stepJson(createdFields, isRequester)}, (
    select string_agg(${stepJson(laterFields, `where actor = 'partner' and client.id = actor_id`)}, ', ' order by step)
    from enrollment_history where company_id = enrollment.company_id and enrollment_id = enrollment.id)) || ']')::json`
}

/** SQL: the `product` is that of a movement (alias); of a plan or company change it is the destination's. */
export const productOf = (
  movement: string,
) => `product.company_id = coalesce(${movement}.destination_company_id, ${movement}.company_id)
  and product.id = coalesce(${movement}.destination_product_id, ${movement}.product_id)`

/** SQL: the id of the active contract of the product of an `enrollment`. */
export const contractOf = `(select contract_plan.contract_id from contract_plan where contract_plan.company_id = enrollment.company_id
  and contract_plan.active_product_id = ${decidingProduct('enrollment')})`

/** SQL of an Enrollment detail, over `enrollment`, `company` and `product`. */
export const enrollmentDetailJson = `json_build_object(${columns}, ${intake(requestIntake)}, 'history', ${historyJson('', '')})`

const operatorHistory = historyJson(`, 'actor-id', ${requester}`, `, 'actor-id', actor_id`)

/** SQL: how an operator sees that the movement came. */
const origin = `${intake(operatorIntake)},
  'draft-id', (select draft_id from request where company_id = enrollment.company_id and id = enrollment.request_id)`

/** The same for operators: history items also have the actor's id. */
const operatorEnrollmentJson = `json_build_object(${columns}, ${intake(operatorIntake)}, 'history', ${operatorHistory})`

/** SQL: the name of the member, of a rejected inclusion as sent. */
export const memberName = `coalesce((select name from member where company_id = enrollment.company_id and id = enrollment.member_id),
  enrollment.data->>'name')`

/** SQL: the CPF of the primary, who may be no member any more when inclusions were rejected. */
export const primaryTaxId = `coalesce(
  (select tax_id from member where company_id = enrollment.company_id and id = enrollment.primary_member_id),
  (select primary_enrollment.member_tax_id from enrollment primary_enrollment where primary_enrollment.company_id = enrollment.company_id
    and primary_enrollment.member_id = enrollment.primary_member_id limit 1))`

/** SQL: the name of the primary, of a rejected inclusion as sent. */
const primaryName = `coalesce(
  (select name from member where company_id = enrollment.company_id and id = enrollment.primary_member_id),
  (select primary_enrollment.data->>'name' from enrollment primary_enrollment where primary_enrollment.company_id = enrollment.company_id
    and primary_enrollment.member_id = enrollment.primary_member_id limit 1))`

/** SQL: the number of notes of operators. */
export const notesCount = `(select count(*) from enrollment_note where company_id = enrollment.company_id and enrollment_id = enrollment.id)`

const shipmentJson = `json_build_object('shipment-id', shipment.id, 'number', shipment.number, 'cut-off-date', shipment.cut_off_date)`

/**
 * SQL of a row `there` of an `enrollment`: its latest shipment where that is of another company, the destination of a change of company.
 * @param condition on the `shipment_item`.
 */
export const shipmentThere = (condition: string) => `left join (
    select distinct on (shipment_item.enrollment_id) shipment_item.enrollment_id, ${shipmentJson} as shipment, shipment_item.carrier_protocol
    from shipment_item join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
    where shipment_item.movement_company_id <> shipment_item.company_id and shipment_item.status <> 'cancelled' and ${condition}
    order by shipment_item.enrollment_id, shipment.created_at desc) there on there.enrollment_id = enrollment.id`

/** SQL: the latest shipment that has, or had, the enrollment. Over `there`. */
const shipmentOf = `coalesce(there.shipment, (select ${shipmentJson}
  from shipment_item join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
  where shipment_item.company_id = enrollment.company_id and shipment_item.enrollment_id = enrollment.id and shipment_item.side is distinct from 'leaving'
    and shipment_item.status <> 'cancelled'
  order by shipment.created_at desc limit 1))`

/** SQL: the protocol that the carrier gave to the enrollment alone in its latest shipment, else that of its lot. Over `there`. */
export const carrierProtocol = `coalesce(there.carrier_protocol, (select shipment_item.carrier_protocol
  from shipment_item join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
  where shipment_item.company_id = enrollment.company_id and shipment_item.enrollment_id = enrollment.id and shipment_item.side is distinct from 'leaving'
    and shipment_item.status <> 'cancelled'
  order by shipment.created_at desc limit 1), enrollment.carrier_protocol)`

/** SQL: the decision on `enrollment` that can still be undone. On Citus the tables of the coordinator stand in a subquery of their own. */
const heldDecision = `(select json_build_object('job-id', held.job_id, 'status', held.status, 'author', held.actor, 'until', iso(held.undo_until))
  from (select held_decision.enrollment_id, held_decision.job_id, held_decision.status, decision_job.actor, decision_job.undo_until
    from held_decision join decision_job on decision_job.id = held_decision.job_id) held where held.enrollment_id = enrollment.id)`

/** SQL: the fields that the answer changed which brought the enrollment back to the queue. */
const answeredFields = `coalesce(case when (enrollment.answers->-1->>'at')::timestamptz = enrollment.answered_at then (
    select json_agg(answer_change.item->>'field') from jsonb_array_elements(enrollment.answers->-1->'changes') answer_change(item)) end, '[]')`

/** SQL: the row of `movement_money` of an open `enrollment`. */
export const moneyOfOpen = `movement_money.company_id = enrollment.company_id and movement_money.enrollment_id = enrollment.id
  and ${isOpen('enrollment')}`

/** SQL: what it costs when the movement misses the next cut-off; null: it is not open, or not calculated. */
const moneyOf = `(select json_build_object('per-month', movement_money.per_month, 'charged-beyond-end', movement_money.charged_beyond_end,
    'cut-off-date', movement_money.cut_off_date, 'if-missed', movement_money.if_missed, 'lost', movement_money.lost,
    'lost-if-missed', movement_money.lost_if_missed, 'uncovered-days-if-missed', movement_money.uncovered_days_if_missed,
    'window-until', movement_money.window_until, 'missing-settings', movement_money.missing_settings, 'as-of', movement_money.as_of)
  from movement_money where ${moneyOfOpen})`

/** SQL: what of it a client sees who sees money. */
const moneyOfPartner = `case when entitlement.see_money then (select json_build_object('per-month', movement_money.per_month,
    'cut-off-date', movement_money.cut_off_date, 'window-until', movement_money.window_until) from movement_money where ${moneyOfOpen}) end`

/** SQL of an item of the operators' queue: an Enrollment detail with more properties. Over `shipmentThere`. */
export const queueItemJson = `json_build_object(${columns}, ${origin}, 'member-name', ${memberName}, 'company-name', company.name,
  'primary-member-tax-id', ${primaryTaxId}, 'primary-member-name', ${primaryName},
  'dependent-type', coalesce(${ofBenefit('dependent_type')}, enrollment.data->>'dependent-type'), 'answered-at', iso(enrollment.answered_at), 'answered-fields', ${answeredFields},
  'due-date', enrollment.due_date, 'due-kind', ${dueKind}, 'assignee', enrollment.assignee, 'carrier-protocol', ${carrierProtocol},
  'notes-count', ${notesCount}, 'held-decision', ${heldDecision}, 'money', ${moneyOf}, 'shipment', ${shipmentOf},
  'history', ${operatorHistory})`

/** SQL of the Enrollment detail of one movement, over an `entitlement` too. */
const partnerDetailJson = `json_build_object(${columns}, ${intake(requestIntake)}, 'money', ${moneyOfPartner}, 'history', ${historyJson('', '')})`

interface FoundEnrollment {
  readonly found: boolean
  /** `{ "result": Enrollment detail }`; null unless the caller is entitled to the company. */
  readonly body: string | null
}

const enrollmentOf = (caller: Pick<ClientActor, 'kind'>) => `
select detail.found is not null as found, detail.body, detail.computed
from ${activeClient(caller)}
left join (
  select true as found,
    case when ${isEntitled(caller)} then json_build_object('result', ${partnerDetailJson})::text end as body,
    case when ${isEntitled(caller)} then ${computedFacts(startDate)} end as computed
  from enrollment
  join company on company.id = enrollment.company_id
  left join product on ${productOf('enrollment')}
  left join entitlement on entitlement.company_id = enrollment.company_id and entitlement.client_id = $1
  where enrollment.id = $2
) detail on true`

/** An enrollment as the caller may see it. @throws ApiError 401 when the client is revoked. */
export async function readEnrollment(
  sql: Sql,
  caller: Pick<ClientActor, 'clientId' | 'kind'>,
  enrollmentId: string,
  today: LocalDate,
): Promise<FoundEnrollment> {
  const rows = await sql.query<FoundEnrollment & { computed: ComputedFacts }>(enrollmentOf(caller), [
    caller.clientId,
    enrollmentId,
  ])
  const { found, body, computed } = rowOfActiveClient(rows)
  return { found, body: body === null ? null : await withComputedFields(sql, body, computed, today) }
}

/**
 * The company of an enrollment that the caller may write to.
 * @throws ApiError 401 when the client is revoked, 403 for an enrollment of another client's company, 404 when there is none.
 */
export async function readCompanyOfEnrollment(
  sql: Sql,
  caller: Pick<ClientActor, 'clientId' | 'kind'>,
  enrollmentId: string,
): Promise<string> {
  const { companyId, entitled } = rowOfActiveClient(
    await sql.query<{ companyId: string | null; entitled: boolean }>(
      `select enrollment.company_id as "companyId", ${isEntitled(caller)} as entitled
       from ${activeClient(caller)}
       left join enrollment on enrollment.id = $2
       left join entitlement on entitlement.company_id = enrollment.company_id and entitlement.client_id = $1`,
      [caller.clientId, enrollmentId],
    ),
  )
  if (companyId === null) throw new ApiError('enrollment-not-found')
  if (!entitled) throw notEntitled('enrollment')
  return companyId
}

/** `{ "result": Enrollment detail }` for an operator, who sees every company; null when there is none. */
export async function readEnrollmentForOperator(
  sql: Sql,
  enrollmentId: string,
  today: LocalDate,
): Promise<string | null> {
  const [row] = await sql.query<{ body: string; computed: ComputedFacts }>(
    `select json_build_object('result', ${operatorEnrollmentJson})::text as body, ${computedFacts(startDate)} as computed
     from enrollment
     join company on company.id = enrollment.company_id
     join product on ${productOf('enrollment')}
     where enrollment.id = $1`,
    [enrollmentId],
  )
  return row === undefined ? null : withComputedFields(sql, row.body, row.computed, today)
}
