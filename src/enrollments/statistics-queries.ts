import { carriers } from '../companies/queries.ts'
import { ENROLLMENT_STATUSES, REQUEST_TYPES, TERMINAL_STATUSES } from '../domain/enums.ts'
import { isTerminal as isTerminalStatus } from '../domain/enrollment-status.ts'
import { dayOf, startOfDay } from '../http/date-range.ts'
import type { Sql } from '../platform/database.ts'
import { failingEndpoints } from '../webhooks/endpoint-queries.ts'
import { isOpen, isTerminal } from './is-open.ts'
import { productOfEnrollment } from './queries.ts'

/** The open statuses, in the order of the statuses. */
export const OPEN_STATUSES = ENROLLMENT_STATUSES.filter((status) => !isTerminalStatus(status))

/** The ages of the backlog, in days of Sao Paulo since the creation: names and the lowest age of each. */
export const BACKLOG_AGES = [
  ['under-1-day', 0],
  ['1-to-3-days', 1],
  ['4-to-7-days', 4],
  ['over-7-days', 8],
] as const

/** `due_date` of today and of so many days after it. */
const nextDays = 7

export interface StatisticsRange {
  /** Both included. */
  readonly from: string
  readonly until: string
  readonly today: string
}

const [from, until, today] = ['$1::date', '$2::date', '$3::date'] as const

const inRange = (instant: string) => `${instant} >= ${startOfDay(from)} and ${instant} < ${startOfDay(`${until} + 1`)}`

/** SQL of the index of an age in `BACKLOG_AGES`, from 0. A later creation than today's, with a configured day, is of today. */
const ageOf = (instant: string) =>
  `case ${BACKLOG_AGES.slice(1)
    .map(([, days], index) => `when ${instant} >= ${startOfDay(`${today} - ${days - 1}`)} then ${index}`)
    .join(' ')} else ${BACKLOG_AGES.length - 1} end`

const text = `
with created as (
  select ${dayOf('e.created_at')} as date, count(*) as created from enrollment e where ${inRange('e.created_at')} group by 1
), resolved as (
  select ${dayOf('e.updated_at')} as date,
    ${TERMINAL_STATUSES.map((status) => `count(*) filter (where e.status = '${status}') as ${status}`).join(', ')}
  from enrollment e where ${isTerminal('e')} and ${inRange('e.updated_at')} group by 1
), resolve_time as (
  select e.enrollment_type, count(*) as count,
    percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from e.updated_at - e.created_at)) as seconds
  from enrollment e where e.status in ('completed', 'rejected') and ${inRange('e.updated_at')} group by 1
), open as materialized (
  select e.status, e.company_id, e.product_id, e.destination_company_id, e.destination_product_id, ${ageOf('e.created_at')} as age,
    case when e.due_date < ${today} then 'overdue' when e.due_date = ${today} then 'today'
      when e.due_date <= ${today} + ${nextDays} then 'next' end as due, count(*) as count
  from enrollment e where ${isOpen('e')} group by 1, 2, 3, 4, 5, 6, 7
), backlog as (
  select p.carrier_key, sum(e.count)::bigint as total,
    ${BACKLOG_AGES.map((_, index) => `coalesce(sum(e.count) filter (where e.age = ${index}), 0)::bigint as age_${index}`).join(', ')}
  from open e join product p on ${productOfEnrollment} group by p.carrier_key
)
select json_build_object('result', json_build_object(
  'from-date', ${from}, 'until-date', ${until}, 'today', ${today},
  'days', (select json_agg(json_build_object('date', d.date::date, 'created', coalesce(c.created, 0),
      ${TERMINAL_STATUSES.map((status) => `'${status}', coalesce(r.${status}, 0)`).join(', ')}) order by d.date)
    from generate_series(${from}, ${until}, interval '1 day') as d(date)
    left join created c on c.date = d.date left join resolved r on r.date = d.date),
  'open-by-status', (select json_agg(json_build_object('status', s.status, 'count', (
      select coalesce(sum(e.count), 0)::bigint from open e where e.status = s.status)) order by s.place)
    from unnest($4::text[]) with ordinality as s(status, place)),
  'backlog', (select coalesce(json_agg(json_build_object('carrier-name', k.carrier_name, 'total', b.total,
      ${BACKLOG_AGES.map(([name], index) => `'${name}', b.age_${index}`).join(', ')})
      order by b.total desc, k.carrier_key collate "C"), '[]')
    from backlog b join (${carriers}) k on k.carrier_key = b.carrier_key),
  'time-to-resolve', (select json_agg(json_build_object('enrollment-type', t.type, 'count', coalesce(m.count, 0),
      'median-seconds', round(m.seconds[1]::numeric)::bigint, 'p90-seconds', round(m.seconds[2]::numeric)::bigint) order by t.place)
    from unnest($5::text[]) with ordinality as t(type, place) left join resolve_time m on m.enrollment_type = t.type),
  'due', (select json_build_object('overdue', coalesce(sum(count) filter (where due = 'overdue'), 0)::bigint,
      'today', coalesce(sum(count) filter (where due = 'today'), 0)::bigint,
      'next-7-days', coalesce(sum(count) filter (where due = 'next'), 0)::bigint) from open),
  'failing-webhooks', ${failingEndpoints}))::text as body`

/** `{ "result": statistics }` of the movements of all companies, from one snapshot. */
export async function readStatistics(sql: Sql, range: StatisticsRange): Promise<string> {
  const values = [range.from, range.until, range.today, OPEN_STATUSES, REQUEST_TYPES]
  const rows = await sql.queryPlanned<{ body: string }>(text, values)
  return rows[0]?.body ?? ''
}
