import type { Tx } from '#platform/core/write.ts'
import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Role } from '#kernel/enums.ts'
import type { Api } from '#platform/http/caller.ts'

interface Credentials {
  /** null when there is no such client. */
  readonly api: Api | null
  readonly isRevoked: boolean
  readonly hashes: string[]
  /** Seconds until a wrong secret gets 401 again instead of 429; null when it does now. */
  readonly blockedForSeconds: number | null
}

/** Failures in a minute, of a client id or an e-mail address and a network. */
export const failuresAllowed = 10
const secondsLeft = `greatest(1, ceil(extract(epoch from window_started_at + interval '1 minute' - statement_timestamp())))::int`

/** SQL: seconds until the minute of a bucket of failures ends; null when it is not full. */
export const blockedSeconds = (bucket: string): string => `(
  select ${secondsLeft} from authentication_failure
   where bucket = ${bucket} and failures >= ${failuresAllowed} and window_started_at > statement_timestamp() - interval '1 minute')`

const isValid = '(ends_at is null or ends_at > statement_timestamp())'

/** Reads what an attempt to authenticate needs. @param bucket that counts failures of this client id and address. */
export async function readCredentials(sql: Sql, clientId: string, bucket: number): Promise<Credentials> {
  const rows = await sql.query<{ api: Api | null; isRevoked: boolean; hashes: string[]; blocked: number | null }>(
    `select client.api, client.revoked_at is not null as "isRevoked",
            array(select hash from client_secret where client_id = client.id and ${isValid} order by slot) as hashes,
            ${blockedSeconds('$2')} as blocked
       from (values ($1::text)) as asked (id)
       left join client on client.id = asked.id`,
    [clientId, bucket],
  )
  const row = rows[0]
  const { api = null, isRevoked = false, hashes = [], blocked = null } = row ?? {}
  return { api, isRevoked, hashes, blockedForSeconds: blocked }
}

const isRunning = `authentication_failure.window_started_at > excluded.window_started_at - interval '1 minute'`

/**
 * Counts an attempt in the bucket's minute, which starts with its first one.
 * @returns seconds until the minute ends when there are more than are allowed, else null.
 */
export async function countAttempt(sql: Sql, bucket: number, allowed: number): Promise<number | null> {
  const rows = await sql.query<{ failures: number; seconds: number }>(
    `insert into authentication_failure (bucket, window_started_at, failures) values ($1, statement_timestamp(), 1)
     on conflict (bucket) do update set
       failures = case when ${isRunning} then authentication_failure.failures + 1 else 1 end,
       window_started_at = case when ${isRunning} then authentication_failure.window_started_at else excluded.window_started_at end
     returning failures, ${secondsLeft} as seconds`,
    [bucket],
  )
  const [row] = rows
  return row !== undefined && row.failures > allowed ? row.seconds : null
}

/** Takes one attempt from each of the buckets. */
export async function discountAttempts(sql: Sql, buckets: readonly number[]): Promise<void> {
  await sql.execute(
    'update authentication_failure set failures = failures - 1 where bucket = any($1::int[]) and failures > 0',
    [buckets],
  )
}

/** The hashes of the client's secrets, revoked or not. */
export async function readSecretHashes(sql: Sql, clientId: string): Promise<string[]> {
  const rows = await sql.query<{ hash: string }>('select hash from client_secret where client_id = $1 order by slot', [
    clientId,
  ])
  return rows.map((row) => row.hash)
}

/** The valid secrets of a client, with the end of one that was rotated. */
export async function readValidSecrets(sql: Sql, clientId: string): Promise<{ hash: string; endsAt: Date | null }[]> {
  return sql.query(`select hash, ends_at as "endsAt" from client_secret where client_id = $1 and ${isValid}`, [
    clientId,
  ])
}

interface NewClient {
  readonly id: string
  readonly kind: Api
  readonly name: string
  readonly role: Role | null
  readonly secretHash: string
}

/** Inserts a client with its first secret. @returns false when the id is taken. */
export async function insertClient(sql: Sql, client: NewClient): Promise<boolean> {
  const rows = await sql.query(
    `with new_client as (
       insert into client (id, api, name, role, created_at) values ($1, $2, $3, $4, statement_timestamp())
       on conflict (id) do nothing returning id, created_at
     )
     insert into client_secret (client_id, slot, hash, created_at) select id, 1, $5, created_at from new_client
     returning client_id`,
    [client.id, client.kind, client.name, client.role, client.secretHash],
  )
  return rows.length > 0
}

/** An operator that signs in at the identity provider. */
export interface ProviderOperator {
  readonly name: string
  readonly role: Role
  readonly status: 'active' | 'revoked-by-provider' | 'removed'
}

/** Inserts an operator without a secret. @returns false when the id is taken. */
export async function insertOperator(sql: Sql, id: string, name: string, role: Role): Promise<boolean> {
  const inserted = await sql.execute(
    `insert into client (id, api, name, role, created_at) values ($1, 'operator', $2, $3, statement_timestamp())
     on conflict (id) do nothing`,
    [id, name, role],
  )
  return inserted > 0
}

/** An operator in every status; null when there is none. */
export async function readProviderOperator(sql: Sql, id: string): Promise<ProviderOperator | null> {
  const rows = await sql.query<ProviderOperator>(
    `select name, role, case when revoked_at is null then 'active' when revoked_by_provider then 'revoked-by-provider'
                             else 'removed' end as status
       from client where id = $1 and api = 'operator'`,
    [id],
  )
  return rows[0] ?? null
}

/** Sets name and role of an operator, and makes it active unless it was removed. */
export async function updateOperator(sql: Sql, id: string, name: string, role: Role): Promise<void> {
  await sql.execute(
    `update client set name = $2, role = $3, revoked_at = null, revoked_by_provider = false
      where id = $1 and api = 'operator' and (revoked_at is null or revoked_by_provider)`,
    [id, name, role],
  )
}

/** Revokes an operator whose role at the identity provider has ended. */
export async function revokeByProvider(sql: Sql, id: string): Promise<void> {
  await sql.execute(
    `update client set revoked_at = $2, revoked_by_provider = true where id = $1 and api = 'operator' and revoked_at is null`,
    [id, sql.now()],
  )
}

/** Revokes a client at once, since each call checks it. The client must be locked. */
export async function revokeClient(tx: Tx, clientId: string): Promise<void> {
  await tx.execute('update client set revoked_at = $2 where id = $1', [clientId, tx.at()])
}

/** SQL: the client is a program or an operator with a secret, or of the identity provider. */
const isNoPerson = 'not exists (select 1 from person where person.client_id = client.id)'

/**
 * Locks the client's row until the transaction ends, so that rotations are serial. By an update that changes nothing: a row lock alone
 * does not carry over to a distributed table.
 * @returns false when there is no such active client. A person is none: it has no secret.
 */
export async function lockClient(sql: Sql, api: Api, clientId: string): Promise<boolean> {
  const text = `update client set name = name where id = $1 and api = $2 and revoked_at is null and ${isNoPerson}`
  return (await sql.execute(text, [clientId, api])) > 0
}

/** Adds a secret; of two, it replaces the older one. The client must be locked. */
export async function insertSecret(sql: Sql, clientId: string, hash: string): Promise<void> {
  await sql.execute(
    `insert into client_secret (client_id, slot, hash, created_at)
     select $1,
            coalesce(
              (select free.slot from (values (1), (2)) as free (slot)
                where not exists (select 1 from client_secret where client_id = $1 and slot = free.slot)
                order by free.slot limit 1),
              (select slot from client_secret where client_id = $1 order by created_at, slot limit 1)),
            $2, clock_timestamp()
     on conflict (client_id, slot) do update set hash = excluded.hash, created_at = excluded.created_at, ends_at = null`,
    [clientId, hash],
  )
}

/** Sets the end of the older of two secrets. The client must be locked. */
export async function endFormerSecretAt(sql: Sql, clientId: string, endsAt: Date): Promise<void> {
  await sql.execute(
    `update client_secret set ends_at = $2 where client_id = $1 and slot = (
       select slot from client_secret where client_id = $1 order by created_at desc, slot desc offset 1)`,
    [clientId, endsAt],
  )
}

/** Deletes the older of two secrets. The client must be locked. @returns false when there is only one. */
export async function deleteFormerSecret(sql: Sql, clientId: string): Promise<boolean> {
  const deleted = await sql.execute(
    `delete from client_secret where client_id = $1 and ${isValid} and slot = (
       select slot from client_secret where client_id = $1 order by created_at desc, slot desc offset 1)`,
    [clientId],
  )
  return deleted > 0
}

const adminLockKey = 7_446_103_217

/** Serializes transactions that count the admins. */
export async function lockAdmins(sql: Sql): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [adminLockKey])
}

/** Whether there is another active admin, who can sign in: not a person who has not accepted the invitation. */
export async function isAnotherAdminActive(sql: Sql, exceptClientId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from client
      where api = 'operator' and role = 'admin' and revoked_at is null and id <> $1
        and not exists (select 1 from person where person.client_id = client.id and password_hash is null) limit 1`,
    [exceptClientId],
  )
  return rows.length > 0
}

/** The API of the client with this id, revoked or not; null when there is none. */
export async function readApi(sql: Sql, clientId: string): Promise<Api | null> {
  const rows = await sql.query<{ api: Api }>('select api from client where id = $1', [clientId])
  return rows[0]?.api ?? null
}

/** The times of the secrets, the oldest first. */
const secretsJson = `(
  select coalesce(json_agg(json_build_object('created-at', iso(created_at), 'ends-at', iso(ends_at)) order by created_at, slot), '[]')
  from client_secret where client_id = client.id and ${isValid})`

const clientItem = `json_build_object(
  'client-id', client.id,
  'name', client.name,
  'company-tax-ids', array(
    select company.tax_id from entitlement join company on company.id = entitlement.company_id
     where entitlement.client_id = client.id order by company.tax_id),
  'created-at', iso(client.created_at), 'secrets', ${secretsJson})`

const operatorItem = `json_build_object(
  'client-id', client.id, 'name', client.name, 'role', client.role, 'created-at', iso(client.created_at),
  'is-person', exists (select 1 from person where person.client_id = client.id), 'secrets', ${secretsJson})`

/** Clients of an API that are not revoked, oldest first: programs, and all operators. */
export async function listClients(sql: Sql, api: Api, bounds: { limit: number; offset: number }): Promise<Page> {
  const isListed = `api = $1 and revoked_at is null ${api === 'partner' ? `and ${isNoPerson}` : ''}`
  const rows = await sql.query<Page>(
    `select (select count(*) from client where ${isListed}) as total,
            (select coalesce(json_agg(${api === 'partner' ? clientItem : operatorItem} order by created_at, id), '[]')
               from (select * from client where ${isListed}
                      order by created_at, id limit $2 offset $3) as client)::text as items`,
    [api, bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** An operator as JSON in wire format; null when there is no such active operator. */
export async function readOperator(sql: Sql, clientId: string): Promise<string | null> {
  const rows = await sql.query<{ item: string }>(
    `select ${operatorItem}::text as item from client where id = $1 and api = 'operator' and revoked_at is null`,
    [clientId],
  )
  return rows[0]?.item ?? null
}

/** Sets the role of an operator. */
export async function updateRole(sql: Sql, clientId: string, role: Role): Promise<void> {
  await sql.execute(`update client set role = $2 where id = $1 and api = 'operator'`, [clientId, role])
}

/** A partner's client as JSON in wire format; null when there is no such active client. */
export async function readClient(sql: Sql, clientId: string): Promise<string | null> {
  const rows = await sql.query<{ item: string }>(
    `select ${clientItem}::text as item from client where id = $1 and api = 'partner' and revoked_at is null`,
    [clientId],
  )
  return rows[0]?.item ?? null
}

/** The companies with these CNPJs that exist. */
export async function findCompanies(sql: Sql, taxIds: readonly string[]): Promise<{ id: string; taxId: string }[]> {
  return sql.query('select id, tax_id as "taxId" from company where tax_id = any($1) order by tax_id', [taxIds])
}

/** Entitles the client to the companies. @returns the ids of those that it was not entitled to before. */
export async function grantCompanies(
  sql: Sql,
  clientId: string,
  companyIds: readonly string[],
  { seesMoney }: { readonly seesMoney: boolean } = { seesMoney: true },
): Promise<string[]> {
  const rows = await sql.query<{ company_id: string }>(
    `insert into entitlement (company_id, client_id, created_at, see_money)
     select company_id, $1, statement_timestamp(), $3 from unnest($2::uuid[]) as granted (company_id)
     on conflict (company_id, client_id) do nothing returning company_id`,
    [clientId, companyIds, seesMoney],
  )
  return rows.map((row) => row.company_id)
}

/** @returns false when the client was not entitled to the company. */
export async function revokeCompany(sql: Sql, clientId: string, companyId: string): Promise<boolean> {
  const text = 'delete from entitlement where company_id = $1 and client_id = $2'
  return (await sql.execute(text, [companyId, clientId])) > 0
}
