import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { Deduction } from '../rules/payroll.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages } from '#platform/http/pages.ts'
import type { ExportQuery, PayrollExportData, PayrollProfileInput } from './schema.ts'

export interface StoredProfile extends PayrollProfileInput {
  readonly 'updated-at': string
}

/** The profile of a company; null: it has none. */
export async function readProfile(sql: Sql, companyId: string): Promise<StoredProfile | null> {
  const rows = await sql.query<{ item: StoredProfile }>(
    `select json_build_object('layout-id', layout_id, 'events', json_build_object('primary', primary_event,
       'dependent', dependent_event, 'coparticipation', coparticipation_event), 'updated-at', iso(updated_at)) as item
     from payroll_profile where company_id = $1`,
    [companyId],
  )
  return rows[0]?.item ?? null
}

/** Inserts or replaces the profile of a company. */
export async function putProfile(sql: Sql, companyId: string, profile: PayrollProfileInput, at: Date): Promise<void> {
  const { events } = profile
  await sql.execute(
    `insert into payroll_profile (company_id, layout_id, primary_event, dependent_event, coparticipation_event, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (company_id) do update set layout_id = excluded.layout_id, primary_event = excluded.primary_event,
       dependent_event = excluded.dependent_event, coparticipation_event = excluded.coparticipation_event, updated_at = excluded.updated_at`,
    [companyId, profile['layout-id'], events.primary, events.dependent, events.coparticipation, at],
  )
}

/** @returns false: the company has none. */
export async function deleteProfile(sql: Sql, companyId: string): Promise<boolean> {
  return (await sql.execute('delete from payroll_profile where company_id = $1', [companyId])) > 0
}

/** What the exports of a month have, by employee and kind. */
export async function readExported(sql: Sql, companyId: string, month: Month): Promise<Deduction[]> {
  return sql.query<Deduction>(
    `select payroll_export_line.member_id as "memberId", kind, sum(amount)::bigint as amount
     from payroll_export join payroll_export_line on payroll_export_line.company_id = $1 and export_id = payroll_export.id
     where payroll_export.company_id = $1 and reference_month = $2
     group by 1, 2 order by 1, 2`,
    [companyId, month],
  )
}

export interface Employee {
  readonly memberId: string
  readonly name: string
  readonly taxId: string
  readonly employeeId: string | null
  readonly costCenter: string | null
}

/** Employees by id. */
export async function readEmployees(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, Employee>> {
  const rows = await sql.query<Employee>(
    `select id as "memberId", name, tax_id as "taxId", employee_id as "employeeId", cost_center as "costCenter"
     from member where company_id = $1 and id = any($2::uuid[])`,
    [companyId, ids],
  )
  return new Map(rows.map((employee) => [employee.memberId, employee]))
}

interface NewExport {
  readonly companyId: string
  readonly id: string
  readonly month: Month
  readonly layoutId: string
  readonly layoutVersion: number
  readonly createdBy: string
}

export interface ExportLine extends Deduction {
  readonly event: string
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
    `insert into payroll_export (company_id, id, reference_month, number, layout_id, layout_version, created_by, created_at)
     select $1, $2, $3, coalesce(max(number), 0) + 1, $4, $5, $6, $7 from payroll_export
     where company_id = $1 and reference_month = $3`,
    [companyId, id, month, created.layoutId, created.layoutVersion, created.createdBy, at],
  )
  await sql.execute(
    `insert into payroll_export_line (company_id, export_id, member_id, kind, event, amount)
     select $1, $2, line."memberId", line.kind, line.event, line.amount
     from jsonb_to_recordset($3::jsonb) line ("memberId" uuid, kind text, event text, amount bigint)`,
    [companyId, id, JSON.stringify(lines)],
  )
}

const exportJson = `json_build_object('payroll-export-id', payroll_export.id, 'company-tax-id', company.tax_id,
  'reference-month', payroll_export.reference_month, 'number', payroll_export.number, 'layout-id', payroll_export.layout_id,
  'layout-version', payroll_export.layout_version, 'employees', line.employees, 'amount', line.amount,
  'created-at', iso(payroll_export.created_at))`
const withLines = `payroll_export join company on company.id = payroll_export.company_id
  cross join lateral (
    select count(distinct member_id) as employees, coalesce(sum(amount), 0)::bigint as amount from payroll_export_line
    where company_id = payroll_export.company_id and export_id = payroll_export.id
  ) line`

/** The exports of a company, the latest first. */
export const exportPage = pages<Static<typeof ExportQuery>>({
  from: withLines,
  item: exportJson,
  order: 'payroll_export.reference_month desc, payroll_export.number desc',
  where: {
    'company-tax-id': equals('company.tax_id'),
    'reference-month': equals('payroll_export.reference_month'),
  },
})

export interface StoredExport {
  readonly companyId: string
  readonly item: PayrollExportData
}

/** An export; null: there is none. */
export async function readExport(sql: Sql, id: string): Promise<StoredExport | null> {
  const rows = await sql.query<StoredExport>(
    `select payroll_export.company_id as "companyId", ${exportJson} as item from ${withLines} where payroll_export.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** The lines of an export. */
export async function readExportLines(sql: Sql, companyId: string, id: string): Promise<ExportLine[]> {
  return sql.query<ExportLine>(
    `select member_id as "memberId", kind, event, amount from payroll_export_line where company_id = $1 and export_id = $2`,
    [companyId, id],
  )
}
