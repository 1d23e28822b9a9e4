import { expect, test } from 'vitest'
import { answerTable } from '../../console/src/broker/shipments/answer-columns.ts'
import { act, enroll, moved, openShipmentOf, openShipper } from '../world/shipment.ts'
import { expectOk, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

test('a carrier’s answer with headings and words of its own is mapped once, previewed with card and start, and remembered with the contract', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900021' })
  const people = ['Helena Brandão', 'Davi Kobayashi', 'Íris Assunção'].map((name) => primary({ name }))
  await enroll(testApp, shipper, people)
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  await act(testApp, id, 'send')
  await moved(testApp, id)
  const { page, problems } = await open(`/carriers/shipments/${id}`, { role: 'analyst' })
  const [first, second, third] = people.map((one) => String(one['tax-id']))
  const lines = [
    'Nome;CPF Beneficiário;Nº Carteirinha;Situação;Motivo da recusa;Início Vigência',
    `Helena Brandão;${first};0077 0001;CONFIRMADO NA BASE;;01/12/2026`,
    `Davi Kobayashi;${second};;NAO CONFIRMADO;Certidão ilegível;`,
  ]
  const drop = (name: string, text: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await drop('retorno.csv', lines.join('\n'))
  const headings = page.getByRole('table', { name: 'Colunas do arquivo' })
  await headings.waitFor()
  const fieldOf = (heading: string) => page.getByRole('combobox', { name: `Campo de “${heading}”` })
  await expect.poll(() => fieldOf('Nº Carteirinha').inputValue()).toBe('Número da carteirinha')
  await expect.poll(() => fieldOf('CPF Beneficiário').inputValue()).toBe('CPF')
  // Nothing is refused for a column that nobody needs.
  await expect.poll(() => fieldOf('Nome').inputValue()).toBe('')
  await page.getByRole('combobox', { name: 'Valor de “CONFIRMADO NA BASE”' }).selectOption({ label: 'Aceita' })
  await page.getByRole('combobox', { name: 'Valor de “NAO CONFIRMADO”' }).selectOption({ label: 'Recusada' })
  // Not without the column that says of whom a line is.
  const choose = async (name: string) => {
    await fieldOf('CPF Beneficiário').click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await choose('Protocolo')
  await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await page.getByRole('alert').filter({ hasText: 'Colunas que ainda faltam: CPF' }).waitFor()
  await choose('CPF')
  await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()

  await page.getByText('2 linhas podem ser aplicadas: 1 aceitas, 1 recusadas pela operadora.').waitFor()
  const answers = page.getByRole('table', { name: 'O que acontece com cada linha' }).getByRole('row')
  const helena = answers.filter({ hasText: 'Helena Brandão' })
  await helena.getByText('0077 0001').waitFor()
  await helena.getByText('01/12/2026').waitFor()
  const { body } = expectOk(await testApp.operator.get(`/operator/v1/contract/${shipper.contractId}`))
  expect(body.result['acknowledgement-mapping']).toMatchObject({
    columns: { 'CPF Beneficiário': 'tax-id', 'Nº Carteirinha': 'card-number', Situação: 'outcome' },
    outcomes: { 'CONFIRMADO NA BASE': 'accepted', 'NAO CONFIRMADO': 'refused' },
  })
  await page.getByRole('button', { name: 'Aplicar 2 linhas' }).click()
  await page.getByText('2 linhas foram aplicadas: 1 aceitas, 1 recusadas pela operadora.').waitFor()

  // The next file of the carrier is read at once.
  await drop('retorno-2.csv', [lines[0], `Íris Assunção;${third};0077 0003;Confirmado na base;;01/12/2026`].join('\n'))
  await page.getByText('1 linha pode ser aplicada: 1 aceitas, 0 recusadas pela operadora.').waitFor()
  await answers.filter({ hasText: '0077 0003' }).waitFor()
  expect(problems.filter((one) => !one.includes('400 (Bad Request)'))).toEqual([])
})

test('a file with a title, known headings and a column that nobody needs is read as it is', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900022' })
  const person = primary({ name: 'Otávio Prado' })
  await enroll(testApp, shipper, [person])
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  await act(testApp, id, 'send')
  await moved(testApp, id)
  const { page } = await open(`/carriers/shipments/${id}`, { role: 'analyst' })
  const text = [
    'Retorno de movimentação;;;;',
    'cpf;carteirinha;situacao;inicio;nome',
    `${String(person['tax-id'])};0078 1;Efetivado;01/12/2026;Otávio`,
  ].join('\n')
  const file = { name: 'retorno.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('1 linha pode ser aplicada: 1 aceitas, 0 recusadas pela operadora.').waitFor()
})

test('the header is found under titles, and no column is proposed twice or for the CPF of the primary', () => {
  const rows = [
    ['Retorno de movimentação', '', '', ''],
    [],
    ['CPF Titular', 'CPF Beneficiário', 'Nº Carteirinha', 'Situação'],
    ['52998224725', '11144477735', '0099 1', 'IMPLANTADO'],
  ]
  const table = answerTable(rows, null, undefined)
  expect(table['header-row']).toBe(3)
  expect(table.columns.map(({ field, proposed }) => field ?? proposed)).toEqual([
    null,
    'tax-id',
    'card-number',
    'outcome',
  ])
  expect(table.rows).toEqual([{ cells: rows[3] }])
})
