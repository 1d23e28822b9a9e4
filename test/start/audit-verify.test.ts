import { writeFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { findDatabase } from '#platform/embedded-postgres/postmaster.ts'
import {
  closeEngineFixture,
  stopAtEnd,
  makeDemoData,
  makeFolder,
} from '../platform/embedded-postgres/engine-fixture.ts'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { openTestApp, until } from '../world/test-app.ts'
import { endPrograms, runToEnd, startOn } from './program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

const verify = (settings: Record<string, string>, ...words: string[]) =>
  runToEnd(['audit', 'verify', ...words], settings)

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('the audit of a data folder is checked while the service runs, and after it stopped', async () => {
  const dataDir = await makeDemoData()
  const settings = { DATA_DIR: dataDir }
  const program = startOn(dataDir)
  await program.url
  // The demo continues to write for a moment after it listens.
  const running = await until(
    () => verify(settings, '--json'),
    ({ out }) => JSON.parse(out).pending === 0,
  )
  expect(running).toMatchObject({ code: 0, err: '' })
  const verdict = JSON.parse(running.out)
  expect(verdict).toMatchObject({
    intact: true,
    pending: 0,
    findings: [],
    head: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(verdict.rows).toBeGreaterThan(0)
  await program.stop()

  const stopped = await verify(settings, '--expect', verdict.head)
  expect(stopped.code).toBe(0)
  expect(stopped.out).toContain('Intact.\nThe expected head is in the chain.')
  expect(stopped.out).toContain(`Head: ${verdict.head}`)
  const other = await verify(settings, '--expect', '0'.repeat(64))
  expect([other.code, other.out]).toEqual([1, expect.stringContaining('the expected head is not in the chain')])

  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  const [row] = await ask(
    engine.url,
    `update audit set actor = 'nobody' where id = (select min(id::text)::uuid from audit) returning id`,
  )
  const tampered = await verify(settings, '--json')
  expect(tampered.code).toBe(1)
  expect(JSON.parse(tampered.out).findings).toEqual([{ kind: 'edited', row: row?.['id'], block: 1 }])
  expect((await verify(settings)).out).toContain(`edited     row ${String(row?.['id'])} (block 1)`)
  await engine.stop()

  // Without its key nothing can be verified, and no new one is created.
  await rm(join(dataDir, 'master.key'))
  expect(await verify(settings)).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('master.key is not there'),
  })
  await writeFile(join(dataDir, 'master.key'), Buffer.alloc(32, 7).toString('base64'))
  expect(await verify(settings)).toMatchObject({
    code: 3,
    err: expect.stringContaining('The master key does not decrypt'),
  })
})

test('what cannot be checked exits with 3 and says why, in JSON too', async () => {
  const folder = join(await makeFolder(), 'nothing')
  expect(await verify({ DATA_DIR: folder })).toMatchObject({
    code: 3,
    err: expect.stringContaining('There is no database'),
  })
  expect(await findDatabase(folder)).toBeUndefined()
  const head = await verify({ DATA_DIR: folder }, '--json', '--expect', 'abc')
  expect([head.code, JSON.parse(head.out).error]).toEqual([2, expect.stringContaining('64 hexadecimal digits')])
  expect(await verify({ NO_SUCH_SETTING: '1' })).toMatchObject({
    code: 3,
    err: expect.stringContaining('is not a setting'),
  })
})

test('the audit of a PostgreSQL of one’s own is checked', async () => {
  const testApp = await openTestApp()
  try {
    await testApp.company()
    await until(
      () => testApp.sql<{ waiting: number }>('select count(*)::int as waiting from audit_pending'),
      ([row]) => row?.waiting === 0,
    )
    const settings = { DATABASE_URL: testApp.databaseUrl, MASTER_KEY: testApp.masterKey }
    expect(await verify(settings)).toMatchObject({ code: 0, out: expect.stringContaining('Intact.') })
    await testApp.sql('delete from audit where action = $1', ['company.created'])
    const { code, out } = await verify(settings)
    expect([code, out]).toEqual([1, expect.stringMatching(/removed {4}row [0-9a-f-]{36} \(block \d+\)/)])
  } finally {
    await testApp.close()
  }
})
