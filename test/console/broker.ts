/*
 * The data of a broker, made through the API, with something to see in each area of the console: movements of all types and statuses, a request
 * with failures, documents, notes, decisions of the last days, invoices, an import with errors, a webhook endpoint that fails.
 */
import { writePdf } from '#platform/pdf/write.ts'
import { discrepanciesOf, reconcile, upload } from '../world/carrier-file.ts'
import { benefitsOf, createContinuation } from '../world/continuation.ts'
import { csv, holder, sendImport } from '../world/import.ts'
import { calendar, makeContract } from '../world/contract.ts'
import { putFile, putInvoice } from '../world/invoice.ts'
import { draftBody, openDrafts } from '../world/draft.ts'
import {
  childOf,
  factorOf,
  invitationBody,
  invitationPath,
  invited,
  type Link,
  submissionOf,
  tryFactor,
} from '../world/onboarding.ts'
import { employee, sendList } from '../world/rosters.ts'
import { insertExport, payrollProfile } from '../world/payroll.ts'
import { putBands } from '../world/price.ts'
import { openShipmentOf } from '../world/shipment.ts'
import { openReceiver } from '../world/receiver.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  nextCpf,
  primary,
  type TestApp,
  until,
} from '../world/test-app.ts'
import { formOf, newSlot, pdf, sendForm } from '../world/upload.ts'

export interface Broker {
  readonly companies: readonly Company[]
  readonly partner: Client
  readonly analyst: Client
  /** A request with failures. */
  readonly requestId: string
  /** An open movement with a document, a note and an assignee. */
  readonly enrollmentId: string
  readonly memberId: string
  /** An employee whose employment has ended. */
  readonly leaverId: string
  readonly invoiceId: string
  readonly importId: string
  readonly endpointId: string
  readonly contractId: string
  /** Both of the contract, for months that nothing else is about. */
  readonly priceTableId: string
  readonly contributionRuleId: string
  /** The open shipment of the contract. */
  readonly shipmentId: string
  /** A roster of the contract that was compared. */
  readonly carrierFileId: string
  /** A claim for an invoice of the contract, not sent. */
  readonly claimId: string
  readonly continuationId: string
  /** What the company asks the broker for, with a document. */
  readonly draftId: string
  /** A list of who should be covered that was compared, with differences. */
  readonly rosterSyncId: string
  /** A bulk decision. */
  readonly jobId: string
  /** Not built in. */
  readonly layoutId: string
  /** An erasure that is planned, not approved. */
  readonly subjectRequestId: string
  /** What an employee has sent, to be approved, and the token of the link of another one, to whom it was returned. */
  readonly invitationId: string
  readonly onboarding: Link
}

const first = ['Helena', 'Davi', 'Conceição', 'João', 'Letícia', 'Otávio', 'Íris', 'Antônio', 'Luíza', 'Caetano']
const last = ['Brandão Souza', 'Kobayashi', 'Nascimento Lima', 'Müller', 'Assunção', 'Prado Falcão', 'D’Ávila']

/** The rule of required documents. */
export const ruleId = '01995e0b-7c11-7f22-8b33-4d5e6f708192'

/** The name of the n-th person. */
const nameOf = (n: number) => `${first[n % first.length]} ${last[n % last.length]}`

/** Employees who were invited and have sent their data; the data of the second are returned. */
async function onboard(
  testApp: TestApp,
  partner: Client,
  company: Company,
  text: (harmless: string) => string,
): Promise<{ readonly invitationId: string; readonly onboarding: Link }> {
  const links: Link[] = []
  for (const n of [50, 51]) {
    const job = { 'job-title': text('Analista'), 'cost-center': text('Fábrica') }
    const link = await invited(partner, invitationBody(company, { name: text(nameOf(n)), ...job }))
    const { session } = expectOk(await tryFactor(testApp, link.token, factorOf(link))).body.result
    const headers = { 'onboarding-token': link.token, 'onboarding-session': session as string }
    const form = formOf([{ field: 'file', fileName: text('certidão.pdf'), bytes: pdf }])
    const type = { 'content-type': 'multipart/form-data; boundary=vigencia-5f2c' }
    const sent = await testApp.call('POST', '/onboarding/v1/document', { body: form, headers: { ...headers, ...type } })
    const documents = [{ 'document-id': expectOk(sent).body['document-id'], 'document-type': 'other' }]
    const written = {
      name: text(nameOf(n)),
      'mothers-name': text(nameOf(n + 1)),
      'address-street': text('Rua das Flores'),
    }
    const { member, ...submission } = submissionOf(link, {
      dependents: [childOf(company, { name: text(nameOf(n + 2)), 'mothers-name': text(nameOf(n)), documents })],
    })
    const body = { ...submission, member: { ...member, ...written } }
    expectOk(await testApp.call('POST', '/onboarding/v1/submission', { body, headers }))
    links.push(link)
  }
  const [waiting, returned] = links as [Link, Link]
  expectOk(await partner.post(`${invitationPath}/${returned.id}/return`, { message: text('Falta o nome da mãe') }))
  return { invitationId: waiting.id, onboarding: returned }
}

/** Somebody unknown is charged, and claimed. @returns the id of the claim. */
async function claim(testApp: TestApp, contractId: string, text: (harmless: string) => string): Promise<string> {
  const line = { name: text('Zilda Falcão'), 'tax-id': nextCpf(), amount: '123,45' }
  const { 'file-id': id } = await upload(testApp, { contractId, kind: 'invoice' }, csv([line]))
  const { 'reconciliation-id': reconciliationId } = await reconcile(testApp, id)
  const [unknown] = await discrepanciesOf(testApp, reconciliationId)
  const body = { 'reconciliation-id': reconciliationId, 'discrepancy-ids': [unknown?.['discrepancy-id']] }
  return expectOk(await testApp.operator.post('/operator/v1/claim', body)).body.result['claim-id']
}

/** Puts a rule of contribution. @returns its id. */
async function putShare(testApp: TestApp, more: Json): Promise<string> {
  const half = { 'basis-points': 5000 }
  const body = { 'primary-employee-share': half, 'dependent-employee-share': half, ...more }
  const put = await testApp.operator.put(`/operator/v1/contribution-rule/${ruleId}`, body)
  return expectOk(put).body.result['contribution-rule-id']
}

/** @param text what each free text becomes, such as a hostile one. */
export async function makeBroker(
  testApp: TestApp,
  text: (harmless: string) => string = (same) => same,
): Promise<Broker> {
  const companies: Company[] = []
  for (const name of ['Metalúrgica Serra Azul S.A.', 'Padaria Aurora Ltda.']) {
    companies.push(await testApp.company({ name: text(name) }))
  }
  const [company, other] = companies as [Company, Company]
  const partner = await testApp.partner(...companies.map(({ taxId }) => taxId))
  const analyst = await testApp.operatorOf('analyst')
  const receiver = await openReceiver()
  receiver.respond = () => ({ status: 500 })
  const endpoint = expectOk(
    await partner.post('/v1/webhook-endpoint', {
      url: `${receiver.url}/folha?equipe=rh`,
      'event-types': ['enrollment.created', 'enrollment.completed'],
    }),
  )

  const slot = await newSlot(partner)
  const bytes = await writePdf('Certidão de nascimento', [text('Registro civil das pessoas naturais')])
  expectOk(await sendForm(slot, [{ field: 'file', fileName: text('certidão.pdf'), bytes }]))
  const parent = primary({ name: text(nameOf(0)) })
  const child = dependent(parent['tax-id'], {
    name: text(nameOf(1)),
    documents: [{ 'document-id': slot.id, 'document-type': 'birth-certificate-or-national-id' }],
  })
  const people = Array.from({ length: 26 }, (_, n) =>
    primary({
      name: text(nameOf(n + 2)),
      'employee-id': `E${100 + n}`,
      reference: text(`folha ${n}`),
      products: n % 3 === 0 ? inProduct('dental-insurance', 'Dental Sorriso') : inProduct('health-insurance', health),
    }),
  )
  const included = await testApp.include(partner, company, [parent, child, ...people])
  await testApp.include(
    partner,
    other,
    Array.from({ length: 8 }, (_, n) => primary({ name: text(nameOf(n + 30)) })),
  )
  const idOf = (member: Json): string => {
    const product = Object.values(included['status-by-tax-id'][member['tax-id']])[0] as Json
    return product['enrollment-id']
  }
  const decide = async (members: Json[], body: Json) =>
    expectOk(await analyst.post('/operator/v1/enrollment/transition', { 'enrollment-ids': members.map(idOf), ...body }))
  await decide([parent, ...people.slice(0, 9)], { status: 'completed' })
  await decide(people.slice(9, 11), { status: 'rejected', reason: text('Carência não cumprida') })
  await decide(people.slice(11, 17), { status: 'broker-processing' })
  await decide(people.slice(11, 14), { status: 'carrier-processing' })
  const enrollmentId = idOf(child)
  expectOk(
    await analyst.post(`/operator/v1/enrollment/${enrollmentId}/transition`, {
      status: 'pending-documents',
      reason: text('A certidão está ilegível'),
      'pending-items': [
        {
          kind: 'document',
          'document-type': 'birth-certificate-or-national-id',
          message: text('Envie a frente e o verso'),
        },
      ],
    }),
  )
  expectOk(await analyst.post(`/operator/v1/enrollment/${enrollmentId}/note`, { text: text('Liguei para o RH') }))
  expectOk(await analyst.put(`/operator/v1/enrollment/${enrollmentId}/assignee`, { assignee: analyst.clientId }))
  const leaver = people[1] as Json
  expectOk(
    await partner.post(`/v1/enrollment/exclusion/${leaver['tax-id']}/company/${company.taxId}`, {
      'exclusion-details': { 'end-date': '2026-11-23', 'exclusion-reason': 'requested-by-beneficiary' },
    }),
  )
  const dismissed = people[7] as Json
  const exclusionPath = `/v1/enrollment/exclusion/${dismissed['tax-id']}/product/${company.products[health]}`
  const [cover] = await testApp.sql(
    `select member.id, to_char(start_date, 'YYYY-MM-DD') as start from benefit
     join member on member.company_id = benefit.company_id and member.id = member_id where tax_id = $1`,
    [dismissed['tax-id']],
  )
  const ended = await partner.post(`${exclusionPath}?resolution=approve`, {
    'exclusion-details': { 'end-date': cover?.['start'], 'exclusion-reason': 'dismissal' },
  })
  await testApp.finished(partner, expectOk(ended).body['request-id'])
  const altered = people[2] as Json
  expectOk(
    await partner.post(`/v1/enrollment/alteration/${altered['tax-id']}`, {
      'alteration-data': { 'mothers-name': text('Fátima Brandão'), phone: '11925618483' },
    }),
  )
  // Two inclusions of one person at the same time: the second of the parts fails.
  const twice = primary({ name: text(nameOf(50)) })
  const body = { 'company-tax-id': company.taxId, members: [twice, primary({ name: text(nameOf(51)) })] }
  const requests = await Promise.all([1, 2].map(() => partner.post('/v1/enrollment/inclusion', body)))
  const finished = await Promise.all(
    requests.filter(({ status }) => status === 200).map((one) => testApp.finished(partner, one.body['request-id'])),
  )
  const requestId = (finished.find(({ status }) => status !== 'completed') ?? finished[0])['request-id']

  const held = { benefitId: (await benefitsOf(partner, (people[4] as Json)['tax-id']))[0]?.['benefit-id'] }
  const continuation = await createContinuation(testApp, held)
  const members = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${leaver['tax-id']}`)).body.result
  const profile = { ...payrollProfile, basis: 'effective-date', 'first-month': '2026-09' }
  expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, profile))
  await insertExport(testApp, company, members[0].id)
  const invoiceId = await putInvoice(testApp, company, { 'carrier-name': text('Operadora Aurora') })
  await putFile(testApp, invoiceId, { name: text('boleto.pdf') })
  await putFile(testApp, invoiceId, { name: text('nota fiscal.pdf'), type: 'invoice' })
  await putInvoice(testApp, other, { amount: 96_720, 'due-date': '2026-11-03' })
  const contract = await makeContract(testApp, company, {
    'sub-contract': '0002',
    'carrier-company-code': text('EMP-0042').slice(0, 30),
    plans: [{ 'product-id': company.products[health], 'carrier-plan-code': 'AE1230', 'ans-plan-number': '471234567' }],
    'age-on': 'birthday-month',
    proration: 'none',
    channel: 'portal',
    'show-discrepancies': true,
    calendar: calendar(20, { exceptions: [{ month: '2026-12', 'cut-off-date': '2026-12-10' }] }),
    contacts: [{ name: text('Mesa de Movimentação'), email: 'mesa@aurora.example' }],
  })
  await openDrafts(testApp, other, 2)
  expectOk(
    await testApp.operator.put(`/operator/v1/requirement-rule/${ruleId}`, {
      name: text('Companheiro: declaração de união estável'),
      when: {
        'company-tax-ids': [company.taxId],
        movements: ['inclusion'],
        'beneficiary-types': ['dependent'],
        'dependent-types': ['partner'],
      },
      require: [
        {
          'any-of': ['stable-union-declaration', 'document-proving-relationship'],
          of: 'dependent',
          message: text('Declaração de união estável com firma reconhecida'),
        },
      ],
    }),
  )
  const lines = [
    holder(company, { name: text('Caetano Prado Falcão') }),
    holder(company, { 'tax-id': '12345678900' }),
    holder(company, { name: text('Íris Assunção'), 'date-of-birth': '2190-01-01', 'tax-id': nextCpf() }),
  ]
  const imported = await sendImport(testApp.operator, csv(lines), { type: 'text/csv' })

  const hold = { 'company-tax-id': other.taxId, reason: text('Fiscalização do trabalho') }
  expectOk(await testApp.operator.post('/operator/v1/legal-hold', hold))

  const roster = [{ name: text('Zilda Falcão'), 'tax-id': nextCpf(), 'card-number': '88', 'start-date': '2026-01-01' }]
  const { 'file-id': carrierFileId } = await upload(testApp, { contractId: contract['contract-id'] }, csv(roster))
  await reconcile(testApp, carrierFileId)

  const claimId = await claim(testApp, contract['contract-id'], text)
  const proof = await newSlot(partner)
  expectOk(await sendForm(proof, [{ field: 'file', fileName: text('comprovante.pdf'), bytes }]))
  const correction = {
    phone: '11987650000',
    'address-street': text('Rua das Acácias'),
    documents: [{ 'document-id': proof.id, 'document-type': 'proof-of-residency' }],
  }
  const asked = {
    ...draftBody(company),
    comment: text('Mudou de endereço'),
    members: [{ 'tax-id': altered['tax-id'], 'alteration-data': correction }],
  }
  const draft = expectOk(await partner.post('/v1/movement-draft', asked)).body.result
  const listed = [
    employee(60, { name: text('Paulo Quadros Lins') }),
    employee(61, { name: text('Sônia Reis'), 'product-name': text('Plano Ouro') }),
    employee(62, { name: text('Igor Pires'), gender: 'x' }),
    { ...altered, 'mothers-name': text('Fátima Prado'), 'cost-center': text('Fábrica') },
  ]
  const statement = { states: ['people'], reference: text('folha 2026-11') }
  const sync = await sendList(partner, company, listed, statement)
  const jobs = await testApp.call('POST', '/operator/v1/enrollment/decision', {
    token: analyst.token,
    body: Buffer.from(JSON.stringify({ 'enrollment-id': idOf(people[17] as Json), status: 'broker-processing' })),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const subjectPath = '/operator/v1/subject-request'
  const erasure = { 'tax-id': leaver['tax-id'], kind: 'erasure', note: text('Por e-mail') }
  const subjectRequestId = expectOk(await testApp.operator.post(subjectPath, erasure)).body.result['subject-request-id']
  expectOk(await testApp.operator.post(`${subjectPath}/${subjectRequestId}/plan`))
  const layout = expectOk(
    await testApp.operator.post('/operator/v1/layout', {
      name: text('Planilha da operadora'),
      direction: 'movement',
      source: text('Manual da operadora, versão 3'),
      definition: {
        format: 'csv',
        'header-lines': ['headings'],
        records: [{ name: 'movement', columns: [{ heading: text('Nome'), source: 'person.name' }] }],
      },
    }),
  )

  await until(
    async () => expectOk(await testApp.operator.get('/operator/v1/webhook-endpoint?failing=true')).body.result,
    (failing: Json[]) => failing.length > 0,
  )
  await receiver.close()
  const later = { 'contract-id': contract['contract-id'], 'valid-from': '2029-01-01' }
  const contribution = { ...later, 'cost-centers': [text('Fábrica')], 'job-titles': [text('Analista')] }
  return {
    companies,
    partner,
    analyst,
    requestId,
    enrollmentId,
    memberId: members[0].id,
    leaverId: cover?.['id'],
    invoiceId,
    importId: imported.body['import-id'],
    endpointId: endpoint.body.result.id,
    contractId: contract['contract-id'],
    priceTableId: (await putBands(testApp, contract['contract-id'], later))['price-table-id'],
    contributionRuleId: await putShare(testApp, contribution),
    shipmentId: await openShipmentOf(testApp, contract['contract-id']),
    carrierFileId,
    claimId,
    draftId: draft['draft-id'],
    rosterSyncId: sync['roster-sync-id'],
    continuationId: continuation['continuation-id'],
    jobId: jobs.body.result['job-id'],
    layoutId: layout.body.result['layout-id'],
    subjectRequestId,
    ...(await onboard(testApp, partner, company, text)),
  }
}
