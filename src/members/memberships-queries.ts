import type { Caller } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'

export interface Memberships {
  /** false: the client is revoked. */
  readonly alive: boolean
  /** Whether any company at all knows the CPF: unknown is 404, another tenant's 403. */
  readonly known: boolean
  /** The caller's companies that know it. */
  readonly homes: readonly { readonly companyId: string; readonly memberId: string }[]
}

/** Where the caller's scope knows a person. */
export async function readMemberships(sql: Sql, caller: Caller, taxId: string): Promise<Memberships> {
  const [row] = await sql.rows<Memberships>(
    `select exists (select 1 from client where id = $1 and api = 'partner' and revoked_at is null) as alive,
       exists (select 1 from member where tax_id = $2) as known,
       coalesce((select json_agg(json_build_object('companyId', m.company_id, 'memberId', m.id) order by m.company_id)
         from client k
         join member m on m.tax_id = $2
         join entitlement t on t.company_id = m.company_id and t.client_id = k.id
         where k.id = $1 and k.api = 'partner' and k.revoked_at is null), '[]') as homes`,
    [caller.clientId, taxId],
  )
  return row as Memberships
}
