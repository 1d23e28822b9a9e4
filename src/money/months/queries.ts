import type { Sql } from '#platform/core/database.ts'
import type { ListedMonth } from '../rules/closing.ts'
import type { ClosingStatus } from '#kernel/broker-enums.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { PriceSetting } from '../rules/premium.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { Tx } from '#platform/core/write.ts'

/** What is stored of a closed month beside its lines. */
interface ClosedFigures {
  readonly contracts: readonly ListedMonth[]
  /** What the prices lacked, by the contract. */
  readonly missingSettings: Readonly<Record<string, readonly PriceSetting[]>>
}

interface StoredClosing {
  readonly companyId: string
  readonly id: string
  readonly referenceMonth: Month
  readonly status: ClosingStatus
  /** null: the month is open. */
  readonly figures: ClosedFigures | null
}

const stored = `select company_id as "companyId", id, reference_month as "referenceMonth", status, figures from closing`

export async function findClosing(sql: Sql, id: string): Promise<StoredClosing | null> {
  const rows = await sql.query<StoredClosing>(`${stored} where id = $1`, [id])
  return rows[0] ?? null
}

/** The closing of a month of a company; null: it was never closed. */
export async function findClosingOf(sql: Sql, companyId: string, month: Month): Promise<StoredClosing | null> {
  const rows = await sql.query<StoredClosing>(`${stored} where company_id = $1 and reference_month = $2`, [
    companyId,
    month,
  ])
  return rows[0] ?? null
}

/** The closing of a month of a company while it is closed; null: the month is open. */
export async function findClosedMonth(sql: Sql, companyId: string, month: Month): Promise<StoredClosing | null> {
  const closing = await findClosingOf(sql, companyId, month)
  return closing === null || closing.status === 'open' ? null : closing
}

/** Locks a company until the transaction ends: every write of its months waits. */
export async function lockMonths(sql: Sql, companyId: string): Promise<void> {
  await sql.query('select from company where id = $1 for no key update', [companyId])
}

/** Inserts the closing of a month, or adds an act to it. */
export async function putClosing(
  sql: Sql,
  { companyId, id, referenceMonth, status, figures }: StoredClosing,
  act: object,
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into closing (company_id, id, reference_month, status, acts, figures, created_at, updated_at)
     values ($1, $2, $3, $4, jsonb_build_array($5::jsonb), $6, $7, $7)
     on conflict (company_id, reference_month) do update set status = excluded.status, acts = closing.acts || excluded.acts,
       figures = excluded.figures, updated_at = excluded.updated_at`,
    [companyId, id, referenceMonth, status, JSON.stringify(act), figures === null ? null : JSON.stringify(figures), at],
  )
}

/** Records that the payroll of a closed month is exported. The company is locked. @throws ApiError 409 when the month is open. */
export async function markMonthExported(tx: Tx, actor: ClientActor, companyId: string, month: Month): Promise<void> {
  const closing = await findClosedMonth(tx, companyId, month)
  if (closing === null) throw new ApiError('month-open')
  const act = { act: 'exported', at: tx.at().toISOString(), by: actor.clientId, reason: null }
  await putClosing(tx, { ...closing, status: 'exported' }, act, tx.at())
}
