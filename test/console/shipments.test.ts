import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { fieldsOf, readFields } from '../../console/src/broker/shipments/sheet-fields.ts'
import { workbookOfSheets } from '#platform/tables/xlsx/sheets-writer.ts'
import { changePlan, family } from '../world/changed-plan.ts'
import { calendar } from '../world/contract.ts'
import { openReceiver } from '../world/receiver.ts'
import {
  act,
  enroll,
  moved,
  needPlanCode,
  openShipmentOf,
  openShipper,
  plansOf,
  shipmentsOf,
} from '../world/shipment.ts'
import { expectOk, health, inProduct, monday, nextCpf, premium, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })

test('a shipment is closed without what is not ready, downloaded, sent and finished', async () => {
  const shipper = await openShipper(testApp, { calendar: calendar(20) })
  await enroll(testApp, shipper, [primary({ name: 'Helena Brandão' }), primary({ name: 'Davi Kobayashi' })])
  const { page, expectSound } = await open(`/carriers/contracts/${shipper.contractId}`, { role: 'analyst' })
  await page.getByRole('table', { name: 'Remessas' }).getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('heading', { name: 'Remessa 1: Operadora Aurora, contrato 900001' }).waitFor()
  await page.getByRole('link', { name: 'Pronta (2)' }).click()
  await page.getByRole('link', { name: 'Helena Brandão' }).waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Fechar e gerar o arquivo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 movimentações entram no arquivo.').waitFor()
  await dialog.getByRole('button', { name: 'Fechar e gerar o arquivo' }).click()
  await page.getByText('A remessa 1 foi fechada').waitFor()
  const sha256 = await page.getByText(/^SHA-256/).textContent()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Baixar o arquivo' }).click()
  const bytes = await readFile(await (await download).path())
  expect(sha256).toContain(createHash('sha256').update(bytes).digest('hex'))
  expect(bytes.toString()).toContain('Helena Brandão')

  const more = page.getByRole('button', { name: 'Mais ações' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Reabrir' }).click()
  await dialog.getByRole('button', { name: 'Reabrir' }).click()
  await page.getByText('A remessa 1 está aberta de novo.').waitFor()
  await page.getByRole('button', { name: 'Fechar e gerar o arquivo' }).click()
  await dialog.getByRole('button', { name: 'Fechar e gerar o arquivo' }).click()
  await page.getByRole('button', { name: 'Marcar como enviada' }).click()
  await dialog.getByLabel('Protocolo da operadora').fill('2026-118840')
  await dialog.getByLabel('Enviada em').fill('2026-11-20T17:40')
  await expectSound()
  await dialog.getByRole('button', { name: 'Marcar como enviada' }).click()
  await page.getByText('2026-118840').first().waitFor()
  await page.getByText('20/11/2026 17:40').first().waitFor()
  const [, sent] = await shipmentsOf(testApp, shipper.contractId)
  await moved(testApp, sent?.['shipment-id'])

  const steps = page.getByRole('list', { name: 'Andamento da remessa' }).getByRole('listitem')
  await expect.poll(() => steps.filter({ hasText: 'Enviada' }).getAttribute('aria-current')).toBe('step')
  // What is not done has no day.
  await expect.poll(() => steps.last().textContent()).toBe('Finalizada')
  await more.click()
  await page.getByRole('menuitem', { name: 'Finalizar' }).click()
  await dialog.getByText('2 movimentações estão sem retorno').waitFor()
  await dialog.getByRole('button', { name: 'Finalizar' }).click()
  await page.getByRole('link', { name: 'Sem retorno (2)' }).waitFor()
  await expect
    .poll(() => steps.allTextContents())
    .toMatchObject([
      expect.stringContaining('Aberta (concluída)'),
      expect.stringContaining('Fechada (concluída)'),
      expect.stringMatching(/^Enviada \(concluída\)20\/11\/2026 17:40\S/u),
      expect.stringContaining('Retorno'),
      expect.stringContaining('Finalizada (concluída)'),
    ])
  await expectSound()
})

test('what is not ready is said in sentences, and is left for the next shipment', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900002' })
  await needPlanCode(testApp, shipper.contractId)
  const { company, contractId } = shipper
  // Only one of the products has the code that the layout requires.
  const plans = [...plansOf(company, health), { 'product-id': company.products[premium] }]
  const { body } = await testApp.operator.get(`/operator/v1/contract/${contractId}`)
  const { 'contract-id': _id, 'next-cut-off': _cutOff, ...contract } = body.result
  expectOk(await testApp.operator.put(`/operator/v1/contract/${contractId}`, { ...contract, plans }))
  await enroll(testApp, shipper, [primary({ name: 'Otávio Prado' })])
  const other = primary({ name: 'Íris Assunção', products: inProduct('health-insurance', premium) })
  await testApp.include(shipper.partner, company, [other])
  const { page, expectSound, goto } = await open(`/carriers`, { role: 'analyst' })
  const row = page.getByRole('row').filter({ hasText: '900002' })
  await row.getByRole('link', { name: '1 pronta, 1 com problema' }).click()
  const problems = page.getByRole('region', { name: 'O que tem problema' })
  await problems.getByRole('link', { name: 'Íris Assunção' }).waitFor()
  await problems.getByText('plan.carrier-plan-code').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Fechar e gerar o arquivo' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Fechar e gerar o arquivo' })
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Deixar 1 movimentação com problema para a próxima remessa').check()
  await confirm.click()
  await page.getByText('A remessa 1 foi fechada').waitFor()
  await page.getByRole('link', { name: 'Pronta (1)' }).waitFor()
  await goto('/carriers')
  await row.getByRole('link', { name: '1 com problema', exact: true }).waitFor()
})

test('a problem of a dependent who moves along names the dependent', async () => {
  const { next } = await changePlan(testApp, {
    joining: { 'contract-number': '900003' },
    followers: family,
    startDate: monday,
  })
  await needPlanCode(testApp, next, 'registration.admission-date')
  const id = await openShipmentOf(testApp, next)
  const { page, expectSound } = await open(`/carriers/shipments/${id}`, { role: 'analyst' })
  const problems = page.getByRole('region', { name: 'O que tem problema' }).getByRole('listitem')
  for (const name of ['Davi Brandão Souza', 'Lia Brandão Souza']) {
    await problems
      .filter({ hasText: `${name}: ` })
      .filter({ hasText: 'registration.admission-date' })
      .waitFor()
  }
  await expect.poll(() => problems.count()).toBe(2)
  await expectSound()
})

test('the answer of a carrier is shown before it is applied, and completes and returns movements', async () => {
  const shipper = await openShipper(testApp, {
    'contract-number': '900003',
    'code-map': [{ code: '17', status: 'pending-documents', reason: 'Falta a certidão' }],
  })
  const people = ['Helena Brandão', 'Davi Kobayashi', 'Caetano Lima'].map((name) => primary({ name }))
  await enroll(testApp, shipper, people)
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  await act(testApp, id, 'send')
  await moved(testApp, id)
  const { page, expectSound } = await open(`/carriers/shipments/${id}`, { role: 'analyst' })
  const [first, second] = people.map((one) => one['tax-id'])
  const lines = [
    'CPF;Produto;Situação;Carteirinha;Início;Código;Mensagem',
    `${first};${health};Aceito;0077 0001;01/12/2026;;`,
    `${second};${health};Recusado;;;17;Certidão ilegível`,
    `${nextCpf()};${health};Aceito;0077 0009;01/12/2026;;`,
  ]
  const file = { name: 'retorno.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
  const onlyWrong = Buffer.from([lines[0], lines.at(-1)].join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'errado.csv', mimeType: 'text/csv', buffer: onlyWrong })
  await page.getByText('0 linhas podem ser aplicadas').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Aplicar 0 linhas' }).isDisabled()).toBe(true)
  await page.locator('input[type=file]').setInputFiles(file)
  await page
    .getByText('2 linhas podem ser aplicadas: 1 aceitas, 1 recusadas pela operadora. 1 linha tem erro')
    .waitFor()
  const answers = page.getByRole('table', { name: 'O que acontece com cada linha' }).getByRole('row')
  await expect.poll(() => answers.filter({ hasText: 'Helena Brandão' }).textContent()).toContain('Concluída')
  await expect
    .poll(() => answers.filter({ hasText: 'Davi Kobayashi' }).textContent())
    .toContain('Aguardando documentos')
  await expectSound()
  // Nothing is done yet.
  await page.getByRole('link', { name: 'Enviada (3)' }).waitFor()
  await page.getByRole('button', { name: 'Aplicar 2 linhas' }).click()
  await page.getByText('2 linhas foram aplicadas: 1 aceitas, 1 recusadas pela operadora.').waitFor()
  for (const name of ['Enviada (1)', 'Aceita (1)', 'Recusada (1)']) await page.getByRole('link', { name }).waitFor()
  await page.getByText('Retorno parcial').waitFor()
  await page.getByRole('link', { name: 'Ver na fila' }).click()
  await page.getByRole('link', { name: 'Caetano Lima' }).waitFor()
  const queued = page.getByRole('row').filter({ hasText: 'Helena Brandão' })
  await queued.getByRole('link', { name: '1', exact: true }).waitFor()
  await expectSound()
})

test('a shipment is delivered by the channel of its contract: each attempt is listed, and the delivery can be stopped', async () => {
  const receiver = await openReceiver()
  receiver.respond = () => ({ status: 500 })
  const shipper = await openShipper(testApp, { 'contract-number': '900005', channel: 'connector' })
  const channel = `/operator/v1/contract/${shipper.contractId}/channel`
  expectOk(await testApp.operator.put(channel, { connector: { url: receiver.url } }))
  await enroll(testApp, shipper, [primary()])
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const { page, expectSound } = await open(`/carriers/shipments/${id}`, { role: 'analyst' })
  const delivery = page.getByRole('region', { name: 'Entrega à operadora' })
  const dialog = page.getByRole('dialog')
  await delivery.getByText('Nenhuma tentativa ainda.').waitFor()
  await delivery.getByRole('button', { name: 'Entregar agora' }).click()
  await dialog.getByRole('button', { name: 'Entregar agora' }).click()
  const attempts = delivery.getByRole('row')
  // The second is made 5 seconds after the first, the third minutes later: nothing is stopped while an attempt is made.
  await attempts.filter({ hasText: 'Falhou' }).getByText('Resposta 500').nth(1).waitFor()
  await expectSound()
  await delivery.getByRole('button', { name: 'Parar a entrega' }).click()
  await dialog.getByRole('button', { name: 'Parar a entrega' }).click()
  await delivery.getByText('parada por uma pessoa').waitFor()
  await expect.poll(() => delivery.getByRole('button', { name: 'Parar a entrega' }).count()).toBe(0)
  receiver.respond = () => ({ status: 202, body: '{"carrier-protocol":"LOTE-7"}' })
  await delivery.getByRole('button', { name: 'Entregar agora' }).click()
  await dialog.getByRole('button', { name: 'Entregar agora' }).click()
  await attempts.filter({ hasText: 'Entregue' }).waitFor()
  await page.getByText('LOTE-7').first().waitFor()
  await expect.poll(() => delivery.getByRole('button').count()).toBe(0)
  await receiver.close()
})

test('a shipment of a contract by e-mail is downloaded as a message', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900006', channel: 'email' })
  await enroll(testApp, shipper, [primary()])
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const { page, goto } = await open(`/carriers/shipments/${id}`, { role: 'analyst' })
  await page.getByText('O contrato não tem modelo de e-mail').waitFor()
  const email = { to: ['mesa@aurora.example'], subject: 'Remessa {shipment-number}', text: 'Segue a remessa.' }
  expectOk(await testApp.operator.put(`/operator/v1/contract/${shipper.contractId}/channel`, { email }))
  await goto(`/carriers/shipments/${id}`)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Baixar o e-mail (.eml)' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^900006.*\.eml$/)
  expect(await readFile(await file.path(), 'utf8')).toContain('Subject: Remessa 1')
})

test('an auditor reads shipments and does nothing with them', async () => {
  const shipper = await openShipper(testApp)
  await enroll(testApp, shipper, [primary()])
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const { page, expectSound } = await open(`/carriers/shipments/${id}`, { role: 'auditor' })
  await page.getByText(/^SHA-256/).waitFor()
  for (const name of ['Marcar como enviada', 'Reabrir', 'Cancelar a remessa']) {
    await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
  }
  await expect.poll(() => page.getByRole('link', { name: 'Baixar o arquivo' }).count()).toBe(0)
  await page
    .getByRole('cell', { name: /^\*+|•/ })
    .first()
    .waitFor()
  await expectSound()
})

test('the work sheet is worked through by keyboard: fields are copied in their order, a protocol leads to the next person', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900004', channel: 'portal' })
  const people = ['Helena Brandão', 'Davi Kobayashi'].map((name) => primary({ name }))
  await enroll(testApp, shipper, people)
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const { page, expectSound } = await open(`/carriers/shipments/${id}`, { role: 'analyst' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: 'Roteiro para o portal' }).click()
  const heading = page.getByRole('heading', { level: 2 })
  await page.getByText('1 / 2').waitFor()
  const first = await heading.textContent()
  const rows = page.getByRole('row')
  await expect.poll(() => rows.count()).toBeGreaterThan(5)
  await expectSound()
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  const values = await page
    .getByRole('cell')
    .filter({ hasNot: page.getByRole('button') })
    .allTextContents()
  for (const value of values.slice(0, 3)) {
    await page.keyboard.press('Enter')
    await expect.poll(clipboard).toBe(value)
  }
  await page.keyboard.press('j')
  await page.getByText('2 / 2').waitFor()
  await expect.poll(() => heading.textContent()).not.toBe(first)
  await page.keyboard.press('k')
  await page.getByText('1 / 2').waitFor()
  await page.getByLabel('Protocolo do portal').fill('P-1')
  await page.keyboard.press('Enter')
  await page.getByText('2 / 2').waitFor()
  const { body } = await testApp.operator.get(`/operator/v1/shipment/${id}/item`)
  expect(body.result[0]['carrier-protocol']).toBe('P-1')
})

test('the work sheet of the default layout has the words, forms and order of portals, with the headings of the file beside', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900008', channel: 'portal' })
  const person = {
    name: 'Helena Brandão',
    'mothers-name': 'Rita Brandão',
    'date-of-birth': '1985-03-09',
    gender: 'female',
    'marital-status': 'married',
    salary: 222_432,
  }
  await enroll(testApp, shipper, [primary(person)])
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const portuguese = [
    ['Plano', null],
    ['Código do plano', 'AE1230'],
    ['Número do contrato', '900008'],
    ['Início da vigência', null],
    ['Titular', 'Helena Brandão'],
    ['CPF do titular', null],
    ['Parentesco', 'Titular'],
    ['CPF', null],
    ['Nome', 'Helena Brandão'],
    ['Data de nascimento', '09/03/1985'],
    ['Nome da mãe', 'Rita Brandão'],
    ['Sexo', 'Feminino'],
    ['Estado civil', 'Casado(a)'],
    ['Salário', '2.224,32'],
  ] as const
  const english = [
    ['Plan', null],
    ['Relationship', 'Primary'],
    ['Date of birth', '09/03/1985'],
    ['Gender', 'Female'],
    ['Salary', '2.224,32'],
  ] as const
  for (const [language, width, fields] of [
    ['pt-BR', 390, portuguese],
    ['en', 1280, english],
  ] as const) {
    const options = { role: 'analyst', language, width } as const
    const { page, expectSound } = await open(`/carriers/shipments/${id}/work-sheet`, options)
    const rows = page.getByRole('row')
    await rows.first().waitFor()
    await expectSound()
    const shown = await page.evaluate<string[][]>(
      `[...document.querySelectorAll('#content tr')].map(({ cells }) => [cells[0].firstChild.textContent, cells[1].textContent])`,
    )
    const order: string[] = fields.map(([label]) => label)
    expect(shown.map(([label = '']) => label).filter((label) => order.includes(label))).toEqual(order)
    for (const [label, value] of fields) if (value !== null) expect(shown).toContainEqual([label, value])
    expect(shown.flat().filter((text) => /^[a-z]+(?:-[a-z]+)+$|^[\da-f]{8}-/.test(text))).toEqual([])
    await rows.filter({ hasText: 'marital-status' }).waitFor()
  }
})

test('the work sheet of a workbook has the row of each movement in its sheet, in the order of its columns', async () => {
  const shipper = await openShipper(testApp, {
    'contract-number': '900007',
    channel: 'portal',
    layouts: { movement: 'universal-workbook' },
  })
  const mother = primary({ name: 'Helena Brandão', 'date-of-birth': '1985-03-09' })
  await enroll(testApp, shipper, [mother, primary({ name: 'Davi Kobayashi' })])
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const { page, expectSound } = await open(`/carriers/shipments/${id}/work-sheet`, { role: 'analyst' })
  const fields = page.getByRole('row')
  await page
    .getByRole('heading', { name: 'Helena Brandão' })
    .or(page.getByRole('heading', { name: 'Davi' }))
    .waitFor()
  if (await page.getByRole('heading', { name: 'Davi' }).isVisible()) await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'Helena Brandão' }).waitFor()
  await expect.poll(() => fields.filter({ hasText: 'Nome Segurado' }).textContent()).toContain('Helena Brandão')
  await expect.poll(() => fields.filter({ hasText: 'Data de Nascimento' }).textContent()).toContain('09/03/1985')
  const labels = await fields.getByRole('rowheader').allTextContents()
  expect(labels.indexOf('Operadora')).toBeLessThan(labels.indexOf('Nome Segurado'))
  await expectSound()
})

test('a workbook is taken apart as it was written', async () => {
  const columns = [{ header: 'Nome' }, { header: 'Nascimento', isDate: true }]
  const rows = [
    ['Ana & "Bia" <3', '1999-12-31'],
    [null, '2000-02-29'],
    ['=1+1', null],
    ["'=1", 'sem data'],
  ]
  const book = await buffer(
    workbookOfSheets([
      { name: 'A & B', columns, rows },
      { name: 'C', columns, rows: [] },
    ]),
  )
  const definition = { format: 'xlsx' as const, records: [] }
  const read = await readFields(definition, new Uint8Array(book).buffer)
  const at = (row: number) =>
    read({ 'line-numbers': [row], sheets: ['A & B'] }).map(({ heading, value }) => [heading, value])
  expect([2, 3, 4, 5].map(at)).toEqual([
    [
      ['Nome', 'Ana & "Bia" <3'],
      ['Nascimento', '31/12/1999'],
    ],
    [['Nascimento', '29/02/2000']],
    [['Nome', '=1+1']],
    [
      ['Nome', "'=1"],
      ['Nascimento', 'sem data'],
    ],
  ])
  expect(read({ 'line-numbers': [2], sheets: ['C'] })).toEqual([])
})

test('the fields of a work sheet are those of the file', () => {
  const columns = [{ at: 1, length: 1, literal: '2' }, { at: 2, length: 3, source: 'person.name' } as const]
  const fixed = { format: 'fixed-width' as const, records: [{ name: 'a', columns }] }
  const read = (definition: Parameters<typeof fieldsOf>[0], lines: string[], numbers: number[]) =>
    fieldsOf(definition, lines, numbers).map(({ heading, value, column }) => [heading, value, column?.source])
  expect(read(fixed, ['2ANA', '2 B '], [2])).toEqual([
    ['1', '2', undefined],
    ['person.name', 'B', 'person.name'],
  ])
  const named = [{ name: 'a', columns: [{ source: 'person.name' as const }, { source: 'person.tax-id' as const }] }]
  const csv = { format: 'csv' as const, 'header-lines': ['headings' as const], records: named }
  expect(read(csv, ['\ufeffNome;CPF', '"Ana; ""Bia""";', "'-;1"], [2, 3])).toEqual([
    ['Nome', 'Ana; "Bia"', 'person.name'],
    ['Nome', '-', 'person.name'],
    ['CPF', '1', 'person.tax-id'],
  ])
  expect(read({ ...csv, 'formula-guard': false }, ['Nome', "'-"], [2])).toEqual([['Nome', "'-", 'person.name']])
  expect(read({ ...csv, format: 'ndjson' }, ['{"a":"x","b":null}'], [1])).toEqual([['a', 'x', 'person.name']])
})
