import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { csv, discrepanciesOf, reconcile, upload } from '../world/carrier-file.ts'
import { holder, ndjson, sendImport } from '../world/import.ts'
import { openShipper, type Shipper } from '../world/shipment.ts'
import { expectOk, type Json } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

/** Imports primaries who are covered since January, the first without a card. @returns their lines in a roster. */
async function cover({ company }: Shipper): Promise<Json[]> {
  const members = ['Helena Brandão', 'Davi Kobayashi', 'Íris Assunção'].map((name, index) =>
    holder(company, {
      name,
      'date-of-birth': '1985-03-10',
      'start-date': '2026-01-01',
      ...(index === 0 ? {} : { 'card-number': `9000 ${index}` }),
    }),
  )
  expectOk(await sendImport(testApp.operator, ndjson(members)))
  return members.map((one, index) => ({
    'card-number': `9000 ${index}`,
    'tax-id': one['tax-id'],
    name: one['name'],
    'date-of-birth': one['date-of-birth'],
    'start-date': one['start-date'],
  }))
}

/** The roster: a card that is missing here, another name, nobody for the third, and one whom nobody knows. */
async function rosterOf(shipper: Shipper): Promise<string> {
  const [first, second] = await cover(shipper)
  const unknown = { ...first, 'card-number': '77', 'tax-id': '52998224725', name: 'Otávio Prado' }
  return csv([first, { ...second, name: 'Davi Prado' }, unknown])
}

test('a roster is sent and compared; discrepancies are explained, assigned, corrected and downloaded', async () => {
  const shipper = await openShipper(testApp)
  const roster = await rosterOf(shipper)
  const { page, expectSound, violations } = await open(`/reconciliations?company-tax-id=${shipper.company.taxId}`, {
    role: 'analyst',
  })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()
  await dialog.getByRole('combobox', { name: 'Contrato' }).and(page.locator('[value*="900001"]')).waitFor()
  await dialog.getByLabel('Competência').fill('11/2026')
  await dialog.getByRole('combobox', { name: 'Leiaute' }).click()
  await page.getByRole('option', { name: 'Relação de vidas em CSV' }).click()
  const file = { name: 'vidas.csv', mimeType: 'text/csv', buffer: Buffer.from(roster) }
  await page.locator('input[type=file]').setInputFiles(file)
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '11/2026: Operadora Aurora, contrato 900001' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Otávio Prado' }).getByText('Sem pessoa').waitFor()
  expect(await violations()).toEqual([])

  await page.getByRole('button', { name: 'Conciliar' }).click()
  const classes = page.getByRole('navigation', { name: 'Classes de divergências' })
  await classes.getByRole('link', { name: 'Todas (4)' }).waitFor()
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
  await rowOf('Davi Kobayashi').getByText('Davi Prado').waitFor()
  await page.getByRole('checkbox', { name: 'Selecionar a linha 1' }).check()
  const bar = page.getByRole('region', { name: 'Divergências selecionadas' })
  expect(await violations()).toEqual([])
  await bar.getByRole('button', { name: 'Selecionar todas as 4' }).click()
  await bar.getByRole('button', { name: 'Atribuir' }).click()
  await dialog.getByRole('button', { name: 'Atribuir' }).click()
  await page.getByText('4 divergências foram alteradas.').waitFor()

  await classes.getByRole('link', { name: /^Nome/ }).click()
  await rowOf('Davi Kobayashi').waitFor()
  await rowOf('Otávio Prado').waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Selecionar a linha 1' }).check()
  await bar.getByRole('button', { name: 'Explicar' }).click()
  await dialog.getByLabel('Observação').fill('A operadora abrevia')
  await dialog.getByRole('button', { name: 'Explicar' }).click()
  await rowOf('Davi Kobayashi').getByText('A operadora abrevia').waitFor()
  await classes.getByRole('link', { name: 'Todas (4)' }).click()

  await rowOf('Helena Brandão').getByRole('button', { name: 'Corrigir' }).click()
  await dialog.getByRole('button', { name: 'Corrigir' }).click()
  await rowOf('Helena Brandão').getByText('Corrigida').waitFor()
  await expectSound()
  // What the carrier does not say is asked for.
  await rowOf('Otávio Prado').getByRole('button', { name: 'Corrigir' }).click()
  await dialog.getByRole('button', { name: 'Corrigir' }).click()
  await dialog.getByRole('alert').getByRole('listitem').first().waitFor()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar XLSX' }).click()
  expect((await readFile(await (await download).path())).subarray(0, 2).toString()).toBe('PK')
  const list = expectOk(await testApp.operator.get('/operator/v1/reconciliation')).body.result
  const found = await discrepanciesOf(testApp, list[0]['reconciliation-id'])
  expect(found.map((one) => [one.class, one.status]).toSorted()).toEqual([
    ['card-number-missing-here', 'corrected'],
    ['missing-at-carrier', 'open'],
    ['name-differs', 'explained'],
    ['unknown-here', 'open'],
  ])
})

test('a line is linked by hand, and the file is compared again without that discrepancy', async () => {
  const shipper = await openShipper(testApp)
  const [first, second, third] = await cover(shipper)
  const stranger = { ...third, 'card-number': '66', 'tax-id': '', name: 'I. Assuncao Lima' }
  const file = await upload(testApp, shipper, csv([first, second, stranger]))
  await reconcile(testApp, file['file-id'])
  const path = `/reconciliations/${file['file-id']}?view=lines&match=unmatched`
  const { page, expectSound, violations } = await open(path, { role: 'finance' })
  await page.getByRole('button', { name: 'Vincular' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Ninguém deste contrato foi encontrado.').waitFor()
  expect(await violations()).toEqual([])
  await expectSound()
  await dialog.getByLabel('Quem é a pessoa aqui').fill('iris')
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Benefício' }).inputValue()).toContain('9000 2')
  await dialog.getByRole('button', { name: 'Vincular' }).click()
  await page.getByText('A linha foi vinculada.').waitFor()
  await page.getByRole('button', { name: 'Conciliar de novo' }).click()
  await page.getByRole('link', { name: 'Divergências' }).click()
  await page.getByRole('link', { name: 'Todas (2)' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Nome diferente' }).getByText('I. Assuncao Lima').waitFor()
  await expect.poll(() => page.getByText('Desconhecido aqui').count()).toBe(0)
})

test('an auditor reads the comparison on a narrow dark page in English, and changes nothing', async () => {
  const shipper = await openShipper(testApp)
  const file = await upload(testApp, shipper, await rosterOf(shipper))
  await reconcile(testApp, file['file-id'])
  const options = { role: 'auditor', language: 'en', theme: 'dark', width: 390 } as const
  const { page, goto, expectSound, violations } = await open(`/reconciliations/${file['file-id']}`, options)
  await page.getByRole('link', { name: 'All (4)' }).waitFor()
  await page.getByRole('row').nth(1).waitFor()
  for (const name of ['Compare again', 'Correct'])
    await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
  expect(await violations()).toEqual([])
  await expectSound()
  await goto('/reconciliations')
  await page.getByRole('row').nth(1).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Send a file' }).count()).toBe(0)
  expect(await violations()).toEqual([])
  await expectSound()
})

test('what of a line cannot be read is said in words', async () => {
  const { contractId } = await openShipper(testApp)
  const lines = [
    { name: 'Helena Brandão', amount: 'mil reais', 'entry-type': 'monthly' },
    { name: 'Davi Kobayashi', amount: '850,00', 'entry-type': 'mensal x' },
  ]
  const file = await upload(testApp, { contractId, kind: 'invoice' }, csv(lines))
  const { page, expectSound } = await open(`/reconciliations/${file['file-id']}?view=lines`, { role: 'analyst' })
  await page.getByText('Valor cobrado (coluna amount): não é um valor do formato').waitFor()
  await page.getByText(/\(coluna entry-type\): não é um valor do formato/).waitFor()
  await expectSound()
})
