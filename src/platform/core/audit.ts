import { v7 as uuidv7 } from 'uuid'
import type { AuditAction } from '#kernel/audit-actions.ts'
import type { Sql } from './database.ts'
import { type Actor, auditActor } from './actor.ts'

/** An audited write. Ids only, never personal data. */
export interface AuditRow {
  readonly action: AuditAction
  /** The id of what was written. */
  readonly target: string
  readonly companyId: string | null
}

/**
 * Inserts audit rows in the transaction of the audited writes; they are pending until `appendBlocks` adds them to the chain. Only `write` calls
 * it.
 */
export async function insertAudit(
  sql: Sql,
  at: Date,
  rows: readonly (AuditRow & { readonly actor: Actor })[],
): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ actor, action, target, companyId }) => ({
    id: uuidv7(),
    actor: auditActor(actor),
    action,
    target,
    company_id: companyId,
    address: actor.origin?.address ?? null,
    request_trace_id: actor.origin?.traceId ?? null,
  }))
  await sql.execute(
    `with audited as (
       insert into audit (id, at, actor, action, target, company_id, address, request_trace_id)
       select id, $2, actor, action, target, company_id, address, request_trace_id
       from jsonb_to_recordset($1::jsonb) as sent (id uuid, actor text, action text, target text, company_id uuid, address text,
         request_trace_id text)
       returning id, at
     )
     insert into audit_pending (id, at) select id, at from audited`,
    [JSON.stringify(values), at],
  )
}
