import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { requireActiveClient } from '../http/active-client.ts'
import type { Origin } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'
import { callerOf, auditActor } from '../http/context.ts'

/** An audited write. Ids only, never personal data. */
export interface AuditRow {
  /** The client id, or `service`, `clock`, `resolution`. */
  readonly actor: string
  /** Such as `client.created`. */
  readonly action: string
  /** The id of what was written. */
  readonly target: string
  readonly companyId: string | null
  /** null for a write of the service itself. */
  readonly origin: Origin | null
}

/** Inserts audit rows in the transaction of the audited writes; they are pending until `appendBlocks` adds them to the chain. */
export async function writeAudit(sql: Sql, rows: AuditRow | readonly AuditRow[]): Promise<void> {
  const all = [rows].flat()
  if (all.length === 0) return
  const values = all.map((row) => ({
    id: uuidv7(),
    actor: row.actor,
    action: row.action,
    target: row.target,
    company_id: row.companyId,
    address: row.origin?.address ?? null,
    request_trace_id: row.origin?.traceId ?? null,
  }))
  await sql.execute(`with ${auditFrom(auditRows, '$2')} select`, [JSON.stringify(values), sql.now()])
}

/** A write of a request. */
export type AuditedWrite = Omit<AuditRow, 'actor' | 'origin'>

/**
 * Audits the writes of a request, at the end of their transaction, and checks that the caller may still write.
 * @throws ApiError 401 when the client was revoked meanwhile, 403 when the operator's role changed.
 */
export async function auditWrite(
  sql: Sql,
  request: FastifyRequest,
  writes: AuditedWrite | readonly AuditedWrite[],
): Promise<void> {
  await requireActiveClient(sql, callerOf(request))
  const actor = auditActor(request)
  await writeAudit(
    sql,
    [writes].flat().map((write) => ({ ...write, ...actor })),
  )
}

const auditRows = `select * from jsonb_to_recordset($1::jsonb) as r (id uuid, actor text, action text, target text, company_id uuid,
  address text, request_trace_id text)`

/**
 * CTEs that insert audit rows, for the statement that makes the audited writes.
 * @param rows selects id, actor, action, target, company_id, address, request_trace_id.
 * @param at the parameter with the time.
 */
export function auditFrom(rows: string, at: string): string {
  return `audited as (
      insert into audit (id, at, actor, action, target, company_id, address, request_trace_id)
      select id, ${at}, actor, action, target, company_id, address, request_trace_id from (${rows}) r
      returning id, at
    ), pending_audit as (
      insert into audit_pending (id, at) select id, at from audited
    )`
}

export interface AuditFilter {
  readonly id: string | null
  /** Compared in milliseconds, as the API shows it; the column has microseconds. */
  readonly at: Date | null
  readonly actor: string | null
  readonly action: string | null
  readonly target: string | null
  readonly companyTaxId: string | null
  readonly address: string | null
  readonly traceId: string | null
  /** Days in Sao Paulo, both included. */
  readonly from: string | null
  readonly until: string | null
}

const filtered = `from audit left join company on company.id = audit.company_id
  where ($1::text is null or audit.actor = $1) and ($2::text is null or audit.action = $2)
    and ($3::text is null or audit.target = $3) and ($4::text is null or company.tax_id = $4)
    and ($5::text is null or audit.address = $5) and ($6::text is null or audit.request_trace_id = $6)
    and ($7::date is null or audit.at >= $7::date::timestamp at time zone 'America/Sao_Paulo')
    and ($8::date is null or audit.at < ($8::date + 1)::timestamp at time zone 'America/Sao_Paulo')
    and ($9::uuid is null or audit.id = $9)
    and ($10::timestamptz is null or audit.at >= $10 and audit.at < $10 + interval '1 millisecond')`

/** A page of the audit rows that the filter selects, newest first, as a JSON array of the API, with their total. */
export async function listAudit(
  sql: Sql,
  filter: AuditFilter,
  bounds: { limit: number; offset: number },
): Promise<{ total: number; items: string }> {
  const { id, at, actor, action, target, companyTaxId, address, traceId, from, until } = filter
  // A generic plan would read the whole table for one id.
  const rows = await sql.queryPlanned<{ total: number; items: string }>(
    `select (select count(*) ${filtered}) as total,
            (select coalesce(json_agg(json_build_object(
                      'id', id, 'at', iso(at), 'actor', actor, 'action', action, 'target', target,
                      'company-tax-id', tax_id, 'address', address, 'request-trace-id', request_trace_id)
                    order by at desc, id desc), '[]')
               from (select audit.*, company.tax_id ${filtered}
                      order by audit.at desc, audit.id desc limit $11 offset $12) as page)::text as items`,
    [actor, action, target, companyTaxId, address, traceId, from, until, id, at, bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
