import type { Sql } from '../database.ts'

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
       select id from client where id = $1 and kind = 'partner' and revoked_at is null
     ), claimed as (
       insert into idempotency_key (client_id, scope, digest, claim_id, claimed_at, claimed_until)
       select id, $2, $3, $4, statement_timestamp(), statement_timestamp() + interval '30 seconds' from caller
       on conflict (client_id, scope) do nothing
       returning 1
     )
     select exists (select from caller) as alive, exists (select from claimed) as mine, k.digest, k.status, k.sealed,
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
  const taken = await sql.run(
    `update idempotency_key set digest = $3, claim_id = $4, claimed_at = statement_timestamp(),
       claimed_until = statement_timestamp() + interval '30 seconds', status = null, company_ids = null, sealed = null
     where client_id = $1 and scope = $2
       and case when status is null then claimed_until else claimed_at + interval '24 hours' end <= statement_timestamp()`,
    [clientId, scope, digest, claimId],
  )
  return taken === 1
}

export interface KeptAnswer {
  readonly status: number
  readonly companyIds: readonly string[]
  readonly sealed: Buffer
}

/** Keeps the answer of the call whose turn it is. False when the turn was lost: whatever the transaction did must not stand. */
export async function finishKey(sql: Sql, call: KeyedCall, answer: KeptAnswer): Promise<boolean> {
  const kept = await sql.run(
    `update idempotency_key set status = $4, company_ids = $5, sealed = $6
     where client_id = $1 and scope = $2 and claim_id = $3 and status is null`,
    [call.clientId, call.scope, call.claimId, answer.status, answer.companyIds, answer.sealed],
  )
  return kept === 1
}

/** Gives the turn back when nothing is kept. */
export async function releaseKey(sql: Sql, { clientId, scope, claimId }: KeyedCall): Promise<void> {
  await sql.run(
    'delete from idempotency_key where client_id = $1 and scope = $2 and claim_id = $3 and status is null',
    [clientId, scope, claimId],
  )
}

/** Removes up to `most` keys whose day is over. @returns how many. */
export async function deleteOldKeys(sql: Sql, most: number): Promise<number> {
  return sql.run(
    `delete from idempotency_key k using (
       select client_id, scope from idempotency_key
       where claimed_at < statement_timestamp() - interval '24 hours' order by claimed_at limit $1
     ) as old
     where k.client_id = old.client_id and k.scope = old.scope
       and k.claimed_at < statement_timestamp() - interval '24 hours'`,
    [most],
  )
}
