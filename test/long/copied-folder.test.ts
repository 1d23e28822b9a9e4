import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readPage } from '../docs/pages.ts'
import { closeEngineFixture, makeDemoData, makeFolder } from '../platform/embedded-postgres/engine-fixture.ts'
import { until } from '../world/test-app.ts'
import { demoClient, endPrograms, runToEnd, startOn } from '../start/program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

test('a copy of the data folder of a stopped service, made and put back as the page says, serves with the same clients', async () => {
  const dataDir = await makeDemoData()
  const backup = await makeFolder()
  const [copy = '', putBack = '', ...others] = readPage('docs/how-to/back-up-and-restore.md')
    .fences.filter(({ text }) => text.startsWith('cp ') && text.includes('.data'))
    .map(({ text }) => text.replace('.data', dataDir).replace('/backup', backup))
  expect(others).toEqual([])
  const first = startOn(dataDir)
  await first.url
  await first.stop()
  execFileSync('sh', ['-e', '-c', copy])
  rmSync(dataDir, { recursive: true })
  execFileSync('sh', ['-e', '-c', putBack])

  const second = startOn(dataDir)
  await second.url
  expect(demoClient(second, 'partner')).toEqual(demoClient(first, 'partner'))
  expect((await runToEnd(['doctor'], { DATA_DIR: dataDir })).out).toContain(
    'master key: decrypts what the database stores',
  )
  // Until the clock has run for the first time, the overdue invoice of the demo has no event.
  await until(
    () => runToEnd(['invariants'], { DATA_DIR: dataDir }),
    ({ code }) => code === 0,
  )
  // It serves under another path too.
  await second.stop()
  const third = startOn(join(backup, 'vigencia'))
  await third.url
  expect(demoClient(third, 'operator')).toEqual(demoClient(first, 'operator'))
  await third.stop()
}, 180_000)
