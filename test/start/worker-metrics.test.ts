import { afterEach, expect, test } from 'vitest'
import { openTestApp, send } from '../world/test-app.ts'
import { endPrograms, run } from './program.ts'

afterEach(endPrograms)

test('a worker with a port can be looked at, and is no door; without one it listens nowhere', async () => {
  const testApp = await openTestApp()
  try {
    const { databaseUrl, masterKey } = testApp
    const settings = { ROLE: 'worker', DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, ENVIRONMENT: 'staging' }
    const worker = run(['start'], settings)
    await worker.wrote('Health and metrics: http://')
    const url = /Health and metrics: (http:\/\/\S+)/.exec(worker.out)?.[1] ?? ''
    expect(worker.out).toContain("Vigencia's worker is running (staging).")
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await send(url + path, 'GET')).status).toBe(200)
    expect((await send(`${url}/metrics`, 'GET')).text).toContain('vigencia_work_waiting 0')
    expect((await send(`${url}/v1/company`, 'GET')).status).toBe(404)
    expect((await send(`${url}/v1/authenticate`, 'POST', { body: {} })).status).toBe(404)
    expect(await worker.stop()).toEqual({ code: 0, signal: null })

    const closed = run(['start'], { ...settings, PORT: '' })
    await closed.wrote("Vigencia's worker is running (staging).")
    expect(closed.out).not.toContain('http://')
    expect(await closed.stop()).toEqual({ code: 0, signal: null })
  } finally {
    await testApp.close()
  }
})
