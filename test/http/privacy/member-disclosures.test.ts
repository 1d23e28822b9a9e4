import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import {
  act,
  enroll,
  itemsOf,
  openShipmentOf,
  openShipper,
  moved,
  type Shipper,
  shipmentPath,
} from '../../world/shipment.ts'
import { insertCarrierFile } from '../../world/carrier-file-rows.ts'
import { type Company, expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

/* Who saw a person, and who could. */

const testApp = useTestApp()

let shipper: Shipper
let other: Company
let ids: Json
let enrollmentId: string
let documentId: string
const approve = '?resolution=approve'
const before = new Date(Date.now() - 60_000).toISOString()

const seen = async (query = '', client = testApp.operator): Promise<Json> =>
  expectOk(await client.get(`/operator/v1/member/${ids.memberId}/disclosure${query}`)).body
const actionsOf = ({ result }: Json): string[] => result.map(({ action }: Json) => action)

beforeAll(async () => {
  shipper = await openShipper(testApp)
  other = await testApp.company()
  documentId = await upload(shipper.partner)
  const documents = [{ 'document-id': documentId, 'document-type': 'marriage-certificate' }]
  const person = primary({ documents })
  ;[enrollmentId = ''] = await enroll(testApp, shipper, [person])
  const [row] = await testApp.sql('select member_id, benefit_id from enrollment where id = $1', [enrollmentId])
  ids = { memberId: row?.['member_id'], benefitId: row?.['benefit_id'] }
})

test('disclosures, downloads, exports and shipments are listed, the newest first; those of others are not', async () => {
  const { operator } = testApp
  const { company, contractId } = shipper
  const download = async (path: string) => expectOk(await operator.get(path))
  await download(`/operator/v1/member/${ids.memberId}?disclose=true`)
  await download(`/operator/v1/enrollment/${enrollmentId}/document/${documentId}`)
  const shipmentId = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, shipmentId, 'close'))
  expect(await itemsOf(testApp, shipmentId)).toHaveLength(1)
  await download(`${shipmentPath}/${shipmentId}/file`)
  expectOk(await act(testApp, shipmentId, 'send'))
  await moved(testApp, shipmentId)
  const lines = [{ amount: 25_000, benefitId: ids.benefitId }]
  const fileId = await insertCarrierFile(testApp, company, contractId, { month: '2026-10', lines })
  await testApp.sql(
    `insert into audit (id, at, actor, action, target, company_id) values ($1, now(), $2, 'carrier-file.downloaded', $3, $4)`,
    [randomUUID(), operator.clientId, fileId, company.id],
  )
  await download(`/operator/v1/company/${company.taxId}/roster`)
  await download(`/operator/v1/company/${other.taxId}/roster`)
  await download(`/operator/v1/enrollment/export?company-tax-id=${company.taxId}`)
  await download(`/operator/v1/enrollment/export?company-tax-id=${other.taxId}`)
  await download('/operator/v1/enrollment/export')
  const found = await seen()
  expect(actionsOf(found).toSorted()).toEqual([
    'carrier-file.downloaded',
    'company.roster-exported',
    'document.downloaded',
    'enrollment.exported',
    'enrollment.exported',
    'member.disclosed',
    'shipment.file-downloaded',
    'shipment.sent',
  ])
  const certainty = Object.fromEntries(found.result.map((row: Json) => [row.action, row.certainty]))
  expect(certainty).toMatchObject({
    'member.disclosed': 'certain',
    'document.downloaded': 'certain',
    'shipment.sent': 'certain',
    'company.roster-exported': 'possible',
    'enrollment.exported': 'possible',
  })
  const instants = found.result.map(({ at }: Json) => at)
  expect(instants).toEqual(instants.toSorted().toReversed())
  expect(found.result[0]).toMatchObject({ actor: operator.clientId, role: 'admin', address: expect.any(String) })
})

test('the period includes its first instant, not its last', async () => {
  const { result } = await seen()
  const { at } = result.at(-1)
  const next = new Date(Date.parse(at) + 1).toISOString()
  expect(actionsOf(await seen(`?from-at=${at}&until-at=${next}`))).toEqual([result.at(-1).action])
  expect(actionsOf(await seen(`?until-at=${at}`))).toEqual([])
  expect((await seen('?items-per-page=3')).pagination).toMatchObject({ 'total-items': 8, 'total-pages': 3 })
})

test('who could read is named: operators, and clients that were entitled in the period', async () => {
  const { operator } = testApp
  const { company, partner } = shipper
  const stranger = await testApp.partner(other.taxId)
  const client = (id: string) => ({ 'client-id': id, role: 'client', 'company-tax-ids': [company.taxId] })
  const readers = async (query = '') => (await seen(query)).readers as Json[]
  expect(await readers()).toContainEqual({ ...client(partner.clientId), name: expect.any(String) })
  expect(await readers()).toContainEqual(expect.objectContaining({ 'client-id': operator.clientId, role: 'admin' }))
  expect((await readers()).map((one) => one['client-id'])).not.toContain(stranger.clientId)
  // Revoked afterwards, it could all the same.
  expectOk(await operator.delete(`/operator/v1/client/${partner.clientId}/company/${company.taxId}`))
  expect(await readers()).toContainEqual({ ...client(partner.clientId), name: expect.any(String) })
  const later = new Date(Date.now() + 60_000).toISOString()
  expect((await readers(`?from-at=${later}`)).map((one) => one['client-id'])).not.toContain(partner.clientId)
  expect((await readers(`?until-at=${before}`)).map((one) => one['client-id'])).not.toContain(partner.clientId)
})

test('an auditor reads it without a CPF; somebody unknown is not found', async () => {
  const auditor = await testApp.operatorOf('auditor')
  expect(JSON.stringify(await seen('', auditor))).not.toMatch(/\b\d{11}\b/)
  const unknown = await testApp.operator.get(`/operator/v1/member/${randomUUID()}/disclosure`)
  expect([unknown.status, unknown.body.code]).toEqual([404, 'member-not-found'])
})

test('reads of lists and of people of several companies are listed for each company that they showed', async () => {
  const { operator } = testApp
  const analyst = await testApp.operatorOf('analyst')
  const [row] = await testApp.sql('select tax_id from member where id = $1 limit 1', [ids.memberId])
  const third = await testApp.company()
  const companies = [shipper.company, third]
  await testApp.include(await testApp.partner(third.taxId), third, [primary({ 'tax-id': row?.['tax_id'] })], approve)
  const from = new Date().toISOString()
  expectOk(await analyst.get('/operator/v1/member?disclose=true&include-inactive=true'))
  expectOk(await analyst.get(`/operator/v1/member?disclose=true&company-tax-id=${third.taxId}`))
  expectOk(await analyst.get(`/operator/v1/member/${ids.memberId}?disclose=true`))
  const { result } = await seen(`?from-at=${from}`)
  const found = result.map((one: Json) => [one.action, one.actor, one['company-tax-id']])
  const expected = [...companies, third, ...companies].map(({ taxId }) => ['member.disclosed', analyst.clientId, taxId])
  expect(found.toSorted()).toEqual(expected.toSorted())
  const { result: rows } = expectOk(await operator.get('/operator/v1/audit?action=member.disclosed')).body
  expect(rows.map((one: Json) => one['company-tax-id'])).not.toContain(null)
})
