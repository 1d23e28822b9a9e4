import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deleteCarrierFile } from '#exchange/carrier-files/delete.ts'
import { linkCarrierLine } from '#exchange/carrier-files/link.ts'
import { processCarrierFile, withReadFile } from '#exchange/carrier-files/process.ts'
import { type UploadedFile, uploadCarrierFile } from '#exchange/carrier-files/upload.ts'
import { simulateRoster } from '#apps/cli/carrier-simulator/carrier-file.ts'
import { closeMonth } from '#money/closings/write.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { exportPayroll } from '#money/payroll/export.ts'
import { createReconciliation } from '#exchange/reconciliations/reconcile.ts'
import { bradescoInvoice } from '../world/bradesco.ts'
import {
  computed,
  csv,
  discrepanciesOf,
  filePath,
  readFile,
  reconciliationPath,
  sendFile,
} from '../world/carrier-file.ts'
import { cover, rosterRow } from '../world/covered.ts'
import { payrollProfile } from '../world/payroll.ts'
import { openShipper } from '../world/shipment.ts'
import { expectOk, type Json, monday } from '../world/test-app.ts'
import { type Known, known, workedEntries, workedPeople } from '../world/worked-invoice.ts'
import { scaled } from '../scale.ts'
import { seed } from '../seed.ts'
import { checksumsOf, failAfterEach } from '../crash/fail-after-each.ts'
import { readViolations } from '../crash/invariants.ts'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { rngOf } from '../crash/rng.ts'
import { type IdleTestApp, openIdleTestApp } from '../crash/steps.ts'

/* Files are sent, read, matched, linked, deleted and exported while statements fail, and while workers are killed: nothing is half done. */

let idle: IdleTestApp
let context: Context
const origin = { address: '127.0.0.1', traceId: 'x' }
const operator = (): ClientActor => ({ kind: 'operator', clientId: idle.testApp.operator.clientId, origin })

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context({ VIGENCIA_DATA_DIR: idle.testApp.dataDir })
})
afterEach(clearPrograms)
afterAll(() => idle.close())

const tables = [
  'carrier_file',
  'carrier_line',
  'benefit',
  'reconciliation',
  'closing',
  'payroll_export',
  'payroll_export_line',
  'audit',
  'work',
]

/** What a failed act leaves as it was; no rule is broken. */
const stored = async () => [await checksumsOf(idle.testApp.sql, tables), await readViolations(idle.testApp.sql)]

const failing = <Result>(act: (on: Context) => Promise<Result>) => failAfterEach(context, stored, act)

/** A step of a file, and what the worker does after the last one. */
const step =
  ({ company }: Known, id: string) =>
  (on: Context) =>
    withReadFile(on, { companyId: company.id, id }, AbortSignal.any([]), (read) =>
      write(on, { kind: 'service' }, { may: 'service' }, async (tx) => {
        const progress = await processCarrierFile(tx, company.id, id, read)
        if (progress === 'done') await tx.execute('delete from work where target_id = $1', [id])
        return progress
      }),
    )

/** What was read of a file. */
const linesOf = (id: string): Promise<Json[]> =>
  idle.testApp.sql(
    `select line_number, name, certificate, amount::int, entry_type, entry_period, benefit_id, matched_by, is_ambiguous from carrier_line
     where file_id = $1 order by line_number`,
    [id],
  )

const invoiceOf = ({ contract }: Known): UploadedFile => ({
  contractId: contract['contract-id'],
  kind: 'invoice',
  invoiceKind: null,
  referenceMonth: '2026-11',
  layoutId: 'bradesco-invoice',
  name: 'FM.TXT',
  bytes: bradescoInvoice('900001', '202611', workedEntries),
})

test('a file is sent, read, matched, linked and deleted as a whole, whichever statement fails, and sent again it is the same', async () => {
  const one = await known(idle.testApp, workedPeople)
  const upload = (on: Context) => uploadCarrierFile(on, operator(), invoiceOf(one))
  const {
    result: { id },
    failed: uploadFailures,
  } = await failing(upload)
  const { result: read, failed: readFailures } = await failing(step(one, id))
  const { result: matched, failed: matchFailures } = await failing(step(one, id))
  expect([read, matched]).toEqual(['more', 'done'])
  // A file is read before the transaction that stores its lines.
  expect(Math.min(uploadFailures, readFailures, matchFailures)).toBeGreaterThan(2)
  const lines = await linesOf(id)
  expect(lines).toHaveLength(workedEntries.length)
  expect(lines.filter(({ benefit_id: benefit }) => benefit === null)).toHaveLength(1)
  const unknown = lines.find(({ benefit_id: benefit }) => benefit === null)?.line_number
  await failing((on) => linkCarrierLine(on, operator(), id, unknown, one.benefits['C'] ?? null))
  await failing((on) => linkCarrierLine(on, operator(), id, unknown, null))
  await failing((on) => deleteCarrierFile(on, operator(), id))
  expect(await linesOf(id)).toEqual([])
  // What the link taught is not for the next file.
  await idle.testApp.sql('update benefit set carrier_certificate = $2 where id = $1', [one.benefits['C'], '3'])
  const again = await upload(context)
  expect([await step(one, again.id)(context), await step(one, again.id)(context)]).toEqual(['more', 'done'])
  expect(await linesOf(again.id)).toEqual(lines)
})

test('co-participation is read as a whole at once, and a payroll is exported as a whole, whichever statement fails', async () => {
  const one = await known(idle.testApp, {
    A: { born: '1990-01-01', employeeId: '100', benefit: { card_number: '77' } },
  })
  const file = {
    contractId: one.contract['contract-id'],
    referenceMonth: '2026-10',
    invoiceKind: null,
    name: null,
  } as const
  const bytes = Buffer.from('card-number;amount\n77;12,34\n')
  const coparticipation = { ...file, kind: 'coparticipation', layoutId: 'generic-csv-coparticipation', bytes } as const
  const {
    result: { id },
    failed: failures,
  } = await failing((on) => uploadCarrierFile(on, operator(), coparticipation))
  expect(failures).toBeGreaterThan(5)
  await failing(step(one, id))
  expect(await linesOf(id)).toMatchObject([{ amount: 1_234, matched_by: 'card-number' }])
  const { taxId } = one.company
  expectOk(await idle.testApp.operator.put(`/operator/v1/company/${taxId}/payroll-profile`, payrollProfile))
  const share = { 'basis-points': 10_000 }
  const rule = {
    'contract-id': file.contractId,
    'valid-from': '2026-01-01',
    'primary-employee-share': share,
    'dependent-employee-share': share,
    'coparticipation-employee-share': share,
  }
  expectOk(await idle.testApp.operator.put(`/operator/v1/contribution-rule/01995e0d-7c11-7f22-8b33-4d5e6f708194`, rule))
  await closeMonth(context, operator(), { 'company-tax-id': taxId, 'reference-month': '2026-10', reason: 'Sem fatura' })
  const body = { 'company-tax-id': taxId, 'reference-month': '2026-10' }
  const { result: exported, failed: exportFailures } = await failing((on) => exportPayroll(on, operator(), body))
  expect(exported).toMatchObject({ number: 1, amount: 1_234, employees: 1 })
  expect(exportFailures).toBeGreaterThan(5)
})

test('after kill -9 of the worker in the middle of a file another one goes on: the errors of the carrier are found, and no other', async () => {
  const { testApp } = idle
  const rng = rngOf(seed)
  const shipper = await openShipper(testApp)
  const covered = await cover(testApp, shipper, scaled(1_000, 20_000))
  const { lines, errors } = simulateRoster(covered, { seed: 5, errors: 20, asOf: monday })
  const startWorker = () =>
    startProgram({
      VIGENCIA_DATABASE_URL: testApp.databaseUrl,
      VIGENCIA_MASTER_KEY: testApp.masterKey,
      VIGENCIA_DATA_DIR: testApp.dataDir,
      VIGENCIA_ENVIRONMENT: 'staging',
      VIGENCIA_ROLE: 'worker',
      VIGENCIA_BUSINESS_DATE: monday,
    })
  const kills = async () => {
    for (let left = scaled(1, 8); left > 0; left -= 1) {
      const worker = await startWorker()
      await pause(rng.between(0, scaled(250, 2_500)))
      await worker.kill()
      expect(await readViolations(testApp.sql)).toEqual({})
    }
  }
  const sent = expectOk(await sendFile(testApp, shipper, csv(lines.map(rosterRow)))).body.result
  await kills()
  await startWorker()
  const file = await readFile(testApp, sent['file-id'])
  expect(file).toMatchObject({ status: 'read', lines: lines.length, 'refused-lines': 0 })
  await clearPrograms()
  const { id } = await createReconciliation(context, operator(), sent['file-id'], null)
  await kills()
  await startWorker()
  await computed(testApp, id)
  const found = await discrepanciesOf(testApp, id)
  const keyOf = (name: string, benefit: string | null, line: number | null) => JSON.stringify([name, benefit, line])
  expect(found.map((one) => keyOf(one.class, one['benefit-id'], one['line-number'])).toSorted()).toEqual(
    errors
      .map((one) => keyOf(one.class, one['benefit-id'], one['line-number'] === null ? null : one['line-number'] + 1))
      .toSorted(),
  )
  expect(expectOk(await testApp.operator.get(`${filePath}/${sent['file-id']}`)).body.result).toMatchObject({
    'reconciliation-id': id,
  })
  expect(expectOk(await testApp.operator.get(`${reconciliationPath}/${id}`)).body.result).toMatchObject({
    status: 'open',
  })
  expect(await readViolations(testApp.sql)).toEqual({})
})
