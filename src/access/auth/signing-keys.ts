import { write } from '#platform/core/write.ts'
import { exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type CryptoKey, type JWK } from 'jose'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '#platform/core/database.ts'
import { InvariantError, type Log } from '#platform/core/log.ts'
import type { Cipher } from '#platform/core/crypto/cipher.ts'

/** The keys in the database that sign tokens, and those that still verify them. */
interface KeyRing {
  /** The key that signs now. Creates the first one, and a new one when the newest is 30 days old. */
  signing(): Promise<{ id: string; key: CryptoKey }>
  /** An unknown id reads the table again, at most once a second however many forged ids are sent. */
  find(id: string): Promise<CryptoKey | null>
  published(): Promise<JWK[]>
  rotate(): Promise<void>
}

export interface KeyRingOptions {
  readonly database: Database
  readonly cipher: Cipher
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

interface SigningKey {
  readonly id: string
  readonly jwk: JWK
  readonly publicKey: CryptoKey
  readonly encrypted: Buffer
  readonly createdAt: number
  readonly activeFrom: number
}

const minute = 60_000
const rotateAfterMs = 30 * 24 * 60 * minute
/** A key is published so long before it signs that every process knows it when its first token arrives, despite clock skew. */
const leadMs = 5 * minute
/** Longer than a token's lifetime, its leeway and the cache of verified tokens together. */
const verifiesAfterMs = 120 * minute
const freshForMs = minute
const reloadEveryMs = 1_000
const lockKey = 7_446_103_218

/** Opens the key ring; keys are read or created at its first use. */
export function openKeyRing(options: KeyRingOptions): KeyRing {
  const { database, cipher, log, clock } = options
  const cache = openKeyCache(options)
  let loaded: { id: string; key: CryptoKey } | null = null

  const addKey = async (isDue: (newestMadeAt: number) => boolean): Promise<SigningKey[]> => {
    await insertKey(database, cipher, clock(), isDue)
    return cache.reloadAfterWrite()
  }
  const current = async (): Promise<SigningKey[]> => {
    const keys = await cache.current()
    return keys.length > 0 ? keys : addKey(() => false)
  }
  return {
    async signing() {
      let keys = await current()
      const newest = keys.at(-1)
      if (newest !== undefined && clock() - newest.createdAt > rotateAfterMs) {
        keys = await addKey((madeAt) => clock() - madeAt > rotateAfterMs).catch((error: unknown) => {
          log.warn({ err: error, 'key-id': newest.id }, 'signing key not rotated; the present one stays in use')
          return cache.current()
        })
      }
      const signs = keys.findLast((key) => key.activeFrom <= clock()) ?? keys[0]
      if (signs === undefined) throw new InvariantError('no signing key after one was made')
      if (loaded?.id !== signs.id) {
        const pem = cipher.decrypt(purposeOf(signs.id), signs.encrypted).toString('utf8')
        loaded = { id: signs.id, key: await importPKCS8(pem, 'ES256') }
      }
      return loaded
    },
    find: (id) => cache.find(id),
    async published() {
      const keys = await current()
      return keys.map((key) => ({ ...key.jwk, kid: key.id, alg: 'ES256', use: 'sig' }))
    },
    async rotate() {
      await addKey(() => true)
    },
  }
}

/** Concurrent calls share one run. */
function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () =>
    (running ??= run().finally(() => {
      running = null
    }))
}

/** A cache of the table, at most a minute old when used, oldest key first. */
function openKeyCache({ database, clock }: KeyRingOptions) {
  let known: SigningKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY
  let startedAt = Number.NEGATIVE_INFINITY

  const reload = shared(async () => {
    startedAt = performance.now()
    known = await readKeys(database, clock() - verifiesAfterMs, known)
    loadedAt = startedAt
    return known
  })
  const reloadLater = shared(async () => {
    const wait = startedAt + reloadEveryMs - performance.now()
    if (wait > 0) await sleep(wait, undefined, { ref: false })
    return reload()
  })
  const current = async () => (performance.now() - loadedAt < freshForMs ? known : reload())
  return {
    current,
    async find(id: string): Promise<CryptoKey | null> {
      const requestedAt = performance.now()
      const of = (keys: SigningKey[]) => keys.find((key) => key.id === id)?.publicKey ?? null
      const found = of(await current())
      return found !== null || startedAt >= requestedAt ? found : of(await reloadLater())
    },
    async reloadAfterWrite(): Promise<SigningKey[]> {
      // A reload in progress may have read the table before the write.
      await reload().catch(() => undefined)
      return reload()
    },
  }
}

function purposeOf(id: string): string {
  return `signing-key:${id}`
}

async function readKeys(database: Database, retiredAfter: number, known: readonly SigningKey[]): Promise<SigningKey[]> {
  const rows = await database.query<{ id: string; jwk: JWK; encrypted: Buffer; created_at: Date; active_from: Date }>(
    `select id, public_key as jwk, private_key as encrypted, created_at, active_from from signing_key
      where algorithm = 'ES256' and (retired_at is null or retired_at > $1)
      order by active_from, id`,
    [new Date(retiredAfter)],
  )
  return Promise.all(
    rows.map(
      async ({ id, jwk, encrypted, created_at, active_from }): Promise<SigningKey> =>
        known.find((key) => key.id === id) ?? {
          id,
          jwk,
          publicKey: (await importJWK(jwk, 'ES256')) as CryptoKey,
          encrypted,
          createdAt: created_at.getTime(),
          activeFrom: active_from.getTime(),
        },
    ),
  )
}

/** Inserts a key: the first one signs at once; a further one, if `isDue` of the newest, after the lead time. */
async function insertKey(
  database: Database,
  cipher: Cipher,
  now: number,
  isDue: (newestMadeAt: number) => boolean,
): Promise<void> {
  const id = uuidv7()
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const encrypted = cipher.encrypt(purposeOf(id), Buffer.from(await exportPKCS8(pair.privateKey)))
  await write({ database }, { kind: 'service' }, { may: 'service' }, async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [lockKey])
    const [newest] = await sql.query<{ created_at: Date; active_from: Date }>(
      "select created_at, active_from from signing_key where algorithm = 'ES256' order by active_from desc, id desc limit 1",
    )
    if (newest !== undefined && !isDue(newest.created_at.getTime())) return
    const activeFrom = newest === undefined ? now : Math.max(now + leadMs, newest.active_from.getTime() + 1)
    await sql.execute('delete from signing_key where retired_at < $1', [new Date(now - verifiesAfterMs)])
    await sql.execute('update signing_key set retired_at = $1 where retired_at is null', [new Date(activeFrom)])
    await sql.execute(
      `insert into signing_key (id, algorithm, public_key, private_key, created_at, active_from)
       values ($1, 'ES256', $2, $3, $4, $5)`,
      [id, JSON.stringify(jwk), encrypted, new Date(now), new Date(activeFrom)],
    )
  })
}
