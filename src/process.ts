import { ensureFirstOperator } from './access/first-operator.ts'
import { openCipher } from './access/cipher.ts'
import { serviceKey } from './access/service-key.ts'
import { openTokens } from './access/token.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database.ts'
import { type Demo, ensureDemo, refuseDemoData } from './demo/demo.ts'
import type { Log } from './log.ts'
import { migrate } from './migrate.ts'
import { businessDate } from './rules/calendar.ts'
import { buildServer } from './server.ts'
import type { App, Service } from './service.ts'
import { startWorker, type Worker } from './worker.ts'

export interface Running {
  readonly service: Service
  /** Where it listens; null for a process that is a worker only. */
  readonly url: string | null
  /** Made at this start, to be shown once. */
  readonly firstOperator: { clientId: string; clientSecret: string } | null
  readonly demo: Demo | null
  /** Finishes the answers in flight and the step under way, then lets go of the database. */
  close(): Promise<void>
}

/**
 * Runs one process of the service on a database that may be reached: migrations, keys, the first operator, then the roles of
 * the configuration.
 * @throws StartError with a sentence that says what to set.
 */
export async function runProcess(config: Config, databaseUrl: string, masterKey: Buffer, log: Log): Promise<Running> {
  const database = openDatabase(
    {
      url: databaseUrl,
      connections: config.databaseConnections,
      namedStatements: config.namedStatements,
      applicationName: `vigencia ${config.role}`,
    },
    log,
  )
  try {
    await migrate(database)
    const { environment } = config
    if (environment === 'production') await refuseDemoData(database)
    const cipher = openCipher(masterKey)
    const service: Service = {
      config,
      database,
      log,
      tokens: openTokens({ database, cipher, environment, log }),
      memberKey: await serviceKey(database, cipher, 'member-id'),
      today: () => config.businessDate ?? businessDate(new Date()),
    }
    // The demo's operator first: with it there is an admin, and none has to be made up.
    const demo = config.demo ? await ensureDemo(database, await serviceKey(database, cipher, 'demo')) : null
    const firstOperator = await ensureFirstOperator(database, config)
    return await startRoles(service, database, { firstOperator, demo })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function startRoles(
  service: Service,
  database: Database,
  made: Pick<Running, 'firstOperator' | 'demo'>,
): Promise<Running> {
  const { config } = service
  const worker: Worker | null = config.role === 'api' ? null : startWorker(service)
  let app: App | null = null
  let url: string | null = null
  try {
    if (config.role !== 'worker') {
      app = await buildServer(service)
      url = await app.listen({ port: config.port, host: config.host })
    }
  } catch (error) {
    await worker?.stop()
    throw error
  }
  let closing: Promise<void> | null = null
  const close = async () => {
    await app?.close()
    await worker?.stop()
    await database.close()
  }
  return { service, url, ...made, close: () => (closing ??= close()) }
}
