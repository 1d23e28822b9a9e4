import type { Sql } from '../../platform/database.ts'

/** What a call is known by: whose, under which key, with which bytes, and the turn that it took. */
export interface KeyedCall {
  readonly clientId: string
  /** Keyed hash of method, path and key. */
  readonly scope: Buffer
  /** Keyed hash of query and body. */
  readonly digest: Buffer
  readonly claimId: string
}

export interface Claim {
  /** false: the client is revoked. */
  readonly alive: boolean
  /** The turn is this call's. */
  readonly mine: boolean
  /** The row that was there; null when there was none, or none was visible yet. */
  readonly digest: Buffer | null
  /** Nobody answers under it any more: its process died, or its day is over. */
  readonly isOver: boolean
  readonly status: number | null
  readonly sealed: Buffer | null
  /** Whether the caller may still access every company that the answer is about. */
  readonly entitled: boolean
}

/** Takes the turn under a key that nobody used, else tells what stands there. The turn lasts for 30 seconds of the database's clock. */
export async function claimKey(sql: Sql, { clientId, scope, digest, claimId }: KeyedCall): Promise<Claim> {
  const [row] = await sql.rows<Claim>(
    `with caller as (
       select id from client where id = $1 and api = 'partner' and revoked_at is null
     ), claimed as (
       insert into idempotency_key (client_id, scope, digest, claim_id, claimed_at, claimed_until)
       select id, $2, $3, $4, statement_timestamp(), statement_timestamp() + interval '30 seconds' from caller
       on conflict (client_id, scope) do nothing
       returning 1
     )
     select exists (select from caller) as alive, exists (select from claimed) as mine, k.digest, k.status, k.encrypted_response as sealed,
       coalesce(case when k.status is null then k.claimed_until else k.claimed_at + interval '24 hours' end
         <= statement_timestamp(), false) as "isOver",
       not exists (select from unnest(k.company_ids) as concerned(company_id)
         where not exists (select from entitlement t
           where t.company_id = concerned.company_id and t.client_id = $1)) as entitled
     from (values (1)) as one(n) left join idempotency_key k on k.client_id = $1 and k.scope = $2`,
    [clientId, scope, digest, claimId],
  )
  return row as Claim
}

/** Takes over a turn that is over. False when somebody else was faster. */
export async function takeOverKey(sql: Sql, { clientId, scope, digest, claimId }: KeyedCall): Promise<boolean> {
  const [row] = await sql.rows<{ taken: boolean }>(
    `with over as (
       select client_id, scope, coalesce(octet_length(encrypted_response), 0) as bytes from idempotency_key
       where client_id = $1 and scope = $2
     ), taken as (
       update idempotency_key k set digest = $3, claim_id = $4, claimed_at = statement_timestamp(),
         claimed_until = statement_timestamp() + interval '30 seconds', status = null, company_ids = null, encrypted_response = null
       from over where k.client_id = over.client_id and k.scope = over.scope
         and case when k.status is null then k.claimed_until else k.claimed_at + interval '24 hours' end <= statement_timestamp()
       returning over.bytes
     ), freed as (
       update stored_response_usage u set bytes = greatest(u.bytes - taken.bytes, 0)
       from taken where u.client_id = $1 and taken.bytes > 0
     )
     select exists (select from taken) as taken`,
    [clientId, scope, digest, claimId],
  )
  return row?.taken === true
}

export interface SavedResponse {
  readonly status: number
  readonly companyIds: readonly string[]
  readonly sealed: Buffer
}

/** `lost`: another call has the turn. `full`: the client has no bytes left. After both the transaction must roll back. */
export type Finished = 'stored' | 'lost' | 'full'

/** Stores the response of the call whose turn it is. @param maxBytes of all stored responses of the client. */
export async function saveResponse(
  sql: Sql,
  { clientId, scope, claimId }: KeyedCall,
  { status, companyIds, sealed }: SavedResponse,
  maxBytes: number,
): Promise<Finished> {
  const [row] = await sql.rows<{ outcome: Finished }>(
    `with stored as (
       update idempotency_key set status = $4, company_ids = $5, encrypted_response = $6
       where client_id = $1 and scope = $2 and claim_id = $3 and status is null
       returning client_id, octet_length(encrypted_response) as bytes
     ), counted as (
       insert into stored_response_usage as u (client_id, bytes) select client_id, bytes from stored where bytes <= $7::bigint
       on conflict (client_id) do update set bytes = u.bytes + excluded.bytes where u.bytes + excluded.bytes <= $7::bigint
       returning 1
     )
     select case when exists (select from counted) then 'stored' when exists (select from stored) then 'full' else 'lost' end as outcome`,
    [clientId, scope, claimId, status, companyIds, sealed, maxBytes],
  )
  return row?.outcome ?? 'lost'
}

/** Gives the turn back when nothing is kept. */
export async function releaseKey(sql: Sql, { clientId, scope, claimId }: KeyedCall): Promise<void> {
  await sql.run(
    'delete from idempotency_key where client_id = $1 and scope = $2 and claim_id = $3 and status is null',
    [clientId, scope, claimId],
  )
}

/** Removes up to `most` keys of one client whose day is over: one client, so that two workers never wait for each other. @returns how many. */
export async function deleteOldKeys(sql: Sql, most: number): Promise<number> {
  const [row] = await sql.rows<{ deleted: number }>(
    `with oldest as (
       select client_id from idempotency_key
       where claimed_at < statement_timestamp() - interval '24 hours' order by claimed_at limit 1
     ), old as (
       select k.client_id, k.scope from idempotency_key k join oldest using (client_id)
       where k.claimed_at < statement_timestamp() - interval '24 hours' limit $1
     ), deleted as (
       delete from idempotency_key k using old
       where k.client_id = old.client_id and k.scope = old.scope
         and k.claimed_at < statement_timestamp() - interval '24 hours'
       returning k.client_id, octet_length(k.encrypted_response) as bytes
     ), freed as (
       update stored_response_usage u set bytes = greatest(u.bytes - d.bytes, 0)
       from (select client_id, sum(bytes) as bytes from deleted group by client_id) d
       where u.client_id = d.client_id and d.bytes > 0
     )
     select count(*)::int as deleted from deleted`,
    [most],
  )
  return row?.deleted ?? 0
}
