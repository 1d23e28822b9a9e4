import { beforeAll, describe, expect, test } from 'vitest'
import {
  approve,
  childOf,
  factorOf,
  invitationBody,
  invitationPath,
  invited,
  openPage,
  submissionOf,
  submitted,
  tryFactor,
} from '../../world/onboarding.ts'
import { pricedContract, putBands } from '../../world/price.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  health,
  type Json,
  openTestApp,
  premium,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'
import { files, formOf, largest, pdf, pdfOf } from '../../world/upload.ts'

/* The onboarding link: the HR invites, the employee fills in, the HR approves. What it shows to others is in isolation.test.ts. */

const testApp = useTestApp()
let company: Company
let hr: Client
beforeAll(async () => {
  company = await testApp.company()
  hr = await testApp.partner(company.taxId)
})

const refusal = ({ status, body }: ApiResponse) => [status, body?.code]
const detailsOf = ({ body }: ApiResponse) => body.details.map(({ field, code }: Json) => [field, code])
const read = async (id: string): Promise<Json> => expectOk(await hr.get(`${invitationPath}/${id}`)).body.result
const statusOf = async (id: string): Promise<string> => (await read(id)).status
const auditOf = async (id: string): Promise<string[]> =>
  (await testApp.sql('select action from audit where target = $1 order by id', [id])).map(({ action }) => action)
const requestsOf = (of: Company) =>
  testApp.sql('select id from request where company_id = $1', [of.id]).then((rows) => rows.length)

describe('an invitation', () => {
  test('shows its link once, stores the hash of its token, and is listed by status', async () => {
    const link = await invited(hr, invitationBody(company))
    expect(link.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const [row] = await testApp.sql('select to_jsonb(i)::text as row from onboarding_invitation i where id = $1', [
      link.id,
    ])
    expect(row?.['row']).not.toContain(link.token)
    const shown = await read(link.id)
    expect(shown).toMatchObject({
      status: 'sent',
      'tax-id': link.body['tax-id'],
      products: [{ 'product-name': health, 'start-option': 'on-inclusion-date' }],
      submission: null,
      documents: [],
    })
    expect(JSON.stringify(shown)).not.toContain(link.token)
    const list = (query: string) =>
      hr.get(`${invitationPath}?company-tax-id=${company.taxId}${query}&items-per-page=500`)
    const idsOf = (response: ApiResponse) => expectOk(response).body.result.map((one: Json) => one['invitation-id'])
    expect(idsOf(await list('&status=sent'))).toContain(link.id)
    expect(idsOf(await list('&status=approved'))).not.toContain(link.id)
  })

  test('is one open for a person in a company, in others too', async () => {
    const body = invitationBody(company)
    const { id } = await invited(hr, body)
    expect(refusal(await hr.post(invitationPath, body))).toEqual([409, 'onboarding-invitation-exists'])
    const other = await testApp.company()
    const theirs = await testApp.partner(other.taxId)
    await invited(theirs, { ...invitationBody(other), 'tax-id': body['tax-id'] })
    expectOk(await hr.post(`${invitationPath}/${id}/revoke`))
    await invited(hr, body)
  })

  test('is refused for what the company does not have, and what is no person', async () => {
    const [product] = invitationBody(company).products
    const bad = invitationBody(company, {
      'tax-id': '52998224726',
      'date-of-birth': '2027-01-01',
      products: [product, product, { ...product, 'product-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }],
    })
    expect(detailsOf(await hr.post(invitationPath, { ...bad, 'tax-id': '52998224726' }))).toEqual([
      ['tax-id', 'invalid'],
    ])
    expect(detailsOf(await hr.post(invitationPath, { ...bad, 'tax-id': '52998224725' }))).toEqual([
      ['date-of-birth', 'invalid'],
      ['products[1].product-id', 'repeated'],
      ['products[2].product-id', 'unknown'],
    ])
    const onAdmission = { ...product, 'start-option': 'on-admission-date' }
    const undated = invitationBody(company, { 'admission-date': undefined, products: [onAdmission] })
    expect(detailsOf(await hr.post(invitationPath, undated))).toEqual([['admission-date', 'missing']])
  })

  test('of the other end is that of nobody once it is revoked', async () => {
    const link = await invited(hr, invitationBody(company))
    const page = await openPage(testApp, link)
    expect(expectOk(await hr.post(`${invitationPath}/${link.id}/revoke`)).body.result.status).toBe('revoked')
    expect(refusal(await hr.post(`${invitationPath}/${link.id}/revoke`))).toEqual([409, 'onboarding-status'])
    expect(refusal(await page.call('GET', 'invitation'))).toEqual([410, 'link-expired'])
    expect(refusal(await tryFactor(testApp, link.token, factorOf(link)))).toEqual([410, 'link-expired'])
    const unknown = await tryFactor(testApp, 'A'.repeat(43), factorOf(link))
    expect(refusal(unknown)).toEqual([410, 'link-expired'])
  })
})

describe('the second factor', () => {
  test('five wrong ones block the link, also all at once; until then it is still sent', async () => {
    const link = await invited(hr, invitationBody(company))
    const wrong = factorOf(link, { 'date-of-birth': '1990-05-18' })
    expect((await tryFactor(testApp, link.token, wrong)).body).toMatchObject({
      code: 'wrong-second-factor',
      'attempts-left': 4,
    })
    expect(await statusOf(link.id)).toBe('sent')
    const answers = await Promise.all(Array.from({ length: 7 }, () => tryFactor(testApp, link.token, wrong)))
    const codes = answers.map(({ body }) => body.code as string)
    // Four were left: of these the last one blocks the link.
    expect(codes.filter((code) => code === 'wrong-second-factor')).toHaveLength(3)
    expect(codes.every((code) => code !== undefined)).toBe(true)
    expect(await statusOf(link.id)).toBe('blocked')
    expect(refusal(await tryFactor(testApp, link.token, factorOf(link)))).toEqual([403, 'link-blocked'])
    const actions = await auditOf(link.id)
    expect(actions.filter((action) => action === 'onboarding.denied')).toHaveLength(5)
    expect(actions.filter((action) => action === 'onboarding.blocked')).toHaveLength(1)
  })

  test('a right one starts the count again and ends the session before', async () => {
    const link = await invited(hr, invitationBody(company))
    const wrong = factorOf(link, { 'tax-id-ending': '00000' })
    for (let attempt = 0; attempt < 4; attempt += 1) await tryFactor(testApp, link.token, wrong)
    const first = await openPage(testApp, link)
    for (let attempt = 0; attempt < 4; attempt += 1) await tryFactor(testApp, link.token, wrong)
    await openPage(testApp, link)
    expect(await statusOf(link.id)).toBe('opened')
    expect(refusal(await first.call('GET', 'invitation'))).toEqual([401, 'session-ended'])
    await testApp.sql(`update onboarding_invitation set session_expires_at = now() where id = $1`, [link.id])
    const last = { ...first.headers, 'onboarding-session': 'B'.repeat(43) }
    const ended = await testApp.call('GET', '/onboarding/v1/invitation', { headers: last })
    expect(refusal(ended)).toEqual([401, 'session-ended'])
  })

  test('wrong ones do not take away what was sent already', async () => {
    const link = await submitted(testApp, hr, company)
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await tryFactor(testApp, link.token, factorOf(link, { 'tax-id-ending': '00000' }))
    }
    expect(refusal(await tryFactor(testApp, link.token, factorOf(link)))).toEqual([403, 'link-blocked'])
    expect(await statusOf(link.id)).toBe('submitted')
    expectOk(await hr.post(`${invitationPath}/${link.id}/return`, { message: 'Corrija o nome da mãe.' }))
    expect((await (await openPage(testApp, link)).view())['return-message']).toBe('Corrija o nome da mãe.')
  })

  test('a call from a page of another site is refused', async () => {
    const link = await invited(hr, invitationBody(company))
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect(refusal(await tryFactor(testApp, link.token, factorOf(link), headers))).toEqual([403, 'cross-site-request'])
    expect(await auditOf(link.id)).toEqual(['onboarding.created'])
  })
})

describe('the employee', () => {
  test('sees the products, masked CPF and needed documents, and the own price where the contract has rules', async () => {
    const own = await testApp.company()
    const theirs = await testApp.partner(own.taxId)
    const contract = await pricedContract(testApp, own)
    const unpriced = await openPage(testApp, await invited(theirs, invitationBody(own)))
    const price = async (page: typeof unpriced, dates: string[]) =>
      expectOk(await page.call('POST', 'price', { body: { 'dates-of-birth': dates } })).body.result
    const productId = own.products[health]
    expect(await price(unpriced, ['2020-01-31'])).toEqual([
      { 'product-id': productId, amount: null, 'dependent-amounts': [null] },
    ])
    await putBands(testApp, contract['contract-id'])
    expectOk(
      await testApp.operator.put('/operator/v1/contribution-rule/01995e0f-3c21-7d33-8e44-7f8091021324', {
        'contract-id': contract['contract-id'],
        'valid-from': '2026-01-01',
        'primary-employee-share': { 'basis-points': 1_000 },
        'dependent-employee-share': { 'basis-points': 5_000 },
      }),
    )
    expectOk(
      await testApp.operator.put('/operator/v1/requirement-rule/01995e0b-7c11-7f22-8b33-4d5e6f708192', {
        name: 'Cônjuge: certidão',
        when: { 'company-tax-ids': [own.taxId], movements: ['inclusion'], 'dependent-types': ['spouse'] },
        require: [{ 'any-of': ['marriage-certificate'], of: 'dependent', message: 'Certidão de casamento' }],
        enforcement: 'warning',
      }),
    )
    const link = await invited(theirs, invitationBody(own))
    const page = await openPage(testApp, link)
    const view = await page.view()
    expect(view).toMatchObject({ status: 'opened', 'company-name': expect.any(String), submission: null })
    expect(JSON.stringify(view)).not.toContain(link.body['tax-id'])
    expect(view.products[0].requirements).toEqual([
      {
        'dependent-type': 'spouse',
        'any-of': ['marriage-certificate'],
        of: 'dependent',
        message: 'Certidão de casamento',
        enforcement: 'warning',
        when: {},
      },
    ])
    const [priced] = await price(page, ['2020-01-31', '1985-01-01'])
    expect(priced.amount).toBeGreaterThan(0)
    // Half of a child's price and of an adult's of the same table, to a tenth of the own.
    expect(priced['dependent-amounts'].every((amount: number) => amount > priced.amount)).toBe(true)
  })

  test('who sends twice has one draft; other data wait until it is returned', async () => {
    const link = await invited(hr, invitationBody(company))
    const page = await openPage(testApp, link)
    const submission = submissionOf(link, { dependents: [childOf(company)] })
    const answers = await Promise.all([page.submit(submission), page.submit(submission)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expectOk(await page.submit(submission))
    expect((await auditOf(link.id)).filter((action) => action === 'onboarding.submitted')).toHaveLength(1)
    const other = { ...submission, dependents: [] }
    expect(refusal(await page.submit(other))).toEqual([409, 'onboarding-status'])
    expect((await read(link.id)).submission).toMatchObject(submission)
    expect(refusal(await page.call('POST', 'document', { body: pdf }))).toEqual([409, 'onboarding-status'])
    expectOk(await hr.post(`${invitationPath}/${link.id}/return`, { message: 'Sem dependentes' }))
    expectOk(await page.submit(other))
    expect((await read(link.id)).submission.dependents).toEqual([])
  })

  test('is told which fields are wrong', async () => {
    const link = await invited(hr, invitationBody(company))
    const page = await openPage(testApp, link)
    const child = childOf(company, {
      'tax-id': link.body['tax-id'],
      'dependent-product-ids': [company.products[premium]],
    })
    const [choice] = submissionOf(link).choices
    const answer = await page.submit({
      member: {
        name: 'Helena',
        gender: 'outro',
        salary: 10,
        documents: [{ 'document-id': 'x', 'document-type': 'other' }],
      },
      dependents: [{ ...child, 'date-of-birth': '2027-01-01' }],
      choices: [{ ...choice, 'typed-name': 'Helena' }],
      more: 1,
    })
    expect(detailsOf(answer)).toEqual([
      ['more', 'unknown'],
      ['choices[0].typed-name', 'not-applicable'],
      ['member.salary', 'unknown'],
      ['member.mothers-name', 'missing'],
      ['member.gender', 'invalid'],
      ['member.documents', 'unknown'],
      ['dependents[0].date-of-birth', 'invalid'],
      ['dependents[0].tax-id', 'repeated'],
      ['dependents[0].dependent-product-ids', 'unknown'],
    ])
    const waived = { choices: [{ ...choice, choice: 'waive' }] }
    expect(detailsOf(await page.submit(waived))).toEqual([['choices[0].typed-name', 'missing']])
    expect(detailsOf(await page.submit({ ...submissionOf(link), choices: [] }))).toContainEqual(['choices', 'missing'])
    expect(await statusOf(link.id)).toBe('opened')
  })

  test('uploads what a document may be, 20 files at most, and removes what is not needed', async () => {
    const link = await invited(hr, invitationBody(company))
    const page = await openPage(testApp, link)
    const send = (body: Buffer, type: string) =>
      page.call('POST', 'document', { body, headers: { 'content-type': type } })
    const hostile: [Buffer, string][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'image/svg+xml'],
      [Buffer.from('<script>alert(1)</script>'), 'application/pdf'],
      [Buffer.from('MZ\x90\0'), 'application/pdf'],
      [Buffer.from('PK\x03\x04'), 'application/zip'],
    ]
    for (const [body, type] of hostile) expect([type, (await send(body, type)).status]).toEqual([type, 415])
    expect((await send(Buffer.alloc(0), 'application/pdf')).status).toBe(400)
    expect((await send(pdfOf(largest + 1), 'application/pdf')).status).toBe(413)
    expect((await read(link.id)).documents).toEqual([])
    const form = formOf([{ field: 'file', fileName: '../../etc/<b>passwd.pdf', bytes: pdf }])
    expectOk(await send(form, 'multipart/form-data; boundary=vigencia-5f2c'))
    const [{ name }] = (await read(link.id)).documents
    expect(name).not.toMatch(/[/\\]/)
    for (const type of Object.keys(files)) expectOk(await send(files[type] as Buffer, type))
    while ((await read(link.id)).documents.length < 19) await page.upload()
    const both = await Promise.all([send(pdf, 'application/pdf'), send(pdf, 'application/pdf')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(refusal(await send(pdf, 'application/pdf'))).toEqual([409, 'too-many-files'])
    const [first] = (await read(link.id)).documents
    expectOk(await page.call('DELETE', `document/${first['document-id']}`))
    expect(refusal(await page.call('DELETE', `document/${first['document-id']}`))).toEqual([404, 'document-not-found'])
    expect((await read(link.id)).documents).toHaveLength(19)
    // What was refused is no file that stays.
    const [{ count } = { count: null }] = await testApp.sql(
      `select count(*)::int as count from orphan_file where delete_after > now()`,
    )
    expect(count).toBe(0)
  })

  test('is limited in calls', async () => {
    const limited = await openTestApp({ VIGENCIA_RATE_LIMITS: '600/20/20' })
    try {
      const own = await limited.company()
      const page = await openPage(limited, await invited(await limited.partner(own.taxId), invitationBody(own)))
      const answers = []
      for (let call = 0; call < 25; call += 1) answers.push(refusal(await page.call('GET', 'invitation')))
      expect(answers.at(-1)).toEqual([429, 'too-many-attempts'])
    } finally {
      await limited.close()
    }
  })
})

describe('an approved submission', () => {
  test('is one inclusion of the family, with its documents, of whoever approved it', async () => {
    const own = await testApp.company()
    const theirs = await testApp.partner(own.taxId)
    const link = await invited(theirs, invitationBody(own, { 'cost-center': 'CC-111', 'job-title': 'Analista' }))
    const page = await openPage(testApp, link)
    const [certificate, unused] = [await page.upload(), await page.upload()]
    const child = childOf(own, {
      documents: [{ 'document-id': certificate, 'document-type': 'birth-certificate-or-national-id' }],
    })
    expectOk(await page.submit(submissionOf(link, { dependents: [child] })))
    const file = await theirs.get(`${invitationPath}/${link.id}/document/${certificate}`)
    expect([file.status, file.headers.get('content-disposition')?.startsWith('attachment')]).toEqual([200, true])
    const { 'submitted-at': reviewed } = expectOk(await theirs.get(`${invitationPath}/${link.id}`)).body.result
    const send = () => theirs.post(`${invitationPath}/${link.id}/approve`, { 'submitted-at': reviewed })
    const answers = await Promise.all([send(), send(), send()])
    const ids = new Set(answers.map((answer) => expectOk(answer).body['request-id']))
    expect(ids.size).toBe(1)
    const [requestId] = [...ids]
    expect(expectOk(await send()).body['request-id']).toBe(requestId)
    expect(await requestsOf(own)).toBe(1)
    const request = await testApp.finished(theirs, requestId)
    const parts = request['status-by-tax-id']
    expect(Object.keys(parts).toSorted()).toEqual([link.body['tax-id'], child['tax-id']].toSorted())
    const enrollmentId = parts[child['tax-id']][health]['enrollment-id']
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${enrollmentId}/document`)).body
    expect(result.map((one: Json) => one['document-id'])).toEqual([certificate])
    const [{ data } = { data: null }] = await testApp.sql(
      `select data from enrollment where request_id = $1 and member_tax_id = $2`,
      [requestId, link.body['tax-id']],
    )
    expect(data).toMatchObject({ 'cost-center': 'CC-111', 'job-title': 'Analista', 'marital-status': 'married' })
    const approved = expectOk(await theirs.get(`${invitationPath}/${link.id}`)).body.result
    expect(approved).toMatchObject({ status: 'approved', 'request-id': requestId, documents: [] })
    const withoutRequest = 'update onboarding_invitation set request_id = null where id = $1'
    await expect(testApp.sql(withoutRequest, [link.id])).rejects.toThrow('violates check constraint')
    expect(Object.keys(approved.submission)).toEqual(['choices'])
    expect(refusal(await page.call('GET', 'invitation'))).toEqual([410, 'link-expired'])
    const rows = await testApp.sql('select id from document where id = any($1)', [[certificate, unused]])
    expect(rows).toEqual([{ id: certificate }])
    expect(await testApp.sql('select id from onboarding_document where company_id = $1', [own.id])).toEqual([])
  })

  test('is none when every product is waived: the typed name and its time stay', async () => {
    const own = await testApp.company()
    const theirs = await testApp.partner(own.taxId)
    const link = await invited(theirs, invitationBody(own))
    const page = await openPage(testApp, link)
    const [{ 'product-id': productId }] = submissionOf(link).choices
    const waiver = { 'product-id': productId, choice: 'waive', 'typed-name': 'Helena Prado' }
    expect(detailsOf(await page.submit(submissionOf(link, { choices: [waiver] })))).toEqual([
      ['member', 'not-applicable'],
    ])
    expectOk(await page.submit({ choices: [waiver] }))
    expect(expectOk(await approve(theirs, link)).body).toEqual({})
    expect(expectOk(await approve(theirs, link)).body).toEqual({})
    expect(await requestsOf(own)).toBe(0)
    const { result } = expectOk(await theirs.get(`${invitationPath}/${link.id}`)).body
    expect(result).toMatchObject({ status: 'approved', 'request-id': null, submission: { choices: [waiver] } })
    expect(result['submitted-at']).toMatch(/Z$/)
  })

  test('is the one that was reviewed, and nothing before it is sent', async () => {
    const link = await invited(hr, invitationBody(company))
    expect(refusal(await approve(hr, link))).toEqual([409, 'onboarding-status'])
    expect(refusal(await hr.post(`${invitationPath}/${link.id}/return`, { message: 'Nome' }))).toEqual([
      409,
      'onboarding-status',
    ])
    const page = await openPage(testApp, link)
    expectOk(await page.submit(submissionOf(link)))
    const old = { 'submitted-at': '2026-11-01T00:00:00.000Z' }
    expect(refusal(await hr.post(`${invitationPath}/${link.id}/approve`, old))).toEqual([
      409,
      'onboarding-submission-changed',
    ])
    expect(await statusOf(link.id)).toBe('submitted')
  })

  test('is judged as an inclusion: one that is refused stays to be returned, with its documents', async () => {
    const member = primary()
    await testApp.include(hr, company, [member], '?resolution=approve')
    const link = await invited(hr, invitationBody(company, { 'tax-id': member['tax-id'] }))
    const page = await openPage(testApp, link)
    const documentId = await page.upload()
    const submission = submissionOf(link)
    submission.member.documents = [{ 'document-id': documentId, 'document-type': 'other' }]
    expectOk(await page.submit(submission))
    const answer = await approve(hr, link)
    expect(refusal(answer)).toEqual([400, 'invalid-members'])
    expect(answer.body.result[0].offenses).toEqual(['already-enrolled'])
    expect(await read(link.id)).toMatchObject({ status: 'submitted', documents: [{ 'document-id': documentId }] })
    expectOk(await hr.post(`${invitationPath}/${link.id}/return`, { message: 'Já tem o plano' }))
  })
})

test('what nobody approves ends by its time and is deleted, with its files', async () => {
  const own = await testApp.company()
  const theirs = await testApp.partner(own.taxId)
  const [unopened, waiting, revoked] = [
    await invited(theirs, invitationBody(own)),
    await submitted(testApp, theirs, own),
    await invited(theirs, invitationBody(own)),
  ]
  const held = await submitted(testApp, theirs, own)
  const hold = { 'tax-id': held.body['tax-id'], reason: 'Ação trabalhista' }
  expectOk(await testApp.operator.post('/operator/v1/legal-hold', hold))
  const kept = await submitted(testApp, theirs, own)
  expectOk(await approve(theirs, kept))
  const page = await openPage(testApp, unopened)
  await page.upload()
  expectOk(await theirs.post(`${invitationPath}/${revoked.id}/revoke`))
  await testApp.sql(
    `update onboarding_invitation set ${['created_at', 'expires_at', 'delete_after'].map(monthAgo).join(', ')} where company_id = $1`,
    [own.id],
  )
  expect(refusal(await page.call('GET', 'invitation'))).toEqual([410, 'link-expired'])
  const worker = await testApp.startWorker()
  try {
    await until(
      () => testApp.sql('select id from onboarding_invitation where company_id = $1', [own.id]),
      (rows) => rows.length === 2,
    )
  } finally {
    await worker.close()
  }
  expect(expectOk(await theirs.get(`${invitationPath}/${held.id}`)).body.result.status).toBe('expired')
  const left = await testApp.sql(
    `select (select count(*)::int from onboarding_document where company_id = $1) as files,
       (select count(*)::int from onboarding_invitation where company_id = $1 and id = $2) as kept`,
    [own.id, kept.id],
  )
  expect(left).toEqual([{ files: 0, kept: 1 }])
  expect((await auditOf(waiting.id)).slice(-2)).toEqual(['onboarding.expired', 'onboarding.deleted'])
  expect((await auditOf(revoked.id)).slice(-2)).toEqual(['onboarding.revoked', 'onboarding.deleted'])
})

/** SQL that sets a time 31 days earlier. In UTC: Citus takes immutable expressions of columns only. */
const monthAgo = (column: string) =>
  `${column} = (${column} at time zone 'UTC' - interval '31 days') at time zone 'UTC'`

test('while the setting is off there is nothing of it', async () => {
  const off = await openTestApp({ VIGENCIA_ONBOARDING: 'off' })
  try {
    const own = await off.company()
    const partner = await off.partner(own.taxId)
    for (const answer of [
      await partner.get(invitationPath),
      await partner.post(invitationPath, invitationBody(own)),
      await off.call('POST', '/onboarding/v1/session', {
        body: { 'tax-id-ending': '12345', 'date-of-birth': '1990-01-01' },
      }),
      await off.call('GET', '/onboarding/v1/invitation'),
    ]) {
      expect(refusal(answer)).toEqual([404, 'onboarding-off'])
    }
    expect((await off.call('GET', '/onboarding')).status).toBe(404)
  } finally {
    await off.close()
  }
})
