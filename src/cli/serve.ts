import { type Config, readConfig } from '../platform/config.ts'
import type { Demo } from '../demo/demo.ts'
import { writeDemoProfile } from '../demo/profile.ts'
import { welcome } from '../demo/welcome.ts'
import { type EmbeddedEngine, startEmbedded } from '../embedded-postgres/embedded.ts'
import { type Log, openLog } from '../platform/log.ts'
import { type Running, runProcess } from '../app/bootstrap.ts'
import { openLocalDatabase } from './local-database.ts'
import { print, tell } from './terminal.ts'
import type { CommandContext } from './context.ts'

/** Runs the service until it is told to stop. */
export async function serve(context: CommandContext): Promise<void> {
  const config = readConfig(context.environment)
  const log = openLog(config.logLevel)
  const ended = listenForTheEnd(context, log)
  const ground = await openLocalDatabase(config, () =>
    startEmbedded({ dataDir: config.dataDir, restart: { log, onLost: (reason) => ended.lose(reason) } }),
  )
  let running: Running | null = null
  let removeProfile: (() => void) | null = null
  try {
    running = await runProcess(config, ground.url, config.masterKey, log, {
      onFirstOperator: (made) => showFirstOperator(context, made),
      stopping: ended.stopping,
    })
    if (running.demo !== null && running.url !== null) {
      removeProfile = leaveProfile(log, config, running.url, running.demo)
    }
    announce(context, config, running, ground.engine)
    await ended.promise
  } catch (error) {
    if (!ended.stopping.aborted || error !== ended.stopping.reason) throw error
  } finally {
    removeProfile?.()
    await running?.close()
    await ground.engine?.stop()
  }
  print(context, 'Stopped.')
}

/** The demo serves as well without it. */
function leaveProfile(log: Log, config: Config, url: string, demo: Demo): (() => void) | null {
  try {
    return writeDemoProfile(config.dataDir, url, demo)
  } catch (error) {
    log.warn({ err: error }, 'the clients of the demo could not be left for the command line')
    return null
  }
}

/** Resolves at the first SIGTERM or SIGINT, which a terminal and npm may both send, or when the engine is lost for good. */
function listenForTheEnd(context: CommandContext, log: Log) {
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
      tell(context, why)
      context.ending = 'refused'
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

function announce(context: CommandContext, config: Config, running: Running, engine: EmbeddedEngine | null): void {
  if (engine !== null) print(context, `PostgreSQL runs in ${config.dataDir}`)
  const { demo, url } = running
  if (config.role === 'worker') {
    const where = url === null ? '' : ` Health and metrics: ${url}`
    print(context, `Vigencia's worker is running (${config.environment}).${where}`)
    return
  }
  if (demo !== null && url !== null) print(context, welcome(config.publicUrl ?? url, demo, running.context.today()))
  print(context, `Vigencia (${config.environment}) is listening on ${url}`)
}
