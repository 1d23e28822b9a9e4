import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { findDatabase } from '#platform/embedded-postgres/postmaster.ts'
import { closeEngineFixture, makeData } from '../platform/embedded-postgres/engine-fixture.ts'
import { type Collector, openCollector } from '../world/collector.ts'
import { digestsAt } from '../world/digests.ts'
import { bodyOf, openSmtpServer, type SmtpServer } from '../world/smtp.ts'
import { openReceiver, type Receiver } from '../world/receiver.ts'
import { type ApiResponse, expectOk, send, sendUnchecked, until } from '../world/test-app.ts'
import { canariesIn, changes, cpfs, person } from './canaries.ts'
import {
  askBroker,
  cnpj,
  importPeople,
  moveFamily,
  onboardEmployee,
  readCarrierFiles,
  sendBadInput,
  sendCarrierFile,
  type Service,
  workInConsole,
} from './canary-calls.ts'
import { payCarrier, serveSubject, shipToCarrier } from './canary-money-calls.ts'
import { demoClient, endPrograms, startOn, tokenOf } from './program.ts'

let collector: Collector | undefined
let receiver: Receiver | undefined
let smtp: SmtpServer | undefined
afterEach(async () => {
  await endPrograms()
  await collector?.close()
  await receiver?.close()
  await smtp?.close()
  await closeEngineFixture()
})

/** The tables of people's data once nothing is in progress, as docs/security.md names them. */
const tablesOfPeople = [
  'carrier_line',
  'discrepancy',
  'document',
  'enrollment',
  'enrollment_history',
  'erasure',
  'member',
  'member_import_error',
  'member_removal',
  'movement_draft',
  'movement_draft_item',
  'onboarding_invitation',
  'open_movement',
  'request_intake',
  'shipment_file',
  'subject_request',
]

/** What a careless administrator of PostgreSQL may turn on: each statement, with its duration, and the errors with their statement. */
const verboseSettings = {
  log_min_duration_statement: '0',
  log_min_messages: 'warning',
  log_min_error_statement: 'error',
}

async function onDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The settings are those of new connections, so the present ones are ended. */
async function logEverything(client: Client): Promise<void> {
  for (const [name, value] of Object.entries(verboseSettings)) {
    await client.query(
      `do $$ begin execute format('alter database %I set ${name} = ''${value}''', current_database()); end $$`,
    )
  }
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
}

/** The tables that have a canary in a row, in whatever encoding. */
async function tablesWithCanaries(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  )
  const found: string[] = []
  for (const { name } of rows) {
    const [row] = (
      await client.query<{ text: string }>(`select coalesce(string_agg(t::text, e'\n'), '') as text from ${name} t`)
    ).rows
    if (canariesIn(row?.text ?? '').length > 0) found.push(name)
  }
  return found
}

/** Names of all files of the data folder, and the text of those that are neither the database nor uploads. */
async function filesOf(dataDir: string): Promise<{ names: string; texts: Record<string, string> }> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const others = files.filter((file) => !/^\/(postgres|files)\//.test(file.slice(dataDir.length)))
  const texts = await Promise.all(others.map(async (file) => [file, await readFile(file, 'latin1')] as const))
  return { names: files.join('\n'), texts: Object.fromEntries(texts) }
}

/**
 * Invites people, and has them told of what waits, whatever made it wait.
 * @returns the kinds of the mails that were sent.
 */
async function mailEverybody({ operator }: Service, databaseUrl: string): Promise<string[]> {
  for (const [role, more] of [
    ['company-hr', { 'company-tax-ids': [cnpj] }],
    ['analyst', {}],
  ] as const) {
    const invited = { name: `Pessoa ${role}`, email: `${role}@people.example`, role, ...more }
    const { link } = expectOk(await operator('POST', '/operator/v1/person', invited)).body
    const token = link.split('#')[1]
    expectOk(await operator('POST', '/operator/v1/session/password', { token, password: 'quatro palavras bem longas' }))
  }
  await onDatabase(databaseUrl, (client) =>
    client.query(`update open_movement set status = 'pending-documents', due_date = '2026-11-25', updated_at = now()`),
  )
  await digestsAt({ databaseUrl }, '2026-11-23T12:00:00Z')
  const unsent = () =>
    onDatabase(databaseUrl, (client) => client.query<{ kind: string; status: string }>('select kind, status from mail'))
  const { rows } = await until(unsent, (found) => found.rows.every(({ status }) => status === 'sent'))
  return [...new Set(rows.map(({ kind }) => kind))].toSorted()
}

/** A port of the loopback interface that nothing uses now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** An error without what names the entry of the caller's own body: the person of an offense, and the names of fields. */
function withoutEcho(text: string): string {
  const names = new Set(['name', 'tax-id', 'field'])
  return JSON.stringify(JSON.parse(text, (key, value: unknown) => (names.has(key) ? undefined : value)))
}

test('people of movements, imports, documents, carriers’ files, shipments, payroll, copies and bad input are in no log, trace, metric, event, delivery, e-mail or file', async () => {
  collector = await openCollector()
  receiver = await openReceiver()
  const dataDir = await makeData()
  smtp = await openSmtpServer()
  const port = String(await freePort())
  const mails = { SMTP_URL: smtp.url, SMTP_TLS: 'optional', MAIL_FROM: 'beneficios@broker.example' }
  const settings = {
    LOG_LEVEL: 'debug',
    TRACES_URL: collector.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ONBOARDING: 'on',
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...mails,
  }
  const program = startOn(dataDir, settings)
  const url = await program.url
  const databaseUrl = (await findDatabase(dataDir))?.url ?? ''
  await onDatabase(databaseUrl, logEverything)
  const [partnerClient, operatorClient] = [demoClient(program, 'partner'), demoClient(program, 'operator')]
  await until(
    () => send(`${url}/readyz`, 'GET'),
    ({ status }) => status === 200,
  )
  const token = await tokenOf(url, partnerClient)
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }
  const signedIn = await send(`${url}/operator/v1/session`, 'POST', {
    body: { 'client-id': operatorClient.id, 'client-secret': operatorClient.secret },
    headers: sameOrigin,
  })
  const cookie = expectOk(signedIn).headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const responses: ApiResponse[] = []
  const kept = (response: ApiResponse) => (responses.push(response), response)
  const service: Service = {
    url,
    partner: async (method, path, body, headers = {}) => kept(await send(url + path, method, { token, body, headers })),
    operator: async (method, path, body, headers = {}) =>
      kept(await send(url + path, method, { body, headers: { cookie, ...sameOrigin, ...headers } })),
  }
  expectOk(await service.partner('POST', '/v1/webhook-endpoint', { url: receiver.url }))

  await moveFamily(service)
  await askBroker(service)
  expect(await importPeople(service)).toMatchObject({ accepted: 1, rejected: 4 })
  await readCarrierFiles(service)
  await shipToCarrier(service)
  await payCarrier(service)
  await serveSubject(service)
  const linkSecrets = await onboardEmployee(service)
  const shown = await workInConsole(service)
  expect(shown.map(({ status }) => status)).toEqual(shown.map(() => 200))
  // The search finds what the API shows.
  const all = shown.map(({ text }) => text).join('\n')
  expect(canariesIn(all)).toEqual(
    expect.arrayContaining([cpfs.corrected, changes.name, person['mothers-name'], String(person.salary)]),
  )
  const refused = await sendBadInput(service)
  expect(refused.filter(({ status }) => status >= 500)).toEqual([])
  expect(refused.filter(({ status }) => status >= 400).length).toBeGreaterThan(30)

  // A rule of the database fails in the api and in the worker: PostgreSQL quotes the row in its error.
  const rule = (table: string) => `alter table ${table} add constraint nobody check (false) not valid`
  await onDatabase(databaseUrl, (client) => client.query(['member', 'enrollment', 'carrier_line'].map(rule).join('; ')))
  const member = { ...person, 'beneficiary-type': 'primary', 'tax-id': cpfs.failing }
  const body = { 'company-tax-id': '11222333000181', members: [member] }
  const alteration = { 'company-tax-id': '11222333000181', 'alteration-data': { name: person.name } }
  const unchecked: Service = {
    ...service,
    operator: (method, path, body, headers = {}) =>
      sendUnchecked(url + path, method, { body, headers: { cookie, ...sameOrigin, ...headers } }),
  }
  const broken = [
    await sendUnchecked(`${url}/v1/enrollment/inclusion`, 'POST', { token, body }),
    await sendUnchecked(`${url}/v1/enrollment/alteration/${cpfs.corrected}`, 'POST', { token, body: alteration }),
    // PostgreSQL quotes the row of a COPY too.
    await sendCarrierFile(unchecked, 'roster', ' Quimera'),
    await sendCarrierFile(unchecked, 'coparticipation', ' Quimera'),
  ]
  expect(broken.map(({ status }) => status)).toEqual([200, 500, 202, 500])
  await until(
    async () => program.err,
    (text) => (text.match(/"constraint":"nobody"/g)?.length ?? 0) > 3,
  )
  await onDatabase(databaseUrl, (client) =>
    client.query(
      ['member', 'enrollment', 'carrier_line'].map((table) => `alter table ${table} drop constraint nobody`).join('; '),
    ),
  )
  await until(
    () => service.partner('GET', `/v1/request/${broken[0]?.body['request-id']}`),
    (response) => response.body.status !== 'processing',
  )

  const isRead = ({ body: read }: ApiResponse) => read.result.status !== 'reading'
  await until(() => service.operator('GET', `/operator/v1/carrier-file/${broken[2]?.body.result['file-id']}`), isRead)

  await receiver.until(3)
  const kindsOfMails = await mailEverybody(service, databaseUrl)
  expect(kindsOfMails).toEqual(['deadlines', 'invitation', 'onboarding-link', 'pending-items'])
  expect(await onDatabase(databaseUrl, tablesWithCanaries)).toEqual(tablesOfPeople)
  const metrics = (await send(`${url}/metrics`, 'GET')).text
  expect(metrics).toContain('vigencia_requests_total{type="alteration",outcome="refused"}')
  await program.stop()
  expect(collector.spans.length).toBeGreaterThan(100)
  expect(program.err.match(/"msg":"request completed"/g)?.length).toBeGreaterThan(50)
  const { names, texts } = await filesOf(dataDir)
  const [postgresLog = ''] = Object.entries(texts).flatMap(([file, text]) =>
    file.endsWith('postgres.log') ? [text] : [],
  )
  expect(postgresLog).toMatch(/LOG: {2}duration: .* insert into member/)
  expect(postgresLog).toMatch(/ERROR: {2}new row for relation "\w+" violates check constraint "nobody"/)
  const written = {
    'standard output': program.out,
    'standard error': program.err,
    'the traces': collector.text,
    'the metrics': metrics,
    'the deliveries': JSON.stringify(receiver.calls),
    'the e-mails': smtp.got.flatMap((mail) => [mail.text, bodyOf(mail)]).join('\n'),
    'the names of files': names,
    ...texts,
  }
  for (const [where, text] of Object.entries(written)) expect.soft(canariesIn(text), where).toEqual([])
  for (const { status, text } of [...responses, ...broken].filter((one) => one.status >= 400)) {
    expect.soft(canariesIn(withoutEcho(text)), `${status} ${text}`).toEqual([])
  }
  const secrets = [...linkSecrets, token, cookie.split('=')[1] ?? '', texts[join(dataDir, 'master.key')]?.trim() ?? '']
  for (const secret of [...secrets, partnerClient.secret, operatorClient.secret]) {
    expect(secret.length).toBeGreaterThan(20)
    expect(program.err).not.toContain(secret)
    expect(metrics).not.toContain(secret)
    expect(collector.text).not.toContain(secret)
    expect(written['the deliveries']).not.toContain(secret)
    expect(postgresLog).not.toContain(secret)
  }
  // The welcome shows the secrets of the demo, and nothing else of these.
  for (const secret of secrets) expect(program.out).not.toContain(secret)
})
