import { expect, test } from 'vitest'
import { readOpenWork, readViolations } from '../crash/invariants.ts'
import { operations } from '../fuzz/operations.ts'
import { Fuzzer } from '../fuzz/run.ts'
import { openWorld } from '../fuzz/world.ts'
import { monday, openTestApp, until } from '../http/test-app.ts'
import { seed } from '../seed.ts'

test('20,000 requests made from openapi.json get the responses it declares, none of 5xx, and break no rule of the database', async () => {
  const testApp = await openTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
  const { world, clientIds, close } = await openWorld(testApp.url, testApp.operator)
  try {
    const report = await new Fuzzer({ url: testApp.url, world, clientIds, requests: 20_000, seed }).run()
    expect(report.failures.map(({ text }) => text)).toEqual([])
    // Nearly every operation is reached with data that it accepts.
    const refused = operations.filter(({ id }) => !report.succeeded.has(id))
    expect(refused.map(({ id }) => id).slice(12)).toEqual([])
    await until(
      () => readOpenWork(testApp.sql, monday),
      (open) => open === 0,
    )
    expect(await readViolations(testApp.sql)).toEqual({})
  } finally {
    await close()
    await testApp.close()
  }
}, 3_600_000)
