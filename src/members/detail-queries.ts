import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'
import { readSharedTaxIds, sharedTable, withShared } from './corrected.ts'
import { memberItems, membersOf } from './queries.ts'
import { registrationJson } from './write.ts'

/** SQL of the member rows of the person of the id $2 in the caller's companies. */
const personOf = (shared: string | null) =>
  membersOf(
    `(${withShared(
      `(select w.tax_id from member w join entitlement u on u.client_id = $1 and u.company_id = w.company_id
       where w.id = $2 order by w.updated_at desc, w.company_id limit 1)`,
      shared,
    )})`,
  )

/** SQL of what each company has of a person. @param members the member rows of the person, alias m (member). */
export const registrationsOf = (
  members: string,
) => `select json_agg(jsonb_build_object('company-tax-id', c.tax_id) || ${registrationJson('m')}
    order by m.created_at, m.company_id)
  from ${members}
  join company c on c.id = m.company_id
  where exists (select from benefit b where b.company_id = m.company_id and b.member_id = m.id)`

function detailOf(shared: string | null): string {
  const person = personOf(shared)
  return `select (
    select jsonb_build_object('result', y.item::jsonb || jsonb_build_object('registrations', (${registrationsOf(person)})))::text
    from (${memberItems({ includeInactive: true, filter: null }, person, shared)}) y) as body
  from ${activePartner}`
}

/**
 * `{ "result": Member + registrations }`, with all benefits; null when no person of the caller's companies has the id.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readMember(sql: Sql, caller: Client, id: string): Promise<string | null> {
  const values: unknown[] = [caller.clientId, id]
  const shared = sharedTable(await readSharedTaxIds(sql, caller), values)
  return rowOfActivePartner(await sql.query<{ body: string | null }>(detailOf(shared), values)).body
}
