import { required } from '../core/log.ts'
import { carriers } from '../companies/queries.ts'
import { ENROLLMENT_STATUSES, MOVEMENT_KINDS, TERMINAL_STATUSES } from '../domain/enums.ts'
import { isTerminal as isTerminalStatus } from '../domain/enrollment-status.ts'
import { startOfDay } from '../http/date-range.ts'
import type { Sql } from '../core/database.ts'
import { failingEndpoints } from '../webhooks/endpoint-queries.ts'
import { isTerminal } from '../enrollments/open-movement.ts'
import { productOfEnrollment } from '../enrollments/queries.ts'

/** The open statuses, in the order of the statuses. */
export const OPEN_STATUSES = ENROLLMENT_STATUSES.filter((status) => !isTerminalStatus(status))

/** The ages of the backlog, in days of Sao Paulo since the creation: names and the lowest age of each. */
export const BACKLOG_AGES = [
  ['under-1-day', 0],
  ['1-to-3-days', 1],
  ['4-to-7-days', 4],
  ['over-7-days', 8],
] as const

export interface StatisticsRange {
  /** Both included. */
  readonly from: string
  readonly until: string
  readonly today: string
}

const [from, until, today] = ['$1::date', '$2::date', '$3::date'] as const

const within = (instant: string, first: string, last: string) =>
  `${instant} >= ${startOfDay(first)} and ${instant} < ${startOfDay(`${last} + 1`)}`

/** SQL conditions of the ages, over e. What was created after `today`, which a test may set, counts as of today. */
const ages = BACKLOG_AGES.map(([, days], index) => {
  const older = BACKLOG_AGES[index + 1]?.[1]
  const before = days === 0 ? [] : [`e.created_at < ${startOfDay(`${today} - ${days - 1}`)}`]
  const notBefore = older === undefined ? [] : [`e.created_at >= ${startOfDay(`${today} - ${older - 1}`)}`]
  return [...before, ...notBefore].join(' and ')
})

const due = {
  overdue: `e.due_date < ${today}`,
  today: `e.due_date = ${today}`,
  'next-7-days': `e.due_date > ${today} and e.due_date <= ${today} + 7`,
}

const counted = (condition: string) => `count(*) filter (where ${condition})`
const sumOf = (column: string) => `coalesce(sum(e.${column}), 0)::bigint`
const statuses = TERMINAL_STATUSES.map((status) => [status, counted(`h.status = '${status}'`)] as const)

// A day is counted by its range of an index: converting each instant to its day takes several times as long.
const text = `
with day as (
  select d.date::date as date from generate_series(${from}, ${until}, interval '1 day') as d(date)
), created as materialized (
  select d.date, count(*) as created from day d join enrollment e on ${within('e.created_at', 'd.date', 'd.date')} group by d.date
), resolved as materialized (
  select d.date, ${statuses.map(([status, count]) => `${count} as ${status}`).join(', ')}
  from day d join enrollment_history h on ${isTerminal('h')} and ${within('h.at', 'd.date', 'd.date')} group by d.date
), open as materialized (
  select e.status, e.company_id, e.product_id, e.destination_company_id, e.destination_product_id, count(*) as total,
    ${ages.map((condition, index) => `${counted(condition)} as age_${index}`).join(', ')},
    ${Object.values(due)
      .map((condition, index) => `${counted(condition)} as due_${index}`)
      .join(', ')}
  from open_movement e group by 1, 2, 3, 4, 5
), backlog as (
  select p.carrier_key, ${sumOf('total')} as total, ${ages.map((_, index) => `${sumOf(`age_${index}`)} as age_${index}`).join(', ')}
  from open e join product p on ${productOfEnrollment} group by p.carrier_key
), resolve_time as (
  select e.enrollment_type, count(*) as count,
    percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from h.at - e.created_at)) as seconds
  from enrollment_history h join enrollment e on e.company_id = h.company_id and e.id = h.enrollment_id
  where ${isTerminal('h')} and h.status <> 'cancelled' and ${within('h.at', from, until)} group by e.enrollment_type
)
select json_build_object('result', json_build_object(
  'from-date', ${from}, 'until-date', ${until}, 'today', ${today},
  'days', (select json_agg(json_build_object('date', d.date, 'created', coalesce(c.created, 0),
      ${statuses.map(([status]) => `'${status}', coalesce(r.${status}, 0)`).join(', ')}) order by d.date)
    from day d left join created c on c.date = d.date left join resolved r on r.date = d.date),
  'open-by-status', (select json_agg(json_build_object('status', s.status, 'count', (
      select ${sumOf('total')} from open e where e.status = s.status)) order by s.place)
    from unnest($4::text[]) with ordinality as s(status, place)),
  'backlog', (select coalesce(json_agg(json_build_object('carrier-name', k.carrier_name, 'total', b.total,
      ${BACKLOG_AGES.map(([name], index) => `'${name}', b.age_${index}`).join(', ')})
      order by b.total desc, k.carrier_key collate "C"), '[]')
    from backlog b join (${carriers}) k on k.carrier_key = b.carrier_key),
  'time-to-resolve', (select json_agg(json_build_object('enrollment-type', t.type, 'count', coalesce(m.count, 0),
      'median-seconds', round(m.seconds[1]::numeric)::bigint, 'p90-seconds', round(m.seconds[2]::numeric)::bigint) order by t.place)
    from unnest($5::text[]) with ordinality as t(type, place) left join resolve_time m on m.enrollment_type = t.type),
  'due', (select json_build_object(${Object.keys(due)
    .map((name, index) => `'${name}', ${sumOf(`due_${index}`)}`)
    .join(', ')}) from open e),
  'failing-webhooks', ${failingEndpoints}))::text as body`

/** `{ "result": statistics }` of the movements of all companies, from one snapshot. */
export async function readStatistics(sql: Sql, range: StatisticsRange): Promise<string> {
  const values = [range.from, range.until, range.today, OPEN_STATUSES, MOVEMENT_KINDS]
  const rows = await sql.queryPlanned<{ body: string }>(text, values)
  return required(rows[0], 'row of the statistics').body
}
