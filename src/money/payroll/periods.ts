import { type Static, Type } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { Month } from '#registry/contracts/calendar-schema.ts'
import { PageOf } from '#platform/http/page.ts'
import {
  Cents,
  Named,
  Nullable,
  pageBounds,
  type PageQuery,
  pagination,
  Timestamp,
  Uuid,
} from '#platform/http/schemas.ts'
import type { OpenLine } from '../rules/payroll.ts'
import { readOpenLines } from './due.ts'
import { listedLines } from './lines.ts'
import { readEmployees, readProfile } from './queries.ts'

const PeriodExport = Named(
  'PayrollPeriodExport',
  Type.Object({ 'payroll-export-id': Uuid, 'reference-month': Month, number: Type.Integer(), 'created-at': Timestamp }),
)

const PayrollPeriod = Named(
  'PayrollPeriod',
  Type.Object({
    'reference-month': Month,
    'first-export': Nullable(PeriodExport),
    'invoice-read-at': Nullable({ ...Timestamp, description: 'When the latest invoice of the month was read.' }),
    'closed-at': Nullable({ ...Timestamp, description: 'null: the month is open.' }),
    'is-reopened': Type.Boolean({ description: 'The month was closed and is open again: nothing of it is exported.' }),
    'difference-export': Nullable(PeriodExport),
    exported: Cents('What the exports have of the month of cover.'),
    open: Cents('What the next export has of it.'),
    'to-bill': Cents('The part of `open` that the company bills.'),
    held: Cents('What is not deducted while the carrier’s charge is contested.'),
  }),
)
type PayrollPeriod = Static<typeof PayrollPeriod>
export const PayrollPeriodList = PageOf(PayrollPeriod)

type MonthFacts = Omit<PayrollPeriod, 'open' | 'to-bill' | 'held'>

const exportJson = `json_build_object('payroll-export-id', id, 'reference-month', period, 'number', number, 'created-at', iso(created_at))`

async function readMonths(sql: Sql, companyId: string): Promise<MonthFacts[]> {
  const rows = await sql.query<{ item: MonthFacts }>(
    `with exported as (
       select payroll_export.id, payroll_export.reference_month as period, payroll_export.number, payroll_export.created_at, origin_month as month,
         sum(amount)::bigint as amount
       from payroll_export
       join payroll_export_line on payroll_export_line.company_id = $1 and payroll_export_line.export_id = payroll_export.id
       where payroll_export.company_id = $1 group by payroll_export.company_id, payroll_export.id, origin_month
     ), invoice as (
       select reference_month as month, max(read_at) as read_at from carrier_file
       where company_id = $1 and kind = 'invoice' and status = 'read' group by 1
     )
     select json_build_object('reference-month', month,
       'first-export', (select ${exportJson} from exported where exported.month = listed.month order by created_at, id limit 1),
       'invoice-read-at', (select iso(read_at) from invoice where invoice.month = listed.month),
       'closed-at', (select max(act->>'at') from closing, jsonb_array_elements(acts) act
         where company_id = $1 and reference_month = listed.month and status <> 'open' and act->>'act' = 'closed'),
       'is-reopened', exists (select 1 from closing where company_id = $1 and reference_month = listed.month and status = 'open'),
       'difference-export', (select ${exportJson} from (
         select *, row_number() over (order by created_at, id) as position from exported where exported.month = listed.month) later
         where position > 1 order by position desc limit 1),
       'exported', (select coalesce(sum(amount), 0)::bigint from exported where exported.month = listed.month)) as item
     from (select month from exported union select month from invoice union select reference_month from closing where company_id = $1) listed
     order by month desc`,
    [companyId],
  )
  return rows.map(({ item }) => item)
}

/** The body of a page of the months of a company: what payroll took of each, and what is left. The latest first. */
export async function periodList(sql: Sql, companyId: string, query: PageQuery) {
  const months = await readMonths(sql, companyId)
  const profile = await readProfile(sql, companyId)
  const last = months[0]?.['reference-month']
  const lines: OpenLine[] = []
  if (profile?.basis === 'effective-date' && last !== undefined) {
    const found = await readOpenLines(sql, profile, { companyId, through: last })
    lines.push(...found.lines.filter(({ memberId }) => !found.problems.has(memberId)))
  }
  const { limit, offset } = pageBounds(query)
  const page = months.slice(offset, offset + limit)
  if (profile?.basis !== 'effective-date') {
    for (const { 'reference-month': month } of page) {
      const found = await readOpenLines(sql, profile, { companyId, through: month })
      lines.push(...found.lines.filter(({ memberId }) => !found.problems.has(memberId)))
    }
  }
  const employees = await readEmployees(sql, companyId, [...new Set(lines.map(({ memberId }) => memberId))])
  const listed = listedLines(lines, employees, profile, last ?? '')
  const byMonth = Map.groupBy(listed, ({ originMonth }) => originMonth)
  const result = page.map((month): PayrollPeriod => {
    const ofMonth = byMonth.get(month['reference-month']) ?? []
    return {
      ...month,
      open: sumOf(ofMonth),
      'to-bill': sumOf(ofMonth.filter(({ destination }) => destination === 'bill')),
      held: ofMonth.reduce((sum, { held }) => sum + held, 0),
    }
  })
  return { result, pagination: pagination(query, months.length) }
}

const sumOf = (lines: readonly OpenLine[]): number => lines.reduce((sum, { open }) => sum + open, 0)
