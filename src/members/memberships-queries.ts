import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'

export interface Memberships {
  /** Whether any company has a member with the CPF: an unknown CPF is 404, one of another client's company 403. */
  readonly known: boolean
  /** The member rows of the person in the caller's companies. */
  readonly memberships: readonly { readonly companyId: string; readonly memberId: string }[]
  /** The company with the CNPJ; null unless it is one of the caller's. */
  readonly companyId: string | null
}

/**
 * Reads in which of the caller's companies a person is a member.
 * @param companyTaxId a company to look up too.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readMemberships(
  sql: Sql,
  caller: Client,
  taxId: string,
  companyTaxId: string | null = null,
): Promise<Memberships> {
  const rows = await sql.query<Memberships>(
    `select exists (select 1 from member where tax_id = $2) as known,
       coalesce((select json_agg(json_build_object('companyId', m.company_id, 'memberId', m.id) order by m.company_id)
         from entitlement t join member m on m.company_id = t.company_id and m.tax_id = $2
         where t.client_id = $1), '[]') as memberships,
       (select c.id from company c join entitlement t on t.company_id = c.id and t.client_id = $1
         where c.tax_id = $3) as "companyId"
     from ${activePartner}`,
    [caller.clientId, taxId, companyTaxId],
  )
  return rowOfActivePartner(rows)
}
