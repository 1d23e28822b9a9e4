import { describe, expect, test } from 'vitest'
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
    await page.getByRole('table').getByText('person.name').waitFor()
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
    await page.getByText('person.name: JOÃO').waitFor()
    const bytes = Buffer.from(`${good}\r\n${'2x'.padEnd(40)}\r\n`, 'latin1')
    const file = { name: 'cadastro.txt', mimeType: 'text/plain', buffer: bytes }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('1 linhas lidas, 1 recusadas').waitFor()
    await page.getByRole('region', { name: 'Linhas recusadas' }).waitFor()
    await expectSound()
  })

  test('is copied from a built-in one and changed as a document; what is wrong is said, and nothing is lost', async () => {
    const { page, problems, expectSound } = await open('/carriers/layouts/generic-csv', { role: 'analyst' })
    expect(await page.getByRole('link', { name: 'Alterar' }).count()).toBe(0)
    await page.getByRole('heading', { name: 'Movimentações em CSV' }).waitFor()
    await page.getByText('Os códigos do SIB são os da RN 500/2022').waitFor()
    await page.getByRole('link', { name: 'Fazer uma cópia' }).click()
    expect(await page.getByLabel('Nome').inputValue()).toBe('Cópia de Movimentações em CSV')
    const document = page.getByLabel('Definição (JSON)')
    await page.getByLabel('Nome').fill('CSV da Aurora')
    const valid = await document.inputValue()
    await document.fill(valid.slice(0, -2))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Isto não é JSON').waitFor()
    await document.fill(JSON.stringify({ format: 'csv', records: [{ name: 'x', columns: [{ heading: 'A' }] }] }))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('alert').getByText('records[0].columns[0]:').first().waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
    await expectSound()
    await document.fill(valid)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('heading', { name: 'CSV da Aurora' }).waitFor()
    await page.getByRole('link', { name: 'Alterar' }).click()
    await page.getByLabel('Fonte da descrição').fill('Manual, versão 3')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Manual, versão 3').first().waitFor()
  })

  test('is read, not written and not previewed, by finance', async () => {
    const { page, goto, expectSound } = await open('/carriers/layouts', { role: 'finance' })
    expect(await page.getByRole('link', { name: 'Novo leiaute' }).count()).toBe(0)
    await goto('/carriers/layouts/generic-csv')
    expect(await page.getByRole('heading', { name: 'Prévia' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Fazer uma cópia' }).count()).toBe(0)
    await goto('/carriers/layouts/new')
    await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
    await expectSound()
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
