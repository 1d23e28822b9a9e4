import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { ask, closeEngineFixture, makeDemoData, stopAtEnd } from '../platform/embedded-postgres/engine-fixture.ts'
import { dependent, primary } from '../world/test-app.ts'
import { isLong } from '../scale.ts'
import {
  demoClient,
  endPrograms,
  holderOf,
  leftOf,
  postgresOf,
  type Program,
  root,
  run,
  startOn,
  tokenOf,
} from './program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

const product = { 'health-insurance': [{ name: 'Saúde Essencial', 'start-option': 'on-inclusion-date' }] }

/** A batch of the demo company's, large enough to take a while. */
function largeBatch(): Buffer {
  const members = Array.from({ length: 1_000 }, () => {
    const mother = primary({ products: product })
    return [mother, dependent(mother['tax-id'], { products: product })]
  }).flat()
  return Buffer.from(JSON.stringify({ 'company-tax-id': '11222333000181', members }))
}

/** An inclusion whose head the service has taken, and whose body has not come yet. */
async function beginInclusion(program: Program, body: Buffer): Promise<ClientRequest> {
  const url = await program.url
  const token = await tokenOf(url, demoClient(program, 'partner'))
  const call = request(`${url}/v1/enrollment/inclusion`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      // The service responds with 100 once it has the head: then the call is in flight.
      expect: '100-continue',
    },
  })
  call.flushHeaders()
  await once(call, 'continue')
  return call
}

async function responseOf(call: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

/** The next test sends SIGINT too. */
const signals = isLong ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const)

test.for(signals)(
  '%s: an inclusion half sent is taken whole and answered, then service and PostgreSQL end, exit code 0',
  async (signal) => {
    const dataDir = await makeDemoData()
    const program = startOn(dataDir)
    const body = largeBatch()
    const call = await beginInclusion(program, body)
    const postgres = await postgresOf(dataDir)
    call.write(body.subarray(0, body.length / 2))
    program.kill(signal)
    await program.wrote('"stopping"')
    const received = responseOf(call)
    call.end(body.subarray(body.length / 2))
    const response = await received
    expect(response.status).toBe(200)
    expect(await program.ended).toEqual({ code: 0, signal: null })
    expect(program.out).toMatch(/Stopped\.\n$/)
    // The log is complete: it has the last response.
    expect(program.err).toMatch(/"route":"\/v1\/enrollment\/inclusion","status":200[^\n]*\n$/m)
    expect(await leftOf(dataDir, program.pid, postgres)).toEqual([])

    const engine = await stopAtEnd(startEmbedded({ dataDir }))
    const { 'request-id': id } = JSON.parse(response.body) as { 'request-id': string }
    // After the two of the demo.
    expect(await ask(engine.url, 'select id from request order by id offset 2')).toEqual([{ id }])
  },
)

test('Ctrl-C twice, sent to the whole group as a terminal does, still sends the response and stops cleanly', async () => {
  const dataDir = await makeDemoData()
  const program = startOn(dataDir)
  const body = largeBatch()
  const call = await beginInclusion(program, body)
  const postgres = await postgresOf(dataDir)
  program.killGroup('SIGINT')
  await program.wrote('"stopping"')
  program.killGroup('SIGINT')
  program.kill('SIGTERM')
  const received = responseOf(call)
  call.end(body)
  expect((await received).status).toBe(200)
  expect(await program.ended).toEqual({ code: 0, signal: null })
  expect(await leftOf(dataDir, program.pid, postgres)).toEqual([])
})

test('through npm start: SIGTERM to npm stops the service and PostgreSQL', async () => {
  const dataDir = await makeDemoData()
  const program = run(['npm', 'start', '--prefix', root], { DATA_DIR: dataDir })
  await program.url
  const [context, postgres] = [await holderOf(dataDir), await postgresOf(dataDir)]
  expect(context).not.toBe(program.pid)
  program.kill('SIGTERM')
  await program.ended
  expect(program.out).toContain('Stopped.')
  expect(await leftOf(dataDir, context, postgres)).toEqual([])
})

test('a signal during the start stops it too', async () => {
  const dataDir = await makeDemoData()
  const program = startOn(dataDir)
  program.kill('SIGTERM')
  const { code, signal } = await program.ended
  // Before the first line of the program runs, the system itself ends it.
  expect(code === 0 || signal === 'SIGTERM').toBe(true)
})
