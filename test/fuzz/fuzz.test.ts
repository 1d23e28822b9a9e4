import { expect, test } from 'vitest'
import { readOpenWork, readViolations } from '../crash/invariants.ts'
import { monday, openTestApp, until } from '../http/test-app.ts'
import { seed } from '../seed.ts'
import { Fuzzer } from './run.ts'
import { openWorld } from './world.ts'

test('requests made from openapi.json', async () => {
  const testApp = await openTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
  const { world, clientIds, close } = await openWorld(testApp.url, testApp.operator)
  try {
    const requests = Number(process.env['FUZZ'] ?? 400)
    const report = await new Fuzzer({ url: testApp.url, world, clientIds, requests, seed }).run()
    console.log(report.statuses, report.kinds, report.succeeded.size, report.slowestMs, report.slow.slice(0, 10))
    for (const { text, count } of report.failures) console.log(`${count} times: ${process.env['SHORT'] ? text.slice(0,500) : text}\n`)
    expect(report.failures.map(({ signature }) => signature)).toEqual([])
    await until(
      () => readOpenWork(testApp.sql, monday),
      (open) => open === 0,
    )
    expect(await readViolations(testApp.sql)).toEqual({})
  } finally {
    await close()
    await testApp.close()
  }
})
