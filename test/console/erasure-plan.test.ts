import { beforeAll, expect, test } from 'vitest'
import { erasure } from '../../console/src/language/pt-BR/erasure.ts'
import { columnsOf, searchedTreatments, storedTables } from '#privacy/personal-tables.ts'
import { termOf } from '#kernel/texts/texts.ts'
import { ended, imported, planned } from '../world/erasing.ts'
import { openShipper } from '../world/shipment.ts'
import { type Client, expectOk, type Json, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* The page of an erasure: what changes in texts of others, why it failed, what stayed. */

const { testApp, open } = useConsole({ VIGENCIA_RETENTION: 'benefit=0' })
let second: Client
beforeAll(async () => {
  second = await testApp.operatorOf('admin')
})
const pageOf = (at: string) => `/personal-data/${at.split('/').at(-1)}`

test('the plan shows each text of others that changes, whole, and where it is', async () => {
  const { company, partner } = await openShipper(testApp)
  const taxId = await imported(testApp, company, { name: 'Ana Beatriz Prado', ...ended })
  const body = primary({ name: 'Luciana Reis' })
  const request = await testApp.include(partner, company, [body])
  const [state] = Object.values<Json>(request['status-by-tax-id'][body['tax-id']])
  const path = `/operator/v1/enrollment/${state['enrollment-id']}/note`
  const before = 'A empresa pediu na sexta que a carteirinha fosse entregue com a de'
  const after = 'que sai no fim do mês, e que o RH avise quando a operadora responder.'
  expectOk(await testApp.operator.post(path, { text: `${before} Ana Beatriz Prado, ${after}` }))
  const { at } = await planned(testApp, taxId)
  for (const width of [1280, 390] as const) {
    const { page, expectSound } = await open(pageOf(at), { role: 'admin', width })
    const row = page.getByRole('table', { name: 'Textos de outros que mudam' }).getByRole('row').nth(1)
    await row.getByText('Anotações').waitFor()
    const text = row.getByText(after)
    await text.scrollIntoViewIfNeeded()
    await expect.poll(() => text.textContent()).toContain(before)
    // A line that did not wrap would be cut.
    const box = await text.boundingBox()
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width)
    await expectSound()
  }
})

test('an erasure that fails says why, and is tried again; then the page says what stayed', async () => {
  const { company, partner } = await openShipper(testApp)
  const taxId = await imported(testApp, company, ended)
  const { at } = await planned(testApp, taxId)
  await testApp.sql(
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '22P02'; end $$`,
  )
  await testApp.sql(
    `create trigger fail before update on subject_request for each row
     when (new.status like '%fulfilled' and old.tax_id = '${taxId}') execute function fail()`,
  )
  const { page, expectSound } = await open(pageOf(at), { role: 'admin' })
  await page.getByText('Nada foi eliminado ainda').waitFor()
  expectOk(await second.post(`${at}/approve`))
  const alert = page.getByRole('alert').filter({ hasText: 'A última tentativa falhou' })
  await alert.getByText('Motivo: o banco de dados recusou (22P02)').waitFor()
  await alert.getByText('Próxima tentativa').waitFor()
  await expectSound()
  // It arrives after the approval.
  await testApp.include(partner, company, [primary({ 'tax-id': taxId, name: 'Nova Inclusão' })])
  await testApp.sql('drop trigger fail on subject_request')
  await alert.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByRole('table', { name: 'O que ficou' }).getByText('Movimentação aberta').waitFor()
  await alert.waitFor({ state: 'detached' })
  await page.getByText('Atendido em parte').first().waitFor()
  await expectSound()
})

test('each place that a plan can name has words', () => {
  const unnamed = storedTables.flatMap((table) => {
    const columns = searchedTreatments.flatMap((treatment) => columnsOf(table, treatment))
    const record = table.replaceAll('_', '-')
    if (columns.length > 0 && !Object.hasOwn(erasure.records, record)) return [record]
    const fields = columns.map((column) => column.replaceAll('_', '-'))
    return fields.filter((field) => termOf(field) === undefined && !Object.hasOwn(erasure.fields, field))
  })
  expect(unnamed).toEqual([])
})
