import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'

/*
 * What the figures of a closed month follow from does not change. Each write of it checks here, under a lock of the company that the closing of a
 * month waits for.
 */

/** Keeps the months of a company as they are until the transaction ends: closing one, or opening it again, waits. */
export async function shareMonths(sql: Sql, companyId: string): Promise<void> {
  await sql.query('select from company where id = $1 for share', [companyId])
}

/** @throws ApiError 409 when the month of a company is closed. */
export async function requireOpenMonth(sql: Sql, companyId: string, month: Month): Promise<void> {
  await requireNoneClosed(sql, companyId, month, month)
}

/** @throws ApiError 409 when a month of a company that starts on the day, or on the other one, or later is closed. */
export async function requireOpenSince(sql: Sql, companyId: string, date: LocalDate, other = date): Promise<void> {
  const day = date < other ? date : other
  const month = day.slice(0, 7)
  await requireNoneClosed(sql, companyId, day.endsWith('-01') ? month : addMonths(month, 1), '9999-12')
}

/** Whether the month of a company is closed. It stays so until the transaction ends. */
export async function isMonthClosed(sql: Sql, companyId: string, month: Month): Promise<boolean> {
  return (await firstClosed(sql, companyId, month, month)) !== null
}

async function requireNoneClosed(sql: Sql, companyId: string, from: Month, until: Month): Promise<void> {
  const month = await firstClosed(sql, companyId, from, until)
  if (month !== null) throw new ApiError('month-closed', { 'reference-month': month })
}

async function firstClosed(sql: Sql, companyId: string, from: Month, until: Month): Promise<Month | null> {
  await shareMonths(sql, companyId)
  const rows = await sql.query<{ month: Month }>(
    `select reference_month as month from closing
     where company_id = $1 and status <> 'open' and reference_month >= $2 and reference_month <= $3 order by reference_month limit 1`,
    [companyId, from, until],
  )
  return rows[0]?.month ?? null
}
