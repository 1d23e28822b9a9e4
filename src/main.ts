import { Command } from 'commander'
import { verifyCommand, type VerifyOptions } from './account/verify-command.ts'
import { masterKeyIn } from './access/master-key.ts'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { welcome } from './demo/welcome.ts'
import { type EmbeddedEngine, startEmbedded } from './engine/embedded.ts'
import { startTended } from './engine/tended.ts'
import { StartError } from './errors.ts'
import { describeError, type Log, openLog } from './log.ts'
import { migrate } from './migrate.ts'
import { type Running, runProcess } from './process.ts'
import { reachDatabase } from './reach-database.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const complain = (text: string) => process.stderr.write(`${text}\n`)

/** Where the service finds its database and its key: on the embedded engine both are in `DATA_DIR`. */
async function openGround(config: Config, startEngine: () => Promise<EmbeddedEngine>) {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl, masterKey: config.masterKey ?? Buffer.alloc(0), engine: null }
  }
  if (config.role !== 'all') {
    throw new StartError(
      'VIGENCIA_ROLE=api and =worker need VIGENCIA_DATABASE_URL: the embedded engine serves one process.',
    )
  }
  const engine = await startEngine()
  return { url: engine.url, masterKey: config.masterKey ?? masterKeyIn(config.dataDir), engine }
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const ended = listenForTheEnd(log)
  const ground = await openGround(config, () =>
    startTended({ dataDir: config.dataDir, log, onLost: (why) => ended.lose(why) }),
  )
  let running: Running | null = null
  try {
    running = await runProcess(config, ground.url, ground.masterKey, log, {
      onFirstOperator: showFirstOperator,
      stopping: ended.stopping,
    })
    announce(config, running, ground.engine)
    await ended.promise
  } catch (error) {
    if (!ended.stopping.aborted || error !== ended.stopping.reason) throw error
  } finally {
    await running?.close()
    await ground.engine?.stop()
  }
  say('Stopped.')
}

/** Resolves at the first SIGTERM or SIGINT, which a terminal and npm may both send, or when the engine is lost for good. */
function listenForTheEnd(log: Log) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const end = () => {
    stopping.abort(new Error('stopping'))
    resolve()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) log.info({ signal }, 'stopping')
      end()
    })
  }
  // Node's own report would print what the error quotes, which may be a person's data.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error; the process ends')
    process.exit(1)
  })
  return {
    promise,
    stopping: stopping.signal,
    lose(why: string) {
      complain(why)
      process.exitCode = 1
      end()
    },
  }
}

function showFirstOperator(made: { readonly clientId: string; readonly clientSecret: string }): void {
  say('First operator (admin), shown this once:')
  say(`  client-id      ${made.clientId}\n  client-secret  ${made.clientSecret}`)
}

function announce(config: Config, running: Running, engine: EmbeddedEngine | null): void {
  if (engine !== null)
    say(`${engine.adopted ? 'Adopted the PostgreSQL left in' : 'PostgreSQL runs in'} ${config.dataDir}`)
  const { demo, url } = running
  if (config.role === 'worker') {
    say(`Vigencia's worker is running (${config.environment}).${url === null ? '' : ` Health and metrics: ${url}`}`)
    return
  }
  if (demo !== null && url !== null) say(welcome(config.publicUrl ?? url, demo, running.service.today()))
  say(`Vigencia (${config.environment}) is listening on ${url}`)
}

/** Runs `work` on the configured database without serving. */
async function withDatabase(
  work: (log: Log, database: ReturnType<typeof openDatabase>) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const ground = await openGround(config, () => startEmbedded({ dataDir: config.dataDir }))
  const options = {
    url: ground.url,
    connections: 2,
    namedStatements: config.namedStatements,
    applicationName: 'vigencia command',
  }
  const database = openDatabase(options, log)
  try {
    await reachDatabase(database, log, new AbortController().signal)
    await work(log, database)
  } finally {
    await database.close()
    await ground.engine?.stop()
  }
}

const program = new Command('vigencia').description('Moves people in and out of employee benefits in Brazil.')

program
  .command('start', { isDefault: true })
  .description('run the service as VIGENCIA_ROLE says; migrates the database first')
  .action(start)

program
  .command('migrate')
  .description('bring the database forward and end')
  .action(() =>
    withDatabase(async (_log, database) => {
      const applied = await migrate(database)
      say(applied.length === 0 ? 'Nothing to apply.' : applied.map((name) => `Applied ${name}`).join('\n'))
    }),
  )

program
  .command('audit')
  .description('the audit of who wrote what')
  .command('verify')
  .description(
    'find every audit row that was edited, removed, inserted or reordered; exit code 0 intact, 1 not, 2 unchecked',
  )
  .option('--json', 'print one JSON object')
  .option('--expect <head>', 'a head that an earlier check printed: the chain must hold it')
  .action(async (options: VerifyOptions) => {
    process.exitCode = await verifyCommand(() => readConfig(process.env), options)
  })

// Who piped the output elsewhere may have stopped reading; that is no reason to stop serving.
process.stdout.on('error', () => {})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = 1
  if (error instanceof StartError) complain(error.message)
  else complain(`Unexpected error: ${JSON.stringify(describeError(error))}`)
}
