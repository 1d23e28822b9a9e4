import type { Sql } from '../../core/database.ts'
import { processLockClass } from './process-lock.ts'

/** A call with a key, and the claim under which this process handles it. */
export interface KeyedCall {
  readonly clientId: string
  /** Keyed hash of method, path and key. */
  readonly keyHash: Buffer
  /** Keyed hash of query and body. */
  readonly fingerprint: Buffer
  readonly claimId: string
  /** The process, by the id of its lock. */
  readonly claimedBy: number
}

export interface Claim {
  /** false: the client is revoked. */
  readonly isActive: boolean
  /** This call holds the claim. */
  readonly isClaimed: boolean
  /** The fingerprint of the row that was there; null when there was none, or none was visible yet. */
  readonly fingerprint: Buffer | null
  /** The process that claimed the key has ended, or the stored response is older than a day. */
  readonly isFree: boolean
  readonly status: number | null
  readonly encryptedResponse: Buffer | null
  /** Whether the caller may still access every company that the response is about. */
  readonly entitled: boolean
}

/** Whether the row k may be claimed: a lock that another session can share is held by no process. */
const isFree = `case when idempotency_key.status is null then pg_try_advisory_xact_lock_shared(${processLockClass}, idempotency_key.claimed_by)
  else idempotency_key.claimed_at <= statement_timestamp() - interval '24 hours' end`

/** Claims a key that has no row, else reads the row. */
export async function insertClaim(sql: Sql, call: KeyedCall): Promise<Claim> {
  const [row] = await sql.query<Claim>(
    `with caller as (
       select id, api from client where id = $1 and revoked_at is null
     ), claimed as (
       insert into idempotency_key (client_id, key_hash, fingerprint, claim_id, claimed_by, claimed_at)
       select id, $2, $3, $4, $5, statement_timestamp() from caller
       on conflict (client_id, key_hash) do nothing
       returning 1
     )
     select exists (select 1 from caller) as "isActive", exists (select 1 from claimed) as "isClaimed", idempotency_key.fingerprint,
       idempotency_key.status, idempotency_key.encrypted_response as "encryptedResponse", coalesce(${isFree}, false) as "isFree",
       (select api = 'operator' from caller) or not exists (select 1 from unnest(idempotency_key.company_ids) as accessed(company_id)
         where not exists (select 1 from entitlement where company_id = accessed.company_id and client_id = $1)) as entitled
     from (values (1)) as asked(call)
     left join idempotency_key on idempotency_key.client_id = $1 and idempotency_key.key_hash = $2`,
    [call.clientId, call.keyHash, call.fingerprint, call.claimId, call.claimedBy],
  )
  return row as Claim
}

/** Claims a key whose row is free. False when another call was faster. */
export async function claimFreeKey(sql: Sql, call: KeyedCall): Promise<boolean> {
  const [row] = await sql.query<{ claimed: boolean }>(
    `with before as (
       select coalesce(octet_length(encrypted_response), 0) as bytes from idempotency_key
       where client_id = $1 and key_hash = $2
     ), claimed as (
       update idempotency_key set fingerprint = $3, claim_id = $4, claimed_by = $5, claimed_at = statement_timestamp(),
         status = null, company_ids = null, encrypted_response = null
       from before where idempotency_key.client_id = $1 and idempotency_key.key_hash = $2 and ${isFree}
       returning before.bytes
     ), freed as (
       update stored_response_usage set bytes = greatest(stored_response_usage.bytes - claimed.bytes, 0)
       from claimed where stored_response_usage.client_id = $1 and claimed.bytes > 0
     )
     select exists (select 1 from claimed) as claimed`,
    [call.clientId, call.keyHash, call.fingerprint, call.claimId, call.claimedBy],
  )
  return row?.claimed === true
}

interface SavedResponse {
  readonly status: number
  readonly companyIds: readonly string[]
  readonly encryptedResponse: Buffer
}

/** `lost`: another call holds the claim. `full`: the client has no bytes left. After both the transaction must roll back. */
export type SaveResult = 'stored' | 'lost' | 'full'

/** Stores the response of the call that holds the claim. @param maxBytes of all stored responses of the client. */
export async function saveResponse(
  sql: Sql,
  { clientId, keyHash, claimId }: KeyedCall,
  { status, companyIds, encryptedResponse }: SavedResponse,
  maxBytes: number,
): Promise<SaveResult> {
  const [row] = await sql.query<{ result: SaveResult }>(
    `with stored as (
       update idempotency_key set status = $4, company_ids = $5, encrypted_response = $6
       where client_id = $1 and key_hash = $2 and claim_id = $3 and status is null
       returning client_id, octet_length(encrypted_response) as bytes
     ), counted as (
       insert into stored_response_usage (client_id, bytes) select client_id, bytes from stored where bytes <= $7::bigint
       on conflict (client_id) do update set bytes = stored_response_usage.bytes + excluded.bytes
         where stored_response_usage.bytes + excluded.bytes <= $7::bigint
       returning 1
     )
     select case when exists (select 1 from counted) then 'stored' when exists (select 1 from stored) then 'full' else 'lost' end as result`,
    [clientId, keyHash, claimId, status, companyIds, encryptedResponse, maxBytes],
  )
  return row?.result ?? 'lost'
}

/** Deletes the claim of a call whose response is not stored. */
export async function releaseKey(sql: Sql, { clientId, keyHash, claimId }: KeyedCall): Promise<void> {
  await sql.execute(
    'delete from idempotency_key where client_id = $1 and key_hash = $2 and claim_id = $3 and status is null',
    [clientId, keyHash, claimId],
  )
}

/** Deletes up to `limit` keys older than a day, of one client, so that two workers never wait for each other. @returns how many. */
export async function deleteOldKeys(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ deleted: number }>(
    `with oldest as (
       select client_id from idempotency_key
       where claimed_at < statement_timestamp() - interval '24 hours' order by claimed_at limit 1
     ), old as (
       select idempotency_key.client_id, idempotency_key.key_hash from idempotency_key join oldest using (client_id)
       where idempotency_key.claimed_at < statement_timestamp() - interval '24 hours' limit $1
     ), deleted as (
       delete from idempotency_key using old
       where idempotency_key.client_id = old.client_id and idempotency_key.key_hash = old.key_hash
         and idempotency_key.claimed_at < statement_timestamp() - interval '24 hours'
       returning idempotency_key.client_id, octet_length(idempotency_key.encrypted_response) as bytes
     ), freed as (
       update stored_response_usage set bytes = greatest(stored_response_usage.bytes - freed.bytes, 0)
       from (select client_id, sum(bytes) as bytes from deleted group by client_id) freed
       where stored_response_usage.client_id = freed.client_id and freed.bytes > 0
     )
     select count(*)::int as deleted from deleted`,
    [limit],
  )
  return row?.deleted ?? 0
}
