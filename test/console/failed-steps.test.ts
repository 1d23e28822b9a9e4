import { beforeAll, expect, test } from 'vitest'
import { csv, readFile, sendFile } from '../world/carrier-file.ts'
import { openShipper, type Shipper } from '../world/shipment.ts'
import { expectOk, type Json, until } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()
let shipper: Shipper
beforeAll(async () => {
  shipper = await openShipper(testApp)
})

const dropConstraint = () => testApp.sql('alter table carrier_line drop constraint if exists refused')
const stepOf = (id: string, status: string): Promise<unknown> =>
  until(
    async () => expectOk(await testApp.operator.get(`/operator/v1/failed-step?status=${status}`)).body.result,
    (steps: Json[]) => steps.some((step) => step['target-id'] === id),
  )

/** A file that no worker can store, after the last attempt. @returns its id. */
async function putAside(name: string): Promise<string> {
  await dropConstraint()
  await testApp.sql('alter table carrier_line add constraint refused check (false) not valid')
  const line = { name, 'tax-id': '52998224725', 'date-of-birth': '1990-05-01' }
  const { result } = expectOk(await sendFile(testApp, shipper, csv([line]))).body
  await stepOf(result['file-id'], 'retrying')
  await testApp.sql('update work set attempts = 11, run_at = now() where target_id = $1', [result['file-id']])
  await stepOf(result['file-id'], 'put-aside')
  return result['file-id']
}

test('a step that failed is listed with its reason in words, and tried again', async () => {
  const id = await putAside('Ana Souza')
  const { page, expectSound } = await open('/failed-steps', { role: 'admin' })
  const row = page.getByRole('row').filter({ hasText: 'Arquivo da operadora' })
  await row.filter({ hasText: 'Posta de lado' }).filter({ hasText: 'Erro inesperado' }).waitFor()
  await row.getByText('23514').waitFor()
  await expectSound()
  await dropConstraint()
  await row.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByText('Nada falhou.').waitFor()
  expect(await readFile(testApp, id)).toMatchObject({ status: 'read', lines: 1 })
  await expectSound()
})

test('one that is given up ends its file as failed', async () => {
  const id = await putAside('Bruno Lima')
  const { page, expectSound } = await open('/failed-steps', { role: 'admin', width: 390 })
  await page.getByRole('button', { name: 'Descartar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Um arquivo da operadora termina com falha').waitFor()
  await dialog.getByRole('button', { name: 'Descartar' }).click()
  await page.getByText('Nada falhou.').waitFor()
  expect(await readFile(testApp, id)).toMatchObject({ status: 'failed' })
  await dropConstraint()
  await expectSound()
})
