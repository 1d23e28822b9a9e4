import { transact } from '#platform/core/transaction.ts'
import { readConfig } from '#platform/core/config.ts'
import type { Database, Transaction } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { runProcess, type Running } from '#apps/bootstrap.ts'
import type { Context } from '#platform/http/context.ts'
import { type Client, type Company, type TestApp, monday, openTestApp } from '../world/test-app.ts'
import type { Target } from './load.ts'

/** An app without a worker, with contexts for tests that run the worker's steps themselves. */
export interface IdleTestApp {
  readonly testApp: TestApp
  /** A context on the same database with its own connections, like that of another process; closed with the app. */
  context(variables?: Record<string, string>): Promise<Context>
  close(): Promise<void>
}

/** @param environment of the app and of its contexts. */
export async function openIdleTestApp(environment: Record<string, string> = {}): Promise<IdleTestApp> {
  const testApp = await openTestApp({ VIGENCIA_ROLE: 'api', ...environment })
  const running: Running[] = []
  return {
    testApp,
    async context(variables = {}) {
      const config = readConfig({
        VIGENCIA_DATABASE_URL: testApp.databaseUrl,
        VIGENCIA_MASTER_KEY: testApp.masterKey,
        VIGENCIA_DATA_DIR: testApp.dataDir,
        VIGENCIA_ENVIRONMENT: 'staging',
        VIGENCIA_ROLE: 'api',
        VIGENCIA_PORT: '0',
        VIGENCIA_BUSINESS_DATE: monday,
        ...environment,
        ...variables,
      })
      const one = await runProcess(
        config,
        testApp.databaseUrl,
        Buffer.from(testApp.masterKey, 'base64'),
        openLog(process.env['VIGENCIA_TEST_LOG_LEVEL'] ?? 'silent'),
      )
      running.push(one)
      return one.context
    },
    async close() {
      for (const one of running) await one.close()
      await testApp.close()
    },
  }
}

export async function targetOf(testApp: TestApp, company: Company, partner?: Client): Promise<Target> {
  const { token } = partner ?? (await testApp.partner(company.taxId))
  return { url: testApp.url, token, companyTaxId: company.taxId }
}

/** Makes every transaction of a process fail after its n-th statement, while armed. */
export interface ErrorInjection {
  readonly context: Context
  arm(after: number): void
  disarm(): void
  /** The number of transactions failed since it was armed. */
  readonly fired: number
}

export class InjectedError extends Error {}

export function withInjectedErrors(context: Context): ErrorInjection {
  let at: number | null = null
  let fired = 0
  const withErrors = (sql: Transaction): Transaction => {
    let count = 0
    const counted = async <Result>(run: () => Promise<Result>): Promise<Result> => {
      const result = await run()
      count += 1
      if (at !== null && count >= at) {
        fired += 1
        throw new InjectedError(`after statement ${count}`)
      }
      return result
    }
    return {
      query: (text, values) => counted(() => sql.query(text, values)),
      queryPlanned: (text, values) => counted(() => sql.queryPlanned(text, values)),
      execute: (text, values) => counted(() => sql.execute(text, values)),
      now: () => sql.now(),
      copy: (text, rows) => counted(() => sql.copy(text, rows)),
    }
  }
  const database: Database = {
    ...context.database,
    [transact]: (work, options) => context.database[transact]((sql) => work(withErrors(sql)), options),
  }
  return {
    context: { ...context, database },
    arm(after) {
      at = after
      fired = 0
    },
    disarm() {
      at = null
    },
    get fired() {
      return fired
    },
  }
}
