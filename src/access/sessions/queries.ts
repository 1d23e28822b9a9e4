import type { LocalDate } from '#kernel/calendar.ts'
import type { Config } from '#platform/core/config.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Api } from '#platform/http/caller.ts'

/** How an operator or a person signed in. */
export const SIGN_IN_METHODS = ['secret', 'identity-provider', 'password', 'passkey'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

export interface NewSession {
  readonly id: string
  readonly tokenHash: Buffer
  readonly clientId: string
  readonly signedInWith: SignInMethod
  /** Until it expires, whatever its use. */
  readonly hours: number
}

interface FoundSession {
  readonly id: string
  readonly clientId: string
  readonly api: Api
  /** Whether its last use was written more than a minute ago. */
  readonly isUseDue: boolean
}

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.execute(
    `insert into operator_session (id, token_hash, client_id, signed_in_with, created_at, last_used_at, expires_at)
     values ($1, $2, $3, $4, statement_timestamp(), statement_timestamp(), statement_timestamp() + make_interval(hours => $5))`,
    [session.id, session.tokenHash, session.clientId, session.signedInWith, session.hours],
  )
}

/** Notes that a person signed in; of another client it does nothing. */
export async function writeLastSignIn(sql: Sql, clientId: string, network: Buffer): Promise<void> {
  await sql.execute(
    `update person set last_sign_in_at = statement_timestamp(), ${withNetwork('$2')} where client_id = $1`,
    [clientId, network],
  )
}

/** SQL: remembers the network of a sign-in, and the nine before it. Citus 13.2 crashes at a slice of an array in an update. */
export const withNetwork = (network: string): string =>
  `sign_in_networks = array_prepend(${network}::bytea, trim_array(array_remove(sign_in_networks, ${network}::bytea),
    greatest(cardinality(array_remove(sign_in_networks, ${network}::bytea)) - 9, 0)))`

/** The session with this hash that has not expired, of an active or a removed client; null when there is none. */
export async function findSession(sql: Sql, tokenHash: Buffer, idleMinutes: number): Promise<FoundSession | null> {
  const rows = await sql.query<FoundSession>(
    `select operator_session.id, client_id as "clientId", client.api,
            last_used_at < statement_timestamp() - interval '1 minute' as "isUseDue"
       from operator_session join client on client.id = operator_session.client_id
      where token_hash = $1 and expires_at > statement_timestamp()
        and last_used_at > statement_timestamp() - make_interval(mins => $2)`,
    [tokenHash, idleMinutes],
  )
  return rows[0] ?? null
}

/** Writes the last use. Of concurrent requests one writes it. */
export async function writeLastUse(sql: Sql, id: string): Promise<void> {
  await sql.execute(
    `update operator_session set last_used_at = statement_timestamp()
      where id = $1 and last_used_at < statement_timestamp() - interval '1 minute'`,
    [id],
  )
}

/**
 * A session as JSON of the API; null when it has ended.
 * @param onboarding whether the installation has onboarding links.
 */
export async function readSessionItem(
  sql: Sql,
  id: string,
  today: LocalDate,
  { sessionIdleMinutes, onboarding, smtpUrl }: Pick<Config, 'sessionIdleMinutes' | 'onboarding' | 'smtpUrl'>,
): Promise<string | null> {
  const rows = await sql.query<{ item: string }>(
    `select json_strip_nulls(json_build_object(
              'client-id', client.id, 'name', client.name, 'role', coalesce(client.role, 'company-hr'),
              'created-at', iso(operator_session.created_at),
              'idle-expires-at', iso(least(operator_session.last_used_at + make_interval(mins => $2), operator_session.expires_at)),
              'expires-at', iso(operator_session.expires_at),
              'signed-in-with', operator_session.signed_in_with, 'business-date', $5::date,
              'see-money', case when client.role is null then exists (
                select 1 from entitlement where client_id = client.id and see_money) end,
              'see-discrepancies', case when client.role is null then exists (
                select 1 from entitlement
                join contract on contract.company_id = entitlement.company_id and contract.show_discrepancies
                where entitlement.client_id = (select client_id from operator_session where id = $1)) end,
              'onboarding', case when client.role is null and $3 then true end,
              'mail', case when $4 then true end))::text as item
       from operator_session join client on client.id = operator_session.client_id
      where operator_session.id = $1`,
    [id, sessionIdleMinutes, onboarding, smtpUrl !== null, today],
  )
  return rows[0]?.item ?? null
}

/** Ends a session. @returns false when it has ended already. */
export async function deleteSession(sql: Sql, id: string): Promise<boolean> {
  return (await sql.execute('delete from operator_session where id = $1', [id])) > 0
}

/** Ends the session with this hash. @returns its id and its operator; null when there is none. */
export async function deleteSessionOf(
  sql: Sql,
  tokenHash: Buffer,
): Promise<Pick<FoundSession, 'id' | 'clientId' | 'api'> | null> {
  const rows = await sql.query<Pick<FoundSession, 'id' | 'clientId' | 'api'>>(
    `delete from operator_session using client
      where token_hash = $1 and client.id = operator_session.client_id
     returning operator_session.id, client_id as "clientId", client.api`,
    [tokenHash],
  )
  return rows[0] ?? null
}

/** Ends all sessions of an operator or a person. @returns their number. */
export async function deleteSessionsOfOperator(sql: Sql, clientId: string): Promise<number> {
  return sql.execute('delete from operator_session where client_id = $1', [clientId])
}

/** Ends all sessions of an operator or a person but one. @returns their number. */
export async function deleteOtherSessions(sql: Sql, clientId: string, keptId: string | null): Promise<number> {
  return sql.execute('delete from operator_session where client_id = $1 and id is distinct from $2', [clientId, keptId])
}

/** Notes that the state of a sign-in or the challenge of a passkey was used. @returns false when it was used before. */
export async function insertCompletedSignIn(sql: Sql, stateHash: Buffer, expiresAt: Date): Promise<boolean> {
  const inserted = await sql.execute(
    'insert into completed_sign_in (state_hash, expires_at) values ($1, $2) on conflict (state_hash) do nothing',
    [stateHash, expiresAt],
  )
  return inserted > 0
}

/** Deletes the sessions that have expired, and the completed sign-ins that could not come back any more; the hour is for clocks that differ. */
export async function deleteExpiredSessions(sql: Sql, idleMinutes: number): Promise<void> {
  await sql.execute(
    `delete from operator_session
      where expires_at <= statement_timestamp() or last_used_at <= statement_timestamp() - make_interval(mins => $1)`,
    [idleMinutes],
  )
  await sql.execute(`delete from completed_sign_in where expires_at < statement_timestamp() - interval '1 hour'`)
}
