import { afterEach, beforeAll, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { closeMonth } from '../../world/carrier-file-rows.ts'
import { csv, filePath, readFile, reconciliationPath, reconcile, sendFile, upload } from '../../world/carrier-file.ts'
import { done, ended, imported, planned } from '../../world/erasing.ts'
import { openShipper, type Shipper } from '../../world/shipment.ts'
import { expectOk, type Json, primary, until, useTestApp } from '../../world/test-app.ts'

/* Steps of the workers that fail again and again. The API alone: the test says when there is a worker. */

const testApp = useTestApp({ VIGENCIA_ROLE: 'api', VIGENCIA_BUSINESS_DATE: '2026-11-20' })
const path = '/operator/v1/failed-step'
let shipper: Shipper
let worker: { close(): Promise<void> } | null = null

beforeAll(async () => {
  shipper = await openShipper(testApp)
})
const startWorker = async () => {
  worker = await testApp.startWorker()
}
afterEach(async () => {
  await worker?.close()
  worker = null
  await testApp.sql('alter table carrier_line drop constraint if exists refused')
})

const listed = async (query = ''): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`${path}${query}`)).body.result

const roster = (name: string) => csv([{ name, 'tax-id': '52998224725', 'date-of-birth': '1990-05-01' }])
/** What no worker can store. */
const refuseLines = async () => {
  await testApp.sql('alter table carrier_line drop constraint if exists refused')
  await testApp.sql('alter table carrier_line add constraint refused check (false) not valid')
}
const hurry = () => testApp.sql(`update work set run_at = now() where run_at < 'infinity'`)

/** A file whose reading is put aside. @returns its id and the step. */
async function putAside(name: string): Promise<{ readonly id: string; readonly step: Json }> {
  await refuseLines()
  const { result } = expectOk(await sendFile(testApp, shipper, roster(name))).body
  const id: string = result['file-id']
  // As after eleven failures.
  await testApp.sql('update work set attempts = 11 where target_id = $1', [id])
  if (worker === null) await startWorker()
  const steps = await until(
    () => listed('?status=put-aside'),
    (some) => some.some((step) => step['target-id'] === id),
  )
  return { id, step: steps.find((step) => step['target-id'] === id) }
}

test('a step that fails is listed with its reason and tried again; when it succeeds it is listed no more', async () => {
  await refuseLines()
  const { result } = expectOk(await sendFile(testApp, shipper, roster('Ana Souza'))).body
  await startWorker()
  const [step] = await until(listed, (some) => some.length > 0)
  expect(step).toMatchObject({
    kind: 'carrier-file',
    status: 'retrying',
    'target-id': result['file-id'],
    'company-tax-id': shipper.company.taxId,
    reason: 'unexpected-error',
    error: '23514',
  })
  expect(await readViolations(testApp.sql)).toEqual({})
  await testApp.sql('alter table carrier_line drop constraint refused')
  await hurry()
  expect(await readFile(testApp, result['file-id'])).toMatchObject({ status: 'read', lines: 1 })
  expect(await listed()).toEqual([])
})

test('one that failed twelve times is put aside and shown in the metrics; tried again, it is done', async () => {
  const { id, step } = await putAside('Bruno Lima')
  expect(step).toMatchObject({ attempts: 12, reason: 'unexpected-error', 'next-attempt-at': null })
  const metrics = await (await fetch(`${testApp.url}/metrics`)).text()
  expect(metrics).toMatch(/^vigencia_steps_put_aside 1$/m)
  expectOk(await testApp.operator.delete(`${filePath}/${id}`))
  expect(await listed()).toEqual([])
  const again = await putAside('Bruno Lima Filho')
  await testApp.sql('alter table carrier_line drop constraint refused')
  expectOk(await testApp.operator.post(`${path}/${again.step['step-id']}/retry`, {}))
  expect(await readFile(testApp, again.id)).toMatchObject({ status: 'read', lines: 1 })
})

test('one that is given up ends its file as failed, which can be deleted, and the month can be closed', async () => {
  const { id, step } = await putAside('Carla Dias')
  expect(
    (
      await testApp.operator.post('/operator/v1/closing', {
        'company-tax-id': shipper.company.taxId,
        'reference-month': '2026-11',
        reason: 'x',
      })
    ).status,
  ).toBe(409)
  expect((await testApp.operator.delete(`${path}/${step['step-id']}`)).status).toBe(204)
  expect(await readFile(testApp, id)).toMatchObject({
    status: 'failed',
    problems: [{ field: 'file', code: 'given-up' }],
  })
  expect((await testApp.operator.delete(`${path}/${step['step-id']}`)).status).toBe(404)
  expectOk(await testApp.operator.delete(`${filePath}/${id}`))
  await closeMonth(testApp, shipper.company, '2026-11')
})

test('a request that was accepted is tried again, and not given up', async () => {
  const body = { 'company-tax-id': shipper.company.taxId, members: [primary()] }
  const sent = expectOk(await shipper.partner.post('/v1/enrollment/inclusion', body)).body
  await testApp.sql('update work set attempts = 12 where target_id = $1', [sent['request-id']])
  await startWorker()
  const [step] = await until(
    () => listed('?status=put-aside'),
    (some) => some.length > 0,
  )
  expect(step).toMatchObject({ kind: 'inclusion', 'target-id': sent['request-id'], reason: 'interrupted' })
  const kept = await testApp.operator.delete(`${path}/${step['step-id']}`)
  expect([kept.status, kept.body.code]).toEqual([409, 'step-not-deletable'])
  expectOk(await testApp.operator.post(`${path}/${step['step-id']}/retry`, {}))
  await testApp.finished(shipper.partner, sent['request-id'])
  expect(await listed()).toEqual([])
})

test('an erasure that waits for a worker is not tried again: 409', async () => {
  const second = await testApp.operatorOf('admin')
  const { at } = await planned(testApp, await imported(testApp, shipper.company, ended))
  expectOk(await second.post(`${at}/approve`))
  const again = await testApp.operator.post(`${at}/retry`)
  expect([again.status, again.body.code]).toEqual([409, 'erasure-not-failed'])
  await startWorker()
  await done(testApp, at)
})

test('a process that dies in a step has counted the attempt, and one that always dies is put aside', async () => {
  const other = await openShipper(testApp)
  const { result } = expectOk(await sendFile(testApp, other, roster('Davi Reis'))).body
  // Twelve attempts were begun, and none has ended.
  await testApp.sql('update work set attempts = 12 where target_id = $1', [result['file-id']])
  await startWorker()
  const [step] = await until(
    () => listed('?status=put-aside'),
    (some) => some.length > 0,
  )
  expect(step).toMatchObject({ 'target-id': result['file-id'], reason: 'interrupted' })
  expectOk(await testApp.operator.delete(`${filePath}/${result['file-id']}`))
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a month that is closed while a comparison is repeated has no open comparison', async () => {
  await startWorker()
  for (let round = 0; round < 12; round += 1) {
    const { company, contractId } = await openShipper(testApp)
    const file = await upload(testApp, { contractId }, roster('Eva Melo'))
    const { 'reconciliation-id': id } = await reconcile(testApp, file['file-id'])
    const body = { 'company-tax-id': company.taxId, 'reference-month': '2026-11', reason: 'x' }
    const answers = await Promise.all([
      testApp.operator.post(`${reconciliationPath}/${id}/repeat`, {}),
      testApp.operator.post('/operator/v1/closing', body),
    ])
    expect(answers.map(({ status }) => status >= 500)).toEqual([false, false])
    const open = await testApp.sql(
      `select reconciliation.id from reconciliation join closing using (company_id, reference_month)
       where closing.status <> 'open' and reconciliation.status <> 'closed'`,
    )
    expect(open).toEqual([])
  }
})
