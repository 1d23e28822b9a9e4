import { activePartner, rowOfActivePartner } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'

interface Memberships {
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
       coalesce((select json_agg(json_build_object('companyId', member.company_id, 'memberId', member.id) order by member.company_id)
         from entitlement join member on member.company_id = entitlement.company_id and member.tax_id = $2
         where entitlement.client_id = $1), '[]') as memberships,
       (select company.id from company join entitlement on entitlement.company_id = company.id and entitlement.client_id = $1
         where company.tax_id = $3) as "companyId"
     from ${activePartner}`,
    [caller.clientId, taxId, companyTaxId],
  )
  return rowOfActivePartner(rows)
}
