import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { readSharedTaxIds, sharedTable, withShared } from './corrected.ts'
import { companyRegistration, memberItems, membersOf } from './queries.ts'

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
export const registrationsOf = (members: string) => `select json_agg(${companyRegistration}
    order by member.created_at, member.company_id)
  from ${members}
  join company on company.id = member.company_id
  where exists (select 1 from benefit where benefit.company_id = member.company_id and benefit.member_id = member.id)`

/** SQL of the others who have, or had, a benefit under a primary of the person's benefits. */
export const familyOf = (person: string) => `
  select coalesce(json_agg(json_build_object('member-id', member.id, 'name', member.name, 'company-tax-id', company.tax_id,
      'type', relative.type, 'dependent-type', relative.dependent_type, 'status', relative.status)
    order by company.tax_id, relative.type desc, member.name, member.id, relative.dependent_type), '[]')
  from (
    select benefit.company_id, benefit.member_id, benefit.type, benefit.dependent_type,
      case when bool_or(benefit.status = 'active') then 'active' when bool_or(benefit.status = 'pending') then 'pending'
        else 'inactive' end as status
    from (
      select distinct benefit.company_id, coalesce(benefit.primary_member_id, benefit.member_id) as member_id, member.id as person_id
      from ${person} join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id
    ) family
    cross join lateral (
      select * from benefit where company_id = family.company_id and member_id = family.member_id and type = 'primary'
      union all
      select * from benefit where company_id = family.company_id and primary_member_id = family.member_id
    ) benefit
    where benefit.member_id <> family.person_id
    group by benefit.company_id, benefit.member_id, benefit.type, benefit.dependent_type
  ) relative
  join member on member.company_id = relative.company_id and member.id = relative.member_id
  join company on company.id = relative.company_id`

function detailOf(shared: string | null): string {
  const person = personOf(shared)
  return `select (
    select jsonb_build_object('result', person.item::jsonb || jsonb_build_object('registrations', (${registrationsOf(person)}), 'family', (${familyOf(person)})))::text
    from (${memberItems({ includeInactive: true, filter: null }, person, shared)}) person) as body
  from ${activePartner}`
}

/**
 * `{ "result": Member + registrations + family }`, with all benefits; null when no person of the caller's companies has the id.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readMember(sql: Sql, caller: Client, id: string): Promise<string | null> {
  const parameters = new Parameters(caller.clientId, id)
  const shared = sharedTable(await readSharedTaxIds(sql, caller), parameters)
  return rowOfActiveClient(await sql.query<{ body: string | null }>(detailOf(shared), parameters.values)).body
}
