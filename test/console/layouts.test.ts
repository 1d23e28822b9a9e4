import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { linesOf, upload } from '../world/carrier-file.ts'
import { enroll, openShipper } from '../world/shipment.ts'
import { expectOk, type Json, nextCpf, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const definition = {
  format: 'fixed-width',
  encoding: 'iso-8859-1',
  'record-length': 40,
  records: [
    {
      name: 'movement',
      columns: [
        { at: 1, length: 1, literal: '2' },
        { at: 2, length: 11, source: 'person.tax-id', required: true },
        { at: 13, length: 20, source: 'person.name', format: 'upper-ascii', overflow: 'truncate' },
      ],
    },
  ],
}

async function makeLayout(more: Json = {}): Promise<string> {
  const body = { name: 'Aurora: movimentação', direction: 'movement', definition, ...more }
  return expectOk(await testApp.operator.post('/operator/v1/layout', body)).body.result['layout-id']
}

describe('a layout', () => {
  test('shows what it writes of open movements, under a ruler', async () => {
    await makeLayout()
    const name = 'Conceição Müller'
    await enroll(testApp, await openShipper(testApp), [primary({ name })])
    const { page, expectSound } = await open('/carriers/layouts?direction=movement', { role: 'analyst' })
    await page.getByRole('link', { name: 'Aurora: movimentação' }).click()
    await page.getByRole('cell', { name: 'Nome', exact: true }).waitFor()
    const lines = page.getByRole('region', { name: 'Linhas do arquivo' })
    await page.getByLabel('Movimentações de').fill('Conceição')
    await lines.getByText('CONCEICAO MULLER').waitFor()
    await lines.getByText('....:....1....:....2').waitFor()
    await expectSound()
    await page.getByLabel('Movimentações de').fill('Ninguém Aqui')
    await page.getByText('Nenhuma movimentação aberta').waitFor()
  })

  test('shows what it reads in pasted lines and in a file, and what it refuses', async () => {
    const read = { at: 2, length: 11, target: 'person.tax-id', required: true }
    const columns = [{ at: 1, length: 1, drop: true }, read, { at: 13, length: 20, target: 'person.name' }]
    const id = await makeLayout({
      name: 'Aurora: cadastro',
      direction: 'roster',
      definition: { ...definition, records: [{ name: 'person', columns }] },
    })
    const { page, expectSound } = await open(`/carriers/layouts/${id}`, { role: 'analyst' })
    const cpf = nextCpf()
    const good = `2${cpf}JOÃO`.padEnd(40)
    await page.getByLabel('Ou cole as linhas').fill(`${good}\n`)
    await page.getByRole('button', { name: 'Ler as linhas coladas' }).click()
    await page.getByText('1 linhas lidas, 0 recusadas').waitFor()
    await page.getByText('Nome: JOÃO').waitFor()
    const bytes = Buffer.from(`${good}\r\n${'2x'.padEnd(40)}\r\n`, 'latin1')
    const file = { name: 'cadastro.txt', mimeType: 'text/plain', buffer: bytes }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('1 linhas lidas, 1 recusadas').waitFor()
    await page.getByRole('region', { name: 'Linhas recusadas' }).waitFor()
    await expectSound()
  })

  test('is copied from a built-in one; administrators also write it as JSON, what is wrong is said, and nothing is lost', async () => {
    const { page, problems, expectSound } = await open('/carriers/layouts/generic-csv', { role: 'admin' })
    await expect.poll(() => page.getByRole('link', { name: 'Alterar' }).count()).toBe(0)
    await page.getByRole('heading', { name: 'Movimentações em CSV' }).waitFor()
    await page.getByText('Os códigos do SIB são os da RN 500/2022').waitFor()
    await page.getByRole('link', { name: 'Fazer uma cópia' }).click()
    const name = page.getByRole('textbox', { name: 'Nome', exact: true })
    await expect.poll(() => name.inputValue()).toBe('Cópia de Movimentações em CSV')
    await name.fill('CSV da Aurora')
    await page.getByText('Dados brutos (JSON)').click()
    const document = page.getByLabel('Definição (JSON)')
    const valid = await document.inputValue()
    await document.fill(valid.slice(0, -2))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Isto não é JSON').waitFor()
    await document.fill(JSON.stringify({ format: 'csv', records: [{ name: 'x', columns: [{ heading: 'A' }] }] }))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('alert').getByText('Registro 1, coluna 1:').first().waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
    await expectSound()
    await page.getByRole('button', { name: 'Desfazer as alterações do JSON' }).click()
    await expect.poll(() => document.inputValue()).toBe(valid)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('heading', { name: 'CSV da Aurora' }).waitFor()
    await page.getByRole('link', { name: 'Alterar' }).click()
    await page.getByLabel('Fonte da descrição').fill('Manual, versão 3')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Manual, versão 3').first().waitFor()
  })

  test('is read, not written and not previewed, by finance', async () => {
    const { page, goto, expectSound } = await open('/carriers/layouts', { role: 'finance' })
    await expect.poll(() => page.getByRole('link', { name: 'Novo leiaute' }).count()).toBe(0)
    await goto('/carriers/layouts/generic-csv')
    await expect.poll(() => page.getByRole('heading', { name: 'Prévia' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Fazer uma cópia' }).count()).toBe(0)
    await goto('/carriers/layouts/new')
    await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
    await expectSound()
  })
})

const stored = async (page: Page): Promise<Json> => {
  await page.waitForURL(/layouts\/[0-9a-f]{8}-[0-9a-f-]+$/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  return expectOk(await testApp.operator.get(`/operator/v1/layout/${id}`)).body.result
}

async function choose(page: Page, group: string, content: string): Promise<void> {
  const column = page.getByRole('group', { name: `Coluna ${group}`, exact: true })
  await column.getByRole('combobox', { name: /^Conteúdo/ }).fill(content)
  await page.getByRole('option', { name: content, exact: true }).click()
}

describe('a layout is made from a sample', () => {
  test('of fixed width, with the ruler by the keyboard, and files are read with it', async () => {
    const { page, expectSound, violations } = await open('/carriers/layouts/new', { role: 'analyst' })
    const cpf = nextCpf()
    const line = (name: string, amount: string) => `1${cpf}${name.padEnd(12)}01021990T${amount}`
    const lines = ['0AURORA', line('JOÃO PRADO', '0000085000'), line('ÍRIS PRADO', '0000125050'), '9000000002']
    const bytes = Buffer.from(lines.map((one) => `${one.padEnd(43)}\r\n`).join(''), 'latin1')
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Aurora: fatura em texto')
    await expect.poll(() => page.getByText('Dados brutos (JSON)').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Para que serve o arquivo' }).click()
    await page.getByRole('option', { name: 'Fatura que a operadora envia' }).click()
    await page.locator('input[type=file]').setInputFiles({ name: 'fatura.txt', mimeType: 'text/plain', buffer: bytes })
    const ruler = page.getByRole('slider', { name: 'Posição do corte' })
    await ruler.focus()
    for (const steps of [0, 11, 12, 8, 1]) {
      for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
    }
    await expect.poll(() => ruler.getAttribute('aria-valuetext')).toBe('depois do caractere 33, com corte')
    await page.getByLabel('Linhas do começo que não são lidas').fill('1')
    await page.getByLabel('Nada é lido a partir da linha que começa com').fill('9')
    await choose(page, '2', 'CPF')
    await choose(page, '3', 'Nome')
    await choose(page, '4', 'Data de nascimento')
    await choose(page, '5', 'Parentesco')
    await choose(page, '6', 'Valor cobrado')
    await page
      .getByRole('group', { name: 'Coluna 6', exact: true })
      .getByRole('combobox', { name: 'Escrito como' })
      .selectOption({ label: 'em centavos: 123456' })
    const codes = page.getByRole('group', { name: 'Coluna 5', exact: true })
    await codes.getByRole('combobox', { name: 'T', exact: true }).selectOption({ label: 'Titular' })
    const preview = page.getByRole('region', { name: 'O que é lido' })
    await preview.getByRole('row').filter({ hasText: 'JOÃO PRADO' }).getByText('R$ 850,00').waitFor()
    await preview.getByRole('row').filter({ hasText: 'ÍRIS PRADO' }).getByText('01/02/1990').waitFor()
    await expect.poll(() => preview.getByRole('row').count()).toBe(3)
    // Another place by numbers: the name ends a character before.
    const name = page.getByRole('group', { name: 'Coluna 3', exact: true })
    await name.getByLabel('Caracteres').fill('11')
    await page.getByRole('group', { name: 'Coluna 4', exact: true }).getByLabel('Início').fill('25')
    expect(await violations()).toEqual([])
    await expectSound()
    await page.getByRole('button', { name: 'Salvar' }).click()
    const { 'layout-id': id, definition, direction } = await stored(page)
    expect(direction).toBe('invoice')
    expect(definition).toMatchObject({ format: 'fixed-width', 'skip-first-lines': 1, 'stop-at': '9' })
    expect(definition.records[0].columns).toMatchObject([
      { at: 1, length: 1, drop: true },
      { at: 2, length: 11, target: 'person.tax-id' },
      { at: 13, length: 12, target: 'person.name' },
      { at: 25, length: 8, target: 'person.date-of-birth', format: 'date:ddMMyyyy' },
      { at: 33, length: 1, target: 'person.relationship' },
      { at: 34, length: 10, target: 'invoice.amount', required: true },
    ])
    const shipper = await openShipper(testApp)
    const read = await upload(
      testApp,
      { contractId: shipper.contractId, kind: 'invoice', layout: id, type: 'text/plain' },
      bytes,
    )
    expect(read).toMatchObject({ status: 'read', lines: 2, 'refused-lines': 0, 'computed-total': 210_050 })
  })

  test('of a table, whose amounts are in cents, and a file is read with it', async () => {
    const { page, expectSound, violations } = await open('/carriers/layouts/new', { role: 'analyst' })
    const text = `AURORA SAÚDE\r\nSegurado;CPF do Benef;Tipo do Lançamento;Vlr Mensalidade;Obs.\r\nÍris Assunção;${nextCpf()};COBR X;85000;a\r\n`
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Aurora: fatura em CSV')
    await page.getByRole('combobox', { name: 'Para que serve o arquivo' }).click()
    await page.getByRole('option', { name: 'Fatura que a operadora envia' }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'fatura.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    const amount = page.getByRole('group', { name: 'Coluna Vlr Mensalidade' })
    await expect.poll(() => amount.getByRole('combobox', { name: /^Conteúdo/ }).inputValue()).toBe('Valor cobrado')
    const preview = page.getByRole('region', { name: 'O que é lido' })
    await preview.getByText('R$ 85.000,00').waitFor()
    await amount.getByRole('combobox', { name: 'Escrito como' }).selectOption({ label: 'em centavos: 123456' })
    await preview.getByText('R$ 850,00').waitFor()
    await preview.getByText('não pôde ser lido: COBR X').waitFor()
    await page.getByRole('combobox', { name: 'COBR X' }).selectOption({ label: 'Inclusão retroativa' })
    await preview.getByText('Inclusão retroativa').waitFor()
    expect(await violations()).toEqual([])
    await page.getByRole('button', { name: 'Salvar' }).click()
    const { 'layout-id': id, definition } = await stored(page)
    expect(definition.records[0].columns).toMatchObject([
      { heading: 'Segurado', target: 'person.name' },
      { heading: 'CPF do Benef', target: 'person.tax-id' },
      { heading: 'Tipo do Lançamento', target: 'invoice.entry-type' },
      { heading: 'Vlr Mensalidade', target: 'invoice.amount', required: true },
      { heading: 'Obs.', drop: true },
    ])
    await expectSound()
    const shipper = await openShipper(testApp)
    const options = { contractId: shipper.contractId, kind: 'invoice', layout: id } as const
    const read = await upload(testApp, options, text)
    expect(read).toMatchObject({ status: 'read', 'computed-total': 85_000 })
    const [line] = await linesOf(testApp, read['file-id'])
    expect(line).toMatchObject({ name: 'Íris Assunção', 'entry-type': 'inclusion-retroactive' })
  })

  test('of the headings that a carrier wants: columns are filled, ordered, added and removed', async () => {
    const { page, expectSound, violations } = await open('/carriers/layouts/new', { role: 'analyst' })
    await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Aurora: modelo')
    await page.getByRole('combobox', { name: 'Para que serve o arquivo' }).click()
    await page.getByRole('option', { name: 'Movimentações que a operadora recebe' }).click()
    const buffer = Buffer.from('CPF;NOME;SEXO;LIVRE\r\n')
    await page.locator('input[type=file]').setInputFiles({ name: 'modelo.csv', mimeType: 'text/csv', buffer })
    const gender = page.getByRole('group', { name: 'Coluna SEXO' })
    await gender.getByText('2 códigos').click()
    await gender.getByLabel('Feminino').fill('F')
    await gender.getByLabel('Masculino').fill('M')
    await page.getByRole('button', { name: 'Subir SEXO' }).click()
    await page.getByRole('button', { name: 'Tirar LIVRE' }).click()
    await page.getByRole('button', { name: 'Adicionar coluna' }).click()
    await page.getByLabel('Título 4').fill('DT NASC')
    await choose(page, 'DT NASC', 'Data de nascimento')
    const born = page.getByRole('group', { name: 'Coluna DT NASC' })
    await born.getByRole('combobox', { name: 'Escrito como' }).selectOption({ label: '30112026' })
    expect(await violations()).toEqual([])
    await expectSound()
    await page.getByRole('button', { name: 'Salvar' }).click()
    const { definition } = await stored(page)
    expect(definition).toEqual({
      format: 'csv',
      'header-lines': ['headings'],
      records: [
        {
          name: 'movement',
          columns: [
            { heading: 'CPF', source: 'person.tax-id' },
            { heading: 'SEXO', source: 'person.gender', map: { female: 'F', male: 'M' } },
            { heading: 'NOME', source: 'person.name' },
            { heading: 'DT NASC', source: 'person.date-of-birth', format: 'date:ddMMyyyy' },
          ],
        },
      ],
    })
  })

  test('whose records have conditions: they are said, and stay when its columns change', async () => {
    const { page, expectSound } = await open('/carriers/layouts/new?copy=unimed-invoice', { role: 'analyst' })
    await page.getByText('Parte deste leiaute não se altera aqui').waitFor()
    await page.getByText('linhas que não são lidas; cuja primeira célula é “H”').waitFor()
    await page.getByRole('combobox', { name: 'Registro', exact: true }).selectOption({ index: 1 })
    await page.getByText('uma linha para cada cobrança; cuja primeira célula é “1”').waitFor()
    await choose(page, 'description', 'Não é lida')
    await expectSound()
    await page.getByRole('button', { name: 'Salvar' }).click()
    const { definition } = await stored(page)
    const { definition: original } = expectOk(await testApp.operator.get('/operator/v1/layout/unimed-invoice')).body
      .result
    original.records[1].columns[4] = { heading: 'description', offset: 3, drop: true }
    expect(definition).toEqual(original)
  })
})

test('a contract gets its layouts, the meanings of refusals and the headings of its spreadsheets by the form', async () => {
  const id = await makeLayout({ name: 'Aurora: envio' })
  const { contractId } = await openShipper(testApp)
  const { page } = await open(`/carriers/contracts/${contractId}/edit`, { role: 'analyst' })
  await page.getByRole('combobox', { name: 'Movimentações (envio)' }).fill('envio')
  await page.getByRole('option', { name: 'Aurora: envio' }).click()
  await page.getByRole('button', { name: 'Adicionar código' }).click()
  const meaning = page.getByRole('group', { name: 'Código 1' })
  await meaning.getByLabel('Código da operadora').fill('17')
  await meaning.getByRole('combobox', { name: 'O que acontece' }).click()
  await page.getByRole('option', { name: 'Aguardando documentos' }).click()
  await meaning.getByRole('combobox', { name: 'Documentos' }).fill('Certidão')
  await page
    .getByRole('option', { name: /Certidão/ })
    .first()
    .click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Adicionar título' }).click()
  await page.getByLabel('Título', { exact: true }).fill('Sit.')
  await page.getByRole('button', { name: 'Adicionar título' }).click()
  await page.getByLabel('Título', { exact: true }).last().fill('Documento')
  await page.getByRole('combobox', { name: 'Significado' }).last().click()
  await page.getByRole('option', { name: 'CPF' }).click()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('link', { name: 'Aurora: envio' }).waitFor()
  await page.getByRole('region', { name: 'Recusas da operadora' }).getByText('Aguardando documentos').waitFor()
  const { body } = await testApp.operator.get(`/operator/v1/contract/${contractId}`)
  expect(body.result).toMatchObject({
    layouts: { movement: id, roster: null },
    'code-map': [{ code: '17', status: 'pending-documents', 'pending-items': [{ kind: 'document' }] }],
    'acknowledgement-mapping': { columns: { 'Sit.': 'outcome', Documento: 'tax-id' }, outcomes: {} },
    plans: [{ 'carrier-plan-code': 'AE1230' }],
  })
})
