import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { covered, employee, itemsOf, sendList } from '../world/rosters.ts'
import { partOf } from '../platform/tables/workbook.ts'
import { type Client, type Company, expectOk, type Json, until } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* Lists of who should be covered, in the console: broker and HR send them, see what differs, and decide about it. */

const { testApp, open } = useConsole()

interface World {
  readonly company: Company
  readonly partner: Client
  readonly staff: readonly Json[]
}

/** A company with so many employees in force. */
async function worldOf(count: number): Promise<World> {
  const company = await testApp.company({ name: 'Têxtil Vale Verde Ltda.' })
  const partner = await testApp.partner(company.taxId)
  const staff = Array.from({ length: count }, (_, n) => employee(n))
  await covered(testApp, company, staff)
  return { company, partner, staff }
}

const headings = ['Tipo', 'CPF', 'Funcionário', 'Nascimento', 'Matrícula', 'Plano']
const cellsOf = (one: Json) => [
  'titular',
  one['tax-id'],
  one['name'],
  one['date-of-birth'].split('-').toReversed().join('/'),
  one['employee-id'],
  one['product-name'],
]
const csvOf = (people: readonly Json[], header = headings) =>
  Buffer.from([header, ...people.map(cellsOf)].map((cells) => `${cells.join(';')}\n`).join(''))

const chooseList = (page: Page, buffer: Buffer) =>
  page.locator('main input[type=file]').last().setInputFiles({ name: 'folha.csv', mimeType: 'text/csv', buffer })

async function say(page: Page, statement: string, answer: 'Sim' | 'Não'): Promise<void> {
  await page.getByRole('radiogroup', { name: statement }).getByLabel(answer, { exact: true }).check()
}

async function sayAll(page: Page): Promise<void> {
  await say(page, 'Todos da empresa estão nesta lista', 'Sim')
  await say(page, 'Todos os dependentes dessas pessoas estão nela', 'Não')
  await say(page, 'Todos os produtos dessas pessoas estão nela', 'Não')
}

/** Those of whom an exclusion was requested, once they are so many. */
const leaversOf = async (company: Company, count: number): Promise<string[]> => {
  const read = () =>
    testApp.sql<{ taxId: string }>(
      `select tax_id as "taxId" from enrollment join member on member.id = member_id and member.company_id = enrollment.company_id
       where enrollment.company_id = $1 and enrollment_type = 'exclusion' order by 1`,
      [company.id],
    )
  return (await until(read, (rows) => rows.length >= count)).map(({ taxId }) => taxId)
}

let world: World
beforeAll(async () => {
  world = await worldOf(30)
})

test('HR sends a list with own headings, answers three sentences, fills for all and confirms', async () => {
  const { company, staff } = world
  const { cookie } = await hrOf(testApp, [company.taxId])
  const watched = await open('/hr/rosters', { cookie })
  const { page } = watched
  await page.getByRole('link', { name: 'Nova lista' }).click()
  const newcomer = employee(40, { name: 'Paulo Quadros Lins', 'mothers-name': null })
  await chooseList(page, csvOf([newcomer, ...staff.slice(1)]))
  await page.getByRole('combobox', { name: 'Campo de “Funcionário”' }).waitFor()
  await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await page.getByRole('button', { name: 'Enviar e comparar' }).click()
  await page.getByText('Responda sim ou não.').first().waitFor()
  await sayAll(page)
  await watched.expectSound()
  await page.getByRole('button', { name: 'Enviar e comparar' }).click()
  const tab = page.getByRole('tab', { name: 'Exclusão (1)' })
  await tab.click()
  const absent = String(staff[0]?.['name'])
  await page.getByRole('row').filter({ hasText: absent }).getByText('Falta informar').waitFor()
  await watched.expectSound()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 selecionado').waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Confirmar', exact: true }).click()
  await dialog.getByText('Nada foi confirmado').waitFor()
  expect(watched.problems.splice(0)).toEqual([expect.stringContaining('400')])
  await dialog.getByLabel('Fim da vigência').fill('30/11/2026')
  await dialog.getByLabel('Motivo da exclusão').selectOption('resignation')
  await dialog.getByRole('button', { name: 'Confirmar', exact: true }).click()
  await page.getByText('1 item foi confirmado.').waitFor()
  await page.getByRole('row').filter({ hasText: absent }).getByText('Solicitado').waitFor()
  await expect.poll(() => leaversOf(company, 1)).toEqual([staff[0]?.['tax-id']])
  expect(watched.problems).toEqual([])
})

test('many who leave: the broker types their number and a reason, and each person may have a day of its own', async () => {
  const { company, staff } = await worldOf(30)
  const watched = await open(`/rosters/new?company=${company.taxId}`, { role: 'analyst' })
  const { page } = watched
  await page.getByLabel('Meio').selectOption('email')
  await page.getByLabel('Recebido em').fill('20/11/2026')
  await page.getByRole('textbox', { name: 'Solicitante', exact: true }).fill('Paula Andrade')
  await chooseList(page, csvOf(staff.slice(4), ['Tipo', 'CPF', 'Nome', 'Data de nascimento', 'Matrícula', 'Produto']))
  await sayAll(page)
  await page.getByRole('button', { name: 'Enviar e comparar' }).click()
  await page.getByRole('tab', { name: 'Exclusão (4)' }).waitFor()
  await page.getByText('Acima do habitual').waitFor()
  await watched.expectSound()
  const [first] = staff
  await page.getByRole('button', { name: `Preencher: ${first?.['name']}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Fim da vigência').fill('15/12/2026')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('15/12/2026').waitFor()
  await page.getByLabel('Selecionar todos desta página').check()
  await page.getByText('4 selecionados').waitFor()
  await page.keyboard.press('c')
  await dialog.getByLabel('Fim da vigência').fill('30/11/2026')
  await dialog.getByLabel('Motivo da exclusão').selectOption('resignation')
  await dialog.getByRole('button', { name: 'Confirmar', exact: true }).click()
  await dialog.getByText('Sairiam 4 pessoas.').waitFor()
  expect(watched.problems.splice(0)).toEqual([expect.stringContaining('409')])
  await expect.poll(() => dialog.getByRole('button', { name: 'Confirmar', exact: true }).isDisabled()).toBe(true)
  await dialog.getByLabel('Digite o número').fill('3')
  await dialog.getByText('É outro número.').waitFor()
  await dialog.getByLabel('Digite o número').fill('4')
  await dialog.getByRole('textbox', { name: 'Motivo', exact: true }).fill('Encerramento da unidade de Betim')
  await watched.expectSound()
  await dialog.getByRole('button', { name: 'Confirmar', exact: true }).click()
  await page.getByText('4 itens foram confirmados.').waitFor()
  await page.getByText('Solicitado').first().waitFor()
  const leavers = staff.slice(0, 4).map((one) => one['tax-id'] as string)
  await expect.poll(() => leaversOf(company, 4)).toEqual(leavers.toSorted())
  expect(watched.problems).toEqual([])
})

test('a doubtful list proposes nobody who leaves, until its sender answers for the doubt', async () => {
  const { company, partner, staff } = await worldOf(10)
  const sync = await sendList(partner, company, staff.slice(5), { states: ['people'] })
  const { cookie } = await hrOf(testApp, [company.taxId])
  const watched = await open(`/hr/rosters/${sync['roster-sync-id']}`, { cookie })
  const { page } = watched
  await page.getByText('Muitos dos titulares cobertos não estão na lista. Na lista: 50 %').waitFor()
  await page.getByText('A lista pode ter um engano.').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Confirmar' }).count()).toBe(0)
  await watched.expectSound()
  await page.getByRole('link', { name: 'Enviar de novo e assumir dúvidas' }).click()
  await chooseList(page, csvOf(staff.slice(5), ['Tipo', 'CPF', 'Nome', 'Data de nascimento', 'Matrícula', 'Produto']))
  await sayAll(page)
  await page.getByLabel('Muitos dos titulares cobertos não estão na lista.').check()
  await watched.expectSound()
  await page.getByRole('button', { name: 'Enviar e comparar' }).click()
  await page.getByRole('button', { name: 'Confirmar todos os 5' }).waitFor()
  expect(watched.problems).toEqual([])
})

test('the broker discards with a reason that HR reads; a tab is saved as a workbook', async () => {
  const { company, partner, staff } = await worldOf(8)
  const sync = await sendList(partner, company, staff.slice(1), { states: ['people'] })
  const broker = await open(`/drafts/${sync['draft-id']}`, { role: 'analyst' })
  await broker.page.waitForURL(`**/rosters/${sync['roster-sync-id']}**`)
  await broker.page.getByText('Falta informar').waitFor()
  const download = broker.page.waitForEvent('download')
  await broker.page.getByRole('button', { name: 'Exportar para Excel' }).click()
  const sheet = await partOf(await readFile(await (await download).path()), 'xl/worksheets/sheet1.xml')
  expect(sheet).toContain(staff[0]?.['name'])
  await broker.page.keyboard.press('j')
  await broker.page.keyboard.press('d')
  const dialog = broker.page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Está de licença')
  await dialog.getByRole('button', { name: 'Descartar', exact: true }).click()
  await broker.page.getByText('1 item foi descartado.').waitFor()
  await broker.expectSound()
  const { cookie } = await hrOf(testApp, [company.taxId])
  const watched = await open(`/hr/drafts/${sync['draft-id']}`, { cookie, language: 'en' })
  await watched.page.getByText('Está de licença').waitFor()
  await watched.expectSound()
  await expect.poll(async () => (await itemsOf(partner, sync)).map(({ status }) => status)).toEqual(['discarded'])
  expect([...broker.problems, ...watched.problems]).toEqual([])
})

test('an administrator sets what lists of a company may do by themselves; others read it', async () => {
  const { company } = world
  const watched = await open(`/companies/${company.taxId}`, { role: 'admin' })
  const { page } = watched
  await page.getByRole('button', { name: 'Alterar', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Dados da empresa').check()
  await dialog.getByLabel('Trava: mais pessoas que').fill('0')
  await expect.poll(() => dialog.getByRole('button', { name: 'Salvar' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Trava: mais pessoas que').fill('5')
  await watched.expectSound()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Mais de 5 pessoas de um produto, ou mais de 10 % delas').waitFor()
  const path = `/operator/v1/company/${company.taxId}/roster-policy`
  expect(expectOk(await testApp.operator.get(path)).body.result).toMatchObject({
    automatic: ['company-data'],
    'guard-people': 5,
  })
  const reader = await open(`/companies/${company.taxId}`, { role: 'auditor' })
  await reader.page.getByText('Mais de 5 pessoas').waitFor()
  await expect.poll(() => reader.page.getByRole('button', { name: 'Alterar', exact: true }).count()).toBe(0)
  expect([...watched.problems, ...reader.problems]).toEqual([])
})
