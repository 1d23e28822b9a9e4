import type { Sql } from '../platform/database.ts'
import { ApiError, invalidCredentials } from '../platform/errors.ts'
import type { Role } from '../domain/enums.ts'
import type { Caller } from './caller.ts'

/** Whether the caller's client belongs to its API and is not revoked. */
export async function isActiveClient(sql: Sql, caller: Caller): Promise<boolean> {
  const rows = await sql.rows('select 1 as one from client where id = $1 and kind = $2 and revoked_at is null', [
    caller.clientId,
    caller.api,
  ])
  return rows.length > 0
}

/** The role of an operator who is not revoked; null for anybody else. */
export async function readRole(sql: Sql, caller: Caller): Promise<Role | null> {
  const rows = await sql.rows<{ role: Role }>(
    `select role from client where id = $1 and kind = $2 and kind = 'operator' and revoked_at is null`,
    [caller.clientId, caller.api],
  )
  return rows[0]?.role ?? null
}

/** @throws ApiError 403 for a role that the caller's route does not let in. */
export function checkRoleOf({ roles = [] }: Caller, role: Role): void {
  if (role !== 'admin' && !roles.includes(role)) throw new ApiError(403, 'Not allowed for this role')
}

/**
 * Locks the caller's client, and its entitlements to the companies, against revocation until the transaction ends. To be asked in
 * every transaction that writes for a caller, after what it may wait long for: a revocation under way is waited for and then seen, a later
 * one waits for the commit.
 * @returns those of the companies that the client is entitled to.
 * @throws ApiError 401 when the client is revoked, 403 when an operator's role may not do this any more.
 */
export async function requireActiveClient(
  sql: Sql,
  caller: Caller,
  companyIds: readonly string[] = [],
): Promise<string[]> {
  const rows = await sql.rows<{ active: boolean; role: Role | null; companyIds: string[] }>(
    `with active as materialized (
       select id, role from client where id = $1 and kind = $2 and revoked_at is null for share
     ), entitled as materialized (
       select t.company_id from active k join entitlement t on t.client_id = k.id
       where t.company_id = any($3::uuid[]) order by t.company_id for share of t
     )
     select exists (select from active) as active, (select role from active) as role,
       array(select company_id from entitled) as "companyIds"`,
    [caller.clientId, caller.api, companyIds],
  )
  const [found] = rows
  if (!found?.active) throw invalidCredentials()
  if (found.role !== null) checkRoleOf(caller, found.role)
  return found.companyIds
}
