import type { Role } from '#kernel/enums.ts'
import type { Sql } from './database.ts'
import { ApiError, invalidCredentials } from './errors.ts'
import { InvariantError } from './log.ts'
import type { Actor, ClientActor } from './actor.ts'

/*
 * The one place that decides whether a client is active, and what an operator may do. An operator's role is read before the handler of each
 * call. A partner's read starts `from` the client, in the statement that reads the data: a statement of its own would cost as much as a point
 * read. `write` checks both again in its transaction, under a lock.
 */

/** SQL for `from`, as `client`: the active client of the actor with the id $1, or no row. */
export const activeClient = ({ kind }: Pick<ClientActor, 'kind'>): string =>
  `(select id from client where id = $1 and api = '${kind}' and revoked_at is null) client`

/** The same of a partner. */
export const activePartner = activeClient({ kind: 'partner' })

/**
 * SQL: joins what an actor reads with its companies: of a partner, as `caller`, those that it is entitled to; of an operator and of the service all.
 * @param company the column of the company's id.
 */
export const companiesOf = ({ kind }: Pick<Actor, 'kind'>, company: string): string =>
  kind === 'partner'
    ? `join entitlement on entitlement.company_id = ${company} and entitlement.client_id = caller.id`
    : ''

/** SQL: whether `entitlement`, joined for the caller, lets the actor see a company. */
export const isEntitled = ({ kind }: Pick<Actor, 'kind'>): string =>
  kind === 'partner' ? 'entitlement.client_id is not null' : 'true'

/** The only row of a statement over `activeClient`. @throws ApiError 401 when there is none: the client is revoked. */
export function rowOfActiveClient<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw invalidCredentials('client-revoked')
  return row
}

/** Whether the client belongs to its API and is not revoked. */
export async function isActiveClient(
  sql: Sql,
  { clientId, kind }: Pick<ClientActor, 'clientId' | 'kind'>,
): Promise<boolean> {
  const rows = await sql.query('select 1 as one from client where id = $1 and api = $2 and revoked_at is null', [
    clientId,
    kind,
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

/** Who may do something: a partner for its companies, operators of these roles beside `admin`, or only the service itself. */
export type May = 'partner' | 'service' | readonly Role[]

/** @param roles that may, beside `admin`. @throws ApiError 403 for another one. */
export function checkRole(roles: readonly Role[], role: Role): void {
  if (role !== 'admin' && !roles.includes(role)) throw new ApiError('role-not-allowed')
}

/**
 * Checks that an actor may do something now.
 * @param companyIds of which a partner's entitlements are read.
 * @param locks the client and its entitlements against revocation until the transaction ends: it waits for a revocation that has started, and
 * a later one waits for the commit.
 * @returns the companies among these that a partner is entitled to.
 * @throws ApiError 401 when the client is revoked, 403 when the operator's role may not.
 */
export async function checkActor(
  sql: Sql,
  actor: Actor,
  may: May,
  companyIds: readonly string[],
  locks: boolean,
): Promise<string[]> {
  const expected = typeof may === 'string' ? may : 'operator'
  if (!('clientId' in actor)) {
    if (may === 'service') return []
    throw new InvariantError(`${actor.kind} acts where ${expected} must`)
  }
  if (actor.kind !== expected) throw new InvariantError(`${actor.kind} acts where ${expected} must`)
  const lock = (table: string) => (locks ? `for share of ${table}` : '')
  // Citus takes two locks on the reference table that such a statement names last, which exclude each other between transactions. With
  // `entitlement` last, only one transaction of the service could write at a time.
  const [client] = await sql.query<{ role: Role | null; entitledCompanyIds: string[] }>(
    `with active as materialized (
       select id, role from client where id = $1 and api = $2 and revoked_at is null ${lock('client')}
     ), entitled as materialized (
       select entitlement.company_id from active join entitlement on entitlement.client_id = active.id
       where entitlement.company_id = any($3::uuid[]) order by entitlement.company_id ${lock('entitlement')}
     )
     select role, array(select company_id from entitled) as "entitledCompanyIds" from active left join company on false`,
    [actor.clientId, actor.kind, companyIds],
  )
  if (client === undefined) throw invalidCredentials('client-revoked')
  if (client.role !== null) checkRole(typeof may === 'string' ? [] : may, client.role)
  return client.entitledCompanyIds
}
