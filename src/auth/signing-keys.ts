import { exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type CryptoKey, type JWK } from 'jose'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../platform/database.ts'
import { InvariantError, type Log } from '../platform/log.ts'
import type { Cipher } from '../platform/crypto/cipher.ts'

/** The keys that sign tokens and those that still verify them, as the table has them. */
export interface KeyRing {
  /** The key that signs now; the first is made here, and a successor once the newest is 30 days old. */
  signing(): Promise<{ id: string; key: CryptoKey }>
  /** An unknown id asks the table, at most once a second however many forged ids come. */
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
  readonly sealed: Buffer
  readonly createdAt: number
  readonly activeFrom: number
}

const minute = 60_000
const rotateAfterMs = 30 * 24 * 60 * minute
/** Published so long before it signs that every process knows a key when its first token comes, clocks askew included. */
const leadMs = 5 * minute
/** Longer than a token's life, its leeway and the cache of verified tokens together. */
const verifiesAfterMs = 120 * minute
const freshForMs = minute
const reloadEveryMs = 1_000
const lockKey = 7_446_103_218

/** Opens the key ring; nothing is read or made before its first use. */
export function openKeyRing(options: KeyRingOptions): KeyRing {
  const { database, cipher, log, clock } = options
  const view = openView(options)
  let opened: { id: string; key: CryptoKey } | null = null

  const make = async (isDue: (newestMadeAt: number) => boolean): Promise<SigningKey[]> => {
    await insertKey(database, cipher, clock(), isDue)
    return view.reloadAfterWrite()
  }
  const succeed = async (newest: SigningKey): Promise<void> => {
    try {
      await make((madeAt) => clock() - madeAt > rotateAfterMs)
    } catch (error) {
      log.warn({ err: error, 'key-id': newest.id }, 'signing key not rotated; the present one goes on')
    }
  }
  return {
    async signing() {
      let keys = await view.current()
      const newest = keys.at(-1)
      if (newest === undefined) keys = await make(() => false)
      else if (clock() - newest.createdAt > rotateAfterMs) {
        await succeed(newest)
        keys = await view.current()
      }
      const signs = keys.findLast((key) => key.activeFrom <= clock()) ?? keys[0]
      if (signs === undefined) throw new InvariantError('no signing key after one was made')
      if (opened?.id !== signs.id) {
        const pem = cipher.decrypt(purposeOf(signs.id), signs.sealed).toString('utf8')
        opened = { id: signs.id, key: await importPKCS8(pem, 'ES256') }
      }
      return opened
    },
    find: (id) => view.find(id),
    async published() {
      let keys = await view.current()
      if (keys.length === 0) keys = await make(() => false)
      return keys.map((key) => ({ ...key.jwk, kid: key.id, alg: 'ES256', use: 'sig' }))
    },
    async rotate() {
      await make(() => true)
    },
  }
}

interface View {
  current(): Promise<SigningKey[]>
  find(id: string): Promise<CryptoKey | null>
  reloadAfterWrite(): Promise<SigningKey[]>
}

/** What this process knows of the table: at most a minute old when used, oldest key first. */
function openView({ database, clock }: KeyRingOptions): View {
  let known: SigningKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY
  let startedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<SigningKey[]> | null = null
  let awaited: Promise<SigningKey[]> | null = null

  const load = async (): Promise<SigningKey[]> => {
    startedAt = performance.now()
    known = await readKeys(database, clock() - verifiesAfterMs, known)
    loadedAt = startedAt
    return known
  }
  const reload = (): Promise<SigningKey[]> => {
    loading ??= load().finally(() => {
      loading = null
    })
    return loading
  }
  const reloadInTurn = (): Promise<SigningKey[]> => {
    awaited ??= (async () => {
      const wait = startedAt + reloadEveryMs - performance.now()
      if (wait > 0) await sleep(wait, undefined, { ref: false })
      return reload()
    })().finally(() => {
      awaited = null
    })
    return awaited
  }
  const current = async () => (performance.now() - loadedAt < freshForMs ? known : reload())
  return {
    current,
    async find(id) {
      const askedAt = performance.now()
      const of = (keys: SigningKey[]) => keys.find((key) => key.id === id)?.publicKey ?? null
      const found = of(await current())
      return found !== null || startedAt >= askedAt ? found : of(await reloadInTurn())
    },
    async reloadAfterWrite() {
      // One that was under way may have read the table before the write.
      await loading?.catch(() => undefined)
      return reload()
    },
  }
}

function purposeOf(id: string): string {
  return `signing-key:${id}`
}

async function readKeys(database: Database, retiredAfter: number, known: readonly SigningKey[]): Promise<SigningKey[]> {
  const rows = await database.rows<{ id: string; jwk: JWK; sealed: Buffer; created_at: Date; active_from: Date }>(
    `select id, public_key as jwk, private_key as sealed, created_at, active_from from signing_key
      where algorithm = 'ES256' and (retired_at is null or retired_at > $1)
      order by active_from, id`,
    [new Date(retiredAfter)],
  )
  return Promise.all(
    rows.map(
      async ({ id, jwk, sealed, created_at, active_from }): Promise<SigningKey> =>
        known.find((key) => key.id === id) ?? {
          id,
          jwk,
          publicKey: (await importJWK(jwk, 'ES256')) as CryptoKey,
          sealed,
          createdAt: created_at.getTime(),
          activeFrom: active_from.getTime(),
        },
    ),
  )
}

/** Adds a key: the first signs at once, a further one when `isDue` says so of the newest, after the lead. */
async function insertKey(
  database: Database,
  cipher: Cipher,
  now: number,
  isDue: (newestMadeAt: number) => boolean,
): Promise<void> {
  const id = uuidv7()
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const sealed = cipher.encrypt(purposeOf(id), Buffer.from(await exportPKCS8(pair.privateKey)))
  await database.transaction(async (sql) => {
    await sql.rows('select pg_advisory_xact_lock($1)', [lockKey])
    const [newest] = await sql.rows<{ created_at: Date; active_from: Date }>(
      "select created_at, active_from from signing_key where algorithm = 'ES256' order by active_from desc, id desc limit 1",
    )
    if (newest !== undefined && !isDue(newest.created_at.getTime())) return
    const activeFrom = newest === undefined ? now : Math.max(now + leadMs, newest.active_from.getTime() + 1)
    await sql.run('delete from signing_key where retired_at < $1', [new Date(now - verifiesAfterMs)])
    await sql.run('update signing_key set retired_at = $1 where retired_at is null', [new Date(activeFrom)])
    await sql.run(
      `insert into signing_key (id, algorithm, public_key, private_key, created_at, active_from)
       values ($1, 'ES256', $2, $3, $4, $5)`,
      [id, JSON.stringify(jwk), sealed, new Date(now), new Date(activeFrom)],
    )
  })
}
