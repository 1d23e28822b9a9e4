import type { Sql } from '../core/database.ts'
import type { StepKind, StepStatus } from '#kernel/steps.ts'
import { equals } from '../core/parameters.ts'
import { pages } from '../http/pages.ts'
import type { PageQuery } from '../http/schemas.ts'

/** Steps that failed, of all kinds; those that run for the first time are none. */
const failed = 'work.reason is not null'

const stepJson = `json_build_object('step-id', work.id, 'kind', work.kind, 'status', case when work.run_at = 'infinity' then 'put-aside' else 'retrying' end,
  'target-id', nullif(work.target_id, '00000000-0000-0000-0000-000000000000'), 'company-tax-id', company.tax_id, 'company-name', company.name,
  'attempts', work.attempts, 'reason', work.reason, 'error', work.error, 'created-at', iso(work.created_at), 'failed-at', iso(work.failed_at),
  'next-attempt-at', iso(nullif(work.run_at, 'infinity')))`

const joined = `work left join company on company.id = work.company_id where ${failed}`

/** A page of the steps that failed, those that are put aside first, then the oldest. */
export const stepPage = pages<PageQuery & { readonly kind?: StepKind; readonly status?: StepStatus }>({
  from: `(select * from work where ${failed}) work left join company on company.id = work.company_id`,
  item: stepJson,
  order: `work.run_at = 'infinity' desc, work.created_at, work.id`,
  where: { kind: equals('work.kind'), status: (status) => `(work.run_at = 'infinity') = (${status} = 'put-aside')` },
})

/** A failed step in wire keys; null when there is none. */
export async function readStep(sql: Sql, id: string): Promise<string | null> {
  const [row] = await sql.query<{ item: string }>(`select ${stepJson}::text as item from ${joined} and work.id = $1`, [
    id,
  ])
  return row?.item ?? null
}

export interface LockedStep {
  readonly kind: StepKind
  readonly companyId: string | null
  readonly targetId: string
  readonly isAside: boolean
}

/** Locks a failed step. @returns null: there is none, or an attempt is being made. */
export async function lockStep(sql: Sql, id: string): Promise<LockedStep | null> {
  const [row] = await sql.query<LockedStep>(
    `select kind, company_id as "companyId", target_id as "targetId", run_at = 'infinity' as "isAside"
     from work where id = $1 and ${failed} for update skip locked`,
    [id],
  )
  return row ?? null
}

/** Tries a step again now, as often as a new one. */
export async function retryStep(sql: Sql, id: string): Promise<void> {
  await sql.execute(`update work set attempts = 0, run_at = now(), created_at = now() where id = $1`, [id])
  await sql.query(`select pg_notify('vigencia_work', '')`)
}

export async function deleteStep(sql: Sql, id: string): Promise<void> {
  await sql.execute('delete from work where id = $1', [id])
}

/** Deletes the work of a target that is put aside. @returns whether there was any. */
export async function deleteAside(sql: Sql, kind: StepKind, targetId: string): Promise<boolean> {
  const text = `delete from work where kind = $1 and target_id = $2 and run_at = 'infinity'`
  return (await sql.execute(text, [kind, targetId])) > 0
}
