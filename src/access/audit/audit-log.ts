import type { Sql } from '#platform/core/database.ts'

interface AuditFilter {
  readonly id: string | null
  /** Compared in milliseconds, as the API shows it; the column has microseconds. */
  readonly at: Date | null
  readonly actor: string | null
  readonly action: string | null
  /** One of the ids of the target. */
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
    and ($3::text is null or audit.target = $3 or $3 = any(string_to_array(audit.target, ' '))) and ($4::text is null or company.tax_id = $4)
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
                      'company-tax-id', tax_id, 'company-name', company_name, 'address', address, 'request-trace-id', request_trace_id)
                    order by at desc, id desc), '[]')
               from (select audit.*, company.tax_id, company.name as company_name ${filtered}
                      order by audit.at desc, audit.id desc limit $11 offset $12) as page)::text as items`,
    [actor, action, target, companyTaxId, address, traceId, from, until, id, at, bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
