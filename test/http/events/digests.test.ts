import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putStepAside } from '../../world/failed-step.ts'
import { digestsAt, mailSettings } from '../../world/digests.ts'
import { movementDraft } from '../../world/draft.ts'
import { personOf, signInAs, type TestPerson } from '../../world/person.ts'
import { bodyOf, headersOf, openSmtpServer, type TakenMail } from '../../world/smtp.ts'
import { type Company, expectOk, type Json, primary, until, useTestApp } from '../../world/test-app.ts'
import { planned } from '../../world/erasing.ts'

const server = await openSmtpServer()
const testApp = useTestApp(mailSettings(server.url))
let company: Company
let [analyst, admin, hr]: (TestPerson | undefined)[] = []
let members: Json[]

/** A Monday, in São Paulo. */
const [atSix, atNine, atTen] = ['2026-11-23T09:00:00Z', '2026-11-23T12:00:00Z', '2026-11-23T13:00:00Z'] as const

const mailsOf = (person: TestPerson | undefined) =>
  testApp.sql<Json>('select * from mail where recipient_id = $1 and period is not null order by kind, period', [
    person?.id,
  ])
const kindsOf = async (person: TestPerson | undefined) =>
  (await mailsOf(person)).map(({ kind, counts }) => [kind, counts])
const lastTo = (person: TestPerson | undefined, count: number): Promise<TakenMail> =>
  until(
    async () => server.got.filter(({ to, text }) => to === person?.email && /^List-Unsubscribe:/im.test(text)),
    (all) => all.length >= count,
  ).then((all) => all.at(-1)!)
const browserOf = (person: TestPerson | undefined) => signInAs(testApp, person?.email ?? '', person?.password ?? '')

beforeAll(async () => {
  company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  members = [primary(), primary()]
  await testApp.include(partner, company, members)
  await movementDraft(partner, company, members[0]['tax-id']).catch(() => {})
  // What waits, whatever made it wait.
  await testApp.sql(
    `update open_movement set status = 'pending-documents', due_date = '2026-11-25', updated_at = now()`,
  )
  await putStepAside(testApp)
  analyst = await personOf(testApp, 'analyst')
  admin = await personOf(testApp, 'admin')
  hr = await personOf(testApp, 'company-hr', company.taxId)
  await personOf(testApp, 'finance')
})

afterAll(() => server.close())

test('nobody gets a digest before seven, or on a Sunday', async () => {
  expect(await digestsAt(testApp, atSix)).toBe(0)
  expect(await digestsAt(testApp, '2026-11-22T12:00:00Z', '2026-11-22')).toBe(0)
})

test('each gets what concerns the role, once a day, however often and by however many processes it is written', async () => {
  const written = await Promise.all([digestsAt(testApp, atNine), digestsAt(testApp, atNine), digestsAt(testApp, atTen)])
  const rows = await testApp.sql(`select from mail where period is not null`)
  expect(written.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
  expect(await kindsOf(hr)).toEqual([['pending-items', { 'pending-documents': 2 }]])
  const ofBroker = [
    ['deadlines', { due: 2 }],
    ['failed-deliveries', { steps: 1 }],
  ]
  expect((await kindsOf(analyst)).filter(([kind]) => kind !== 'drafts')).toEqual(ofBroker)
  expect((await kindsOf(admin)).filter(([kind]) => kind !== 'drafts')).toEqual(ofBroker)
  const mail = await lastTo(hr, 1)
  expect(headersOf(mail)['subject']).toBe('Pendências da sua empresa: 2')
  expect(bodyOf(mail)).toContain('https://console.example/console/hr/pending')
  for (const { name, 'tax-id': cpf } of members) {
    expect(bodyOf(mail)).not.toContain(name)
    expect(bodyOf(mail)).not.toContain(cpf)
  }
})

test('at once: when something came after the last one, at most once a quarter of an hour', async () => {
  const browser = await browserOf(analyst)
  const frequencies = [{ kind: 'failed-deliveries', frequency: 'at-once' }]
  expectOk(await browser.call('PUT', '/operator/v1/account/mail', { language: 'en', frequencies }))
  const count = async () => (await mailsOf(analyst)).filter(({ kind }) => kind === 'failed-deliveries').length
  const now = () => new Date().toISOString()
  const before = await count()
  await digestsAt(testApp, now())
  const after = await count()
  await digestsAt(testApp, now())
  expect(await count()).toBe(after)
  expect(after - before).toBeLessThanOrEqual(1)
  await putStepAside(testApp)
  const later = new Date(Date.now() + 16 * 60_000).toISOString()
  await testApp.sql(`update work set failed_at = now() + interval '15 minutes' where run_at = 'infinity'`)
  await digestsAt(testApp, later)
  expect(await count()).toBe(after + 1)
  await digestsAt(testApp, later)
  expect(await count()).toBe(after + 1)
  await until(
    async () => server.got.filter(({ to }) => to === analyst?.email).map((mail) => headersOf(mail)['subject']),
    (subjects) => subjects.includes('Deliveries that failed: 2'),
  )
})

test('an admin is told at once of a plan of another admin, not of the own', async () => {
  await planned(testApp, members[1]['tax-id'])
  await digestsAt(testApp, new Date().toISOString(), '2026-11-24')
  expect((await kindsOf(admin)).filter(([kind]) => kind === 'second-admin')).toEqual([['second-admin', { plans: 1 }]])
  expect((await kindsOf(analyst)).filter(([kind]) => kind === 'second-admin')).toEqual([])
})

describe('one click', () => {
  const stopOf = async (person: TestPerson | undefined) => {
    const url = headersOf(await lastTo(person, 1))['list-unsubscribe']?.slice(1, -1) ?? ''
    return url.replace('https://console.example', '')
  }
  const post = (path: string) =>
    fetch(testApp.url + path, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const frequencyOf = async (person: TestPerson | undefined, kind: string) => {
    const { result } = expectOk(await (await browserOf(person)).call('GET', '/operator/v1/account/mail')).body
    return result.frequencies.find((one: Json) => one.kind === kind).frequency
  }

  test('a GET, as of a virus scanner, changes nothing; a POST without a sign-in ends the kind', async () => {
    const path = await stopOf(hr)
    const page = await fetch(testApp.url + path)
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('Parar de receber os e-mails “Pendências”?')
    expect(text).not.toContain(hr?.email)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await frequencyOf(hr, 'pending-items')).toBe('daily')

    const done = await post(path)
    expect(done.status).toBe(200)
    expect(await done.text()).toContain('Você não recebe mais e-mails deste tipo.')
    expect(await frequencyOf(hr, 'pending-items')).toBe('never')
    expect(await frequencyOf(hr, 'drafts')).toBe('daily')
    expect((await post(path)).status).toBe(200)
    const audited = await testApp.sql(`select actor from audit where action = 'person.mail-chosen' and target = $1`, [
      hr?.id,
    ])
    expect(audited).toEqual([{ actor: hr?.id }, { actor: hr?.id }])
    await digestsAt(testApp, '2026-11-25T12:00:00Z', '2026-11-25')
    const periods = (await mailsOf(hr)).map(({ period }) => period)
    expect(periods).not.toContain('daily 2026-11-25')
  })

  test.each([
    ['another kind', (path: string) => path.replace('pending-items', 'drafts')],
    ['another person', (path: string) => path.replace(hr?.id ?? '', analyst?.id ?? '')],
    ['another signature', (path: string) => `${path.slice(0, -2)}AA`],
    ['nothing', () => '/mail/stop'],
  ])('a token of %s is refused', async (_, forge) => {
    const response = await post(forge(await stopOf(hr)))
    expect(response.status).toBe(404)
    expect(await frequencyOf(hr, 'drafts')).toBe('daily')
  })
})

describe('preferences', () => {
  test('have the kinds of the role; links that work once are not among them', async () => {
    const read = async (person: TestPerson | undefined) => {
      const { result } = expectOk(await (await browserOf(person)).call('GET', '/operator/v1/account/mail')).body
      return [result['is-mail-on'], result.language, result.frequencies.map(({ kind }: Json) => kind)]
    }
    expect(await read(admin)).toEqual([true, 'pt-BR', ['deadlines', 'failed-deliveries', 'drafts', 'second-admin']])
    expect(await read(hr)).toEqual([true, 'pt-BR', ['pending-items', 'drafts']])
  })

  test.each([
    ['a kind of another role', [{ kind: 'second-admin', frequency: 'never' }], 'not-applicable'],
    [
      'a kind twice',
      [
        { kind: 'drafts', frequency: 'never' },
        { kind: 'drafts', frequency: 'daily' },
      ],
      'repeated',
    ],
    ['an invitation', [{ kind: 'invitation', frequency: 'never' }], 'invalid'],
  ])('400 for %s', async (_, frequencies, code) => {
    const response = await (
      await browserOf(hr)
    ).call('PUT', '/operator/v1/account/mail', { language: 'en', frequencies })
    expect(response).toMatchObject({ status: 400, body: { details: [{ code }] } })
  })

  test('404 for a program, which has no e-mails', async () => {
    const response = await testApp.operator.get('/operator/v1/account/mail')
    expect(response).toMatchObject({ status: 404, body: { code: 'person-not-found' } })
  })
})

describe('an admin', () => {
  const url = '/operator/v1/mail'
  const doubtful = async (): Promise<string> => {
    server.answer = (step) => (step === 'message' ? 'close' : undefined)
    const { id } = await personOf(testApp, 'auditor')
    const rows = await until(
      () => testApp.sql<Json>('select id, status from mail where recipient_id = $1', [id]),
      ([row]) => row?.status === 'doubtful',
    )
    server.answer = () => undefined
    return rows[0].id
  }

  test('sees the mails with whom they went to, and sends a doubtful one again, once', async () => {
    const id = await doubtful()
    const listed = expectOk(await testApp.operator.get(`${url}?status=doubtful`)).body.result
    // Digests that were on their way at that moment are doubtful, too.
    const mail = listed.find((one: Json) => one['mail-id'] === id)
    expect(mail).toMatchObject({ kind: 'invitation', status: 'doubtful', error: 'ECONNECTION' })
    const { email } = mail
    expectOk(await testApp.operator.post(`${url}/${id}/send-again`))
    await until(
      async () => expectOk(await testApp.operator.get(`${url}/${id}`)).body.result,
      (mail) => mail.status === 'sent',
    )
    expect(server.got.filter(({ to }) => to === email)).toHaveLength(2)
    const again = await testApp.operator.post(`${url}/${id}/send-again`)
    expect(again).toMatchObject({ status: 409, body: { code: 'mail-status' } })
  })

  test('cancels one, which is then not sent', async () => {
    const id = await doubtful()
    expect(expectOk(await testApp.operator.post(`${url}/${id}/cancel`)).body.result.status).toBe('cancelled')
    expect((await testApp.operator.post(`${url}/${id}/send-again`)).status).toBe(409)
    expect((await testApp.operator.post(`${url}/${id}/cancel`)).status).toBe(409)
  })

  test('gets 404 for an unknown one', async () => {
    const response = await testApp.operator.post(`${url}/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21/cancel`)
    expect(response).toMatchObject({ status: 404, body: { code: 'mail-not-found' } })
  })
})
