import { required } from '#platform/core/log.ts'
import { ENROLLMENT_STATUSES, MOVEMENT_KINDS, TERMINAL_STATUSES } from '#kernel/enums.ts'
import { isTerminal as isTerminalStatus } from '#coverage/rules/enrollment-status.ts'
import { startOfDay } from '#platform/http/date-range.ts'
import type { Sql } from '#platform/core/database.ts'
import { failingEndpoints } from '#events/webhooks/endpoint-queries.ts'
import { isTerminal } from '#coverage/enrollments/open-movement.ts'
import { productOf } from '#coverage/enrollments/queries.ts'
import { isOverdueAtCarrier } from '#movements/queue/queries.ts'

/** The open statuses, in the order of the statuses. */
const OPEN_STATUSES = ENROLLMENT_STATUSES.filter((status) => !isTerminalStatus(status))

/** The ages of the backlog, in days of Sao Paulo since the creation: names and the lowest age of each. */
const BACKLOG_AGES = [
  ['under-1-day', 0],
  ['1-to-3-days', 1],
  ['4-to-7-days', 4],
  ['over-7-days', 8],
] as const

interface StatisticsRange {
  /** Both included. */
  readonly from: string
  readonly until: string
  readonly today: string
}

const [from, until, today] = ['$1::date', '$2::date', '$3::date'] as const

const within = (instant: string, first: string, last: string) =>
  `${instant} >= ${startOfDay(first)} and ${instant} < ${startOfDay(`${last} + 1`)}`

/** SQL conditions of the ages, over `open_movement`. What was created after `today`, which a test may set, counts as of today. */
const ages = BACKLOG_AGES.map(([, days], index) => {
  const older = BACKLOG_AGES[index + 1]?.[1]
  const before = days === 0 ? [] : [`open_movement.created_at < ${startOfDay(`${today} - ${days - 1}`)}`]
  const notBefore = older === undefined ? [] : [`open_movement.created_at >= ${startOfDay(`${today} - ${older - 1}`)}`]
  return [...before, ...notBefore].join(' and ')
})

const due = {
  overdue: `open_movement.due_date < ${today}`,
  today: `open_movement.due_date = ${today}`,
  'next-7-days': `open_movement.due_date > ${today} and open_movement.due_date <= ${today} + 7`,
}

const counted = (condition: string) => `count(*) filter (where ${condition})`
const sumOf = (column: string) => `coalesce(sum(open.${column}), 0)::bigint`
const statuses = TERMINAL_STATUSES.map(
  (status) => [status, counted(`enrollment_history.status = '${status}'`)] as const,
)

// A day is counted by its range of an index: converting each instant to its day takes several times as long.
const text = `
with day as (
  select day.date::date as date from generate_series(${from}, ${until}, interval '1 day') as day(date)
), created as materialized (
  select day.date, count(*) as created from day join enrollment on ${within('enrollment.created_at', 'day.date', 'day.date')} group by day.date
), resolved as materialized (
  select day.date, ${statuses.map(([status, count]) => `${count} as ${status}`).join(', ')}
  from day join enrollment_history on ${isTerminal('enrollment_history')} and ${within('enrollment_history.at', 'day.date', 'day.date')}
    group by day.date
), open as materialized (
  select open_movement.status, open_movement.company_id, open_movement.product_id, open_movement.destination_company_id,
    open_movement.destination_product_id, count(*) as total,
    ${ages.map((condition, index) => `${counted(condition)} as age_${index}`).join(', ')},
    ${Object.values(due)
      .map((condition, index) => `${counted(condition)} as due_${index}`)
      .join(', ')}
  from open_movement group by 1, 2, 3, 4, 5
), assigned as materialized (
  select open_movement.assignee, count(*) as total,
    ${Object.entries(due)
      .map(([name, condition]) => `${counted(condition)} as "${name}"`)
      .join(', ')},
    ${counted('open_movement.answered_at is not null')} as answered
  from open_movement group by open_movement.assignee
), backlog as (
  select product.carrier_key, ${sumOf('total')} as total, ${ages.map((_, index) => `${sumOf(`age_${index}`)} as age_${index}`).join(', ')}
  from open join product on ${productOf('open')} group by product.carrier_key
), resolve_time as (
  select enrollment.enrollment_type, count(*) as count,
    percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from enrollment_history.at - enrollment.created_at)) as seconds
  from enrollment_history join enrollment on enrollment.company_id = enrollment_history.company_id
    and enrollment.id = enrollment_history.enrollment_id
  where ${isTerminal('enrollment_history')} and enrollment_history.status <> 'cancelled' and ${within('enrollment_history.at', from, until)}
    group by enrollment.enrollment_type
)
select json_build_object('result', json_build_object(
  'from-date', ${from}, 'until-date', ${until}, 'today', ${today},
  'days', (select json_agg(json_build_object('date', day.date, 'created', coalesce(created.created, 0),
      ${statuses.map(([status]) => `'${status}', coalesce(resolved.${status}, 0)`).join(', ')}) order by day.date)
    from day left join created on created.date = day.date left join resolved on resolved.date = day.date),
  'open-by-status', (select json_agg(json_build_object('status', open_status.status, 'count', (
      select ${sumOf('total')} from open where open.status = open_status.status)) order by open_status.place)
    from unnest($4::text[]) with ordinality as open_status(status, place)),
  'backlog', (select coalesce(json_agg(json_build_object('carrier-name', carrier.name, 'total', backlog.total,
      ${BACKLOG_AGES.map(([name], index) => `'${name}', backlog.age_${index}`).join(', ')})
      order by backlog.total desc, carrier.key collate "C"), '[]')
    from backlog join carrier on carrier.key = backlog.carrier_key),
  'time-to-resolve', (select json_agg(json_build_object('enrollment-type', kind.type, 'count', coalesce(resolve_time.count, 0),
      'median-seconds', round(resolve_time.seconds[1]::numeric)::bigint, 'p90-seconds', round(resolve_time.seconds[2]::numeric)::bigint)
        order by kind.place)
    from unnest($5::text[]) with ordinality as kind(type, place) left join resolve_time on resolve_time.enrollment_type = kind.type),
  'due', (select json_build_object(${Object.keys(due)
    .map((name, index) => `'${name}', ${sumOf(`due_${index}`)}`)
    .join(', ')}) from open),
  'by-assignee', (select coalesce(json_agg(json_build_object('assignee', assigned.assignee, 'total', assigned.total,
      ${Object.keys(due)
        .map((name) => `'${name}', assigned."${name}"`)
        .join(', ')}, 'answered', assigned.answered)
      order by assigned.assignee is not null, assigned.total desc, assigned.assignee), '[]') from assigned),
  'answered', (select coalesce(sum(assigned.answered), 0)::bigint from assigned),
  'overdue-at-carrier', (select count(*) from open_movement enrollment where ${isOverdueAtCarrier(today)}),
  'failing-webhooks', ${failingEndpoints}))::text as body`

/** `{ "result": statistics }` of the movements of all companies, from one snapshot. */
export async function readStatistics(sql: Sql, range: StatisticsRange): Promise<string> {
  const values = [range.from, range.until, range.today, OPEN_STATUSES, MOVEMENT_KINDS]
  const rows = await sql.queryPlanned<{ body: string }>(text, values)
  return required(rows[0], 'row of the statistics').body
}
