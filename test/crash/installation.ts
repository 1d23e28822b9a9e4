import { Client } from 'pg'
import { type EmbeddedEngine, startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { makeData, makeFolder, stopAtEnd } from '../platform/embedded-postgres/engine-fixture.ts'
import { killEngine } from './engine-processes.ts'
import { type Program, startProgram } from './program.ts'
import { variablesOn } from './tenant.ts'

export const victims = ['api', 'worker', 'PostgreSQL', 'api and worker', 'all'] as const
/** What a round kills. */
export type Victim = (typeof victims)[number]

/** A PostgreSQL, an `api` process and a `worker` process, which share a folder of files. */
export interface Installation {
  /** The address of the api now; waits while it is started again. */
  url(): Promise<string>
  readonly databaseUrl: string
  /** The business date of the processes. */
  readonly businessDate: string
  /** The lines that the processes logged at `error` since the last call. */
  takeErrorLines(): string[]
  /** kill -9 of the victim, and starts it again, a worker when the leases of its deliveries have ended; another business date when both processes are started. */
  killAndRestart(victim: Victim, businessDate: string): Promise<void>
}

/** Starts an installation, with the settings of the service for PostgreSQL. */
export async function openInstallation(
  firstDate: string,
  variables: Record<string, string> = {},
): Promise<Installation> {
  const dataDir = await makeData()
  const shared = { ...variables, VIGENCIA_DATA_DIR: await makeFolder() }
  const startEngine = () => stopAtEnd(startEmbedded({ dataDir }))
  let businessDate = firstDate
  let engine: EmbeddedEngine = await startEngine()
  const fixed = { ...variablesOn(engine.url), ...shared }
  const programs: Program[] = []
  const start = async (role: string): Promise<Program> => {
    const program = await startProgram({ ...fixed, VIGENCIA_ROLE: role, VIGENCIA_BUSINESS_DATE: businessDate })
    programs.push(program)
    return program
  }
  let reported = 0
  let api = start('api')
  let worker = api.then(() => start('worker'))
  await worker
  return {
    url: async () => (await api).url,
    databaseUrl: engine.url,
    get businessDate() {
      return businessDate
    },
    takeErrorLines() {
      const lines = programs.flatMap((program) => program.errorLines)
      const fresh = lines.slice(reported)
      reported = lines.length
      return fresh
    },
    async killAndRestart(victim, nextDate) {
      const killsApi = victim !== 'worker' && victim !== 'PostgreSQL'
      const killsWorker = victim !== 'api' && victim !== 'PostgreSQL'
      const killsEngine = victim === 'PostgreSQL' || victim === 'all'
      const [dyingApi, dyingWorker] = [await api, await worker]
      if (killsApi && killsWorker) businessDate = nextDate
      const kill = async () => {
        await Promise.all([
          killsApi ? dyingApi.kill() : null,
          killsWorker ? dyingWorker.kill() : null,
          killsEngine ? killEngine(dataDir) : null,
        ])
        if (killsEngine) {
          await engine.stop()
          engine = await startEngine()
        }
        if (killsWorker) await endLeases(engine.url)
      }
      const restarted = kill()
      if (killsApi) api = restarted.then(() => start('api'))
      if (killsWorker) worker = restarted.then(() => start('worker'))
      await Promise.all([restarted, api, worker])
    },
  }
}

/** Ends the leases of the worker that was killed, as half a minute does: `webhook-kill.test.ts` waits for it in the long run. */
async function endLeases(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query('update webhook_delivery set leased_until = now() where leased_until is not null')
  await client.end()
}
