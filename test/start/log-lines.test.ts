import { transact } from '#platform/core/transaction.ts'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '#platform/core/database.ts'
import { isDatabaseAway } from '#platform/core/database-errors.ts'
import { openLog } from '#platform/core/log.ts'
import { openTenant, type Tenant, variablesOn } from '../crash/tenant.ts'
import { type Program, startProgram } from '../crash/program.ts'
import { databaseOn, onServer } from '../world/engine.ts'
import { type ApiResponse, companyBody, expectOk, type Json, send, sendUnchecked, until } from '../world/test-app.ts'

/* The log lines of an error: its request, and enough to find its cause, without data. */

const name = `log_lines_${randomBytes(6).toString('hex')}`
const databaseUrl = () => databaseOn(inject('engineUrl'), name)
let program: Program
let tenant: Tenant

beforeAll(async () => {
  await onServer(inject('engineUrl'), `create database ${name} template vigencia_template`)
  program = await startProgram({ ...variablesOn(databaseUrl()), VIGENCIA_LOG_LEVEL: 'debug' })
  tenant = await openTenant(program.url)
})

afterAll(async () => {
  await program?.stop()
  await onServer(inject('engineUrl'), `drop database if exists ${name} with (force)`)
})

const linesFrom = (start: number): Json[] => program.errorLines.slice(start).map((line) => JSON.parse(line))

/** Sends a request whose body stops after `body`, once the service has taken the head, and resets the connection. */
async function hangUp(method: string, path: string, headers: Record<string, string>, body: string): Promise<void> {
  const { hostname, port } = new URL(program.url)
  // Letters alone: an id that could be a CPF is replaced.
  const traceId = randomBytes(9).toString('hex').replaceAll(/\d/g, 'g')
  const all = { host: hostname, 'x-request-id': traceId, 'content-length': '500', expect: '100-continue', ...headers }
  const head = Object.entries(all).map(([key, value]) => `${key}: ${value}\r\n`)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  await new Promise((resolve) => socket.write(body, resolve))
  socket.resetAndDestroy()
  await until(
    async () => program.errorLines.some((line) => line.includes(traceId)),
    (seen) => seen,
  )
}

test('a client that hangs up in the middle of its body is no error, and not the database’s', async () => {
  const start = program.errorLines.length
  const json = { 'content-type': 'application/json' }
  const partner = { authorization: `Bearer ${tenant.token}` }
  const operator = { authorization: `Bearer ${tenant.operatorToken}` }
  await hangUp('POST', '/v1/authenticate', json, '{"client-id": "')
  await hangUp('POST', '/v1/enrollment/inclusion', { ...json, ...partner }, '{"client-id": "')
  await hangUp('POST', '/v1/enrollment/inclusion', { ...json, ...partner, 'idempotency-key': 'k-1' }, '{"client-id": "')
  await hangUp('POST', '/v1/webhook-endpoint', { ...json, ...partner }, '{"client-id": "')
  await hangUp('PUT', `/operator/v1/company/${tenant.companyTaxId}`, { ...json, ...operator }, '{"client-id": "')
  await hangUp('POST', '/operator/v1/member/import', { ...operator, 'content-type': 'text/csv' }, 'company-tax-id;')
  const slot = expectOk(await send(`${program.url}/v1/enrollment/document-upload-url`, 'POST', { token: tenant.token }))
  const { pathname, search } = new URL(slot.body['upload-url'])
  await hangUp('PUT', pathname + search, { 'content-type': 'application/pdf' }, '%PDF-1.7\n')
  expect(linesFrom(start).filter(({ level }) => level >= 40)).toEqual([])
  expect(linesFrom(start).map(({ msg }) => msg)).not.toContain('database away')
})

/** A write that fails in the database as `break` makes it, and the lines above `info` that it left. */
async function failing(breaks: string, mends: string): Promise<{ response: ApiResponse; lines: Json[] }> {
  const start = program.errorLines.length
  await onServer(databaseUrl(), breaks)
  try {
    const path = `${program.url}/operator/v1/company/${tenant.companyTaxId}`
    const response = await sendUnchecked(path, 'PUT', { token: tenant.operatorToken, body: companyBody })
    const lines = await until(
      async () => linesFrom(start).filter(({ level }) => level >= 40),
      (found) => found.length > 0,
    )
    return { response, lines }
  } finally {
    await onServer(databaseUrl(), mends)
  }
}

const raising = (state: string, message: string) => `
  create function fail() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '${state}', message = '${message}'; end $$;
  create trigger fail before insert or update on company execute function fail()`
const raisingNoMore = 'drop trigger fail on company; drop function fail()'

test('a full disk of the database is named as that; the caller gets 503', async () => {
  const message = 'could not extend file "base/16384/2619": No space left on device'
  const { response, lines } = await failing(raising('53100', message), raisingNoMore)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(lines).toEqual([
    expect.objectContaining({
      level: 50,
      msg: 'the disk of the database is full',
      err: expect.objectContaining({ code: '53100', statement: expect.stringMatching(/^[\w-]{20}$/), message }),
    }),
  ])
})

test('an unexpected error of the database says its code, which statement it was, and the message', async () => {
  const { response, lines } = await failing(
    'alter table company rename column search_name to search_name_too',
    'alter table company rename column search_name_too to search_name',
  )
  expect(response.status).toBe(500)
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'unexpected error',
      err: expect.objectContaining({
        code: '42703',
        statement: expect.stringMatching(/^[\w-]{20}$/),
        message: expect.stringMatching(/^column "search_name" .*does not exist$/),
      }),
    }),
  ])
})

test('but no message that may quote a value', async () => {
  for (const state of ['22P02', '23514', 'P0001']) {
    const { response, lines } = await failing(raising(state, 'Xanadu Canarinho'), raisingNoMore)
    expect(response.status).toBe(500)
    expect(JSON.stringify(lines)).not.toContain('Canarinho')
    expect(lines[0].err).toMatchObject({ code: state, statement: expect.stringMatching(/^[\w-]{20}$/) })
    expect(lines[0].err).not.toHaveProperty('message')
  }
})

test('only what a statement or a connection to PostgreSQL threw means that the database is away', async () => {
  const unreachable = openDatabase(
    {
      url: 'postgres://vigencia@127.0.0.1:1/vigencia',
      connections: 1,
      namedStatements: true,
      applicationName: 'test',
    },
    openLog('silent'),
  )
  const thrown = (work: Promise<unknown>) => work.catch((error: unknown) => error)
  for (const error of [
    await thrown(unreachable.query('select 1')),
    await thrown(unreachable.query('select 1')),
    await thrown(unreachable[transact](async () => {})),
    await thrown(unreachable.connect()),
  ]) {
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    expect(isDatabaseAway(error)).toBe(true)
  }
  await unreachable.close()
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ERR_STREAM_PREMATURE_CLOSE']) {
    expect(isDatabaseAway(Object.assign(new Error('aborted'), { code }))).toBe(false)
  }
})
