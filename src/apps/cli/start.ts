import type { Running } from '../bootstrap.ts'
import type { Demo } from '../demo/demo.ts'
import type { EmbeddedEngine } from '#platform/embedded-postgres/embedded.ts'
import { type Config, readConfig } from '#platform/core/config.ts'
import type { Log } from '#platform/core/log.ts'
import { command, type Ending } from './command-builder.ts'
import { writeServiceFile } from './service-file.ts'
import { print, printMessage } from './terminal.ts'

/** `vigencia start`. */
export const startCommand = command({
  name: 'start',
  description: 'run the service as VIGENCIA_ROLE says; migrates the database first',
  examples: { start: 'the demo, on a PostgreSQL of its own in .data' },
  hasJson: false,
  run: serve,
})

/** Runs the service until a signal stops it. */
async function serve(): Promise<Ending> {
  const config = readConfig(process.env)
  // Imported here: help, the commands over HTTP and a refused configuration need no server.
  const { runProcess } = await import('../bootstrap.ts')
  const { openLog } = await import('#platform/core/log.ts')
  const { openLocalDatabase } = await import('./local-database.ts')
  const log = openLog(config.logLevel, config.logFormat)
  const shutdown = listenForShutdown(log)
  const { url, engine } = await openLocalDatabase(config, { log, onLost: shutdown.lose })
  let running: Running | null = null
  let removeProfile: (() => void) | null = null
  let removeServiceFile: (() => void) | null = null
  try {
    running = await runProcess(config, url, config.masterKey, log, {
      onFirstOperator({ clientId, clientSecret }) {
        print('First operator (admin), shown this once:')
        print(`  client-id      ${clientId}\n  client-secret  ${clientSecret}`)
      },
      stopping: shutdown.stopping,
    })
    if (running.demo !== null && running.url !== null) {
      removeProfile = await writeProfile(log, config, running.url, running.demo)
    }
    if (engine !== null && running.url !== null) removeServiceFile = writeServiceFile(config.dataDir, running.url)
    await announce(config, running, engine)
    await shutdown.promise
  } catch (error) {
    if (!shutdown.stopping.aborted || error !== shutdown.stopping.reason) throw error
  } finally {
    removeProfile?.()
    removeServiceFile?.()
    await running?.close()
    await engine?.stop()
  }
  print('Stopped.')
  return shutdown.ending()
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
function listenForShutdown(log: Log) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopping = new AbortController()
  let ending: Ending = 'ok'
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
    ending: () => ending,
    lose: (reason: string) => {
      printMessage(reason)
      ending = 'refused'
      end()
    },
  }
}

/** Prints where the service is, and last what to do next, in one write: a reader that finds the address has the rest. */
async function announce(config: Config, running: Running, engine: EmbeddedEngine | null): Promise<void> {
  const { demo, url } = running
  if (config.role === 'worker') {
    const where = url === null ? '' : ` Health and metrics: ${url}`
    return print(`Vigencia's worker is running (${config.environment}).${where}`)
  }
  const lines = [`Vigencia (${config.environment}) is listening on ${url}`]
  if (engine !== null) {
    const { otherFolder } = engine
    const also = `: the data of ${config.dataDir}. To delete it, remove both folders.`
    lines.push(`PostgreSQL runs in ${otherFolder === null ? config.dataDir : otherFolder + also}`)
  }
  if (demo !== null && url !== null) {
    const { welcome } = await import('../demo/welcome.ts')
    lines.push(welcome(config.publicUrl ?? url, demo, running.context.today()))
  }
  print(lines.join('\n'))
}
