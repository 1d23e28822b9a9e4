import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { dependent, type Json, monday, primary, type TestApp, until } from '../world/test-app.ts'
import { type Query, readOpenWork } from './invariants.ts'
import { clearPrograms, type Program, startProgram } from './program.ts'
import { type IdleTestApp, openIdleTestApp } from './steps.ts'

/** An app without a worker, for tests that run steps themselves, or kill the processes that run them. */
export interface IdleFixture {
  readonly testApp: TestApp
  /** On the same database, as that of a worker. */
  readonly context: Context
  readonly ask: Query
  /** Like that of another process. */
  anotherContext(): Promise<Context>
  /** Does something while a worker runs in this process. */
  withWorker<Result>(act: () => Promise<Result>): Promise<Result>
  /** Waits until all work is done; a worker must run. */
  nothingOpen(): Promise<unknown>
  /** Starts a worker as a process of its own, which can be killed. */
  startWorkerProcess(): Promise<Program>
}

/** Opens the app before the tests of a file and closes it after them. @param environment of its processes. */
export function useIdleTestApp(environment: Record<string, string> = {}): IdleFixture {
  let idle: IdleTestApp
  let context: Context
  beforeAll(async () => {
    idle = await openIdleTestApp(environment)
    context = await idle.context()
  })
  afterEach(clearPrograms)
  afterAll(() => idle.close())
  const ask: Query = (text, values) => idle.testApp.sql(text, values)
  return {
    get testApp() {
      return idle.testApp
    },
    get context() {
      return context
    },
    ask,
    anotherContext: () => idle.context(),
    async withWorker(act) {
      const worker = startWorker(context)
      try {
        return await act()
      } finally {
        await worker.stop()
      }
    },
    nothingOpen: () =>
      until(
        () => readOpenWork(ask, monday),
        (open) => open === 0,
      ),
    startWorkerProcess: () =>
      startProgram({
        VIGENCIA_DATABASE_URL: idle.testApp.databaseUrl,
        VIGENCIA_MASTER_KEY: idle.testApp.masterKey,
        VIGENCIA_DATA_DIR: idle.testApp.dataDir,
        VIGENCIA_ENVIRONMENT: 'staging',
        VIGENCIA_ROLE: 'worker',
        VIGENCIA_BUSINESS_DATE: monday,
        ...environment,
      }),
  }
}

/** Families of a primary and a dependent. */
export const families = (count: number): Json[] =>
  Array.from({ length: count }, () => primary()).flatMap((one) => [one, dependent(one['tax-id'])])
