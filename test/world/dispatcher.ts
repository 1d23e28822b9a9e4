import { setTimeout as pause } from 'node:timers/promises'
import { openCipher } from '#platform/core/crypto/cipher.ts'
import { readConfig } from '#platform/core/config.ts'
import { openDatabase } from '#platform/core/database.ts'
import { type DispatchOptions, dispatchEvents } from '#events/webhooks/dispatcher.ts'
import { openLog } from '#platform/core/log.ts'
import type { TestApp } from './test-app.ts'

export interface Clock {
  now: () => Date
  /** Sets a later time; an earlier one is ignored. */
  moveTo(instant: Date): void
}

/** A clock that changes by `moveTo` only. */
export function openClock(): Clock {
  let now = new Date()
  return {
    now: () => now,
    moveTo(instant) {
      if (instant > now) now = instant
    },
  }
}

/** Dispatches the events of an app that has no worker. */
export function startDispatcher(testApp: TestApp, options: DispatchOptions = {}): { stop(): Promise<void> } {
  const config = readConfig({
    VIGENCIA_DATABASE_URL: testApp.databaseUrl,
    VIGENCIA_MASTER_KEY: testApp.masterKey,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const log = openLog(process.env['VIGENCIA_TEST_LOG_LEVEL'] ?? 'error')
  const database = openDatabase(
    { url: testApp.databaseUrl, connections: 3, namedStatements: true, applicationName: 'dispatcher' },
    log,
  )
  const stopping = new AbortController()
  const deliverySignal = { notifications: 0, wait: (_since: number, ms: number) => pause(Math.min(ms, 20)) }
  const cipher = openCipher(config.masterKey ?? Buffer.alloc(0))
  const dispatching = dispatchEvents({ config, database, log, cipher }, deliverySignal, stopping.signal, options)
  return {
    async stop() {
      stopping.abort()
      await dispatching
      await database.close()
    },
  }
}
