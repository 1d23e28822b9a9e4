import { Command } from 'commander'
import { masterKeyIn } from './access/master-key.ts'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { welcome } from './demo/welcome.ts'
import { type EmbeddedEngine, FolderInUseError, startEmbedded } from './engine/embedded.ts'
import { StartError } from './errors.ts'
import { type Log, openLog } from './log.ts'
import { migrate } from './migrate.ts'
import { type Running, runProcess } from './process.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Where the service finds its database and its key: on the embedded engine both are in `DATA_DIR`. */
async function openGround(config: Config, onEngineLost: () => void) {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl, masterKey: config.masterKey ?? Buffer.alloc(0), engine: null }
  }
  if (config.role !== 'all') {
    throw new StartError(
      'VIGENCIA_ROLE=api and =worker need VIGENCIA_DATABASE_URL: the embedded engine serves one process.',
    )
  }
  const engine = await startEmbedded({ dataDir: config.dataDir, onUnexpectedExit: onEngineLost })
  return { url: engine.url, masterKey: config.masterKey ?? masterKeyIn(config.dataDir), engine }
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const ended = Promise.withResolvers<string>()
  const ground = await openGround(config, () => ended.resolve('the embedded PostgreSQL ended by itself'))
  const signal = (name: string) => () => ended.resolve(name)
  process.on('SIGTERM', signal('SIGTERM')).on('SIGINT', signal('SIGINT'))
  let running: Running | null = null
  try {
    running = await runProcess(config, ground.url, ground.masterKey, log)
    announce(config, running, ground.engine)
    const why = await ended.promise
    if (why.startsWith('SIG')) log.info({ signal: why }, 'stopping')
    else {
      log.fatal(why)
      process.exitCode = 1
    }
  } finally {
    await running?.close()
    await ground.engine?.stop()
  }
  say('Stopped.')
}

function announce(config: Config, running: Running, engine: EmbeddedEngine | null): void {
  if (engine !== null)
    say(`${engine.adopted ? 'Adopted the PostgreSQL left in' : 'PostgreSQL runs in'} ${config.dataDir}`)
  const { firstOperator, demo, url } = running
  if (firstOperator !== null) {
    say('First operator (admin), shown this once:')
    say(`  client-id      ${firstOperator.clientId}\n  client-secret  ${firstOperator.clientSecret}`)
  }
  if (url === null) {
    say(`Vigencia's worker is running (${config.environment}).`)
    return
  }
  if (demo !== null) say(welcome(config.publicUrl ?? url, demo, running.service.today()))
  say(`Vigencia (${config.environment}) is listening on ${url}`)
}

/** Runs `work` on the configured database without serving. */
async function withDatabase(
  work: (log: Log, database: ReturnType<typeof openDatabase>) => Promise<void>,
): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const ground = await openGround(config, () => {})
  const options = {
    url: ground.url,
    connections: 2,
    namedStatements: config.namedStatements,
    applicationName: 'vigencia command',
  }
  const database = openDatabase(options, log)
  try {
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

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof StartError || error instanceof FolderInUseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
