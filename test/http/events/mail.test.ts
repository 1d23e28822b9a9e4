import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { readViolations } from '../../crash/invariants.ts'
import { invitationBody, invitationPath } from '../../world/onboarding.ts'
import { scaled } from '../../scale.ts'
import { expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'
import { bodyOf, headersOf, openSmtpServer } from '../../world/smtp.ts'

const server = await openSmtpServer()
const testApp = useTestApp({
  VIGENCIA_SMTP_URL: server.url,
  VIGENCIA_SMTP_TLS: 'optional',
  VIGENCIA_MAIL_FROM: 'beneficios@broker.example',
  VIGENCIA_PUBLIC_URL: 'https://console.example',
  VIGENCIA_ONBOARDING: 'on',
})

afterAll(() => server.close())
afterEach(() => {
  server.answer = () => undefined
})

let people = 0
const newEmail = () => `person-${(people += 1)}@broker.example`
const invite = async (email: string, role = 'analyst'): Promise<Json> =>
  expectOk(await testApp.operator.post('/operator/v1/person', { name: 'Ana Prado', email, role })).body
const mailTo = async (email: string) => {
  const all = await until(
    async () => server.got.filter(({ to }) => to === email),
    (found) => found.length > 0,
  )
  return all[0]!
}
const rowOf = async (personId: string): Promise<Json> =>
  (await testApp.sql('select * from mail where recipient_id = $1 order by id desc limit 1', [personId]))[0]
const settled = (personId: string, status: string) =>
  until(
    () => rowOf(personId),
    (row) => row?.status === status,
  )
const retryNow = (personId: string) =>
  testApp.sql(`update mail set next_attempt_at = now() where recipient_id = $1 and status = 'queued'`, [personId])

describe('an invitation', () => {
  test('comes by e-mail with its link, once; then the outbox has no link', async () => {
    expectOk(await testApp.operator.put('/operator/v1/settings', { 'broker-name': 'Corretora Horizonte' }))
    const email = newEmail()
    const made = await invite(email)
    expect(made.mailed).toBe(true)
    const mail = await mailTo(email)
    expect(headersOf(mail)).toMatchObject({
      from: 'Corretora Horizonte <beneficios@broker.example>',
      to: email,
      subject: 'Seu convite para Corretora Horizonte',
      'auto-submitted': 'auto-generated',
    })
    expect(headersOf(mail)).not.toHaveProperty('list-unsubscribe')
    expect(bodyOf(mail)).toContain(made.link)
    expect(bodyOf(mail)).not.toContain('Ana')
    expect(await settled(made['person-id'], 'sent')).toMatchObject({
      kind: 'invitation',
      secret: null,
      attempts: 1,
      error: null,
    })
    expect(server.got.filter(({ to }) => to === email)).toHaveLength(1)
  })

  test('is written only if the person is: the second one with an address is refused and tells nobody', async () => {
    const email = newEmail()
    const { 'person-id': id } = await invite(email)
    await settled(id, 'sent')
    const body = { name: 'Bruno Lima', email, role: 'finance' }
    expect((await testApp.operator.post('/operator/v1/person', body)).status).toBe(409)
    const mails = await testApp.sql('select from mail join person on client_id = recipient_id where email = $1', [
      email,
    ])
    expect(mails).toHaveLength(1)
  })

  test('that was not sent when a new link is made, or when the person is blocked, is never sent', async () => {
    server.answer = (step, to) => (step === 'rcpt' && to.startsWith('late') ? '451 later' : undefined)
    const email = `late-${newEmail()}`
    const { 'person-id': id } = await invite(email)
    await until(
      () => rowOf(id),
      (row) => row.error === '451',
    )
    const first = await rowOf(id)
    const second = expectOk(await testApp.operator.post(`/operator/v1/person/${id}/link`)).body
    expect(await testApp.sql('select status, secret from mail where id = $1', [first.id])).toEqual([
      { status: 'cancelled', secret: null },
    ])
    server.answer = () => undefined
    await retryNow(id)
    expect(bodyOf(await mailTo(email))).toContain(second.link)
    server.answer = (step) => (step === 'rcpt' ? '451 later' : undefined)
    expectOk(await testApp.operator.post(`/operator/v1/person/${id}/link`))
    expectOk(await testApp.operator.post(`/operator/v1/person/${id}/block`))
    expect(await rowOf(id)).toMatchObject({ status: 'cancelled', secret: null })
  })
})

test('a mail that the server puts off is tried again later, one that it refuses is not', async () => {
  const [off, refused] = [newEmail(), newEmail()]
  server.answer = (step, to) =>
    step === 'rcpt' ? (to === off ? '451 later' : to === refused ? '550 no such user' : undefined) : undefined
  const [first, second] = [await invite(off), await invite(refused)]
  expect(await settled(second['person-id'], 'failed')).toMatchObject({ error: '550', attempts: 1 })
  const waiting = await until(
    () => rowOf(first['person-id']),
    (row) => row.error === '451',
  )
  expect(waiting).toMatchObject({ status: 'queued', attempts: 1 })
  expect(Number(waiting.next_attempt_at)).toBeGreaterThan(Date.now() + 30_000)
  server.answer = () => undefined
  await retryNow(first['person-id'])
  expect(await settled(first['person-id'], 'sent')).toMatchObject({ attempts: 2, error: null })
})

test('a mail whose answer does not come is doubtful, and not sent again', async () => {
  const email = newEmail()
  server.answer = (step) => (step === 'message' ? 'close' : undefined)
  const { 'person-id': id } = await invite(email)
  expect(await settled(id, 'doubtful')).toMatchObject({ error: 'ECONNECTION' })
  server.answer = () => undefined
  const other = newEmail()
  await settled((await invite(other))['person-id'], 'sent')
  expect(server.got.filter(({ to }) => to === email)).toHaveLength(1)
})

test('what expires before it could be sent has failed, without its link', async () => {
  server.answer = (step) => (step === 'rcpt' ? '451 later' : undefined)
  const { 'person-id': id } = await invite(newEmail())
  await until(
    () => rowOf(id),
    (row) => row.error === '451',
  )
  await testApp.sql(
    `update mail set created_at = now() - interval '2 days', expires_at = now(), next_attempt_at = now() where recipient_id = $1`,
    [id],
  )
  expect(await settled(id, 'failed')).toMatchObject({ error: '451', secret: null })
})

describe('an onboarding link', () => {
  test('goes to the address that the HR gives, which is then nowhere; one that is revoked is not sent', async () => {
    const company = await testApp.company()
    const hr = await testApp.partner(company.taxId)
    const email = 'helena.prado@aurora.example'
    const body = invitationBody(company, { email })
    const { result } = expectOk(await hr.post(invitationPath, body)).body
    expect(result.mailed).toBe(true)
    const mail = await mailTo(email)
    expect(headersOf(mail)['subject']).toMatch(/^Preencha seus dados/)
    expect(bodyOf(mail)).toContain(result.link)
    for (const personal of [body.name, body['tax-id'], body['date-of-birth'], 'Helena'])
      expect(bodyOf(mail)).not.toContain(personal)
    const row = () => testApp.sql('select * from mail where invitation_id = $1', [result['invitation-id']])
    const [sent] = await until(row, ([found]) => found?.['status'] === 'sent')
    expect(JSON.stringify(sent)).not.toContain('aurora')

    server.answer = (step) => (step === 'rcpt' ? '451 later' : undefined)
    const other = expectOk(await hr.post(invitationPath, invitationBody(company, { email }))).body.result
    expectOk(await hr.post(`${invitationPath}/${other['invitation-id']}/revoke`))
    const [ended] = await until(
      () => testApp.sql('select * from mail where invitation_id = $1', [other['invitation-id']]),
      ([found]) => found?.['status'] !== 'sending',
    )
    expect(ended).toMatchObject({ status: expect.stringMatching(/^cancelled$/), secret: null })
  })

  test('400 for an address that is none', async () => {
    const company = await testApp.company()
    const hr = await testApp.partner(company.taxId)
    const response = await hr.post(
      invitationPath,
      invitationBody(company, { email: 'a@x.example\r\nBcc: spy@x.example' }),
    )
    expect(response).toMatchObject({ status: 400, body: { details: [{ field: 'email' }] } })
  })
})

describe('header injection', () => {
  test('a name of the broker with line breaks adds no header and no recipient', async () => {
    const name = 'Horizonte\r\nBcc: spy@x.example\r\n\r\nhidden'
    await testApp.sql(
      'insert into broker_setting (broker_name, updated_at) values ($1, now()) on conflict (id) do update set broker_name = $1',
      [name],
    )
    const email = newEmail()
    await settled((await invite(email))['person-id'], 'sent')
    const mail = await mailTo(email)
    expect(Object.keys(headersOf(mail))).not.toContain('bcc')
    expect(server.got.map(({ to }) => to)).not.toContain('spy@x.example')
    expectOk(await testApp.operator.put('/operator/v1/settings', {}))
  })

  test.each(['ana@x.example\r\nBcc: spy@x.example', 'ana@x.example>\r\nRCPT TO:<spy@x.example'])(
    'an address %j that got past the API reaches nobody else',
    async (address) => {
      server.answer = (step) => (step === 'rcpt' ? '451 later' : undefined)
      const { 'person-id': id } = await invite(newEmail())
      await testApp.sql('update person set email = lower($2) where client_id = $1', [id, address])
      server.answer = () => undefined
      await until(
        async () => {
          await retryNow(id)
          return rowOf(id)
        },
        (row) => ['failed', 'sent'].includes(row.status),
      )
      expect(server.got.map(({ to }) => to)).not.toContain('spy@x.example')
      const mail = server.got.find(({ text }) => /^bcc:/im.test(text.split('\r\n\r\n')[0] ?? ''))
      expect(mail).toBeUndefined()
    },
  )
})

test(
  `${scaled(1_000, 10_000)} mails to people who wait go out once each, over few connections`,
  { timeout: 300_000 },
  async () => {
    const count = scaled(1_000, 10_000)
    const before = process.memoryUsage.rss()
    let open = 0
    server.answer = (step) => void (open += step === 'greeting' ? 1 : 0)
    await testApp.sql(
      `with made as (select gen_random_uuid()::text as id, number from generate_series(1, $1) as number),
       client as (insert into client (id, api, name, role, created_at) select id, 'operator', 'Ana Prado', 'analyst', now() from made returning id),
       person as (insert into person (client_id, email) select made.id, 'many-' || number || '@broker.example' from made)
     select from client`,
      [count],
    )
    await testApp.sql(
      `insert into mail (id, kind, recipient_id, counts, period, status, next_attempt_at, created_at, expires_at)
     select gen_random_uuid(), 'deadlines', client_id, '{"due": 3}', 'daily 2026-11-23', 'queued', now(), now(), now() + interval '1 day'
     from person where email like 'many-%'`,
    )
    const left = () =>
      testApp.sql<{ count: number }>(
        `select count(*)::int as count from mail where status <> 'sent' and period is not null`,
      )
    await until(
      async () => (await left())[0]!.count,
      (waiting) => waiting === 0,
      240_000,
    )
    const sent = server.got.map(({ to }) => to).filter((to) => to.startsWith('many-'))
    expect(sent).toHaveLength(count)
    expect(new Set(sent).size).toBe(count)
    expect(open).toBeLessThan(50)
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 2 ** 20)
    expect(await readViolations(testApp.sql)).toEqual({})
  },
)

test('a digest says how many, names nobody, and has a link that ends its kind', async () => {
  const email = newEmail()
  const { 'person-id': id } = await invite(email)
  await settled(id, 'sent')
  await testApp.sql(
    `insert into mail (id, kind, recipient_id, counts, period, status, next_attempt_at, created_at, expires_at)
     values ($1, 'deadlines', $2, '{"due": 1234, "overdue-answers": 0}', 'daily 2026-11-24', 'queued', now(), now(), now() + interval '1 day')`,
    [uuidv7(), id],
  )
  await until(
    async () => server.got.filter(({ to }) => to === email),
    (all) => all.length === 2,
  )
  const mail = server.got.findLast(({ to }) => to === email)!
  expect(headersOf(mail)).toMatchObject({
    subject: 'Prazos e retornos atrasados: 1.234',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
  expect(headersOf(mail)['list-unsubscribe']).toMatch(/^<https:\/\/console\.example\/mail\/stop\?token=\S+>$/)
  expect(bodyOf(mail)).toContain('https://console.example/console/deadlines')
  expect(bodyOf(mail)).not.toContain('retorno da operadora atrasado')
})
