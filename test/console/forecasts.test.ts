import { describe, expect, test } from 'vitest'
import { chargedLines, invoiceOf, lineOf, openValeClaro, valeClaroDay } from '../world/vale-claro.ts'
import { makeContract } from '../world/contract.ts'
import { barsOf } from '../../console/src/entities/forecasts/waterfall.ts'
import { hrOf } from './company-hr.ts'
import { type ConsolePage, useConsole } from './console.ts'

/* The next invoice before it comes, and what became of its forecast, as operators and the people of companies read it. */

const { testApp, open } = useConsole({ VIGENCIA_BUSINESS_DATE: valeClaroDay })

const rowsOf = async ({ page }: ConsolePage, region: string): Promise<string[]> => {
  const rows = page.getByRole('region', { name: region }).getByRole('row')
  await rows.nth(1).waitFor()
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

test('from the last invoice to the next, cause by cause, with the way to the people; only what is certain; stored', async () => {
  const one = await openValeClaro(testApp)
  const watched = await open(`/forecasts?company-tax-id=${one.company.taxId}`, { role: 'analyst' })
  const { page, expectSound, violations } = watched
  await page.getByRole('link', { name: 'Operadora Aurora · 900001' }).click()
  await page.getByRole('heading', { level: 1, name: 'Previsão 01/2027' }).waitFor()
  await expect
    .poll(() => rowsOf(watched, 'Da última fatura à próxima'))
    .toEqual([
      'Etapa Valor Evolução',
      'Última fatura R$ 4.348,84',
      'Entrada R$ 581,82',
      'Saída -R$ 2.131,89',
      'Faixa etária R$ 57,12',
      'Cobrança retroativa R$ 667,08',
      'Crédito retroativo -R$ 1.883,03',
      'Próxima fatura R$ 1.639,94',
    ])
  await expect
    .poll(async () => (await rowsOf(watched, 'Quanto é certo')).map((row) => row.replace(/ [a-z].*(?= -?R\$)/, ' …')))
    .toEqual([
      'Certeza O que inclui Valor',
      'Certo … R$ 5.073,58',
      'Por … R$ 57,12',
      'Na … -R$ 2.604,72',
      'Pedido … -R$ 886,04',
    ])
  expect(await violations()).toEqual([])
  await page.getByLabel('Só o que é certo').focus()
  await page.keyboard.press('Space')
  await page.getByRole('row').filter({ hasText: 'só o que é certo' }).getByText('R$ 5.073,58').waitFor()
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Saída' }).count()).toBe(0)
  await page.getByLabel('Só o que é certo').uncheck()
  await expectSound()

  await page.getByRole('button', { name: 'Guardar previsão' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Guardar previsão' }).click()
  await page.getByText('A previsão foi guardada.').waitFor()
  await page.getByRole('link', { name: 'Saída' }).click()
  await page.getByRole('heading', { level: 1, name: 'Valores de 01/2027' }).waitFor()
  const table = page.getByRole('table', { name: 'Por que estes valores' })
  await table.getByRole('row').filter({ hasText: 'Célia Amorim Bastos' }).waitFor()
  await table.getByRole('row').filter({ hasText: 'Márcio Delgado Furtado' }).waitFor()
  await expect.poll(() => table.getByRole('row').filter({ hasText: 'Gilson' }).count()).toBe(0)
  await expectSound()

  await invoiceOf(testApp, one, '2027-01', [
    ...chargedLines(one, { 'Gilson Arruda Penteado': 64_057, 'Teresa Nogueira Prates': 45_516 }),
    lineOf(one, 'Iolanda Freitas Barreto', 31_974),
  ])
  await watched.goto(`/charges/${one.contractId}/2027-01`)
  const classes = await rowsOf(watched, 'A fatura e a previsão')
  expect(classes.map((row) => row.replace(/ -?R\$.*/, ''))).toEqual([
    'O que aconteceu Benefícios Fatura menos previsão',
    expect.stringMatching(/^Como previsto \d+$/),
    expect.stringMatching(/^Pedido, não considerado \d+$/),
    expect.stringMatching(/^Na operadora, não considerado \d+$/),
    'Por data, não considerado 0',
    expect.stringMatching(/^Imprevisto \d+$/),
    'De nenhuma pessoa 0',
  ])
  await page.getByRole('combobox', { name: 'Diante da previsão' }).click()
  await page.getByRole('option', { name: 'Pedido, não considerado' }).click()
  await page.waitForURL((url) => url.search.includes('variance=requested-not-taken'))
  await table.getByRole('row').filter({ hasText: 'Márcio Delgado Furtado' }).waitFor()
  await table.getByRole('row').filter({ hasText: 'Gilson' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Previsão', exact: true }).last().click()
  await page.getByText('esta é a previsão guardada antes dela').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Guardar previsão' }).count()).toBe(0)
  expect(await violations()).toEqual([])
  await expectSound()
})

test('a contract that lacks what a forecast needs says what; an auditor stores nothing', async () => {
  const company = await testApp.company()
  const contract = await makeContract(testApp, company)
  const { page } = await open(`/forecasts/${contract['contract-id']}`, { role: 'auditor', language: 'en', width: 390 })
  await page.getByRole('alert').getByText('the calendar of cut-offs').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Store forecast' }).count()).toBe(0)
  await page.getByRole('link', { name: 'See the contract' }).click()
  await page.getByRole('heading', { level: 1, name: 'Operadora Aurora' }).waitFor()
})

test('who sees money in a company reads its forecast, with the way to the people; nobody else does', async () => {
  const one = await openValeClaro(testApp)
  const { cookie } = await hrOf(testApp, [one.company.taxId], { seesMoney: true })
  const { page, expectSound, violations } = await open('/hr/people', {
    cookie,
    language: 'en',
    theme: 'dark',
    width: 390,
  })
  await page.goto(`${testApp.url}/console/hr/forecast`)
  const steps = page.getByRole('region', { name: 'From the last invoice to the next' })
  await steps.getByRole('row').filter({ hasText: 'Next invoice' }).getByText('R$ 1.639,94').waitFor()
  expect(await violations()).toEqual([])
  await expectSound()
  await page.getByRole('link', { name: 'Age band' }).click()
  await page.getByRole('row').filter({ hasText: 'Teresa Nogueira Prates' }).waitFor()

  const { cookie: other } = await hrOf(testApp, [one.company.taxId])
  const blind = await open('/hr/people', { cookie: other, language: 'en' })
  await expect.poll(() => blind.page.getByRole('link', { name: 'Forecast' }).count()).toBe(0)
  await blind.goto('/hr/forecast')
  await blind.page.getByText('No permission').waitFor()
})

describe('the bars of a course', () => {
  test('start where the former one ended, below zero too', () => {
    expect(barsOf(100, [50, -200, 0])).toEqual([
      { start: 25, width: 50 },
      { start: 75, width: 25 },
      { start: 0, width: 100 },
      { start: 0, width: 0 },
      { start: 0, width: 25 },
    ])
  })

  test('of nothing have no width', () => {
    expect(barsOf(0, [])).toEqual([
      { start: 0, width: 0 },
      { start: 0, width: 0 },
    ])
  })
})
