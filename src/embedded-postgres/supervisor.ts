import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { type EmbeddedEngine, startEmbedded } from './embedded.ts'

export interface SupervisorOptions {
  readonly dataDir: string
  readonly log: Log
  /** Called once, with a sentence, when the server is lost and does not come back. */
  readonly onLost: (why: string) => void
}

const maxStarts = 5
const withinMs = 10 * 60_000
const pauseMs = 1_000

/** The embedded engine, started again whenever it ends by itself; what needs the database is answered 503 meanwhile. */
export async function startSupervised({ dataDir, log, onLost }: SupervisorOptions): Promise<EmbeddedEngine> {
  let starts: number[] = []
  const tend = async (): Promise<void> => {
    for (;;) {
      const now = performance.now()
      starts = starts.filter((at) => now - at < withinMs)
      if (starts.length === maxStarts) {
        onLost(
          `PostgreSQL in ${dataDir} was started again ${maxStarts} times within ${withinMs / 60_000} minutes and does not stay. ` +
            'The last lines of postgres.log there tell why.',
        )
        return
      }
      starts.push(now)
      log.error('the embedded PostgreSQL ended by itself and is started again')
      try {
        await engine.revive()
        log.info('the embedded PostgreSQL runs again')
        return
      } catch (error) {
        log.error(
          { err: error, ...(error instanceof StartError ? { why: error.message } : {}) },
          'the embedded PostgreSQL could not be started again',
        )
        await pause(pauseMs, undefined, { ref: false })
      }
    }
  }
  const engine = await startEmbedded({
    dataDir,
    onUnexpectedExit: (_code, how) => {
      if (how === 'ended') void tend()
      else onLost(`Another Vigencia has taken the data folder ${dataDir}. Give one of the two a folder of its own.`)
    },
  })
  return engine
}
