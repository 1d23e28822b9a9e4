import { activePartner, rowOfActivePartner } from '../http/active-client.ts'
import type { Caller } from '../http/caller.ts'
import { readsOfCaller } from '../http/reads-of-caller.ts'
import type { Sql } from '../platform/database.ts'
import { memberItems, membersOf } from './queries.ts'
import { registrationJson } from './write.ts'

/** The person of the id in the caller's companies. After a CPF was corrected in one of several companies, the one updated last. */
const person = membersOf(`(
  select w.tax_id from member w join entitlement u on u.client_id = $1 and u.company_id = w.company_id
  where w.id = $2 order by w.updated_at desc, w.company_id limit 1)`)

/** SQL of what each company has of a person. @param members the member rows of the person, alias m (member). */
export const registrationsOf = (
  members: string,
) => `select json_agg(jsonb_build_object('company-tax-id', c.tax_id) || ${registrationJson('m')}
    order by m.created_at, m.company_id)
  from ${members}
  join company c on c.id = m.company_id
  where exists (select from benefit b where b.company_id = m.company_id and b.member_id = m.id)`

const detail = `select (
    select jsonb_build_object('result', y.item::jsonb || jsonb_build_object('registrations', (${registrationsOf(person)})))::text
    from (${memberItems({ includeInactive: true, filter: null }, person)}) y) as body
  from ${activePartner}`

/**
 * `{ "result": Member + registrations }`, with all benefits; null when no person of the caller's companies has the id.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readMember(sql: Sql, caller: Caller, id: string): Promise<string | null> {
  const reads = await readsOfCaller(sql, caller)
  return rowOfActivePartner(await reads.query<{ body: string | null }>(detail, [caller.clientId, id])).body
}
