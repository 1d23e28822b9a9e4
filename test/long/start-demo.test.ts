import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { closeEngineFixture, makeData } from '../platform/embedded-postgres/engine-fixture.ts'
import { demoClient, endPrograms, startOn, tokenOf } from '../start/program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

test('after the demo partner was revoked a start says so, and how to make another, and prints no secret of it', async () => {
  const dataDir = await makeData()
  const first = startOn(dataDir)
  const url = await first.url
  const { secret } = demoClient(first, 'partner')
  const operator = demoClient(first, 'operator')
  const authorization = `Bearer ${await tokenOf(url, operator)}`
  const revoked = await fetch(`${url}/operator/v1/client/demo-partner`, {
    method: 'DELETE',
    headers: { authorization },
  })
  expect(revoked.status).toBe(204)
  await first.stop()

  const second = startOn(dataDir)
  await second.url
  expect(second.out).not.toContain(secret)
  expect(second.out).toContain(
    'Demo partner   demo-partner is revoked. Make another: npx vigencia client create "Demo partner" --company 11222333000181\n' +
      '               Or start over: stop the service, npx vigencia demo reset, npm start\n',
  )
  expect(demoClient(second, 'operator')).toEqual(operator)
  const profile = JSON.parse(await readFile(join(dataDir, 'demo-profile.json'), 'utf8')) as object
  expect(Object.keys(profile)).toEqual(['operator'])
})

test('without demo data the first operator is shown once, at the first start', async () => {
  const dataDir = await makeData()
  const first = startOn(dataDir, { DEMO: 'false' })
  const url = await first.url
  expect(first.out).not.toContain('Demo')
  const shown = /client-id\s+(\S+)\n\s+client-secret\s+(\S+)/.exec(first.out)
  const response = await fetch(`${url}/v1/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'client-id': shown?.[1], 'client-secret': shown?.[2] }),
  })
  expect(response.status).toBe(200)
  expect(first.err).not.toContain(shown?.[2])
  await first.stop()

  const second = startOn(dataDir, { DEMO: 'false' })
  await second.url
  expect(second.out).not.toMatch(/operator|client-secret/i)
  await second.stop()
})

test('the first operator is shown even when the start fails after making it', async () => {
  const dataDir = await makeData()
  const holder = startOn(await makeData())
  const port = new URL(await holder.url).port
  const failed = startOn(dataDir, { DEMO: 'false', PORT: port })
  expect((await failed.ended).code).toBe(1)
  expect(failed.out).toMatch(/client-secret\s+\S{20,}/)
})

test('the demo of each data folder has secrets of its own', async () => {
  const programs = [startOn(await makeData()), startOn(await makeData())]
  for (const program of programs) await program.url
  expect(new Set(programs.map((program) => demoClient(program, 'partner').secret)).size).toBe(2)
})
