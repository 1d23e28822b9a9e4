import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { type InclusionMember, Vigencia } from '@vigencia/client'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { primary, until, useTestApp } from '../world/test-app.ts'
import { scaled } from '../scale.ts'

/* The caller has no line that retries, waits or looks at what was done: see `include`. */
const inclusions = scaled(120, 1_000)
const kills = scaled(1, 4)
const atOnce = 8

const testApp = useTestApp({ VIGENCIA_ROLE: 'api' })

afterAll(clearPrograms)

/** A port that is free: the service has to come back at the same address. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

test(`a service that is killed ${kills} times during ${inclusions} inclusions: none is lost, none is doubled`, async () => {
  const company = await testApp.company()
  const { clientId, clientSecret } = await testApp.partner(company.taxId)
  const port = await freePort()
  const start = () =>
    startProgram({
      VIGENCIA_DATABASE_URL: testApp.databaseUrl,
      VIGENCIA_MASTER_KEY: testApp.masterKey,
      VIGENCIA_ENVIRONMENT: 'staging',
      VIGENCIA_DATA_DIR: testApp.dataDir,
      VIGENCIA_PORT: port,
    })
  let program = await start()
  let retries = 0
  const url = `http://127.0.0.1:${port}`
  const vigencia = new Vigencia({ url, clientId, clientSecret, onRetry: () => (retries += 1) })

  const people = Array.from({ length: inclusions }, () => primary() as InclusionMember)
  const requestIds: string[] = []
  const include = async (): Promise<void> => {
    for (let person = people.pop(); person !== undefined; person = people.pop()) {
      const response = await vigencia.inclusions.create({ 'company-tax-id': company.taxId, members: [person] })
      requestIds.push(response['request-id'] ?? '')
    }
  }
  const taxIds = people.map((person) => person['tax-id'])
  const kill = async (): Promise<void> => {
    for (let round = 1; round <= kills; round += 1) {
      await until(
        async () => requestIds.length,
        (count) => count >= (inclusions * round) / (kills + 1),
      )
      await program.kill()
      program = await start()
    }
  }
  await Promise.all([kill(), ...Array.from({ length: atOnce }, include)])
  expect(retries).toBeGreaterThanOrEqual(kills)

  expect(new Set(requestIds).size).toBe(inclusions)
  for (const requestId of requestIds.slice(-atOnce)) await vigencia.requests.wait(requestId)
  const stored: string[] = []
  for await (const request of vigencia.requests.list({ 'company-tax-id': company.taxId }))
    stored.push(request['request-id'])
  expect(stored.sort()).toEqual(requestIds.sort())
  await until(
    async () => (await vigencia.requests.list({ status: 'processing' })).result.length,
    (open) => open === 0,
  )
  const included: string[] = []
  for await (const enrollment of vigencia.enrollments.history()) included.push(enrollment['member-tax-id'])
  expect(included.sort()).toEqual(taxIds.sort())
  expect(await program.stop()).toBe(0)
})
