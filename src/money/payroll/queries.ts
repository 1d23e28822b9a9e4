import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type Destination, END_OF_EMPLOYMENT, type PayrollExportKind } from '#kernel/broker-enums.ts'
import type { ExportedLine } from '../rules/payroll.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages } from '#platform/http/pages.ts'
import type {
  CompanyExportQuery,
  ExportQuery,
  PayrollExportData,
  PayrollProfile,
  PayrollProfileInput,
} from './schema.ts'

export type StoredProfile = Static<typeof PayrollProfile>

/** The profile of a company; null: it has none. */
export async function readProfile(sql: Sql, companyId: string): Promise<StoredProfile | null> {
  const rows = await sql.query<{ item: StoredProfile }>(
    `select json_build_object('layout-id', layout_id, 'basis', basis, 'first-month', first_month, 'payroll-day', payroll_day,
       'events', json_build_object('primary', primary_event, 'dependent', dependent_event, 'coparticipation', coparticipation_event,
         'refund', refund_event, 'by-product-type', product_events),
       'unpaid-leave', unpaid_leave, 'tax-figures-by', tax_figures_by, 'final-limit', final_limit, 'updated-at', iso(updated_at)) as item
     from payroll_profile where company_id = $1`,
    [companyId],
  )
  return rows[0]?.item ?? null
}

/** Inserts or replaces the profile of a company. */
export async function putProfile(sql: Sql, companyId: string, profile: PayrollProfileInput, at: Date): Promise<void> {
  const { events } = profile
  await sql.execute(
    `insert into payroll_profile (company_id, layout_id, primary_event, dependent_event, coparticipation_event, refund_event, product_events,
       basis, first_month, payroll_day, unpaid_leave, tax_figures_by, final_limit, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
     on conflict (company_id) do update set layout_id = excluded.layout_id, primary_event = excluded.primary_event,
       dependent_event = excluded.dependent_event, coparticipation_event = excluded.coparticipation_event, refund_event = excluded.refund_event,
       product_events = excluded.product_events, basis = excluded.basis, first_month = excluded.first_month, payroll_day = excluded.payroll_day,
       unpaid_leave = excluded.unpaid_leave, tax_figures_by = excluded.tax_figures_by, final_limit = excluded.final_limit,
       updated_at = excluded.updated_at`,
    [
      companyId,
      profile['layout-id'],
      events.primary,
      events.dependent,
      events.coparticipation,
      events.refund ?? null,
      JSON.stringify(events['by-product-type'] ?? {}),
      profile.basis ?? 'closed-month',
      profile['first-month'] ?? null,
      profile['payroll-day'] ?? null,
      profile['unpaid-leave'] ?? null,
      profile['tax-figures-by'] ?? null,
      profile['final-limit'] ?? null,
      at,
    ],
  )
}

/** @returns false: the company has none. */
export async function deleteProfile(sql: Sql, companyId: string): Promise<boolean> {
  return (await sql.execute('delete from payroll_profile where company_id = $1', [companyId])) > 0
}

/** The last period with an export; null: there is none. */
export async function readLastPeriod(sql: Sql, companyId: string): Promise<Month | null> {
  const rows = await sql.query<{ month: Month | null }>(
    'select max(reference_month) as month from payroll_export where company_id = $1',
    [companyId],
  )
  return rows[0]?.month ?? null
}

/** What exports are asked for. */
interface ExportedOf {
  readonly companyId: string
  /** Only of this employee; null: of all. */
  readonly memberId: string | null
  /** The periods of the exports. */
  readonly from: Month
  readonly until: Month
  /** The months of origin of the lines. */
  readonly months: readonly Month[]
}

/** What exports have, by employee, kind, type of products and month. */
export async function readExported(
  sql: Sql,
  { companyId, memberId, from, until, months }: ExportedOf,
): Promise<ExportedLine[]> {
  return sql.query<ExportedLine>(
    `select payroll_export_line.member_id as "memberId", payroll_export_line.kind, product_type as "productType", origin_month as "originMonth",
       amount, people
     from payroll_export join payroll_export_line on payroll_export_line.company_id = $1 and export_id = payroll_export.id
     where payroll_export.company_id = $1 and reference_month between $2 and $3 and origin_month = any($4)
       and ($5::uuid is null or member_id = $5)
     order by 1, 2, 3, 4`,
    [companyId, from, until, months, memberId],
  )
}

/** SQL: whether a `member` is on the payroll, by its `work-contract-type`: partners and who provide services are not. Unknown: employed. */
export const isEmployed = `coalesce(member.details->>'work-contract-type', '') not in ('services-contract', 'partner')`

export interface Employee {
  readonly memberId: string
  readonly name: string
  readonly taxId: string
  readonly employeeId: string | null
  readonly costCenter: string | null
  readonly isEmployed: boolean
  /** The last day of the employment, by an exclusion that is completed or scheduled; null: it goes on. */
  readonly leftOn: LocalDate | null
  /** An export of leavers has lines of the person. */
  readonly isFinal: boolean
  /** By `work-contract-type`: on a leave, which may be paid. */
  readonly isOnLeave: boolean
  /** Unpaid ones. */
  readonly leaves: readonly { readonly first: LocalDate; readonly last: LocalDate | null }[]
  /** Cents a month; null: not known. */
  readonly salary: number | null
}

/** SQL: the last day of the employment of a `member` of the company $1: a benefit that starts later is of another one. */
const leftOn = `(select max(enrollment.effective_date) from enrollment
    where enrollment.company_id = $1 and enrollment.member_id = member.id and enrollment.enrollment_type = 'exclusion'
      and enrollment.status in ('completed', 'scheduled')
      and enrollment.data->'exclusion-details'->>'exclusion-reason' in (${END_OF_EMPLOYMENT.map((reason) => `'${reason}'`).join(', ')})
      and enrollment.data->'exclusion-details'->>'keeps-working-after-retirement' is distinct from 'true'
      and not exists (select 1 from benefit where benefit.company_id = $1 and benefit.member_id = member.id
        and benefit.type = 'primary' and benefit.start_date > enrollment.effective_date))`

/** Employees by id. */
export async function readEmployees(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, Employee>> {
  const rows = await sql.query<Employee>(
    `select id as "memberId", name, tax_id as "taxId", employee_id as "employeeId", cost_center as "costCenter",
       ${isEmployed} as "isEmployed", ${leftOn} as "leftOn",
       exists (select 1 from payroll_export
         join payroll_export_line on payroll_export_line.company_id = $1 and payroll_export_line.export_id = payroll_export.id
         where payroll_export.company_id = $1 and payroll_export.kind = 'leavers' and payroll_export_line.member_id = member.id) as "isFinal",
       coalesce(details->>'work-contract-type', '') = 'on-leave' as "isOnLeave", salary,
       coalesce((select json_agg(json_build_object('first', first_day, 'last', last_day)) from unpaid_leave
         where unpaid_leave.company_id = $1 and unpaid_leave.member_id = member.id), '[]') as leaves
     from member where company_id = $1 and id = any($2::uuid[])`,
    [companyId, ids],
  )
  return new Map(rows.map((employee) => [employee.memberId, employee]))
}

/** Locks employees, so that none is deleted with a cancelled inclusion. @returns those that are stored. */
export async function lockEmployees(sql: Sql, companyId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    'select id from member where company_id = $1 and id = any($2::uuid[]) order by id for key share',
    [companyId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The employees whose deductions may have changed since an instant: all of the company where a price, a rule or a month has. */
export async function readChangedEmployees(sql: Sql, companyId: string, since: string): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `select coalesce(benefit.primary_member_id, benefit.member_id) as id from benefit
     join member on member.company_id = $1 and member.id = benefit.member_id
     left join member employee on employee.company_id = $1 and employee.id = benefit.primary_member_id
     where benefit.company_id = $1 and ($2 <= greatest(benefit.updated_at, member.updated_at, employee.updated_at)
       or exists (select 1 from audit where audit.at >= $2 and audit.company_id = $1 and action like any (array['contract.%', 'price-table.%',
         'contribution-rule.%', 'closing.%', 'discrepancy.%', 'continuation.%', 'claim.%', 'payroll-profile.%'])))
     union
     select coalesce(primary_member_id, member_id) from enrollment where company_id = $1 and updated_at >= $2
     union
     select member_id from unpaid_leave where company_id = $1 and updated_at >= $2
     union
     select member_id from payroll_export
     join payroll_export_line on payroll_export_line.company_id = $1 and payroll_export_line.export_id = payroll_export.id
     where payroll_export.company_id = $1 and payroll_export.created_at >= $2`,
    [companyId, since],
  )
  return new Set(rows.map((row) => row.id))
}

/** The employees of whom an export of leavers has lines, with the last day of the employment. */
export async function readFinalLeavers(sql: Sql, companyId: string): Promise<Map<string, LocalDate>> {
  const rows = await sql.query<{ id: string; leftOn: LocalDate | null }>(
    `select member.id, ${leftOn} as "leftOn" from member where company_id = $1 and id in (
       select member_id from payroll_export
       join payroll_export_line on payroll_export_line.company_id = $1 and payroll_export_line.export_id = payroll_export.id
       where payroll_export.company_id = $1 and payroll_export.kind = 'leavers')`,
    [companyId],
  )
  return new Map(rows.flatMap((row) => (row.leftOn === null ? [] : [[row.id, row.leftOn] as const])))
}

interface NewExport {
  readonly companyId: string
  readonly id: string
  readonly month: Month
  readonly runId: string | null
  readonly kind: PayrollExportKind
  readonly layoutId: string
  readonly layoutVersion: number
  readonly refundEvent: string | null
  readonly createdBy: string
}

export interface ExportLine extends ExportedLine {
  /** What was due when it was exported. */
  readonly due: number
  readonly event: string
  readonly destination: Destination
}

/** Inserts an export with its lines; its number is the next of the month. */
export async function insertExport(
  sql: Sql,
  created: NewExport,
  lines: readonly ExportLine[],
  at: Date,
): Promise<void> {
  const { companyId, id, month } = created
  await sql.execute(
    `insert into payroll_export (company_id, id, reference_month, number, layout_id, layout_version, created_by, created_at, run_id, kind, refund_event)
     select $1, $2, $3, coalesce(max(number), 0) + 1, $4, $5, $6, $7, $8, $9, $10 from payroll_export
     where company_id = $1 and reference_month = $3`,
    [
      companyId,
      id,
      month,
      created.layoutId,
      created.layoutVersion,
      created.createdBy,
      at,
      created.runId,
      created.kind,
      created.refundEvent,
    ],
  )
  await sql.execute(
    `insert into payroll_export_line (company_id, export_id, member_id, kind, product_type, origin_month, destination, event, amount, due, people)
     select $1, $2, line."memberId", line.kind, line."productType", line."originMonth", line.destination, line.event, line.amount, line.due, line.people
     from jsonb_to_recordset($3::jsonb)
       line ("memberId" uuid, kind text, "productType" text, "originMonth" text, destination text, event text, amount bigint, due bigint, people jsonb)`,
    [companyId, id, JSON.stringify(lines)],
  )
}

const exportJson = `json_build_object('payroll-export-id', payroll_export.id, 'company-tax-id', company.tax_id,
  'reference-month', payroll_export.reference_month, 'number', payroll_export.number, 'layout-id', payroll_export.layout_id,
  'layout-version', payroll_export.layout_version, 'kind', payroll_export.kind, 'run-id', payroll_export.run_id, 'employees', line.employees,
  'amount', line.amount, 'bill-amount', line.bill_amount,
  'created-at', iso(payroll_export.created_at))`
const withLines = `payroll_export join company on company.id = payroll_export.company_id
  cross join lateral (
    select count(distinct member_id) as employees, coalesce(sum(amount) filter (where destination = 'payroll'), 0)::bigint as amount,
      coalesce(sum(amount) filter (where destination = 'bill'), 0)::bigint as bill_amount
    from payroll_export_line
    where company_id = payroll_export.company_id and export_id = payroll_export.id
  ) line`

const exportsByMonth = {
  from: withLines,
  order: 'payroll_export.reference_month desc, payroll_export.number desc',
}
const ofMonth = { 'reference-month': equals('payroll_export.reference_month') }

/** The exports of a company, the latest first. */
export const exportPage = pages<Static<typeof ExportQuery>>({
  ...exportsByMonth,
  item: exportJson,
  where: { ...ofMonth, 'company-tax-id': equals('company.tax_id') },
})

/** The same for the company: layouts are of the broker. */
export const companyExportPage = pages<Static<typeof CompanyExportQuery>>({
  ...exportsByMonth,
  item: `${exportJson}::jsonb - 'layout-id' - 'layout-version'`,
  where: ofMonth,
})

export interface StoredExport {
  readonly companyId: string
  /** The number under which negative amounts are written; null: they are written negative. */
  readonly refundEvent: string | null
  readonly item: PayrollExportData
}

/** An export; null: there is none. */
export async function readExport(sql: Sql, id: string): Promise<StoredExport | null> {
  const rows = await sql.query<StoredExport>(
    `select payroll_export.company_id as "companyId", payroll_export.refund_event as "refundEvent", ${exportJson} as item
     from ${withLines} where payroll_export.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** The export of a run of a company; null: there is none. */
export async function findRun(sql: Sql, companyId: string, runId: string): Promise<PayrollExportData | null> {
  const rows = await sql.query<{ item: PayrollExportData }>(
    `select ${exportJson} as item from ${withLines} where payroll_export.company_id = $1 and payroll_export.run_id = $2`,
    [companyId, runId],
  )
  return rows[0]?.item ?? null
}

/** The lines of an export. */
export async function readExportLines(sql: Sql, companyId: string, id: string): Promise<ExportLine[]> {
  return sql.query<ExportLine>(
    `select member_id as "memberId", kind, product_type as "productType", origin_month as "originMonth", destination, event, amount, due, people
     from payroll_export_line where company_id = $1 and export_id = $2`,
    [companyId, id],
  )
}
