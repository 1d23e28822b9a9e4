import { beforeAll, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { ndjson, holder, sendImport } from '../../world/import.ts'
import { download, invoicePath, mark, putFile, putInvoice, unzip } from '../../world/invoice.ts'
import { pdfOf } from '../../world/upload.ts'
import {
  type Client,
  type Company,
  companyBody,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  nextCpf,
  primary,
  useTestApp,
} from '../../world/test-app.ts'

/* What partners read of their own companies, operators read of all. */

const testApp = useTestApp()
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
let one: Company
let two: Company
let partner: Client
let analyst: Client
let finance: Client
let auditor: Client

beforeAll(async () => {
  one = await testApp.company()
  two = await testApp.company()
  partner = await testApp.partner(one.taxId, two.taxId)
  analyst = await testApp.operatorOf('analyst')
  finance = await testApp.operatorOf('finance')
  auditor = await testApp.operatorOf('auditor')
})

const read = async (path: string, by: Client = analyst): Promise<Json> =>
  expectOk(await by.get(`/operator/v1${path}`)).body
/** A benefit of a partner as an operator sees it, before a carrier's file named it. */
const withoutCarrierCodes = (benefit: Json) => ({
  ...benefit,
  'carrier-certificate': null,
  'carrier-dependent-code': null,
})
const query = (values: Record<string, string>) => new URLSearchParams(values).toString()

describe('GET /operator/v1/member', () => {
  const search = async (values: Record<string, string>): Promise<Json[]> =>
    (await read(`/member?${query({ disclose: 'true', ...values })}`)).result
  let both: Json
  let left: Json

  beforeAll(async () => {
    both = primary({
      name: 'Zoé Araújo Nóbrega',
      'employee-id': 'MAT-4711',
      'email-corporate': 'z.nobrega@empresa.example',
      'bank-account-number': '12345',
    })
    left = primary({ name: 'Zoé Saída' })
    await testApp.include(partner, one, [both, left], '?resolution=approve')
    const again = { ...both, products: inProduct('dental-insurance', dental), 'employee-id': 'OUTRA-1' }
    await testApp.include(partner, two, [again], '?resolution=approve')
    const details = { 'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal' } }
    const path = `/v1/enrollment/exclusion/${left['tax-id']}/product/${one.products[health]}?resolution=approve`
    expectOk(await partner.post(path, details))
  })

  test('finds a person by parts of the name, an e-mail address and the employee id, without case and accents', async () => {
    for (const q of ['zoe araujo', 'NÓBREGA', 'mat-47', 'outra-1', 'Z.NOBREGA@emp', both['employee-id']]) {
      const found = await search({ q })
      expect([q, found.map((item) => item.profile['tax-id'])]).toEqual([q, [both['tax-id']]])
    }
    expect(await search({ q: 'z%e' })).toEqual([])
  })

  test('finds a person by a part of the CPF, and by the card number of an active benefit', async () => {
    const owner = primary({ name: 'Iara do Cartão' })
    const { taxId } = one
    const request = await testApp.include(partner, one, [owner])
    const id = request['status-by-tax-id'][owner['tax-id']][health]['enrollment-id']
    const completion = { status: 'completed', 'card-number': '0099.4521-7001' }
    expectOk(await analyst.post(`/operator/v1/enrollment/${id}/transition`, completion))
    const cpf: string = owner['tax-id']
    const middle = cpf.slice(2, 9)
    const formatted = `${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`
    for (const q of [cpf, middle, formatted, '0099 4521 7001', '009945217001']) {
      const found = await search({ q, 'company-tax-id': taxId })
      expect([q, found.map((item) => item.profile['tax-id'])]).toEqual([q, [cpf]])
    }
    expect(await search({ q: middle, 'company-tax-id': two.taxId })).toEqual([])
    // Step by step, parts would tell an auditor what is masked.
    for (const q of [cpf, middle]) expect((await read(`/member?q=${q}`, auditor)).result).toEqual([])
    expect((await read('/member?q=009945217001', auditor)).result).toHaveLength(1)
  })

  test('shows the item that a partner of all the companies sees, with the names of the companies', async () => {
    const [item] = await search({ 'tax-id': both['tax-id'] })
    const [seen] = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${both['tax-id']}`)).body.result
    const companies = expect.arrayContaining(
      [one, two].map(({ taxId }) => ({ 'tax-id': taxId, name: companyBody.name })),
    )
    expect(item).toEqual({ ...seen, benefits: seen.benefits.map(withoutCarrierCodes), companies })
    expect(item.companies).toHaveLength(2)
    expect(item.benefits).toHaveLength(2)
  })

  test('company-tax-id shows only what the company has; include-inactive also people who left', async () => {
    const [item, ...more] = await search({ q: 'zoe', 'company-tax-id': two.taxId })
    expect(more).toEqual([])
    expect(item.benefits.map((benefit: Json) => benefit['company-tax-id'])).toEqual([two.taxId])
    const names = async (values: Record<string, string>) =>
      (await search({ q: 'zoe', 'company-tax-id': one.taxId, ...values })).map((found) => found.profile.name).toSorted()
    expect(await names({})).toEqual([both['name']])
    expect(await names({ 'include-inactive': 'true' })).toEqual([both['name'], left['name']].toSorted())
    expect(await search({ 'company-tax-id': '11222333000181' })).toEqual([])
    expect(await search({ q: 'outra-1', 'company-tax-id': one.taxId })).toEqual([])
  })

  test('is paginated, by CPF', async () => {
    const page = await read('/member?disclose=true&include-inactive=true&items-per-page=1&page=2')
    expect(page.pagination).toMatchObject({ 'current-page': 2, 'previous-page': 1 })
    const all = (await read('/member?disclose=true&include-inactive=true&items-per-page=500')).result
    expect(page.result).toEqual([all[1]])
    const taxIds = all.map((item: Json) => item.profile['tax-id'])
    expect(taxIds).toEqual(taxIds.toSorted())
  })

  test('/{member-id} has the registration data of each company, and benefits of every status', async () => {
    const [{ id }] = await search({ 'tax-id': both['tax-id'] })
    const { result } = await read(`/member/${id.toUpperCase()}?disclose=true`)
    const seen = expectOk(await partner.get(`/v1/member/${id}`)).body.result
    const benefits = seen.benefits.map(withoutCarrierCodes)
    expect(result).toEqual({ ...seen, benefits, companies: expect.any(Array), family: [] })
    expect(result.registrations.map((item: Json) => [item['company-tax-id'], item['employee-id']])).toEqual([
      [one.taxId, 'MAT-4711'],
      [two.taxId, 'OUTRA-1'],
    ])
    expect(result.registrations[0]).toMatchObject({ 'bank-account-number': '12345' })
    const [gone] = await search({ 'tax-id': left['tax-id'], 'include-inactive': 'true' })
    expect((await read(`/member/${gone.id}`)).result.benefits[0].status).toBe('inactive')
  })

  test('shows no CPF, document and bank data, whoever asks; a disclosure shows them, and is audited', async () => {
    const bank = {
      cns: '705008734026156',
      pis: '12054789366',
      'birth-declaration-number': '30728419354',
      'identity-document-number': '34.192.708-5',
      'bank-number': '341',
      'bank-branch-number': '7788',
      'bank-account-number': '99887-6',
      'bank-account-owners-name': 'Titular da Conta',
      'bank-account-owners-tax-id': nextCpf(),
    }
    const mother = primary({ name: 'Yara Mascarada', ...bank })
    const child = dependent(mother['tax-id'], { name: 'Yara Mascarada Filha' })
    await testApp.include(partner, one, [mother, child], '?resolution=approve')
    const people = await search({ q: 'yara mascarada', disclose: 'false' })
    const open = await search({ q: 'yara mascarada' })
    const disclosedOf = async (target: string) => {
      const rows = await testApp.operator.get(`/operator/v1/audit?action=member.disclosed&target=${target}`)
      return expectOk(rows).body.result.length
    }
    // The search with `disclose=true` has left one row for the page, which each person of it has.
    expect(await Promise.all(open.map((item) => disclosedOf(item.id)))).toEqual([1, 1])
    const [page] = expectOk(await testApp.operator.get('/operator/v1/audit?action=member.disclosed')).body.result
    expect(page.target.split(' ').toSorted()).toEqual(open.map(({ id }) => id).toSorted())
    expect(page['company-tax-id']).toBe(one.taxId)
    const hidden = (taxId: string) => `***.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-**`
    expect(people.map(({ profile }) => profile['tax-id'])).toEqual(open.map(({ profile }) => hidden(profile['tax-id'])))
    expect(open.map(({ profile }) => profile['tax-id']).toSorted()).toEqual(
      [mother, child].map((one) => one['tax-id']).toSorted(),
    )
    const primaries = people.map(({ benefits }) => benefits[0]['primary-member-tax-id'])
    expect(primaries.toSorted()).toEqual([hidden(mother['tax-id']), null])

    const { id } = open.find(({ profile }) => profile['tax-id'] === mother['tax-id'])
    const response = expectOk(await analyst.get(`/operator/v1/member/${id}`))
    for (const value of [mother['tax-id'], child['tax-id'], ...Object.values(bank)]) {
      // With its quotes: an id may have the digits of a bank.
      expect(response.text).not.toContain(`"${value}"`)
      expect(JSON.stringify(people)).not.toContain(`"${value}"`)
    }
    const [registration] = response.body.result.registrations
    expect(registration).toMatchObject({
      'company-tax-id': one.taxId,
      name: mother.name,
      'tax-id': hidden(mother['tax-id']),
      'bank-account-number': '***',
      'bank-account-owners-tax-id': hidden(bank['bank-account-owners-tax-id']),
    })
    const [unmasked] = (await read(`/member/${id}?disclose=true`)).result.registrations
    expect(await disclosedOf(id)).toBe(2)
    expect(unmasked).toMatchObject(bank)
    expect(Object.keys(registration)).toEqual(Object.keys(unmasked))

    const path = `/operator/v1/member/${id}/disclosure`
    const disclosed = expectOk(await analyst.post(path))
    expect(disclosed.body.result).toEqual({
      'tax-id': mother['tax-id'],
      registrations: [{ 'company-tax-id': one.taxId, ...bank }],
    })
    const audit = await testApp.operator.get(`/operator/v1/audit?action=member.disclosed&target=${id}`)
    const row = { actor: analyst.clientId, 'company-tax-id': one.taxId }
    expect(expectOk(audit).body.result).toMatchObject([row, row, row])
    expect(audit.text).not.toContain(mother['tax-id'])
    expect((await auditor.post(path)).status).toBe(403)
    for (const refused of [`/member/${id}?disclose=true`, '/member?q=yara%20mascarada&disclose=true']) {
      const response = await auditor.get(`/operator/v1${refused}`)
      expect([response.status, response.body.error]).toEqual([403, 'Not allowed for this role'])
    }
    expect((await read(`/member/${id}`, auditor)).result.profile['tax-id']).toBe(hidden(mother['tax-id']))
    expect(await disclosedOf(id)).toBe(3)
    const missing = await analyst.post(`/operator/v1/member/${unknown}/disclosure`)
    expect([missing.status, missing.body.code]).toEqual([404, 'member-not-found'])
  })

  test('a disclosure of a member without bank data, of two companies, leaves a row for each', async () => {
    const [{ id }] = await search({ 'tax-id': both['tax-id'] })
    const { result } = expectOk(await analyst.post(`/operator/v1/member/${id.toUpperCase()}/disclosure`)).body
    expect(result['tax-id']).toBe(both['tax-id'])
    expect(result.registrations).toEqual(
      [one, two].map(({ taxId }) => ({ 'company-tax-id': taxId, 'bank-account-number': '12345' })),
    )
    const audit = await testApp.operator.get(`/operator/v1/audit?action=member.disclosed&target=${id}`)
    const rows: Json[] = expectOk(audit).body.result.slice(0, 2)
    expect(rows.map((row) => row['company-tax-id']).toSorted()).toEqual([one.taxId, two.taxId].toSorted())
    expect(rows[0]?.at).toBe(rows[1]?.at)
  })

  test('400, 403 and 404', async () => {
    for (const bad of ['q=ab', 'tax-id=1', 'company-tax-id=1', 'page=0', 'filter=tax-id']) {
      const response = await analyst.get(`/operator/v1/member?${bad}`)
      expect([bad, response.status, response.body.error]).toEqual([bad, 400, 'Invalid parameter'])
    }
    expect((await finance.get('/operator/v1/member')).status).toBe(403)
    const missing = await analyst.get(`/operator/v1/member/${unknown}`)
    expect([missing.status, missing.body.error]).toEqual([404, 'Member not found'])
    expect((await analyst.get('/operator/v1/member/x')).body.error).toBe('Invalid member-id')
    // A rejected inclusion alone makes no member.
    const rejected = primary()
    const request = await testApp.include(partner, one, [rejected], '?resolution=reject')
    const enrollmentId = request['status-by-tax-id'][rejected['tax-id']][health]['enrollment-id']
    const { 'member-id': id } = (await read(`/enrollment/${enrollmentId}`)).result
    expect((await analyst.get(`/operator/v1/member/${id}`)).status).toBe(404)
    expect(await search({ 'tax-id': rejected['tax-id'], 'include-inactive': 'true' })).toEqual([])
  })
})

test('GET /operator/v1/benefit lists the benefits as a partner of all the companies sees them', async () => {
  const mother = primary()
  await testApp.include(partner, one, [mother, dependent(mother['tax-id'])], '?resolution=approve')
  const waiting = { ...mother, products: inProduct('dental-insurance', dental) }
  await testApp.include(partner, one, [waiting])
  for (const values of [
    {},
    { 'member-tax-id': mother['tax-id'] },
    { 'member-tax-id': mother['tax-id'], 'include-inactive': 'true' },
    { 'company-tax-id': two.taxId },
    { 'items-per-page': '2', page: '2' },
  ] as Record<string, string>[]) {
    const text = query(values)
    const seen = expectOk(await partner.get(`/v1/benefit?${text}`)).body
    const expected = { ...seen, result: seen.result.map(withoutCarrierCodes) }
    expect([text, await read(`/benefit?${text}`)]).toEqual([text, expected])
  }
  expect((await read(`/benefit?company-tax-id=11222333000181`)).result).toEqual([])
  const masked = (await read(`/benefit?member-tax-id=${mother['tax-id']}`, auditor)).result
  expect(masked.map((item: Json) => item['member-tax-id'])).toEqual([
    expect.stringMatching(/^\*{3}\.\d{3}\.\d{3}-\*\*$/),
  ])
  expect((await finance.get('/operator/v1/benefit')).status).toBe(403)
})

test('what the carrier knows a benefit by is shown to operators, never to partners', async () => {
  const mother = primary()
  await testApp.include(partner, one, [mother], '?resolution=approve')
  const values = { 'member-tax-id': mother['tax-id'] }
  const [{ 'benefit-id': id, 'member-id': memberId }] = (await read(`/benefit?${query(values)}`)).result
  const codes = { 'carrier-certificate': '0012345', 'carrier-dependent-code': '01' }
  await testApp.sql(
    `update benefit set carrier_certificate = '0012345', carrier_dependent_code = '01' where company_id = $1 and id = $2`,
    [one.id, id],
  )
  expect((await read(`/benefit?${query(values)}`)).result).toMatchObject([codes])
  expect((await read(`/member/${memberId}`)).result.benefits).toMatchObject([codes])
  expect((await read(`/member?tax-id=${mother['tax-id']}`)).result).toMatchObject([{ benefits: [codes] }])
  const card = { 'card-number': '77', reason: 'Digitado errado' }
  expect(expectOk(await analyst.post(`/operator/v1/benefit/${id}/correction`, card)).body.result).toMatchObject(codes)
  for (const path of [`/v1/benefit?${query(values)}`, `/v1/member/${memberId}`]) {
    expect(expectOk(await partner.get(path)).text).not.toMatch(/carrier-certificate|carrier-dependent-code|0012345/)
  }
})

test('GET /operator/v1/member/{member-id} names the family, as the primary and as a dependent see it', async () => {
  const mother = primary({ name: 'Mãe Família' })
  const child = dependent(mother['tax-id'], { name: 'Filho Família' })
  const sibling = dependent(mother['tax-id'], { name: 'Irmã Família', 'dependent-type': 'stepchild' })
  await testApp.include(partner, two, [mother, child, sibling], '?resolution=approve')
  const ids = new Map<string, string>()
  for (const { id, profile } of (await read('/member?q=fam%C3%ADlia')).result) ids.set(profile.name, id)
  const familyOf = async (name: string) =>
    (await read(`/member/${ids.get(name)}`)).result.family.map((one: Json) => {
      expect(one).toEqual({ ...one, 'member-id': ids.get(one.name), 'company-tax-id': two.taxId, status: 'active' })
      return [one.name, one.type, one['dependent-type']]
    })
  const asDependents = [
    ['Filho Família', 'dependent', child['dependent-type']],
    ['Irmã Família', 'dependent', 'stepchild'],
  ]
  expect(await familyOf('Mãe Família')).toEqual(asDependents)
  expect(await familyOf('Filho Família')).toEqual([['Mãe Família', 'primary', null], asDependents[1]])
})

test('GET /operator/v1/request lists the requests of all partners, and shows one with its parts', async () => {
  const member = primary()
  const body = { 'company-tax-id': one.taxId, members: [member], reference: 'lote-7' }
  const { 'request-id': id } = expectOk(await partner.post('/v1/enrollment/inclusion', body)).body
  const request = await testApp.finished(partner, id)
  const named = { 'company-name': companyBody.name, 'draft-id': null }
  expect(await read(`/request/${id}`)).toEqual({
    result: { ...request, ...named, 'part-summary': { 'enrollment-created': 1 } },
  })
  const { 'status-by-tax-id': _byTaxId, parts: _parts, ...own } = request
  const summary = { ...own, ...named }
  expect((await read('/request?reference=lote-7')).result).toEqual([summary])
  expect((await read(`/request?items-per-page=1`, auditor)).result).toEqual([summary])
  for (const values of [
    { 'company-tax-id': two.taxId },
    { 'request-type': 'exclusion' },
    { status: 'completed', 'items-per-page': '2', page: '2' },
    { 'from-dt': '2020-01-01', 'until-dt': '2020-01-02' },
  ] as Record<string, string>[]) {
    const text = query(values)
    const seen = expectOk(await partner.get(`/v1/request?${text}`)).body
    const result = seen.result.map((one: Json) => ({ ...one, ...named }))
    expect([text, await read(`/request?${text}`)]).toEqual([text, { ...seen, result }])
  }
  const range = await analyst.get('/operator/v1/request?from-dt=2026-01-02&until-dt=2026-01-01')
  expect([range.status, range.body.error]).toEqual([
    400,
    "Invalid date filter: 'until-dt' must be greater than 'from-dt'",
  ])
  const missing = await analyst.get(`/operator/v1/request/${unknown}`)
  expect([missing.status, missing.body.error]).toEqual([404, 'Request not found'])
  expect((await finance.get(`/operator/v1/request/${id}`)).status).toBe(403)
})

test('GET /operator/v1/invoice lists the invoices in every status, and shows one', async () => {
  const paid = await putInvoice(testApp, one, { 'due-date': '2026-10-10', amount: 10 })
  const slip = await putFile(testApp, paid, { due: '2026-10-10' })
  expectOk(await mark(testApp, paid, slip, 'paid'))
  const overdue = await putInvoice(testApp, two, { 'due-date': '2026-10-09', amount: 9_000_000_000_000_000 })
  const pending = await putInvoice(testApp, two, { 'due-date': '2026-12-09', amount: 1 })
  const ids = async (values: Record<string, string>) =>
    (await read(`/invoice?${query(values)}`, finance)).result.map((invoice: Json) => invoice.id)
  const totals = async (values: Record<string, string>) => (await read(`/invoice?${query(values)}`, finance)).totals
  expect(await ids({})).toEqual([overdue, paid, pending])
  // Totals are those of the whole list, whatever the page.
  expect(await totals({ 'items-per-page': '1', page: '2' })).toEqual({ count: 3, amount: 9_000_000_000_000_011 })
  expect(await totals({ 'company-tax-id': two.taxId })).toEqual({ count: 2, amount: 9_000_000_000_000_001 })
  expect(await totals({ status: 'all-paid' })).toEqual({ count: 1, amount: 10 })
  expect(await totals({ 'from-dt': '2030-01-01' })).toEqual({ count: 0, amount: 0 })
  expect(await ids({ status: 'all-paid' })).toEqual([paid])
  expect(await ids({ status: 'all-overdue' })).toEqual([overdue])
  expect(await ids({ 'company-tax-id': two.taxId })).toEqual([overdue, pending])
  expect(await ids({ 'from-dt': '2026-10-10', 'until-dt': '2026-12-09' })).toEqual([paid, pending])
  expect(await ids({ 'items-per-page': '1', page: '2' })).toEqual([paid])
  const { result } = await read(`/invoice/${encodeURIComponent(paid)}`, auditor)
  expect(result).toMatchObject({ id: paid, 'invoice-status': 'all-paid', files: [{ 'file-id': slip, status: 'paid' }] })
  expect(result).toEqual(expectOk(await partner.get(`/v1/invoices/${encodeURIComponent(paid)}`)).body.result)
  const missing = await finance.get(invoicePath('none'))
  expect([missing.status, missing.body.error]).toEqual([404, 'Invoice not found'])
  expect((await analyst.get(invoicePath(paid))).status).toBe(403)
  expect((await analyst.get('/operator/v1/invoice')).status).toBe(403)
})

test('GET /operator/v1/invoice/{invoice-id}/download sends one file or the ZIP of all, of any company', async () => {
  const [first, second] = [pdfOf(3_000), pdfOf(4_000)]
  const id = await putInvoice(testApp, one)
  const fileId = await putFile(testApp, id, { name: 'boleto.pdf', bytes: first })
  await putFile(testApp, id, { name: 'fatura.pdf', type: 'invoice', bytes: second })
  const path = `${invoicePath(id)}/download`
  const zip = await download(testApp, auditor, path)
  expect(zip.headers.get('content-type')).toBe('application/zip')
  expect(unzip(zip.bytes).map(({ name, bytes }) => [name, bytes])).toEqual([
    ['boleto.pdf', first],
    ['fatura.pdf', second],
  ])
  const file = await download(testApp, finance, `${path}?file-id=${fileId}`)
  expect([file.status, file.bytes.equals(first)]).toEqual([200, true])
  const part = await download(testApp, finance, `${path}?file-id=${fileId}`, { range: 'bytes=0-3' })
  expect([part.status, part.bytes.toString()]).toEqual([206, '%PDF'])
  const other = await putInvoice(testApp, two)
  expect((await download(testApp, finance, `${invoicePath(other)}/download?file-id=${fileId}`)).status).toBe(404)
  expect((await download(testApp, finance, `${invoicePath('none')}/download`)).status).toBe(404)
  expect((await download(testApp, analyst, path)).status).toBe(403)
})

test('GET /operator/v1/member/import lists the imports, newest first, without their errors', async () => {
  const line = holder(one)
  const ids = [uuidv7(), uuidv7()]
  expectOk(await sendImport(analyst, ndjson([line, {}]), { query: `?import-id=${ids[0]}&dry-run=true` }))
  const named = `&file-name=carteira%201.ndjson&company-tax-id=${one.taxId}`
  expectOk(await sendImport(analyst, ndjson([line]), { query: `?import-id=${ids[1]}${named}` }))
  // As a process leaves it that ended: nothing holds its lock.
  await testApp.sql(
    `insert into member_import (id, actor, dry_run, status, created_at) values ($1, 'x', false, 'running', '2026-01-01')`,
    [unknown],
  )
  const { result, pagination } = await read('/member/import', auditor)
  expect(result.map((item: Json) => [item['import-id'], item.status, item['dry-run'], item.rejected])).toEqual([
    [ids[1], 'done', false, 0],
    [ids[0], 'done', true, 1],
    [unknown, 'broken', false, 0],
  ])
  expect(result.map((item: Json) => [item['file-name'], item['company-name'], item['actor-name']])).toEqual([
    ['carteira 1.ndjson', companyBody.name, 'analyst'],
    [null, null, 'analyst'],
    [null, null, 'x'],
  ])
  expect(result[0]).not.toHaveProperty('errors')
  expect(pagination['total-items']).toBe(3)
  expect((await read('/member/import?items-per-page=1&page=2')).result).toEqual([result[1]])
  expect((await finance.get('/operator/v1/member/import')).status).toBe(403)
})

test('an auditor gets no CPF and no bank data of the queue, a movement and the export', async () => {
  const bank = { 'bank-account-number': '55443-2', 'bank-account-owners-name': 'Dono da Conta' }
  const owner = primary({ name: 'Ulisses Auditado', ...bank })
  const son = dependent(owner['tax-id'], { name: 'Ulisses Auditado Filho' })
  await testApp.include(partner, one, [owner, son], '?resolution=approve')
  const change = { 'bank-account-number': '77665-4' }
  const path = `/v1/enrollment/alteration/${owner['tax-id']}`
  expectOk(await partner.post(path, { 'company-tax-id': one.taxId, 'alteration-data': change }))
  const secrets = [owner['tax-id'], son['tax-id'], ...Object.values(bank), change['bank-account-number']]
  const selection = query({ q: 'ulisses auditado' })
  const queue: Json[] = (await read(`/enrollment?${selection}`)).result
  const altered = queue.find((item) => item['enrollment-type'] === 'alteration')
  const paths = [`/enrollment?${selection}`, `/enrollment/${altered?.id}`, `/enrollment/export?${selection}`]
  for (const one of paths) {
    const [shown, hidden] = [await analyst.get(`/operator/v1${one}`), await auditor.get(`/operator/v1${one}`)]
    expect([one, hidden.status, shown.text.includes(owner['tax-id'])]).toEqual([one, 200, true])
    expect([one, secrets.filter((secret) => hidden.text.includes(secret))]).toEqual([one, []])
  }
  const { result } = await read(`/enrollment/${altered?.id}`, auditor)
  expect(result.difference).toEqual([{ field: 'bank-account-number', old: '***', new: '***' }])
})
