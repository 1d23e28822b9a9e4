import { describe, expect, test } from 'vitest'
import { pricesOf } from '../../console/src/broker/prices/price-values.ts'
import { readPrices } from '../../console/src/broker/prices/read-prices.ts'
import { PRICE_CATEGORIES } from '../../src/money/rules/price-table.ts'
import { makeContract } from '../world/contract.ts'
import { expectOk, health } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const bands = PRICE_CATEGORIES['age-band-10']
const amounts = [25_030, 30_036, 36_043, 43_252, 45_414, 49_955, 62_444, 68_688, 85_860, 150_000]
const written = (cents: number) => `R$ ${(cents / 100).toFixed(2).replace('.', ',')}`
const named = bands.map((band) =>
  band === '59+' ? '59 anos ou mais' : `${band.replace('-', ' a ').padStart(7, '0')} anos`,
)

describe('a pasted price table', () => {
  test.each<[string, (index: number) => string]>([
    ['of a spreadsheet', (index) => `${named[index]}\t${written(amounts[index] ?? 0)}`],
    ['with semicolons', (index) => `${bands[index]};${((amounts[index] ?? 0) / 100).toFixed(2).replace('.', ',')}`],
    ['of a document', (index) => `${named[index]}   ${((amounts[index] ?? 0) / 100).toFixed(2).replace('.', ',')}`],
    [
      'with both ages in cells of their own',
      (index) =>
        `${Number.parseInt(bands[index] ?? '', 10)};${/-(\d+)/.exec(bands[index] ?? '')?.[1] ?? '999'};${written(amounts[index] ?? 0)}`,
    ],
    [
      'with words for the first and last band',
      (index) =>
        `${index === 0 ? 'Até 18' : index === 9 ? 'Acima de 58' : `De ${bands[index]?.replace('-', ' até ')}`}\t${written(amounts[index] ?? 0)}`,
    ],
  ])('%s is read', (_name, line) => {
    const text = ['Tabela de março', '', ...bands.map((_band, index) => line(index))].join('\r\n')
    expect(pricesOf(readPrices(text))).toEqual({
      kind: 'age-band-10',
      prices: bands.map((category, index) => ({ category, amount: amounts[index] })),
      unread: [],
    })
  })

  test('of several plans has a column for each', () => {
    const text = ['Faixa;Prata;Ouro', ...bands.map((band, index) => `${band};${index + 1},00;${index + 1}0,50`)].join(
      '\n',
    )
    expect(readPrices(text).columns).toEqual([
      { at: 1, heading: 'Prata' },
      { at: 2, heading: 'Ouro' },
    ])
    expect(readPrices(text, 2).lines.map(({ amount }) => amount)).toEqual(
      bands.map((_band, index) => (index + 1) * 1000 + 50),
    )
  })

  test.each([
    ['0-17;1,00\n18-29;2,00\n70 ou mais;3,00', 'age-band-7'],
    ['Titular\t412,35\nDependentes\t390,00', 'per-role'],
    ['Por vida\tR$ 89,90', 'per-person'],
  ])('%j is of the kind %s', (text, kind) => {
    expect(readPrices(text)).toMatchObject({ kind })
    expect(readPrices(text).lines.every(({ category, amount }) => category !== null && amount !== null)).toBe(true)
  })

  test('keeps what it cannot read beside the prices', () => {
    const read = pricesOf(readPrices('0-18;250,30\n19 a 25;300\n24-28;consultar\n0-18;260,00\nTabela de março'))
    expect(read.unread).toEqual([
      { line: 2, text: '19 a 25 · 300', amount: 30_000, isRepeated: false },
      { line: 4, text: '0-18 · 260,00', amount: 26_000, isRepeated: true },
    ])
    expect(read.prices.slice(0, 3)).toEqual([
      { category: '0-18', amount: 25_030 },
      { category: '19-23', amount: null },
      { category: '24-28', amount: null, read: '24-28 · consultar' },
    ])
  })

  test.each(['', 'Bom dia', '1;2;3', '01/02/2026', '\t\t\t', `${'9'.repeat(300)};1`])('%j has no price', (text) => {
    expect(readPrices(text).columns).toEqual([])
  })
})

test('prices of a contract are pasted, mended, changed, adjusted and deleted', async () => {
  const company = await testApp.company()
  const plans = [{ 'product-id': company.products[health], 'carrier-plan-code': 'AE1230' }]
  const contract = await makeContract(testApp, company, { plans })
  const { page, problems, expectSound } = await open(`/carriers/contracts/${String(contract['contract-id'])}`, {
    role: 'finance',
  })
  await page.getByText('Próximo passo: cadastre a tabela', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Adicionar tabela de preços' }).click()
  const lines = bands.map((_band, index) => `${named[index]}\t${written(amounts[index] ?? 0)}`)
  await page
    .getByLabel('Cole a tabela da operadora')
    .fill(lines.with(1, '19 a 25 anos\tR$ 300,36').with(2, '24 a 28 anos\tconsultar').join('\n'))
  await page.getByText('8 de 10 preços foram lidos').waitFor()
  await page.getByRole('combobox', { name: 'Plano', exact: true }).click()
  await page.getByRole('option', { name: 'AE1230' }).click()
  await page.getByLabel('Válida desde').fill('01/03/2026')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('“24 a 28 anos · consultar” não tem valor.').waitFor()
  await expectSound()
  await page.getByRole('combobox', { name: 'Faixa da linha 2' }).click()
  await page.getByRole('option', { name: '19 a 23 anos' }).click()
  await page.getByLabel('24 a 28 anos').fill('360,43')
  await page.getByRole('button', { name: 'Salvar' }).click()
  const table = page.getByRole('region', { name: 'Tabelas de preços' })
  await table.getByText('R$ 360,43').waitFor()
  const stored = async () =>
    expectOk(await testApp.operator.get(`/operator/v1/price-table?contract-id=${String(contract['contract-id'])}`)).body
      .result as { 'valid-from': string; prices: object[] }[]
  await expect.poll(stored).toMatchObject([
    {
      'carrier-plan-code': 'AE1230',
      kind: 'age-band-10',
      prices: bands.map((category, index) => ({ category, amount: amounts[index] })),
    },
  ])
  // The same plan and day again: the error of the service is at its field.
  await page.getByRole('link', { name: 'Adicionar tabela de preços' }).click()
  await page.getByRole('combobox', { name: 'Preços', exact: true }).click()
  await page.getByRole('option', { name: 'um preço por pessoa' }).click()
  await page.getByRole('combobox', { name: 'Plano', exact: true }).click()
  await page.getByRole('option', { name: 'AE1230' }).click()
  await page.getByLabel('Válida desde').fill('01/03/2026')
  await page.getByRole('textbox', { name: 'por pessoa' }).fill('100')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => page.getByLabel('Válida desde').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Válida desde').fill('01/04/2026')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('button', { name: 'Reajustar: AE1230' }).last().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reajuste').fill('15,23')
  await dialog.getByText('R$ 288,42').waitFor()
  await dialog.getByLabel('Válida desde').fill('01/03/2027')
  await dialog.getByRole('button', { name: 'Reajustar' }).click()
  await table.getByText('R$ 288,42').waitFor()
  await expect
    .poll(async () => (await stored()).map((one) => one['valid-from']))
    .toEqual(['2027-03-01', '2026-04-01', '2026-03-01'])
  await page.getByRole('link', { name: '01/04/2026' }).click()
  await page.getByRole('button', { name: 'Excluir' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await table.waitFor()
  await expect.poll(async () => (await stored()).map((one) => one['valid-from'])).toEqual(['2027-03-01', '2026-03-01'])
  expect(problems).toEqual([expect.stringContaining('400')])
}, 60_000)

test('a rule of contribution says what it does', async () => {
  const company = await testApp.company()
  const contract = await makeContract(testApp, company, { plans: [{ 'product-id': company.products[health] }] })
  const { page, problems, expectSound } = await open(`/carriers/contracts/${String(contract['contract-id'])}`, {
    role: 'finance',
  })
  await page.getByRole('link', { name: 'Adicionar regra de contribuição' }).click()
  await page.getByLabel('Válida desde').fill('01/03/2026')
  await page.getByRole('group', { name: 'Pelo titular o funcionário paga' }).getByLabel('Porcento').fill('20,5')
  await page.getByRole('group', { name: 'Por dependente o funcionário paga' }).getByRole('combobox').click()
  await page.getByRole('option', { name: 'um valor fixo' }).click()
  await page.getByRole('group', { name: 'Por dependente o funcionário paga' }).getByLabel('Valor').fill('90')
  await page.getByText('Titular de R$ 500,00: o funcionário paga R$ 102,50, a empresa R$ 397,50.').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page
    .getByText('O funcionário paga 20,5% do preço pelo titular e R$ 90,00 por mês por dependente.', { exact: false })
    .waitFor()
  const path = `/operator/v1/contribution-rule?contract-id=${String(contract['contract-id'])}`
  const rules = async () => expectOk(await testApp.operator.get(path)).body.result
  // The sentence stands beside the form, too.
  await expect.poll(rules).toMatchObject([
    {
      'valid-from': '2026-03-01',
      'primary-employee-share': { 'basis-points': 2050 },
      'dependent-employee-share': { amount: 9000 },
      'product-id': null,
    },
  ])
  await page.getByRole('link', { name: '01/03/2026' }).click()
  await page.getByRole('combobox', { name: 'Plano', exact: true }).click()
  await page.getByRole('option', { name: health }).click()
  await page.getByRole('group', { name: 'Da coparticipação o funcionário paga' }).getByRole('combobox').click()
  await page.getByRole('option', { name: 'uma parte em porcento' }).click()
  await page.getByRole('group', { name: 'Da coparticipação o funcionário paga' }).getByLabel('Porcento').fill('50')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText(`Vale só para ${health}.`, { exact: false }).waitFor()
  await page.getByRole('link', { name: '01/03/2026' }).click()
  await page.getByRole('button', { name: 'Excluir' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  await page.getByText('Nenhuma regra diz quanto', { exact: false }).waitFor()
  await expect.poll(rules).toEqual([])
  expect(problems).toEqual([])
}, 60_000)
