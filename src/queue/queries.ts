import { isTerminal as isTerminalStatus } from '../domain/enrollment-status.ts'
import { ENROLLMENT_STATUSES, type EnrollmentStatus } from '../domain/enums.ts'
import type { SearchTerm } from '../domain/search.ts'
import { startOfDay } from '../http/date-range.ts'
import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { isTerminal } from '../enrollments/open-movement.ts'
import { productOfEnrollment, queueItemJson } from '../enrollments/queries.ts'

export const QUEUE_ORDERS = ['created-at', 'due-date'] as const
export type QueueOrder = (typeof QUEUE_ORDERS)[number]

/** Of the filter `status`: every status that is not terminal. */
export const OPEN = 'open'

/** Of the filter `assignee`: enrollments that nobody has. */
export const UNASSIGNED = 'none'

/** Conditions joined by AND; null: no condition. */
export interface QueueFilter {
  /** A status, or `OPEN`. */
  readonly status: string | null
  readonly enrollmentType: string | null
  readonly companyTaxId: string | null
  /** Compared without case and accents. */
  readonly carrierName: string | null
  /** Of a plan or company change the new product. */
  readonly productId: string | null
  readonly memberTaxId: string | null
  readonly memberId: string | null
  /** Days in Sao Paulo, both included: of the creation, and on which it reached its terminal status. */
  readonly createdFrom: string | null
  readonly createdUntil: string | null
  readonly resolvedFrom: string | null
  readonly resolvedUntil: string | null
  /** The first day. */
  readonly dueFrom: string | null
  /** The first day that is too late. */
  readonly dueBefore: string | null
  /** The client id of an operator, or `UNASSIGNED`. */
  readonly assignee: string | null
  /** A part of the name, the CPF or the employee id. */
  readonly search: SearchTerm | null
}

/**
 * SQL: the name or employee id of the member m has the pattern. A member whose only inclusion was rejected or cancelled is deleted: the name is in
 * the data of the request. Joined: the ids of members as a subquery are searched one by one when they do not fit into `work_mem`.
 */
const memberOfEnrollment = `left join member m on m.company_id = e.company_id and m.id = e.member_id`
const matchesMember = (pattern: string) => `m.search_text like ${pattern}`
const matchesFormerMember = (pattern: string) => `m.id is null and ${isTerminal('e')}
  and fold(concat_ws(E'\\n', e.data->>'name', e.data->>'employee-id')) like ${pattern}`

/** SQL: the transition that closed the enrollment. */
const resolutionOfEnrollment = `join enrollment_history h on h.company_id = e.company_id and h.enrollment_id = e.id and ${isTerminal('h')}`

const orders: Readonly<Record<QueueOrder, string>> = {
  'created-at': 'e.created_at, e.id',
  'due-date': 'e.due_date nulls last, e.created_at, e.id',
}

type SimpleFilter = Exclude<keyof QueueFilter, 'status' | 'carrierName' | 'assignee' | 'search'>

/** Over e, an enrollment or a row of `open_movement`. */
const simpleConditions: readonly [SimpleFilter, (parameter: string) => string][] = [
  ['enrollmentType', (parameter) => `e.enrollment_type = ${parameter}`],
  ['companyTaxId', (parameter) => `e.company_id = (select id from company where tax_id = ${parameter})`],
  ['productId', (parameter) => `coalesce(e.destination_product_id, e.product_id) = ${parameter}`],
  ['memberTaxId', (parameter) => `e.member_tax_id = ${parameter}`],
  ['memberId', (parameter) => `e.member_id = ${parameter}`],
  ['createdFrom', (parameter) => `e.created_at >= ${startOfDay(`${parameter}::date`)}`],
  ['createdUntil', (parameter) => `e.created_at < ${startOfDay(`${parameter}::date + 1`)}`],
  ['resolvedFrom', (parameter) => `h.at >= ${startOfDay(`${parameter}::date`)}`],
  ['resolvedUntil', (parameter) => `h.at < ${startOfDay(`${parameter}::date + 1`)}`],
  ['dueFrom', (parameter) => `e.due_date >= ${parameter}`],
  ['dueBefore', (parameter) => `e.due_date < ${parameter}`],
]

/** What an order reads: no more, so that the index of the order has all. */
const orderColumns: Readonly<Record<QueueOrder, string>> = {
  'created-at': 'e.created_at',
  'due-date': 'e.due_date, e.created_at',
}

/** SQL of the enrollments that a filter selects, with the alias e, of their order, and the values of both. */
export interface QueueSelection {
  readonly from: string
  readonly order: string
  readonly values: readonly unknown[]
}

/**
 * SQL of the enrollments that a filter selects, with the alias e. It has only the conditions of the filter, so that each combination has its own
 * plan. Operators see every company.
 * @param parameter adds a value and returns its placeholder.
 */
function selectedBy(filter: QueueFilter, parameter: (value: unknown) => string): string {
  const { status, resolvedFrom, resolvedUntil, carrierName, assignee, search } = filter
  const isOpen = status === OPEN || (status !== null && !isTerminalStatus(status as EnrollmentStatus))
  const joins: string[] = []
  const conditions = simpleConditions.flatMap(([name, condition]) => {
    const value = filter[name]
    return value === null ? [] : [condition(parameter(value))]
  })
  if (status !== null && status !== OPEN) conditions.push(`e.status = ${parameter(status)}`)
  if (resolvedFrom !== null || resolvedUntil !== null) joins.push(resolutionOfEnrollment)
  if (assignee !== null) {
    conditions.push(assignee === UNASSIGNED ? 'e.assignee is null' : `e.assignee = ${parameter(assignee)}`)
  }
  if (carrierName !== null) {
    joins.push(`join product p on ${productOfEnrollment}`)
    conditions.push(`p.carrier_key = fold(btrim(${parameter(carrierName)}))`)
  }
  if (search !== null) {
    joins.push(memberOfEnrollment)
    const pattern = `'%' || fold(${parameter(search.text)}) || '%'`
    const matches = [matchesMember(pattern), ...(isOpen ? [] : [matchesFormerMember(pattern)])]
    if (search.digits !== null) matches.push(`e.member_tax_id like '%' || ${parameter(search.digits)} || '%'`)
    conditions.push(`(${matches.join(' or ')})`)
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return `${isOpen ? 'open_movement' : 'enrollment'} e ${joins.join(' ')} ${where}`
}

export function selectQueue(filter: QueueFilter, order: QueueOrder): QueueSelection {
  const values: unknown[] = []
  const from = selectedBy(filter, (value) => `$${values.push(value)}`)
  return { from, order: orders[order], values }
}

/** A page of the operators' queue and its total, from one snapshot. */
export async function listEnrollmentQueue(
  sql: Sql,
  filter: QueueFilter,
  order: QueueOrder,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const selection = selectQueue(filter, order)
  const { length } = selection.values
  // A search reads the names of all members: once. Any other page is read from an index, in its order.
  const materialized = filter.search === null ? 'not materialized' : 'materialized'
  const rows = await sql.queryPlanned<Page>(
    `with listed as ${materialized} (select e.company_id, e.id, ${orderColumns[order]} from ${selection.from})
     select (select count(*) from listed) as total,
       (select coalesce(json_agg(${queueItemJson} order by ${selection.order}), '[]')::text
        from (select * from listed e order by ${selection.order} limit $${length + 1} offset $${length + 2}) l
        join enrollment e on e.company_id = l.company_id and e.id = l.id
        join company c on c.id = e.company_id
        join product p on ${productOfEnrollment}) as items`,
    [...selection.values, bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** The number of enrollments in each status that the filter selects, in the order of the statuses. */
export async function countEnrollments(
  sql: Sql,
  filter: Omit<QueueFilter, 'status'>,
): Promise<{ status: EnrollmentStatus; count: number }[]> {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const isFiltered = Object.values(filter).some((value) => value !== null)
  // Without a filter those that are closed are counted in the index of their last transitions.
  const closed = isFiltered
    ? `(select e.* from ${selectedBy({ ...filter, status: null }, parameter)}) e`
    : 'enrollment_history e'
  const rows = await sql.queryPlanned<{ status: EnrollmentStatus; count: number }>(
    `select e.status, count(*) as count from ${selectedBy({ ...filter, status: OPEN }, parameter)} group by e.status
     union all
     select e.status, count(*) from ${closed} where ${isTerminal('e')} group by e.status`,
    values,
  )
  const counts = new Map(rows.map(({ status, count }) => [status, count]))
  return ENROLLMENT_STATUSES.map((status) => ({ status, count: counts.get(status) ?? 0 }))
}

/** `{ "result": item }` of the queue; null when there is no such enrollment. */
export async function readQueueItem(sql: Sql, enrollmentId: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${queueItemJson})::text as body
     from enrollment e
     join company c on c.id = e.company_id
     join product p on ${productOfEnrollment}
     where e.id = $1`,
    [enrollmentId],
  )
  return rows[0]?.body ?? null
}
