import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { closeEngineFixture, makeDemoData } from '../platform/embedded-postgres/engine-fixture.ts'
import { demoClient, endPrograms, runToEnd, startOn, tokenOf } from '../start/program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

test('doctor finds the service of the folder on any port; demo reset empties the folder when it is stopped, with --yes', async () => {
  const dataDir = await makeDemoData()
  const command = (...words: string[]) => runToEnd(words, { DATA_DIR: dataDir })
  const first = startOn(dataDir)
  const url = await first.url
  expect((await command('doctor')).out).toContain(`port: the service of ${dataDir} runs at ${url}\n`)
  const authorization = `Bearer ${await tokenOf(url, demoClient(first, 'operator'))}`
  await fetch(`${url}/operator/v1/client/demo-partner`, { method: 'DELETE', headers: { authorization } })
  const busy = await command('demo', 'reset', '--yes')
  expect([busy.code, busy.err]).toEqual([1, expect.stringContaining('in use by another Vigencia')])
  expect(await command('demo', 'reset', '--dry-run', '--json')).toMatchObject({
    code: 0,
    out: '{"dry-run":true,"companies":1,"members":5,"movements":5}\n',
  })
  await first.stop()
  expect(existsSync(join(dataDir, 'service.json'))).toBe(false)

  const refused = await command('demo', 'reset')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--yes')])
  expect((await command('demo', 'reset', '--yes')).code).toBe(0)
  const second = startOn(dataDir)
  await second.url
  expect(demoClient(second, 'partner').secret).not.toBe(demoClient(first, 'partner').secret)
  expect((await command('demo', 'reset', '--dry-run')).err).toContain('1 company, 5 members and 5 movements')
  await second.stop()
}, 180_000)
