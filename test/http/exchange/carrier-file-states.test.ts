import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { csv, filePath, reconciliationPath, sendFile } from '../../world/carrier-file.ts'
import { insertCarrierFile } from '../../world/carrier-file-rows.ts'
import { openShipper } from '../../world/shipment.ts'
import { type ApiResponse, expectOk, useTestApp } from '../../world/test-app.ts'

// Without a worker: a file stays `reading`, a reconciliation `computing`.
const testApp = useTestApp({ VIGENCIA_ROLE: 'api', VIGENCIA_LOG_LEVEL: 'fatal' })
const errorOf = ({ status, body }: ApiResponse) => [status, body.code, body.status]

test('a file that is being read is neither deleted, linked nor compared', async () => {
  const shipper = await openShipper(testApp)
  const { result } = expectOk(await sendFile(testApp, shipper, csv([{ name: 'A' }]))).body
  const url = `${filePath}/${result['file-id']}`
  const refusal = [409, 'carrier-file-status', 'reading']
  expect(errorOf(await testApp.operator.delete(url))).toEqual(refusal)
  expect(errorOf(await testApp.operator.post(`${url}/line/2/link`, { 'benefit-id': null }))).toEqual(refusal)
  const body = { 'carrier-file-id': result['file-id'] }
  expect(errorOf(await testApp.operator.post(reconciliationPath, body))).toEqual(refusal)
})

test('a reconciliation that is being computed is neither repeated nor changed', async () => {
  const { company, contractId } = await openShipper(testApp)
  const file = await insertCarrierFile(testApp, company, contractId, { month: '2026-11', kind: 'roster', lines: [] })
  const { result } = expectOk(await testApp.operator.post(reconciliationPath, { 'carrier-file-id': file })).body
  const url = `${reconciliationPath}/${result['reconciliation-id']}`
  const refusal = [409, 'reconciliation-status', 'computing']
  expect(errorOf(await testApp.operator.post(`${url}/repeat`, {}))).toEqual(refusal)
  const change = { filter: {}, status: 'accepted' }
  expect(errorOf(await testApp.operator.post(`${url}/discrepancy`, change))).toEqual(refusal)
})

test('a file that cannot be stored is refused, and the same one is new afterwards', async () => {
  const shipper = await openShipper(testApp)
  const folder = join(testApp.dataDir, 'files', 'carrier')
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'no folder')
  const send = () => sendFile(testApp, shipper, csv([{ name: 'B' }]))
  const refused = await send()
  await rm(folder)
  expect([refused.status, refused.body.code]).toEqual([503, 'carrier-storage-unavailable'])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await send()).status).toBe(202)
})
