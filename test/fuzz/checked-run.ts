import { expect } from 'vitest'
import { readOpenWork, readViolations } from '../crash/invariants.ts'
import { monday, openTestApp, until } from '../world/test-app.ts'
import { seed } from '../seed.ts'
import { Fuzzer, type FuzzReport } from './run.ts'
import { openWorld, publicUrl } from './world.ts'

/** Sends requests to a service of its own: none may fail, no work may stay open, and no rule of the database be broken. */
export async function runChecked(requests: number): Promise<FuzzReport> {
  const testApp = await openTestApp({
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_ONBOARDING: 'on',
    VIGENCIA_PUBLIC_URL: publicUrl,
  })
  const { world, clientIds, close } = await openWorld(testApp.url, testApp.operator)
  try {
    const report = await new Fuzzer({ url: testApp.url, world, clientIds, requests, seed }).run()
    expect(report.failures.map(({ text }) => text)).toEqual([])
    expect(report.sent).toBe(requests)
    await until(
      () => readOpenWork(testApp.sql, monday),
      (open) => open === 0,
    )
    expect(await readViolations(testApp.sql)).toEqual({})
    return report
  } finally {
    await close()
    await testApp.close()
  }
}
