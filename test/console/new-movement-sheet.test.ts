import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { universalWorkbook } from '#registry/layouts/built-in/universal-workbook.ts'
import { bookOf, rowOf, textCell } from '../platform/tables/workbook.ts'
import { type Company, expectOk, health, type Json, nextCpf, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* The broker sends a spreadsheet that a company sent by e-mail. */

const { testApp, open } = useConsole()
let company: Company
beforeAll(async () => {
  company = await testApp.company({ name: 'Padaria Aurora Ltda.' })
})

const { records } = universalWorkbook['universal-workbook'].definition
/** A sheet of the workbook of all carriers with one row. @throws for a heading that the sheet does not have. */
function sheetOf(name: string, row: Readonly<Record<string, string>>) {
  const headings = records.find(({ sheet }) => sheet === name)?.columns.map(({ heading = '' }) => heading) ?? []
  for (const heading of Object.keys(row)) expect(headings).toContain(heading)
  const rows = [headings, headings.map((heading) => row[heading] ?? '')]
  return { name, xml: rows.map((cells) => rowOf(cells.map(textCell))).join('') }
}

const contract = { Operadora: 'Operadora Aurora', 'Nº da apólice/contrato': '4711' }

const chooseFile = (page: Page, buffer: Buffer) =>
  page
    .locator('#content input[type=file]')
    .last()
    .setInputFiles({ name: 'movimentacoes.xlsx', mimeType: xlsxType, buffer })

const send = async (page: Page) => {
  await page.getByRole('button', { name: 'Enviar 1 pessoa' }).click()
  await page.getByText('A solicitação está sendo processada.').filter({ visible: true }).waitFor()
}

test('a workbook with three kinds has a tab for each of them, and all have the intake', async () => {
  const partner = await testApp.partner(company.taxId)
  const [leaving, changing] = [primary({ name: 'Léo Lima' }), primary({ name: 'Bia Melo' })]
  await testApp.include(partner, company, [leaving, changing], '?resolution=approve')
  const joining = nextCpf()
  const book = bookOf({
    sheets: [
      sheetOf('Inclusão grupo familiar', {
        ...contract,
        'Código/Nome do Plano': health.toUpperCase(),
        'Nome Segurado': 'Ana Lima',
        Sexo: 'Feminino',
        'Data de Nascimento': '29/02/1980',
        'Nº CPF': joining,
        'Estado Civil': 'Casado(a)',
        'Nome da Mãe': 'Eva Lima',
        'Grau de Parentesco': 'Titular',
        'Data de admissão': '01/10/2026',
      }),
      sheetOf('Exclusão', {
        ...contract,
        'Tipo de Exclusão': 'Titular',
        'Nome do Titular': 'Léo Lima',
        'CPF Titular': leaving['tax-id'],
        'Data de Cancelamento': '30/11/2026',
        Motivo: 'Pedido de demissão',
      }),
      sheetOf('Alteração titular', {
        ...contract,
        'Nome Cadastrado': 'Bia Melo',
        'CPF Cadastrado': changing['tax-id'],
        'Nome da Mãe': 'Rute Melo',
      }),
    ],
  })
  const watched = await open('/movements/new', { role: 'analyst' })
  const { page, expectSound } = watched
  await page.getByRole('link', { name: 'Planilha' }).click()
  await page.getByRole('heading', { name: 'Movimentações por planilha' }).waitFor()
  const panel = page.getByRole('group', { name: 'Entrada' })
  const companies = page.getByRole('combobox', { name: 'Empresa' })
  await companies.fill('padaria')
  await page.keyboard.press('Enter')
  await page.getByText('Inclusões', { exact: true }).waitFor()
  await chooseFile(page, book)
  // The intake is missing: the service says so at its fields, and the file is read again.
  await panel.locator('[aria-invalid=true]').first().waitFor()
  expect(watched.problems.splice(0)).toEqual([expect.stringContaining('400')])
  await panel.getByLabel('Meio').selectOption('email')
  await panel.getByLabel('Recebido em').fill('20/11/2026')
  await panel.getByRole('textbox', { name: 'Solicitante', exact: true }).fill('Paula Andrade')
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByText('O arquivo também tem:').waitFor()
  await expectSound()
  await send(page)
  for (const kind of ['Exclusões', 'Alterações']) {
    await page.getByRole('button', { name: kind, exact: true }).click()
    await send(page)
  }
  await expectSound()
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/request?company-tax-id=${company.taxId}`)).body
  const requests = await Promise.all(
    result.map(async (one: Json) => {
      const path = `/operator/v1/request/${one['request-id']}`
      return expectOk(await testApp.operator.get(path)).body.result
    }),
  )
  const byOperators = requests.filter((one: Json) => one['requested-by'] === 'operator')
  expect(byOperators.map((one: Json) => one['request-type']).toSorted()).toEqual([
    'alteration',
    'exclusion',
    'inclusion',
  ])
  for (const one of byOperators)
    expect(one.intake).toMatchObject({ medium: 'email', 'requester-name': 'Paula Andrade' })
  expect(watched.problems).toEqual([])
})
