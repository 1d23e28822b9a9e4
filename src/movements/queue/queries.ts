import { conditionsOf, type Where } from '#platform/http/pages.ts'
import { isTerminal as isTerminalStatus } from '#coverage/rules/enrollment-status.ts'
import { ENROLLMENT_STATUSES, type EnrollmentStatus } from '#kernel/enums.ts'
import { likeName, likeText } from '#kernel/search.ts'
import { startOfDay } from '#platform/http/date-range.ts'
import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { equals, Parameters } from '#platform/core/parameters.ts'
import { isTerminal } from '#coverage/enrollments/open-movement.ts'
import { moneyOfOpen, productOf, queueItemJson, shipmentThere } from '#coverage/enrollments/queries.ts'
import { OPEN, type QUEUE_ORDERS, type QueueFilter, UNASSIGNED } from './filter.ts'

type QueueOrder = (typeof QUEUE_ORDERS)[number]

/**
 * SQL: the name or employee id of the `member` has the pattern. A member whose only inclusion was rejected or cancelled is deleted: the name is in
 * the data of the request. Joined: the ids of members as a subquery are searched one by one when they do not fit into `work_mem`.
 */
const memberOfEnrollment = `left join member on member.company_id = enrollment.company_id and member.id = enrollment.member_id`
const matchesMember = (pattern: string) => `member.search_text like ${pattern}`
const matchesFormerMember = (pattern: string) => `member.id is null and ${isTerminal('enrollment')}
  and fold_name(concat_ws(E'\\n', enrollment.data->>'name', enrollment.data->>'employee-id')) like ${pattern}`

/** SQL: the transition that closed the enrollment. */
const resolutionOfEnrollment = `join enrollment_history on enrollment_history.company_id = enrollment.company_id
  and enrollment_history.enrollment_id = enrollment.id and ${isTerminal('enrollment_history')}`

/** Over `page`. */
const orders: Readonly<Record<QueueOrder, string>> = {
  'created-at': 'page.created_at, page.id',
  'due-date': 'page.due_date nulls last, page.created_at, page.id',
  'money-at-risk': `page.family_lost desc nulls last, page.family_missed desc nulls last, page.family_since, page.family_id, page.is_dependent,
    page.created_at, page.id`,
}

/** SQL: the enrollment is, or was, in a shipment that satisfies the condition; that of a change of company is of another company. */
const inShipment = (condition: string) => `(enrollment.company_id, enrollment.id) in (
  select shipment_item.movement_company_id, shipment_item.enrollment_id from shipment
  join shipment_item on shipment_item.company_id = shipment.company_id and shipment_item.shipment_id = shipment.id where ${condition})`

/** SQL: the protocol that the carrier gave to the enrollment alone has the pattern. Read once, and not for each enrollment. */
const matchesItemProtocol = (pattern: string) => `(enrollment.company_id, enrollment.id) in (
  select shipment_item.movement_company_id, shipment_item.enrollment_id from shipment_item
  where shipment_item.status <> 'cancelled' and lower(shipment_item.carrier_protocol) like ${pattern})`

/** SQL: the carrier of the open `enrollment` should have answered before the day. The few of other companies are read once. */
export const isOverdueAtCarrier = (
  day: string,
) => `enrollment.status = 'carrier-processing' and (exists (select 1 from shipment_item
  join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
  where shipment_item.company_id = enrollment.company_id and shipment_item.enrollment_id = enrollment.id
    and shipment_item.status in ('sent', 'unanswered') and shipment.answer_until < ${day})
  or (enrollment.company_id, enrollment.id) in (select shipment_item.movement_company_id, shipment_item.enrollment_id from shipment_item
  join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
  where shipment_item.movement_company_id <> shipment_item.company_id
    and shipment_item.status in ('sent', 'unanswered') and shipment.answer_until < ${day}))`

/** Over `enrollment`, which may be a row of `open_movement`. */
const simpleConditions: Partial<Where<QueueFilter>> = {
  'enrollment-type': equals('enrollment.enrollment_type'),
  'alteration-kind': equals('enrollment.alteration_kind'),
  'company-tax-id': (parameter) => `enrollment.company_id = (select id from company where tax_id = ${parameter})`,
  'product-id': equals('coalesce(enrollment.destination_product_id, enrollment.product_id)'),
  'member-tax-id': equals('enrollment.member_tax_id'),
  'member-id': equals('enrollment.member_id'),
  // An open movement has no request of its own.
  'request-id': (parameter) => `(enrollment.company_id, enrollment.id) in (
      select requested.company_id, requested.id from enrollment requested where requested.request_id = ${parameter})`,
  'from-dt': (parameter) => `enrollment.created_at >= ${startOfDay(`${parameter}::date`)}`,
  'until-dt': (parameter) => `enrollment.created_at < ${startOfDay(`${parameter}::date + 1`)}`,
  'resolved-from-dt': (parameter) => `enrollment_history.at >= ${startOfDay(`${parameter}::date`)}`,
  'resolved-until-dt': (parameter) => `enrollment_history.at < ${startOfDay(`${parameter}::date + 1`)}`,
  'shipment-id': (parameter) => inShipment(`shipment.id = ${parameter}`),
  'shipment-number': (parameter) =>
    inShipment(`shipment_item.status <> 'cancelled' and shipment.number = ${parameter}`),
  'cut-off-date': (parameter) =>
    inShipment(`shipment_item.status <> 'cancelled' and shipment.cut_off_date = ${parameter}`),
  overdueOn: isOverdueAtCarrier,
  'due-from': (parameter) => `enrollment.due_date >= ${parameter}`,
  'due-before': (parameter) => `enrollment.due_date < ${parameter}`,
}

/** What an order reads: no more, so that the index of the order has all. */
const orderColumns: Readonly<Record<QueueOrder, string>> = {
  'created-at': 'enrollment.created_at',
  'due-date': 'enrollment.due_date, enrollment.created_at',
  'money-at-risk':
    'enrollment.family_lost, enrollment.family_missed, enrollment.family_since, enrollment.family_id, enrollment.is_dependent, enrollment.created_at',
}

/** SQL: the movements with the sums of their families, as `enrollment`. @param selected the movements, joined to `movement_money`. */
const withFamilies = (selected: string): string => `(
  select *, sum(lost_if_missed) over family as family_lost, sum(if_missed) over family as family_missed, min(created_at) over family as family_since
  from (select enrollment.company_id, enrollment.id, enrollment.created_at, enrollment.member_type = 'dependent' as is_dependent,
      coalesce(enrollment.primary_member_id, enrollment.member_id) as family_id, movement_money.lost_if_missed, movement_money.if_missed
    from ${selected}) movement
  window family as (partition by company_id, family_id)) enrollment`

/** SQL of the enrollments that a filter selects, as `enrollment`, what their order reads, their order, over these as `page`, and the values. */
export interface QueueSelection {
  readonly from: string
  readonly columns: string
  readonly order: string
  readonly parameters: Parameters
}

/**
 * SQL of the enrollments that a filter selects, as `enrollment`. It has only the conditions of the filter, so that each combination has its own
 * plan. Operators see every company.
 */
function selectedBy(filter: QueueFilter, parameters: Parameters, ...joins: string[]): string {
  const { status, 'carrier-name': carrierName, assignee, answered, search } = filter
  const isOpen = status === OPEN || (status !== undefined && !isTerminalStatus(status))
  const conditions = conditionsOf(simpleConditions, filter, parameters)
  if (status !== undefined && status !== OPEN) conditions.push(`enrollment.status = ${parameters.add(status)}`)
  if ((filter['resolved-from-dt'] ?? filter['resolved-until-dt']) !== undefined) joins.push(resolutionOfEnrollment)
  if (assignee !== undefined) {
    conditions.push(
      assignee === UNASSIGNED ? 'enrollment.assignee is null' : `enrollment.assignee = ${parameters.add(assignee)}`,
    )
  }
  if (answered === true) conditions.push('enrollment.answered_at is not null')
  if (carrierName !== undefined) {
    joins.push(`join product on ${productOf('enrollment')}`)
    conditions.push(`product.carrier_key = fold(btrim(${parameters.add(carrierName)}))`)
  }
  if (search !== undefined) {
    joins.push(memberOfEnrollment)
    const text = parameters.add(search.text)
    const [name, pattern] = [likeName(text), likeText(text)]
    const matches = [matchesMember(name), ...(isOpen ? [] : [matchesFormerMember(name)])]
    matches.push(`lower(enrollment.carrier_protocol) like ${pattern}`, matchesItemProtocol(pattern))
    if (search.digits !== null)
      matches.push(`enrollment.member_tax_id like '%' || ${parameters.add(search.digits)} || '%'`)
    conditions.push(`(${matches.join(' or ')})`)
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return `${isOpen ? 'open_movement enrollment' : 'enrollment'} ${joins.join(' ')} ${where}`
}

export function selectQueue(filter: QueueFilter, order: QueueOrder): QueueSelection {
  const parameters = new Parameters()
  const from =
    order === 'money-at-risk'
      ? withFamilies(selectedBy(filter, parameters, `left join movement_money on ${moneyOfOpen}`))
      : selectedBy(filter, parameters)
  return { from, columns: orderColumns[order], order: orders[order], parameters }
}

/**
 * A page of the operators' queue and its total, from one snapshot.
 * @param isByFamily the rows of a family within the page stand together, the primary first: all pages together would be sorted for each.
 */
export async function listEnrollmentQueue(
  sql: Sql,
  filter: QueueFilter,
  { order, isByFamily }: { order: QueueOrder; isByFamily: boolean },
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const { from, columns, order: inOrder, parameters } = selectQueue(filter, order)
  // A search reads the names of all members: once. Any other page is read from an index, in its order.
  const materialized = filter.search === undefined ? 'not materialized' : 'materialized'
  const rows = await sql.queryPlanned<Page>(
    `with listed as ${materialized} (select enrollment.company_id, enrollment.id, ${columns} from ${from}),
     page as (select * from listed page order by ${inOrder} limit ${parameters.add(bounds.limit)} offset ${parameters.add(bounds.offset)}),
     item as (
       select ${queueItemJson} as body, row_number() over (order by ${inOrder}) as place, enrollment.company_id, enrollment.member_type,
         coalesce(enrollment.primary_member_id, enrollment.member_id) as family_id
       from page
       join enrollment on enrollment.company_id = page.company_id and enrollment.id = page.id
       join company on company.id = enrollment.company_id
       join product on ${productOf('enrollment')}
       ${shipmentThere('shipment_item.enrollment_id in (select id from page)')}
     )
     select (select count(*) from listed) as total,
       (select coalesce(json_agg(body order by ${isByFamily ? `first_place, member_type = 'dependent', place` : 'place'}), '[]')::text
        from (select *, min(place) over (partition by company_id, family_id) as first_place from item) item) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** The number of enrollments in each status that the filter selects, in the order of the statuses. */
export async function countEnrollments(
  sql: Sql,
  filter: Omit<QueueFilter, 'status'>,
): Promise<{ status: EnrollmentStatus; count: number }[]> {
  const parameters = new Parameters()
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  // Without a filter those that are closed are counted in the index of their last transitions.
  const closed = isFiltered
    ? `(select enrollment.* from ${selectedBy(filter, parameters)}) closed`
    : 'enrollment_history closed'
  const rows = await sql.queryPlanned<{ status: EnrollmentStatus; count: number }>(
    `select enrollment.status, count(*) as count from ${selectedBy({ ...filter, status: OPEN }, parameters)} group by enrollment.status
     union all
     select closed.status, count(*) from ${closed} where ${isTerminal('closed')} group by closed.status`,
    parameters.values,
  )
  const counts = new Map(rows.map(({ status, count }) => [status, count]))
  return ENROLLMENT_STATUSES.map((status) => ({ status, count: counts.get(status) ?? 0 }))
}

/** `{ "result": item }` of the queue; null when there is no such enrollment. */
export async function readQueueItem(sql: Sql, enrollmentId: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${queueItemJson})::text as body
     from enrollment
     join company on company.id = enrollment.company_id
     join product on ${productOf('enrollment')}
     ${shipmentThere('shipment_item.enrollment_id = $1')}
     where enrollment.id = $1`,
    [enrollmentId],
  )
  return rows[0]?.body ?? null
}
