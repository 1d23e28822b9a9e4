import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { holder, ndjson, sendImport } from '../world/import.ts'
import { bookOfRows } from '../platform/tables/workbook.ts'
import { act, enroll, moved, openShipmentOf, openShipper } from '../world/shipment.ts'
import { expectOk, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

interface ToSend {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const csv = (name: string, lines: readonly string[]): ToSend => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
})

const xlsx = (name: string, rows: readonly (readonly string[])[]): ToSend => ({
  name,
  mimeType: xlsxType,
  buffer: bookOfRows(rows),
})

const fieldOf = (page: Page, heading: string) => page.getByRole('combobox', { name: `Campo de “${heading}”` })

/** Fills the dialog of a carrier's file, without a layout. */
async function chooseFile(page: Page, kind: RegExp, month: string, file: ToSend): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()
  await dialog.getByRole('combobox', { name: 'Contrato' }).and(page.locator('[value*="900031"]')).waitFor()
  await dialog.getByRole('combobox', { name: 'Tipo de arquivo' }).click()
  await page.getByRole('option', { name: kind }).click()
  await dialog.getByLabel('Competência').fill(month)
  await page.locator('input[type=file]').setInputFiles(file)
}

test('a carrier’s own spreadsheets are read from an empty contract: what their columns and words mean is said once', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900031' })
  const people = ['Helena Brandão', 'Davi Kobayashi'].map((name) => primary({ name }))
  await enroll(testApp, shipper, people)
  const shipment = await openShipmentOf(testApp, shipper.contractId)
  for (const verb of ['close', 'send']) await act(testApp, shipment, verb)
  await moved(testApp, shipment)
  const covered = ['Íris Assunção', 'Otávio Prado'].map((name, index) =>
    holder(shipper.company, { name, 'start-date': '2026-01-01', 'card-number': `9000 ${index}` }),
  )
  expectOk(await sendImport(testApp.operator, ndjson(covered)))
  const [iris, otavio] = covered.map((one) => String(one['tax-id']))

  // The answer: the mapping of its columns is in the contract.
  const { page, goto, expectSound, problems, violations } = await open(`/carriers/shipments/${shipment}`, {
    role: 'analyst',
  })
  const answer = (name: string, person: number, card: string) =>
    csv(name, [
      'AURORA SAÚDE - RETORNO',
      'Vida;CPF Benef.;Carteira Nova;Resultado',
      `${String(people[person]?.['name'])};${String(people[person]?.['tax-id'])};${card};LIBERADO`,
    ])
  await page.locator('input[type=file]').setInputFiles(answer('retorno.csv', 0, '0077 0001'))
  await page.getByRole('table', { name: 'Colunas do arquivo' }).waitFor()
  await fieldOf(page, 'Carteira Nova').click()
  await page.getByRole('option', { name: 'Número da carteirinha', exact: true }).click()
  await page.getByRole('combobox', { name: 'Valor de “LIBERADO”' }).selectOption({ label: 'Aceita' })
  await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await page.getByRole('button', { name: 'Aplicar 1 linha' }).click()
  await page.getByText('1 linha foi aplicada').waitFor()
  await page.locator('input[type=file]').setInputFiles(answer('retorno-2.csv', 1, '0077 0002'))
  await page.getByText('1 linha pode ser aplicada').waitFor()

  // The roster, a CSV with two lines of title.
  const roster = (name: string, month: string, more: readonly string[] = []) =>
    csv(name, [
      'AURORA SAÚDE S/A',
      `Relação de vidas;${month}`,
      'Cart. Identificação;Nome da Vida;CPF Benef.;Condição;Dt. Nasc.;Obs. interna',
      `9000 0;Íris Assunção;${iris};T - TITULAR;01/02/1990;x`,
      `9000 1;Otávio Prado;${otavio};T - TITULAR;01/02/1990;`,
      ...more,
    ])
  await goto(`/reconciliations?company-tax-id=${shipper.company.taxId}`)
  await chooseFile(page, /^(?:Cadastro|Relação de vidas)$/, '11/2026', roster('vidas.csv', '11/2026'))
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByText('O do contrato').count()).toBe(0)
  await dialog.getByText('ficam lembradas no contrato').waitFor()
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await dialog.getByRole('table', { name: 'Colunas do arquivo' }).waitFor()
  await expect.poll(() => fieldOf(page, 'Cart. Identificação').inputValue()).toBe('Número da carteirinha')
  await expect.poll(() => fieldOf(page, 'CPF Benef.').inputValue()).toBe('CPF')
  await expect.poll(() => fieldOf(page, 'Dt. Nasc.').inputValue()).toBe('Data de nascimento')
  await expect.poll(() => fieldOf(page, 'Obs. interna').inputValue()).toBe('')
  await fieldOf(page, 'Condição').click()
  await page.getByRole('option', { name: 'Parentesco', exact: true }).click()
  await page.getByRole('combobox', { name: 'Valor de “T - TITULAR”' }).selectOption({ label: 'Titular' })
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '11/2026: Operadora Aurora, contrato 900031' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Otávio Prado' }).getByRole('link', { name: 'Otávio Prado' }).waitFor()

  // The next one of the same form is read without a question; a word that is new is asked for.
  await goto(`/reconciliations?company-tax-id=${shipper.company.taxId}`)
  await chooseFile(page, /^(?:Cadastro|Relação de vidas)$/, '12/2026', roster('vidas-12.csv', '12/2026'))
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '12/2026: Operadora Aurora, contrato 900031' }).waitFor()
  await goto(`/reconciliations?company-tax-id=${shipper.company.taxId}`)
  const more = ['9000 2;Caio Prado;;D - FILHOS;05/05/2015;', '9000 3;Ana Prado;;Cônjuge;05/05/1991;']
  await chooseFile(page, /^(?:Cadastro|Relação de vidas)$/, '01/2027', roster('vidas-01.csv', '01/2027', more))
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('combobox', { name: 'Valor de “D - FILHOS”' }).selectOption({ label: 'Filho(a)' })
  await expect.poll(() => page.getByRole('combobox', { name: /^Valor de/ }).count()).toBe(1)
  await dialog.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '01/2027: Operadora Aurora, contrato 900031' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Caio Prado' }).waitFor()

  // The invoice, a workbook with amounts in reais and words for what is charged.
  const invoice = (name: string, amount: string) =>
    xlsx(name, [
      ['AURORA SAÚDE S/A', '', '', ''],
      ['Segurado', 'CPF do Benef', 'Tipo do Lançamento', 'Vlr Mensalidade'],
      ['Íris Assunção', iris ?? '', 'MENSALIDADE', amount],
      ['Otávio Prado', otavio ?? '', 'COBR RETRO', '1.250,50'],
    ])
  await goto(`/reconciliations?company-tax-id=${shipper.company.taxId}`)
  await chooseFile(page, /^Fatura$/, '11/2026', invoice('fatura.xlsx', '850,00'))
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await expect.poll(() => fieldOf(page, 'Vlr Mensalidade').inputValue()).toBe('Valor cobrado')
  await dialog.getByRole('cell', { name: 'R$ 850,00 · R$ 1.250,50' }).waitFor()
  await expect.poll(() => page.getByRole('combobox', { name: 'Como “Vlr Mensalidade” está escrito' }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Valor de “COBR RETRO”' }).selectOption({ label: 'Inclusão retroativa' })
  await dialog.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '11/2026: Operadora Aurora, contrato 900031' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Otávio Prado' }).getByText('1.250,50').waitFor()
  await goto(`/reconciliations?company-tax-id=${shipper.company.taxId}`)
  await chooseFile(page, /^Fatura$/, '12/2026', invoice('fatura-12.xlsx', '900,00'))
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('heading', { name: '12/2026: Operadora Aurora, contrato 900031' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Íris Assunção' }).getByText('900,00').waitFor()

  // Amounts without decimals are in reais or in cents: it is said, and shown.
  const inCents = csv('copart.csv', ['Vida;CPF Benef.;Valor', `Íris Assunção;${iris};8550`])
  await goto(`/reconciliations?company-tax-id=${shipper.company.taxId}`)
  await chooseFile(page, /^Coparticipação$/, '11/2026', inCents)
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await dialog.getByText('R$ 8.550,00').waitFor()
  const unit = dialog.getByRole('combobox', { name: 'Como “Valor” está escrito' })
  await unit.selectOption({ label: 'valores em centavos' })
  await dialog.getByText('R$ 85,50').waitFor()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'Íris Assunção' }).getByText('85,50').waitFor()

  const { body } = expectOk(await testApp.operator.get(`/operator/v1/contract/${shipper.contractId}`))
  const layouts = body.result.layouts as Record<string, string>
  expect(layouts).toMatchObject({ movement: null })
  const read = expectOk(await testApp.operator.get(`/operator/v1/layout/${layouts['roster']}`)).body.result
  expect(read.name).toMatch(/^Operadora Aurora, 900031: /)
  expect(problems.filter((one) => !one.includes('400 (Bad Request)'))).toEqual([])
  problems.splice(0)
  await expectSound()
})
