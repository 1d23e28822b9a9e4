import type { Page } from '../http/page.ts'
import type { Caller } from '../http/caller.ts'
import type { Database, Sql } from '../platform/database.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { dateSpans, type DayRange, monthSpans } from './date-spans.ts'
import { storedInvoice, type StoredInvoice, invoiceJson } from './queries.ts'

/** Due dates, both included. */
export interface DueFilter {
  readonly from: LocalDate | null
  readonly until: LocalDate | null
}

interface Bounds {
  readonly limit: number
  readonly offset: number
}

interface Found {
  readonly total: number
  readonly items: readonly StoredInvoice[]
}

/** Where one way of finding a page ends and another begins. */
export interface PageThresholds {
  /** Up to so many companies and so many invoices a list is looked through as it is. */
  readonly companies: number
  readonly invoices: number
  /** Up to here a page of a long list is looked for from its beginning. */
  readonly offset: number
  /** Up to here it is met soon when the days are gone through, by whoever may see one company in so many. */
  readonly soon: number
  readonly oneIn: number
}

const usual: PageThresholds = { companies: 100, invoices: 2_000, offset: 5_000, soon: 200, oneIn: 5 }

/**
 * A page of the invoices of the caller's companies on which something is left to pay, by due date and id, and how many there are;
 * undefined when the client is revoked. A short list is counted outright, in one statement that goes by company, or by day. A long one is
 * counted by adding up the years, months and days that writes keep counted; a late page of it is found
 * by the same counts. So neither takes longer as the book grows.
 */
export async function listPendingInvoices(
  database: Database,
  caller: Caller,
  filter: DueFilter,
  bounds: Bounds,
  today: LocalDate,
  thresholds: PageThresholds = usual,
): Promise<Page | undefined> {
  const few = await readFew(database, caller, filter, bounds, thresholds)
  if (few === undefined) return undefined
  let found: Found = { total: few.total ?? 0, items: few.items ?? [] }
  if (few.items === null) {
    const isSoon = few.seesMany && bounds.offset <= thresholds.soon
    found = await (bounds.offset <= thresholds.offset
      ? readEarly(database, caller, filter, bounds, isSoon)
      : readLate(database, caller, filter, bounds))
  }
  const { total, items } = found
  return { total, items: JSON.stringify(items.map((invoice) => invoiceJson(invoice, today))) }
}

/** SQL of the order of the list, over an alias. */
const inOrder = (alias: string) => `${alias}.due_date, ${alias}.id collate "C"`

/** SQL of the keys of the invoices of client $1 that are to be paid and due from $2 to $3: a page of them, $4 long after $5. */
const pageOfClient = `
  select i.company_id, i.due_date, i.id from entitlement t join invoice i on i.company_id = t.company_id
  where t.client_id = $1 and i.due_date between $2::date and $3::date and i.unpaid_due_date is not null and i.amount >= 0
  order by ${inOrder('i')} limit $4::bigint offset $5::bigint`

/** The same day by day, each invoice looked at whether it is the client's: at once for whoever may see many. `offset 0` keeps that order. */
const pageByDay = `
  select i.company_id, i.due_date, i.id
  from (select i.company_id, i.due_date, i.id from invoice i
    where i.due_date between $2::date and $3::date and i.unpaid_due_date is not null and i.amount >= 0
    order by ${inOrder('i')} offset 0) i
  cross join lateral (select from entitlement t where t.client_id = $1 and t.company_id = i.company_id offset 0) t
  order by ${inOrder('i')} limit $4::bigint offset $5::bigint`

/** SQL of the invoices of some keys as a JSON array. */
const itemsOf = (keys: string) => `(select coalesce(json_agg(${storedInvoice} order by ${inOrder('i')}), '[]')
  from (${keys}) key join invoice i on i.company_id = key.company_id and i.id = key.id join company c on c.id = i.company_id)`

/*
 * An array of companies, because a join may be planned for clients of average size: then a small one waits for a scan of all. Where
 * companies are many, it is looked up first whether the days hold few invoices, whosever they are.
 */
const fewOfCaller = `
with scope as materialized (
  select companies, case when cardinality(companies) <= $6::bigint then 'by company'
    when not exists (
      select from invoice i where i.due_date between $2::date and $3::date and i.unpaid_due_date is not null and i.amount >= 0
      order by ${inOrder('i')} limit 1 offset $7::bigint) then 'by day' end as way
  from (select array(select company_id from entitlement where client_id = $1 limit $6::bigint + 1) as companies) asked),
few as materialized (
  (select i.company_id, i.due_date, i.id from invoice i
  where i.company_id = any((select companies from scope)::uuid[]) and (select way from scope) = 'by company'
    and i.due_date between $2::date and $3::date and i.unpaid_due_date is not null
  limit $7::bigint + 1)
  union all
  select i.company_id, i.due_date, i.id from invoice i
  where (select way from scope) = 'by day' and i.company_id in (select company_id from entitlement where client_id = $1)
    and i.due_date between $2::date and $3::date and i.unpaid_due_date is not null and i.amount >= 0),
counted as (select count(*) as total, count(*) <= $7::bigint and (select way from scope) is not null as short from few)
select total, case when short then
  ${itemsOf(`select * from few order by ${inOrder('few')} limit $4::bigint offset $5::bigint`)} end as items,
  not short and (select count(*) from entitlement where client_id = $1) * $8::bigint
    >= (select reltuples from pg_class where oid = 'company'::regclass) as "seesMany"
from client k, counted
where k.id = $1 and k.kind = 'partner' and k.revoked_at is null`

interface Few {
  readonly total: number
  readonly items: readonly StoredInvoice[] | null
  /** Whether the caller may see a good part of all companies, as far as statistics tell; false where there are items. */
  readonly seesMany: boolean
}

/** The page when few invoices have to be looked at, else null in its place; undefined when the client is revoked. */
async function readFew(
  sql: Sql,
  caller: Caller,
  filter: DueFilter,
  { limit, offset }: Bounds,
  { companies, invoices, oneIn }: PageThresholds,
): Promise<Few | undefined> {
  const values = [caller.clientId, ...duesOf(filter), limit, offset, companies, invoices, oneIn]
  const [row] = await sql.point<Few>(fewOfCaller, values)
  return row
}

/** SQL of the counts of client $1 by the spans of a grain that begin in a range, both ends included. */
const countsOf = (grain: 'month' | 'day', first: string, last: string) => `
  select m.starts_on, sum(m.unpaid)::bigint as unpaid
  from entitlement t join invoice_count m on m.company_id = t.company_id
  where t.client_id = $1 and m.grain = '${grain}' and m.starts_on between ${first}::date and ${last}::date and m.unpaid > 0
  group by m.starts_on`

/**
 * A page near the beginning of a long list: planned with its own days and client, by company or by day.
 * @param isSoon whether it is met soon when the days are gone through: then a plan that is kept serves as well.
 */
async function readEarly(
  sql: Sql,
  caller: Caller,
  filter: DueFilter,
  { limit, offset }: Bounds,
  isSoon: boolean,
): Promise<Found> {
  const { head, months, tail } = dateSpans(filter.from, filter.until)
  const whole = monthSpans(months)
  const values: unknown[] = [caller.clientId, ...duesOf(filter), limit, offset]
  const place = (day: string) => `$${values.push(day)}::date`
  const counts = (grain: string, days: DayRange) =>
    days === null
      ? []
      : `select company_id, unpaid from invoice_count where grain = '${grain}' and starts_on between ${place(days[0])} and ${place(days[1])}`
  const spans = [
    counts('day', head),
    counts('month', whole.head),
    counts('year', whole.years),
    counts('month', whole.tail),
    counts('day', tail),
  ].flat()
  const [row] = await sql[isSoon ? 'keyed' : 'planned']<Found>(
    `select (
       select coalesce(sum(m.unpaid), 0) from (${spans.join(' union all ')}) m join entitlement t on t.company_id = m.company_id
       where t.client_id = $1)::bigint as total, ${itemsOf(isSoon ? pageByDay : pageOfClient)} as items`,
    values,
  )
  return row ?? { total: 0, items: [] }
}

/** A page further on: the months that it falls on are found first. All in one snapshot. */
async function readLate(database: Database, caller: Caller, filter: DueFilter, bounds: Bounds): Promise<Found> {
  return database.transaction(async (sql) => {
    await sql.run('set transaction isolation level repeatable read, read only')
    const { head, months, tail } = dateSpans(filter.from, filter.until)
    const values = [caller.clientId, ...daysOf(head), ...daysOf(months), ...daysOf(tail)]
    const spans = await sql.planned<Span>(spansOfCaller, values)
    const total = spans.reduce((sum, span) => sum + span.unpaid, 0)
    const stretch = stretchOf(spans, bounds)
    if (stretch === null) return { total, items: [] }
    const [row] = await sql.planned<{ items: StoredInvoice[] }>(`select ${itemsOf(pageOfClient)} as items`, [
      caller.clientId,
      stretch.first,
      stretch.last,
      bounds.limit,
      bounds.offset - stretch.before,
    ])
    return { total, items: row?.items ?? [] }
  })
}

/** How many are due from one day to another. */
interface Span {
  readonly first: LocalDate
  readonly last: LocalDate
  readonly unpaid: number
}

const spansOfCaller = `
select starts_on as first, starts_on as last, unpaid from (${countsOf('day', '$2', '$3')}) head
union all
select starts_on, (starts_on + interval '1 month')::date - 1, unpaid from (${countsOf('month', '$4', '$5')}) months
union all
select starts_on, starts_on, unpaid from (${countsOf('day', '$6', '$7')}) tail
order by first`

interface Stretch {
  readonly first: LocalDate
  readonly last: LocalDate
  /** How many of the list come before it. */
  readonly before: number
}

/** The days of the spans on which a page falls; null when it lies past the end. */
function stretchOf(spans: readonly Span[], { limit, offset }: Bounds): Stretch | null {
  const placed: Stretch[] = []
  let counted = 0
  for (const { first, last, unpaid } of spans) {
    if (counted < offset + limit && counted + unpaid > offset) placed.push({ first, last, before: counted })
    counted += unpaid
  }
  const [begin, end] = [placed[0], placed.at(-1)]
  return begin === undefined || end === undefined ? null : { ...begin, last: end.last }
}

function duesOf({ from, until }: DueFilter): [string, string] {
  return [from ?? '-infinity', until ?? 'infinity']
}

/** No days are a range that ends before it begins. */
function daysOf(days: DayRange): readonly [string, string] {
  return days ?? ['infinity', '-infinity']
}
