import type { Command } from 'commander'
import type { Running } from '../app/bootstrap.ts'
import type { Demo } from '../demo/demo.ts'
import type { EmbeddedEngine } from '../embedded-postgres/embedded.ts'
import { type Config, readConfig } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { documentedCommand } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { print, printMessage } from './terminal.ts'

/** `vigencia start`, also without a command. */
export function startCommand(context: CommandContext): Command {
  return documentedCommand('start', 'run the service as VIGENCIA_ROLE says; migrates the database first', [
    ['start', 'the demo, on a PostgreSQL of its own in .data'],
  ]).action(() => serve(context))
}

/** Runs the service until a signal stops it. */
async function serve(context: CommandContext): Promise<void> {
  const config = readConfig(context.environment)
  // Imported here: help, the commands over HTTP and a refused configuration need no server.
  const [{ runProcess }, { startEmbedded }, { openLog }, { openLocalDatabase }] = await Promise.all([
    import('../app/bootstrap.ts'),
    import('../embedded-postgres/embedded.ts'),
    import('../platform/log.ts'),
    import('./local-database.ts'),
  ])
  const log = openLog(config.logLevel)
  const shutdown = listenForShutdown(context, log)
  const { url, engine } = await openLocalDatabase(config, () =>
    startEmbedded({ dataDir: config.dataDir, restart: { log, onLost: (reason) => shutdown.lose(reason) } }),
  )
  let running: Running | null = null
  let removeProfile: (() => void) | null = null
  try {
    running = await runProcess(config, url, config.masterKey, log, {
      onFirstOperator: (made) => showFirstOperator(context, made),
      stopping: shutdown.stopping,
    })
    if (running.demo !== null && running.url !== null) {
      removeProfile = await writeProfile(log, config, running.url, running.demo)
    }
    await announce(context, config, running, engine)
    await shutdown.promise
  } catch (error) {
    if (!shutdown.stopping.aborted || error !== shutdown.stopping.reason) throw error
  } finally {
    removeProfile?.()
    await running?.close()
    await engine?.stop()
  }
  print(context, 'Stopped.')
}

/** Writes the profile of the demo for the command line. The service runs without it too. */
async function writeProfile(log: Log, config: Config, url: string, demo: Demo): Promise<(() => void) | null> {
  const { writeDemoProfile } = await import('../demo/profile.ts')
  try {
    return writeDemoProfile(config.dataDir, url, demo)
  } catch (error) {
    log.warn({ err: error }, 'the profile of the demo could not be written')
    return null
  }
}

/** Resolves at the first SIGTERM or SIGINT, which a terminal and npm may both send, or when the embedded engine is lost. */
function listenForShutdown(context: CommandContext, log: Log) {
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
  // The report of Node would print the message of the error, which may hold personal data.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error; the process ends')
    process.exit(1)
  })
  return {
    promise,
    stopping: stopping.signal,
    lose(reason: string) {
      printMessage(context, reason)
      context.exitStatus = 'refused'
      end()
    },
  }
}

function showFirstOperator(
  context: CommandContext,
  made: { readonly clientId: string; readonly clientSecret: string },
): void {
  print(context, 'First operator (admin), shown this once:')
  print(context, `  client-id      ${made.clientId}\n  client-secret  ${made.clientSecret}`)
}

async function announce(
  context: CommandContext,
  config: Config,
  running: Running,
  engine: EmbeddedEngine | null,
): Promise<void> {
  if (engine !== null) print(context, `PostgreSQL runs in ${config.dataDir}`)
  const { demo, url } = running
  if (config.role === 'worker') {
    const where = url === null ? '' : ` Health and metrics: ${url}`
    print(context, `Vigencia's worker is running (${config.environment}).${where}`)
    return
  }
  if (demo !== null && url !== null) {
    const { welcome } = await import('../demo/welcome.ts')
    print(context, welcome(config.publicUrl ?? url, demo, running.context.today()))
  }
  print(context, `Vigencia (${config.environment}) is listening on ${url}`)
}
