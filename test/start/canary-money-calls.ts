import { businessDate } from '#kernel/calendar.ts'
import { type ApiResponse, expectOk, type Json, until } from '../world/test-app.ts'
import { payrollProfile } from '../world/payroll.ts'
import { cnpj, csvType, finished, inclusion, primaryOf, queryOfFile, type Service } from './canary-calls.ts'
import { cpfs, gossip, person } from './canaries.ts'

const { corrected, paying, shipped, stranger } = cpfs
const product = 'Vida em Grupo'
const ndjsonType = { 'content-type': 'application/x-ndjson', prefer: 'wait=60' }

/** A movement goes to the carrier in a shipment, whose file and e-mail are read; the carrier refuses it, with its words about the person. */
export async function shipToCarrier(service: Service): Promise<void> {
  const { partner, operator } = service
  const products = { 'life-insurance': [{ name: product, 'start-option': 'on-admission-date' }] }
  const member = primaryOf(shipped, { products, 'admission-date': businessDate(new Date()) })
  const included = await finished(service, await partner('POST', '/v1/enrollment/inclusion', inclusion(member)))
  const { 'enrollment-id': id } = included['status-by-tax-id'][shipped][product]
  expectOk(await operator('POST', `/operator/v1/enrollment/${id}/transition`, { status: 'broker-processing' }))
  const { result } = expectOk(await operator('GET', '/operator/v1/shipment?status=open')).body
  const path = `/operator/v1/shipment/${result[0]['shipment-id']}`
  expectOk(await operator('POST', `${path}/close`))
  const { text } = expectOk(await operator('GET', `${path}/file`))
  if (!text.includes(person.name)) throw new Error(`the file of the shipment has no ${person.name}`)
  expectOk(await operator('GET', `${path}/item`))
  await operator('GET', `${path}/email`)
  expectOk(await operator('POST', `${path}/send`, { 'carrier-protocol': '2026-778812' }))
  const isSent = ({ body }: ApiResponse) => body.result.counts.ready === 0
  await until(() => operator('GET', path), isSent)
  const line = { 'enrollment-id': id, outcome: 'refused', 'carrier-message': `${person.name} ${gossip}` }
  const wrong = { 'member-tax-id': stranger, outcome: person.name }
  const lines = [line, wrong].map((one) => JSON.stringify(one)).join('\n')
  expectOk(await operator('POST', `${path}/acknowledgement`, lines, ndjsonType))
}

/** Gives the contract what prices need. */
async function setPrices({ operator }: Service): Promise<void> {
  const list = expectOk(await operator('GET', `/operator/v1/contract?company-tax-id=${cnpj}`)).body.result
  const { 'contract-id': id, 'carrier-name': carrierName, 'contract-number': number, plans } = list[0]
  const body = {
    'company-tax-id': cnpj,
    'carrier-name': carrierName,
    'contract-number': number,
    plans: plans.map((one: Json) => ({
      'product-id': one['product-id'],
      'carrier-plan-code': one['carrier-plan-code'],
    })),
    'age-on': 'birthday-month',
    proration: 'none',
  }
  expectOk(await operator('PUT', `/operator/v1/contract/${id}`, body))
}

/** An invoice charges somebody who is unknown, who is claimed from the carrier; the month is closed, goes to payroll and is opened again. */
export async function payCarrier(service: Service): Promise<void> {
  const { operator } = service
  await setPrices(service)
  const employee = {
    'company-tax-id': cnpj,
    'beneficiary-type': 'primary',
    name: person.name,
    'tax-id': paying,
    'mothers-name': person['mothers-name'],
    'date-of-birth': person['date-of-birth'],
    gender: 'female',
    'employee-id': person['employee-id'],
    'product-name': product,
    'start-date': '2024-03-01',
  }
  expectOk(await operator('POST', '/operator/v1/member/import', JSON.stringify(employee), ndjsonType))
  const text = ['tax-id;amount;employee-amount', ...[paying, stranger].map((cpf) => `${cpf};123,45;50,00`), ''].join(
    '\n',
  )
  const sent = expectOk(await operator('POST', await queryOfFile(service, 'invoice'), text, csvType)).body.result
  const file = { 'carrier-file-id': sent['file-id'] }
  const isRead = ({ body }: ApiResponse) => body.result.status === 'read'
  await until(() => operator('GET', `/operator/v1/carrier-file/${sent['file-id']}`), isRead)
  const made = expectOk(await operator('POST', '/operator/v1/reconciliation', file)).body.result
  const reconciliation = `/operator/v1/reconciliation/${made['reconciliation-id']}`
  const isComputed = ({ body }: ApiResponse) => body.result.status !== 'computing'
  await until(() => operator('GET', reconciliation), isComputed)
  const { result: found } = expectOk(await operator('GET', `${reconciliation}/discrepancy?class=charged-unknown`)).body
  const ids = found.map((one: Json) => one['discrepancy-id'])
  const claimed = { 'reconciliation-id': made['reconciliation-id'], 'discrepancy-ids': ids }
  const { result: claim } = expectOk(await operator('POST', '/operator/v1/claim', claimed)).body
  const path = `/operator/v1/claim/${claim['claim-id']}`
  expectOk(await operator('GET', `${path}/export`))
  expectOk(await operator('POST', `${path}/status`, { status: 'sent', 'carrier-protocol': '2026-778813' }))
  const month = { 'company-tax-id': cnpj, 'reference-month': '2026-01' }
  expectOk(await operator('PUT', `/operator/v1/company/${cnpj}/payroll-profile`, payrollProfile))
  const closed = expectOk(await operator('POST', '/operator/v1/closing', { ...month, reason: 'Prazo' })).body.result
  const { result: payroll } = expectOk(await operator('POST', '/operator/v1/payroll-export', month)).body
  expectOk(await operator('GET', `/operator/v1/payroll-export/${payroll['payroll-export-id']}/file`))
  const reopening = `/operator/v1/closing/${closed['closing-id']}/reopen`
  expectOk(await operator('POST', reopening, { reason: 'Fatura reemitida' }))
}

/** A person gets a copy of the data; the erasure of the same person is planned, and its own planner cannot approve it. */
export async function serveSubject({ operator }: Service): Promise<void> {
  const path = '/operator/v1/subject-request'
  const make = async (kind: string) => {
    const body = { 'tax-id': corrected, kind, note: `${person.name} ${gossip}` }
    return expectOk(await operator('POST', path, body)).body.result['subject-request-id']
  }
  const access = `${path}/${await make('access')}`
  expectOk(await operator('POST', `${access}/file`))
  const isReady = ({ body }: ApiResponse) => body.result.file?.status === 'ready'
  await until(() => operator('GET', access), isReady)
  expectOk(await operator('GET', `${access}/file`))
  const erasure = `${path}/${await make('erasure')}`
  expectOk(await operator('POST', `${erasure}/plan`))
  const { status, text } = await operator('POST', `${erasure}/approve`)
  if (status < 400) throw new Error(`the planner approved the erasure: ${text}`)
  expectOk(await operator('GET', `${path}?kind=erasure`))
}
