import { computed, discrepanciesOf, filePath, readFile, reconcile } from '../carrier-file.ts'
import { holder, ndjson, sendImport } from '../import.ts'
import { act, enroll, moved, openShipmentOf, openShipper, shipmentPath } from '../shipment.ts'
import { expectOk, type Json, primary, type TestApp, until } from '../test-app.ts'
import { analyst, carrierRoles, chapter, csvType, ndjsonType, reads, roles, type World, write } from './call.ts'

/** The open shipment of one movement. */
async function shipment(testApp: TestApp) {
  const shipper = await openShipper(testApp)
  const [enrollmentId = ''] = await enroll(testApp, shipper, [primary()])
  return { shipper, enrollmentId, id: await openShipmentOf(testApp, shipper.contractId) }
}

/** Shipments: two that are open, three that are closed, one whose next delivery waits, and one that is sent. */
async function prepareShipments({ testApp, operator }: World) {
  const [open, cancelled, closed] = [await shipment(testApp), await shipment(testApp), await shipment(testApp)]
  const [delivered, sending, sent] = [await shipment(testApp), await shipment(testApp), await shipment(testApp)]
  for (const { id } of [closed, delivered, sending, sent]) expectOk(await act(testApp, id, 'close'))
  expectOk(await act(testApp, sent.id, 'send'))
  await moved(testApp, sent.id)
  const waiting = await shipment(testApp)
  expectOk(await act(testApp, waiting.id, 'close'))
  // Nothing listens there: the attempt fails, and the next one waits.
  const connector = { url: 'http://127.0.0.1:65533/shipment' }
  for (const { shipper } of [delivered, waiting]) {
    expectOk(await operator.put(`/operator/v1/contract/${shipper.contractId}/channel`, { connector }))
    await testApp.sql(`update contract set channel = 'connector' where id = $1`, [shipper.contractId])
  }
  expectOk(await act(testApp, waiting.id, 'deliver'))
  await until(
    async () => expectOk(await operator.get(`${shipmentPath}/${waiting.id}/delivery`)).body.result.length,
    (attempts) => attempts > 1,
  )
  const answer = { 'enrollment-id': sent.enrollmentId, outcome: 'accepted', 'card-number': '0001' }
  const ids = { open: [open.id], cancelled: [cancelled.id], closed: [closed.id], delivered: [delivered.id] }
  return { ...ids, waiting: [waiting.id], sending: [sending.id], sent: [sent.id], answer }
}

export const shipments = chapter(prepareShipments, {
  ...reads(roles, 'listShipments', 'readShipment', 'listShipmentItems', 'listShipmentDeliveries'),
  ...reads(analyst, 'readShipmentFile', 'readShipmentEmail'),
  closeShipment: write(analyst, 'shipment.closed', ({ open }) => ({ path: open })),
  cancelShipment: write(analyst, 'shipment.cancelled', ({ cancelled }) => ({ path: cancelled })),
  putShipmentItemProtocol: write(analyst, 'shipment.item-protocol-stored', ({ closed }) => ({
    path: [...closed, 1],
    body: { 'carrier-protocol': 'P-1' },
  })),
  reopenShipment: write(analyst, 'shipment.reopened', ({ closed }) => ({ path: closed })),
  deliverShipment: write(analyst, 'shipment.delivery-requested', ({ delivered }) => ({ path: delivered })),
  stopShipmentDelivery: write(analyst, 'shipment.delivery-stopped', ({ waiting }) => ({ path: waiting })),
  sendShipment: write(analyst, ['shipment.sent', '*'], ({ sending }) => ({ path: sending })),
  acknowledgeShipment: write(
    analyst,
    ['decision-job.created', 'enrollment.completed by carrier', 'shipment.acknowledged'],
    ({ sent, answer }) => {
      const headers = { ...ndjsonType, prefer: 'wait=60' }
      const call = { path: sent, body: Buffer.from(JSON.stringify(answer)), headers }
      return [{ ...call, query: 'dry-run=true', audit: 'decision-job.created' }, call]
    },
  ),
  finishShipment: write(analyst, 'shipment.finished', ({ sent }) => ({ path: sent })),
})

/** Two files of a carrier, the first of which is compared. */
async function prepareFiles({ testApp, operator }: World) {
  const shipper = await openShipper(testApp)
  const member = holder(shipper.company, { name: 'Só Aqui', 'card-number': undefined })
  expectOk(await sendImport(operator, ndjson([member])))
  const [benefit] = await testApp.sql<{ id: string }>('select id from benefit where company_id = $1', [
    shipper.company.id,
  ])
  const query = `contract-id=${shipper.contractId}&kind=roster&reference-month=2026-11&layout-id=generic-csv-roster`
  const made = async (name: string): Promise<string> => {
    const body = Buffer.from(`tax-id;name;card-number\n${member['tax-id']};Só Aqui;\n;${name};77\n`)
    const { result } = expectOk(await operator.post(`${filePath}?${query}`, body, csvType)).body
    await readFile(testApp, result['file-id'])
    return result['file-id']
  }
  const files = [await made('Primeira'), await made('Segunda'), await made('Terceira')] as const
  const id: string = (await reconcile(testApp, files[0]))['reconciliation-id']
  await computed(testApp, id)
  const [unknown] = await discrepanciesOf(testApp, id, '&class=unknown-here')
  return { query, files, benefitId: benefit?.id, reconciliation: [id], discrepancy: [unknown['discrepancy-id']] }
}

const person: Json = { ...primary(), name: 'Primeira' }

/** Files of carriers, and what differs. */
export const files = chapter(prepareFiles, {
  ...reads(roles, 'listCarrierFiles', 'readCarrierFile', 'listCarrierLines'),
  ...reads(carrierRoles, 'readCarrierFileContent', 'findCarrierFileBenefits'),
  uploadCarrierFile: write(carrierRoles, 'carrier-file.uploaded', ({ query }) => ({
    query,
    body: Buffer.from('name;card-number\nQuarta;77\n'),
    headers: csvType,
  })),
  ...reads(roles, 'listReconciliations', 'readReconciliation', 'listDiscrepancies', 'exportDiscrepancies'),
  changeDiscrepancies: write(carrierRoles, 'discrepancy.updated', ({ reconciliation }) => ({
    path: reconciliation,
    body: { filter: {}, note: 'x' },
  })),
  correctDiscrepancy: write(analyst, ['discrepancy.corrected', 'inclusion.requested', '*'], ({ discrepancy }) => ({
    path: discrepancy,
    body: { member: person },
  })),
  linkCarrierLine: write(
    carrierRoles,
    ['benefit.updated', 'carrier-line.linked'],
    ({ files: [, second], benefitId }) => [
      { path: [second, 3], body: { 'benefit-id': benefitId } },
      { path: [second, 3], body: { 'benefit-id': null }, audit: 'carrier-line.unlinked' },
    ],
  ),
  createReconciliation: write(carrierRoles, 'reconciliation.created', ({ files: [, second] }) => ({
    body: { 'carrier-file-id': second },
  })),
  repeatReconciliation: write(carrierRoles, 'reconciliation.repeated', ({ reconciliation }) => ({
    path: reconciliation,
  })),
  deleteCarrierFile: write(carrierRoles, 'carrier-file.deleted', ({ files: [, , third] }) => ({ path: [third] })),
})
