import type { FastifyRequest } from 'fastify'
import type { Sql } from '../platform/database.ts'
import { ApiError, invalidCredentials } from '../platform/errors.ts'
import type { Role } from '../domain/enums.ts'
import type { Caller } from './caller.ts'

/*
 * The one place that decides whether a caller's client is active. An operator's role is read before the handler of each call. A partner's read
 * starts `from` the client, in the statement that reads the data: a statement of its own would cost as much as a point read. Writes of both
 * check again in their transaction, under a lock.
 */

/** SQL for `from`, alias k (client): the active partner with the id $1, or no row. */
export const activePartner = `(select id from client where id = $1 and api = 'partner' and revoked_at is null) k`

/** The only row of a statement over `activePartner`. @throws ApiError 401 when there is none: the client is revoked. */
export function rowOfActivePartner<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw invalidCredentials('client-revoked')
  return row
}

/** Whether the caller's client belongs to its API and is not revoked. */
export async function isActiveClient(sql: Sql, caller: Caller): Promise<boolean> {
  const rows = await sql.query('select 1 as one from client where id = $1 and api = $2 and revoked_at is null', [
    caller.clientId,
    caller.api,
  ])
  return rows.length > 0
}

/** The role of an operator that is not removed; null for any other id. */
export async function readRole(sql: Sql, clientId: string): Promise<Role | null> {
  const rows = await sql.query<{ role: Role }>(
    `select role from client where id = $1 and api = 'operator' and revoked_at is null`,
    [clientId],
  )
  return rows[0]?.role ?? null
}

/** Before the handler of an operator's call. @throws ApiError 401 for an operator that was removed, 403 for a role that may not call the route. */
export async function requireRole(sql: Sql, request: FastifyRequest): Promise<void> {
  const { caller } = request
  if (caller === null) throw invalidCredentials('token-missing')
  request.role = await readRole(sql, caller.clientId)
  if (request.role === null) throw invalidCredentials('client-revoked')
  checkRole(caller, request.role)
}

function checkRole({ roles = [] }: Caller, role: Role): void {
  if (role !== 'admin' && !roles.includes(role)) throw new ApiError('role-not-allowed')
}

/**
 * Locks the caller's client, and its entitlements to the companies, against revocation until the transaction ends. Every transaction that
 * writes for a caller calls it, after what it may wait long for: it waits for a revocation that has started, and a later one waits for the
 * commit.
 * @returns the entitled ones of the companies, by their ids.
 * @throws ApiError 401 when the client is revoked, 403 when the operator's role may not call the route any more.
 */
export async function requireActiveClient(
  sql: Sql,
  caller: Caller,
  companyIds: readonly string[] = [],
): Promise<string[]> {
  // Citus takes two locks on the reference table that such a statement names last, which exclude each other between transactions. With
  // `entitlement` last, only one transaction of the service could write at a time.
  const [client] = await sql.query<{ role: Role | null; entitledCompanyIds: string[] }>(
    `with active as materialized (
       select id, role from client where id = $1 and api = $2 and revoked_at is null for share
     ), entitled as materialized (
       select t.company_id from active k join entitlement t on t.client_id = k.id
       where t.company_id = any($3::uuid[]) order by t.company_id for share of t
     )
     select role, array(select company_id from entitled) as "entitledCompanyIds" from active left join company on false`,
    [caller.clientId, caller.api, companyIds],
  )
  if (client === undefined) throw invalidCredentials('client-revoked')
  if (client.role !== null) checkRole(caller, client.role)
  return client.entitledCompanyIds
}
