import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'
import { Parameters } from '../core/parameters.ts'
import { readSharedTaxIds, sharedTable, withShared } from './corrected.ts'
import { memberItems, membersOf } from './queries.ts'
import { registrationJson } from './write.ts'

/** SQL of the member rows of the person of the id $2 in the caller's companies. */
const personOf = (shared: string | null) =>
  membersOf(
    `(${withShared(
      `(select member.tax_id from member join entitlement on entitlement.client_id = $1 and entitlement.company_id = member.company_id
       where member.id = $2 order by member.updated_at desc, member.company_id limit 1)`,
      shared,
    )})`,
  )

/** SQL of what each company has of a person. @param members the member rows of the person, for `from`: `member`. */
export const registrationsOf = (
  members: string,
) => `select json_agg(jsonb_build_object('company-tax-id', company.tax_id) || ${registrationJson('member')}
    order by member.created_at, member.company_id)
  from ${members}
  join company on company.id = member.company_id
  where exists (select from benefit where benefit.company_id = member.company_id and benefit.member_id = member.id)`

function detailOf(shared: string | null): string {
  const person = personOf(shared)
  return `select (
    select jsonb_build_object('result', person.item::jsonb || jsonb_build_object('registrations', (${registrationsOf(person)})))::text
    from (${memberItems({ includeInactive: true, filter: null }, person, shared)}) person) as body
  from ${activePartner}`
}

/**
 * `{ "result": Member + registrations }`, with all benefits; null when no person of the caller's companies has the id.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readMember(sql: Sql, caller: Client, id: string): Promise<string | null> {
  const parameters = new Parameters(caller.clientId, id)
  const shared = sharedTable(await readSharedTaxIds(sql, caller), parameters)
  return rowOfActivePartner(await sql.query<{ body: string | null }>(detailOf(shared), parameters.values)).body
}
