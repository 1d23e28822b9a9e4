import { ensureFirstOperator } from '#access/operators/first-operator.ts'
import { auditKeyName } from '#access/audit/hash-chain-queries.ts'
import { openCipher } from '#platform/core/crypto/cipher.ts'
import { existingMasterKey, masterKeyIn } from '#platform/core/crypto/master-key.ts'
import { openProcessLock } from '#platform/http/idempotency/process-lock.ts'
import { parseRateLimits, RateLimiter } from '#platform/http/limits/rate-limit.ts'
import { openSecrets } from '#access/clients/secrets.ts'
import { readEncrypted, storedKey } from '#platform/core/crypto/stored-keys.ts'
import { openTokens } from '#access/auth/tokens.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { BusinessClock } from '#platform/core/business-clock.ts'
import type { Config } from '#platform/core/config.ts'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { type Demo, ensureDemo, refuseDemoData } from './demo/demo.ts'
import { openStorage } from '#platform/core/storage/open-storage.ts'
import { StartError } from '#platform/core/errors.ts'
import type { Log } from '#platform/core/log.ts'
import { migrate } from '#platform/core/migrate.ts'
import { runPeriodically } from '#platform/core/run-periodically.ts'
import { waitForDatabase } from '#platform/core/wait-for-database.ts'
import { businessDate } from '#kernel/calendar.ts'
import { buildServer } from './http/server.ts'
import type { App, Context } from '#platform/http/context.ts'
import { openTracing } from '#platform/core/telemetry/tracing.ts'
import { version } from '#platform/core/version.ts'
import { finishWork, startWorker, type Worker } from './worker/worker.ts'

export interface Running {
  readonly context: Context
  /** Where it listens; null for a worker without a port. */
  readonly url: string | null
  readonly demo: Demo | null
  /** Finishes the responses and steps in progress, then closes the database. */
  close(): Promise<void>
}

export interface RunOptions {
  /** Called as soon as the first operator is stored: its secret is shown once, whatever fails next. */
  readonly onFirstOperator?: (made: { readonly clientId: string; readonly clientSecret: string }) => void
  /** Ends the wait for a database that does not respond yet. */
  readonly stopping?: AbortSignal
}

/** Responses that take longer than this at a stop are cut off. */
const lastResponsesMs = 20_000
const readServerMs = 5_000
const readClockMs = 1_000

/**
 * Runs one process of the service: waits for the database, migrates it, creates keys and the first operator, then starts the
 * configured roles.
 * @param masterKey null for that of `DATA_DIR/master.key`, which is created only for a database without encrypted data.
 * @throws StartError with a sentence that says what to set.
 */
export async function runProcess(
  config: Config,
  databaseUrl: string,
  masterKey: Buffer | null,
  log: Log,
  options: RunOptions = {},
): Promise<Running> {
  const tracing = config.tracesUrl === null ? null : await openTracing(config.tracesUrl, config.role, version)
  const database = openDatabase(
    {
      url: databaseUrl,
      connections: config.databaseConnections,
      namedStatements: config.namedStatements,
      applicationName: `vigencia ${config.role}`,
      maxWaitMs: config.limits.maxWaitMs,
      tracing,
    },
    log,
  )
  try {
    await waitForDatabase(database, log, options.stopping ?? new AbortController().signal)
    await migrate(database)
    await database.readServer()
    const { environment } = config
    const clock = new BusinessClock(() => config.businessDate ?? businessDate(database.now()))
    await clock.read(database)
    if (environment === 'production') {
      await refuseDemoData(database)
      refuseMovedClock(clock)
    }
    const key = masterKey ?? (await masterKeyOf(database, config))
    const cipher = openCipher(key)
    const quotas = parseRateLimits(config.rateLimits)
    const context: Context = {
      config,
      database,
      log,
      tokens: openTokens({ database, cipher, environment, log, clock: () => database.now().getTime() }),
      secrets: openSecrets(key),
      cipher,
      memberKey: await storedKey(database, cipher, 'member-id'),
      uploadKey: await storedKey(database, cipher, 'upload-url'),
      failureKey: await storedKey(database, cipher, 'authentication-failure'),
      mailKey: await storedKey(database, cipher, 'mail'),
      responseStore: {
        database,
        cipher,
        log,
        hashKey: await storedKey(database, cipher, 'idempotency'),
        maxBytesPerClient: config.limits.storedResponseBytes,
        processLock: openProcessLock(database),
      },
      rateLimits: quotas === null ? null : new RateLimiter(database, quotas),
      streams: new ConcurrencyLimit({ max: config.limits.streams, maxWaitMs: config.limits.maxWaitMs }),
      auditKey: await storedKey(database, cipher, auditKeyName),
      storage: await openStorage(config),
      tracing,
      clock,
      today: () => clock.today(),
    }
    // The demo's operator first: it is an admin, so that none is generated.
    const demo = config.demo
      ? await ensureDemo(context, await storedKey(database, cipher, 'demo'), () => finishWork(context))
      : null
    const firstOperator = await ensureFirstOperator(database, context.secrets, config)
    if (firstOperator !== null) options.onFirstOperator?.(firstOperator)
    return await startRoles(context, database, demo)
  } catch (error) {
    await database.close()
    await tracing?.close()
    throw error
  }
}

/** @throws StartError when the business day of the database was moved, which happens in staging only. */
function refuseMovedClock({ movedDays }: BusinessClock): void {
  if (movedDays === 0) return
  throw new StartError(
    `Production refuses a moved clock, and that of this database was moved by ${movedDays} days: use a database of its own for production.`,
  )
}

/** With encrypted data in the database a new key would be wrong, and would be stored where the right one belongs. */
async function masterKeyOf(database: Database, config: Config): Promise<Buffer> {
  const isNew = (await readEncrypted(database)) === null
  return isNew ? masterKeyIn(config.dataDir) : existingMasterKey(config)
}

async function startRoles(context: Context, database: Database, demo: Demo | null): Promise<Running> {
  const { config } = context
  const stopping = new AbortController()
  const readingServer = runPeriodically(
    context,
    stopping.signal,
    { errorMessage: 'the clock of the database could not be read', intervalMs: readServerMs },
    () => database.readServer(),
  )
  const isProduction = config.environment === 'production'
  const readingClock = isProduction
    ? Promise.resolve()
    : runPeriodically(
        context,
        stopping.signal,
        { errorMessage: 'the moved clock could not be read', intervalMs: readClockMs },
        () => context.clock.read(database),
      )
  const worker: Worker | null = config.role === 'api' ? null : startWorker(context)
  let app: App | null = null
  let url: string | null = null
  try {
    if (config.role !== 'worker' || config.portGiven) {
      app = await buildServer(context)
      url = await app.listen({ port: config.port, host: config.host })
    }
  } catch (error) {
    stopping.abort()
    await app?.close()
    await worker?.stop()
    await Promise.all([readingServer, readingClock])
    context.storage.close()
    throw listenError(config, error)
  }
  let closing: Promise<void> | null = null
  const close = async () => {
    // A connection whose response ends only now would be kept alive for the next call.
    const closeIdle = setInterval(() => app?.server.closeIdleConnections(), 20)
    const limit = setTimeout(() => app?.server.closeAllConnections(), lastResponsesMs)
    await app?.close()
    clearInterval(closeIdle)
    clearTimeout(limit)
    await worker?.stop()
    context.storage.close()
    await context.responseStore.processLock.release()
    stopping.abort()
    await Promise.all([readingServer, readingClock])
    await database.close()
    await context.tracing?.close()
  }
  return { context, url, demo, close: () => (closing ??= close()) }
}

/** An error that names the setting to change when the address cannot be listened on. */
function listenError({ port, host }: Config, cause: unknown): unknown {
  const noAddress = `${host} is no address of this machine: set VIGENCIA_HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`
  const messages = new Map<unknown, string>([
    [
      'EADDRINUSE',
      `Port ${port} of ${host} is taken by another program: set VIGENCIA_PORT to a free one (0 takes any).`,
    ],
    ['EACCES', `This user may not listen on port ${port}: set VIGENCIA_PORT to one from 1024 on.`],
    ['EADDRNOTAVAIL', noAddress],
    ['ENOTFOUND', noAddress],
    ['EAI_AGAIN', noAddress],
  ])
  const message = messages.get((cause as { code?: unknown }).code)
  return message === undefined ? cause : new StartError(message, { cause })
}
