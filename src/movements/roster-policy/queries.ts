import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import { DEFAULT_ROSTER_POLICY, MIN_GUARDED_PEOPLE, type RosterPolicy } from '../rules/roster-policy.ts'

/** The policy of a company, or the default. */
export async function readPolicy(sql: Sql, companyId: string): Promise<RosterPolicy> {
  const [policy] = await sql.query<RosterPolicy>(
    `select automatic, guard_people as "guardPeople", guard_percent as "guardPercent", min_presence_percent as "minPresencePercent"
     from roster_policy where company_id = $1`,
    [companyId],
  )
  return policy ?? DEFAULT_ROSTER_POLICY
}

export async function putPolicy(tx: Tx, companyId: string, policy: RosterPolicy): Promise<void> {
  const { automatic, guardPeople, guardPercent, minPresencePercent } = policy
  await tx.execute(
    `insert into roster_policy (company_id, automatic, guard_people, guard_percent, min_presence_percent, updated_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (company_id) do update set automatic = excluded.automatic, guard_people = excluded.guard_people,
       guard_percent = excluded.guard_percent, min_presence_percent = excluded.min_presence_percent, updated_at = excluded.updated_at`,
    [companyId, automatic, guardPeople, guardPercent, minPresencePercent, tx.at()],
  )
}

const boundOf = (company: string, column: string, usual: number) =>
  `coalesce((select ${column} from roster_policy where roster_policy.company_id = ${company}), ${usual})`

/** SQL: so many people of a company who leave a product are many. */
export const isOverGuard = (company: string, leaving: string, covered: string): string => `(
  ${leaving} > ${boundOf(company, 'guard_people', DEFAULT_ROSTER_POLICY.guardPeople)} or ${leaving} >= ${MIN_GUARDED_PEOPLE}
  and ${leaving} * 100 > ${boundOf(company, 'guard_percent', DEFAULT_ROSTER_POLICY.guardPercent)} * ${covered})`
