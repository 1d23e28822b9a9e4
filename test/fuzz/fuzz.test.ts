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
    for (const { text, count } of report.failures)
      console.log(`${count} times: ${process.env['SHORT'] ? text.slice(0, 500) : text}\n`)
    expect(report.failures.map(({ signature }) => signature)).toEqual([])
    await until(
      () => readOpenWork(testApp.sql, monday),
      (open) => open === 0,
    )
    const violations = await readViolations(testApp.sql)
    for (const id of violations['movement-audit'] ?? [])
      console.log(
        id,
        await testApp.sql('select row_to_json(r)::text from request r where id = $1', [id]),
        await testApp.sql(
          'select action, target, row_to_json(a)::text as row from audit a where target=$1 union all select action, target, row_to_json(p)::text from audit_pending p where target=$1',
          [id],
        ),
      )
    expect(violations).toEqual({})
  } finally {
    await close()
    await testApp.close()
  }
})
