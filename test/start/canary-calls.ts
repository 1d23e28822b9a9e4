import { request } from 'node:http'
import { businessDate } from '#kernel/calendar.ts'
import { type ApiResponse, expectOk, type Json, sendUnchecked, until } from '../world/test-app.ts'
import { formOf } from '../world/upload.ts'
import { changes, cpfs, dotted, fileName, gossip, person } from './canaries.ts'

const { mother, child, corrected, stranger, imported, invited, baby } = cpfs
export const cnpj = '11222333000181'
const product = 'Saúde Essencial'

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiResponse>

export interface Service {
  readonly url: string
  /** A call of the partner. */
  readonly partner: Call
  /** A call of the operator, with the cookie of a session of the console. */
  readonly operator: Call
}

export const inclusion = (...members: unknown[]) => ({ 'company-tax-id': cnpj, members })
export const primaryOf = (cpf: string, more: object = {}) => ({
  ...person,
  'beneficiary-type': 'primary',
  'tax-id': cpf,
  ...more,
})

export async function finished({ partner }: Service, response: ApiResponse): Promise<Json> {
  const id = expectOk(response).body['request-id']
  return until(
    async () => expectOk(await partner('GET', `/v1/request/${id}`)).body,
    (body) => body.status !== 'processing',
  )
}

/** A family is included with a document, altered, excluded in part and decided on; each movement is sent twice with its key. */
export async function moveFamily(service: Service): Promise<void> {
  const { partner, operator } = service
  const slot = expectOk(await partner('POST', '/v1/enrollment/document-upload-url')).body
  const bytes = `%PDF-1.7\n${person.name} ${mother}\n`
  const form = formOf([{ field: 'file', fileName: `${fileName}.pdf`, type: 'application/pdf', bytes }])
  const headers = { 'content-type': 'multipart/form-data; boundary=vigencia-5f2c' }
  expectOk(await sendUnchecked(slot['upload-url'], 'POST', { body: form, headers }))
  const documents = [{ 'document-id': slot['document-id'], 'document-type': 'marriage-certificate' }]
  const family = inclusion(primaryOf(mother, { documents }), {
    ...person,
    'beneficiary-type': 'dependent',
    'tax-id': child,
    'primary-member-tax-id': mother,
    'dependent-type': 'child',
  })
  const send = async (path: string, body: unknown) => {
    const key = { 'idempotency-key': `movement ${path}` }
    const first = await partner('POST', path, body, key)
    expectOk(await partner('POST', path, body, key))
    return finished(service, first)
  }
  await partner('POST', '/v1/enrollment/inclusion?dry-run=true', family)
  await send('/v1/enrollment/inclusion?resolution=approve', family)
  const alteration = { 'company-tax-id': cnpj, 'alteration-data': changes }
  await send(`/v1/enrollment/alteration/${mother}?resolution=approve`, alteration)
  const leaving = {
    'exclusion-details': {
      'end-date': businessDate(new Date()),
      'exclusion-reason': 'other',
      'exclusion-reason-details': `Ela ${gossip}`,
    },
  }
  const excluded = await send(`/v1/enrollment/exclusion/${child}/dependent-of/${corrected}`, leaving)
  const [part] = Object.values<Json>(excluded['status-by-tax-id']).flatMap((products) => Object.values<Json>(products))
  const review = `/operator/v1/enrollment/${part['enrollment-id']}`
  expectOk(await operator('GET', review))
  const items = [{ kind: 'other', message: `Quem é ${person.name}?` }]
  const question = { status: 'pending-correction', reason: `A ${person.name} ${gossip}`, 'pending-items': items }
  await operator('POST', `${review}/transition`, question)
  expectOk(await operator('POST', `${review}/transition`, { status: 'rejected', reason: `A ${person.name} ${gossip}` }))
}

/** What a company asked the broker for: an inclusion with its evidence, and drafts of alterations, one confirmed and one discarded. */
export async function askBroker(service: Service): Promise<void> {
  const { partner, operator } = service
  const slot = expectOk(await operator('POST', '/operator/v1/enrollment/document-upload-url')).body
  const bytes = `%PDF-1.7\n${person.name} ${cpfs.asked}\n`
  const form = formOf([{ field: 'file', fileName: `${fileName}.pdf`, type: 'application/pdf', bytes }])
  const headers = { 'content-type': 'multipart/form-data; boundary=vigencia-5f2c' }
  expectOk(await sendUnchecked(slot['upload-url'], 'POST', { body: form, headers }))
  const intake = {
    medium: 'email',
    'received-at': new Date(Date.now() - 60_000).toISOString(),
    'requester-name': changes['fathers-name'],
    'requester-contact': person['email-private'],
    documents: [slot['document-id']],
  }
  const asked = { ...inclusion(primaryOf(cpfs.asked)), intake }
  const path = '/operator/v1/enrollment/inclusion'
  const refused = { ...asked, intake: { ...intake, 'requester-name': `${person.name} ${dotted(cpfs.asked)}` } }
  expectStatus(await operator('POST', path, refused), 400)
  await finished(service, await operator('POST', path, asked, { 'idempotency-key': cpfs.asked }))
  const draft = async (data: object) => {
    const members = [{ 'tax-id': corrected, 'alteration-data': data }]
    const body = { 'company-tax-id': cnpj, movement: 'alteration', comment: `Ela ${gossip}`, members }
    return expectOk(await partner('POST', '/v1/movement-draft', body)).body.result['draft-id']
  }
  const confirmed = `/operator/v1/movement-draft/${await draft({ 'address-complement': 'Casa do Canarinho' })}`
  expectOk(await operator('GET', `${confirmed}/item`))
  expectOk(await operator('POST', `${confirmed}/confirm`, { classes: ['correction'] }, { prefer: 'wait=30' }))
  const discarded = `/operator/v1/movement-draft/${await draft({ phone: person.phone })}`
  expectOk(await operator('POST', `${discarded}/discard`, { reason: `A ${person.name} ${gossip}` }))
}

/**
 * An employee is invited, mistakes the second factor, uploads a document, sends the data, which are returned and sent again; they are approved.
 * Another invitation stays as it was sent. @returns the secrets of the link.
 */
export async function onboardEmployee(service: Service): Promise<string[]> {
  const { partner, url } = service
  const { result: products } = expectOk(await partner('GET', `/v1/product?company-tax-id=${cnpj}`)).body
  const { 'product-id': id } = products.find((one: Json) => one['product-name'] === product)
  const { name, 'date-of-birth': born, 'employee-id': employeeId, 'cost-center': costCenter } = person
  const invitation = (cpf: string) => ({
    'company-tax-id': cnpj,
    name,
    'tax-id': cpf,
    'date-of-birth': born,
    'employee-id': employeeId,
    'cost-center': costCenter,
    products: [{ 'product-id': id, 'start-option': 'on-inclusion-date' }],
  })
  const base = '/v1/onboarding-invitation'
  const made = expectOk(await partner('POST', base, invitation(invited))).body.result
  const other = expectOk(await partner('POST', base, { ...invitation(stranger), email: 'convite@people.example' })).body
    .result
  const token: string = made.link.split('#')[1]
  const headers: Record<string, string> = { 'onboarding-token': token }
  const page = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    sendUnchecked(`${url}/onboarding/v1/${path}`, method, { body, headers: { ...headers, ...more } })
  const factor = { 'tax-id-ending': invited.slice(-5), 'date-of-birth': born }
  expectStatus(await page('POST', 'session', { ...factor, 'tax-id-ending': '00000' }), 401)
  const session = expectOk(await page('POST', 'session', factor)).body.result.session
  headers['onboarding-session'] = session
  expectOk(await page('GET', 'invitation'))
  expectOk(await page('POST', 'price', { 'dates-of-birth': [born] }))
  const bytes = `%PDF-1.7\n${name} ${invited}\n`
  const form = formOf([{ field: 'file', fileName: `${fileName}.pdf`, type: 'application/pdf', bytes }])
  const type = { 'content-type': 'multipart/form-data; boundary=vigencia-5f2c' }
  const file = expectOk(await page('POST', 'document', form, type)).body['document-id']
  const people = { 'mothers-name': person['mothers-name'], gender: 'female' }
  const submission = {
    member: { ...people, name, phone: person.phone, documents: [{ 'document-id': file, 'document-type': 'other' }] },
    dependents: [
      {
        ...people,
        name: changes.name,
        'tax-id': baby,
        'date-of-birth': born,
        'dependent-type': 'child',
        'dependent-product-ids': [id],
      },
    ],
    choices: [{ 'product-id': id, choice: 'enroll' }],
  }
  expectStatus(await page('POST', 'submission', { ...submission, [name]: invited }), 400)
  expectOk(await page('POST', 'submission', submission))
  const path = `${base}/${made['invitation-id']}`
  expectOk(await partner('POST', `${path}/return`, { message: `A ${name} ${gossip}` }))
  expectOk(await page('POST', 'submission', submission))
  expectOk(await partner('GET', `${path}/document/${file}`))
  const { result } = expectOk(await partner('GET', path)).body
  await finished(service, await partner('POST', `${path}/approve`, { 'submitted-at': result['submitted-at'] }))
  return [token, session, other.link.split('#')[1]]
}

function expectStatus({ status, text }: ApiResponse, wanted: number): void {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${text}`)
}

/** An import with valid and rejected lines, its progress and its error file. @returns the accepted and rejected lines. */
export async function importPeople({ operator }: Service): Promise<Json> {
  const line = {
    'company-tax-id': cnpj,
    'beneficiary-type': 'primary',
    name: person.name,
    'tax-id': imported,
    'mothers-name': person['mothers-name'],
    'date-of-birth': person['date-of-birth'],
    gender: 'female',
    'product-name': product,
    'start-date': '2024-03-01',
    salary: person.salary,
  }
  const wrong = [
    { ...line, 'tax-id': `${mother}1`, salary: gossip },
    { ...line, gender: person.name, 'product-name': changes['bank-account-owners-name'] },
    { ...line, 'tax-id': stranger, 'start-date': `the day after ${person['date-of-birth']}` },
    `{"name":"${person.name}","tax-id":"${mother}`,
  ]
  const body = [line, ...wrong].map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
  const type = { 'content-type': 'application/x-ndjson' }
  const path = '/operator/v1/member/import'
  await operator('POST', `${path}?dry-run=true`, body, type)
  const result = expectOk(await operator('POST', path, body, type)).body
  expectOk(await operator('GET', `${path}/${result['import-id']}`))
  expectOk(await operator('GET', `${path}/${result['import-id']}/error`, undefined, { accept: 'text/csv' }))
  const sheet = `company-tax-id;name;tax-id\r\n${cnpj};"${person.name};${stranger}\r\n`
  await operator('POST', path, sheet, { 'content-type': 'text/csv' })
  return result
}

const carrierFile = '/operator/v1/carrier-file'
export const csvType = { 'content-type': 'text/csv' }

/** The query of a file of the first contract of the company. */
export async function queryOfFile({ operator }: Service, kind: string): Promise<string> {
  const contracts = expectOk(await operator('GET', `/operator/v1/contract?company-tax-id=${cnpj}`)).body.result
  const contractId: string = contracts[0]['contract-id']
  return `${carrierFile}?contract-id=${contractId}&kind=${kind}&reference-month=2026-01&layout-id=generic-csv-${kind}`
}

/** Sends a file of a carrier about people. @param more of the line. */
export async function sendCarrierFile(service: Service, kind: string, more = ''): Promise<ApiResponse> {
  const amount = kind === 'coparticipation' ? ';12,34' : ''
  const body = `tax-id;name;date-of-birth;card-number${amount && ';amount'}\n${corrected};${person.name}${more};${person['date-of-birth']};77${amount}\n`
  return service.operator('POST', await queryOfFile(service, kind), body, csvType)
}

/** Files of carriers with valid and odd lines are read, compared, linked and exported, and others are refused. */
export async function readCarrierFiles(service: Service): Promise<void> {
  const { operator } = service
  const lines = [
    'tax-id;name;date-of-birth;card-number',
    `${corrected};${person.name};${person['date-of-birth']};77`,
    `${stranger};${changes['bank-account-owners-name']};1980-01-01;78`,
    `${mother}1;${person.name};the day after ${person['date-of-birth']};${gossip}`,
    `"${person.name};${stranger}`,
  ]
  const url = await queryOfFile(service, 'roster')
  const sent = expectOk(await operator('POST', url, `${lines.join('\n')}\n`, csvType)).body.result
  const path = `${carrierFile}/${sent['file-id']}`
  const isRead = ({ body }: ApiResponse) => body.result.status !== 'reading'
  await until(() => operator('GET', path), isRead)
  const of = { 'carrier-file-id': sent['file-id'] }
  const id = expectOk(await operator('POST', '/operator/v1/reconciliation', of)).body.result['reconciliation-id']
  const reconciliation = `/operator/v1/reconciliation/${id}`
  const isComputed = ({ body }: ApiResponse) => body.result.status !== 'computing'
  await until(() => operator('GET', reconciliation), isComputed)
  const all = { filter: {}, status: 'accepted', note: `Ela ${gossip}` }
  const months = `reference-month=2026-01`
  await operator('GET', `${path}/line`)
  await operator('GET', `${path}/content`)
  await operator('GET', `${reconciliation}/discrepancy?q=${encodeURIComponent(person.name)}`)
  await operator('POST', `${reconciliation}/discrepancy`, all)
  await operator('GET', `${reconciliation}/export`)
  await operator('POST', `${path}/line/1/link`, { 'benefit-id': person.name })
  expectOk(await sendCarrierFile(service, 'coparticipation'))
  await operator('GET', `/operator/v1/company/${cnpj}/cost?${months}&group-by=person`)
  await operator('GET', `/operator/v1/payroll?company-tax-id=${cnpj}&${months}`)
  await operator('GET', `/operator/v1/company/${cnpj}/tax-figures?year=2026`)
  // Refused: names of files, headings, layouts and months that are people.
  const name = encodeURIComponent(`${fileName} ${person.name}.csv`)
  await operator('POST', `${url}x&name=${name}`, lines.join('\n'), csvType)
  await operator('POST', url, `${person.name};${mother}\n1;2\n`, csvType)
  await operator('POST', `${carrierFile}?contract-id=${mother}&kind=${name}`, lines.join('\n'), csvType)
  await operator('GET', `${reconciliation}/discrepancy?class=${name}&assignee=${mother}`)
}

/** What the pages of the console call: searches by name and CPF, a person in full, exports. */
export async function workInConsole({ partner, operator }: Service): Promise<ApiResponse[]> {
  const responses = [
    await operator('GET', `/operator/v1/member?q=${encodeURIComponent('Pintassilgo')}`),
    await operator('GET', `/operator/v1/member?tax-id=${corrected}`),
    await operator('GET', `/operator/v1/enrollment?q=${encodeURIComponent(person.name)}`),
    await operator('GET', `/operator/v1/enrollment?member-tax-id=${dotted(corrected)}`),
    await operator('GET', '/operator/v1/enrollment/export'),
    await operator('GET', '/operator/v1/request'),
    await operator('GET', '/operator/v1/statistics'),
    await operator('GET', '/operator/v1/webhook-delivery'),
    await operator('GET', '/operator/v1/audit'),
    await partner('GET', '/v1/member?include-inactive=true'),
    await partner('GET', `/v1/benefit?member-tax-id=${corrected}`),
  ]
  const id = responses[1]?.body?.result?.[0]?.id
  responses.push(await operator('GET', `/operator/v1/member/${id}`))
  responses.push(await operator('POST', `/operator/v1/member/${id}/disclosure`))
  return responses
}

/** Bad input of every kind, with people where they must not be. @returns the responses. */
export async function sendBadInput({ url, partner, operator }: Service): Promise<ApiResponse[]> {
  const alter = (data: unknown) =>
    partner('POST', `/v1/enrollment/alteration/${dotted(corrected)}`, {
      'company-tax-id': cnpj,
      'alteration-data': data,
    })
  const include = (...members: unknown[]) => partner('POST', '/v1/enrollment/inclusion', inclusion(...members))
  const details = (more: object) => ({
    'exclusion-details': { 'end-date': '2026-01-01', 'exclusion-reason': 'dismissal', ...more },
  })
  const name = encodeURIComponent(person.name)
  return [
    await include(primaryOf(corrected)),
    await include(primaryOf(`${mother}0`, { gender: person.name, phone: changes.email })),
    await include({ ...person, 'tax-id': mother, [stranger]: changes['bank-account-number'] }),
    await include(person.name),
    await partner('POST', '/v1/enrollment/inclusion', { ...inclusion(primaryOf(mother)), [mother]: person.name }),
    await partner('POST', '/v1/enrollment/inclusion', `{"members":[{"name":"${person.name}","tax-id":"${mother}"`),
    await partner('POST', '/v1/enrollment/inclusion', `{"name":"${person.name}\u0000"}`),
    await alter({ ...changes, 'bank-account-owners-tax-id': `${stranger}1` }),
    await alter({ [changes['bank-account-number']]: changes['bank-account-owners-name'] }),
    await alter({ name: '', email: person.name, 'monthly-salary': '84562097' }),
    await partner('POST', `/v1/enrollment/alteration/${stranger}`, { 'alteration-data': changes }),
    await partner('POST', `/v1/enrollment/exclusion/${stranger}/dependent-of/${mother}`, details({})),
    await partner(
      'POST',
      `/v1/enrollment/exclusion/${child}/dependent-of/${corrected}`,
      details({ 'exclusion-reason': 'other' }),
    ),
    await partner(
      'POST',
      `/v1/enrollment/exclusion/${corrected}/product/${stranger}`,
      details({ documents: [person.name] }),
    ),
    await partner('POST', `/v1/enrollment/exclusion/${name}/benefit/${corrected}`, details({})),
    await partner('GET', `/v1/member?filter=tax-id=${corrected}|name=${name}`),
    await partner('GET', `/v1/member?${name}=${mother}`),
    await partner('GET', `/v1/benefit?member-tax-id=${dotted(mother)}`),
    await partner('GET', `/v1/enrollment/history?member-tax-id=${stranger}`),
    await partner('GET', `/v1/request/${mother}`),
    await partner('GET', `/v1/company/${mother}`),
    await partner('DELETE', `/v1/company/${mother}`),
    await partner('GET', `/v1/person/${mother}/${dotted(mother)}`),
    await partner('GET', `/${person['employee-id']}/${mother}?cpf=${dotted(mother)}`),
    await partner('POST', '/v1/webhook-endpoint', { url: `http://${mother}.example:25/${name}` }),
    await partner('POST', '/v1/authenticate', {
      'client-id': mother,
      'client-secret': changes['bank-account-number'],
    }),
    await operator('GET', `/operator/v1/enrollment?member-tax-id=${mother}0`),
    await operator('GET', `/operator/v1/audit?actor=${name}&target=${mother}`),
    await operator('GET', `/operator/v1/client/${mother}`),
    await operator('POST', '/operator/v1/client', { name: '', [person['employee-id']]: mother }),
    await operator('POST', '/operator/v1/session', { 'client-id': person['email-private'], 'client-secret': mother }),
    await sendRaw(url, `/v1/company/%ZZ${mother}`, {}),
    await sendRaw(url, '/v1/company', { 'x-request-id': mother, cookie: `cpf=${dotted(mother)}` }),
    await sendRaw(url, '/v1/company', { authorization: `Bearer ${mother}.${stranger}.x`, traceparent: mother }),
    await sendRaw(url, `/v1/${'x'.repeat(20_000)}${mother}`, {}),
  ]
}

/** A request that HTTP itself refuses, which `fetch` does not send. */
function sendRaw(url: string, path: string, headers: Record<string, string>): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const call = request(url, { path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('end', () => {
        const received = new Headers(response.headers as Record<string, string>)
        resolve({ status: response.statusCode ?? 0, headers: received, text, body: undefined })
      })
    })
    call.once('error', reject)
    call.end()
  })
}
