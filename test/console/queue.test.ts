import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { calendar } from '../world/contract.ts'
import { act, enroll as enrollShipped, openShipmentOf, openShipper, readShipment } from '../world/shipment.ts'
import {
  type Client,
  companyBody,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  primary,
  useCompany,
} from '../world/test-app.ts'
import { addDays } from '#kernel/calendar.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOfRows, partOf } from '../platform/tables/workbook.ts'
import { type ConsolePage, untranslated, useConsole } from './console.ts'
import { playDecisions } from './decision-script.ts'

const { testApp, open } = useConsole()

const { company, partner } = useCompany(testApp)
let other: Client

beforeAll(async () => {
  other = await testApp.operatorOf('analyst')
})

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => primary({ name: `${prefix} ${String.fromCodePoint(65 + index)}` }))

const include = (...people: unknown[]) => testApp.include(partner, company, people)

/** The movements of the queue by the names of the people. */
async function movements(query = ''): Promise<Record<string, Json>> {
  const { body } = expectOk(await testApp.operator.get(`/operator/v1/enrollment?items-per-page=500&${query}`))
  return Object.fromEntries(body.result.map((item: Json) => [item['member-name'], item]))
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function select(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await row(page, name).getByRole('checkbox').check()
}

const dialog = (page: Page) => page.getByRole('dialog')

/** Chooses in the menu of the page. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

describe('views of the team', () => {
  const menu = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Visões' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const filtersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

  test('filters are saved as a tab that a colleague has too, changed, renamed and deleted', async () => {
    const { page, problems } = await open(`/queue?carrier-name=Operadora+Aurora&sort=created-at&q=maria`, {
      role: 'analyst',
    })
    await menu(page, 'Salvar como visão da equipe')
    await dialog(page).getByRole('button', { name: 'Salvar' }).click()
    await dialog(page).getByText('Escreva um nome').waitFor()
    await dialog(page).getByLabel('Nome').fill('As da Aurora')
    await page.keyboard.press('Enter')
    const tabs = page.getByRole('navigation', { name: 'Visões da equipe' })
    await tabs.getByRole('link', { name: 'As da Aurora', exact: true }).waitFor()
    await page.waitForURL((url) => url.searchParams.has('view'))
    const { view, ...filters } = filtersOf(page)
    // Names and CPFs are not stored.
    expect(filters).toEqual({ 'carrier-name': 'Operadora Aurora', sort: 'created-at' })
    const colleague = await open('/queue', { role: 'analyst' })
    const theirTabs = colleague.page.getByRole('navigation', { name: 'Visões da equipe' })
    await theirTabs.getByRole('link', { name: 'As da Aurora' }).click()
    await colleague.page.waitForURL((url) => url.searchParams.get('view') === view)
    expect(filtersOf(colleague.page)).toEqual({ view, ...filters })
    await colleague.expectSound()

    await page
      .getByRole('navigation', { name: 'Situação' })
      .getByRole('link', { name: /^Recebida/ })
      .click()
    await tabs.getByTitle('Os filtros mudaram').waitFor()
    await menu(page, 'Salvar os filtros nesta visão')
    await tabs.getByTitle('Os filtros mudaram').waitFor({ state: 'detached' })
    await menu(page, 'Renomear esta visão')
    await dialog(page).getByLabel('Nome').fill('Criadas da Aurora')
    await page.keyboard.press('Enter')
    await tabs.getByRole('link', { name: 'Criadas da Aurora', exact: true }).waitFor()
    const [stored] = expectOk(await testApp.operator.get('/operator/v1/view?area=queue')).body.result
    expect(stored).toMatchObject({ name: 'Criadas da Aurora', filters: { ...filters, status: 'created' } })
    await menu(page, 'Excluir esta visão')
    await dialog(page).getByRole('button', { name: 'Excluir esta visão' }).click()
    await tabs.getByRole('link', { name: 'Criadas da Aurora' }).waitFor({ state: 'detached' })
    await tabs.getByRole('link', { name: 'Toda a fila' }).click()
    await page.waitForURL((url) => url.search === '')
    expect(problems).toEqual([])
  })

  test('the filters that a browser has kept so far are moved to the team', async () => {
    const { page } = await open('/queue', { role: 'analyst' })
    const search = { due: 'overdue', 'shipment-number': 3, overdue: true, q: 'maria' }
    await page.evaluate(
      `localStorage.setItem('vigencia-queue-filters', '${JSON.stringify([{ name: 'Atrasadas', search }])}')`,
    )
    await page.reload()
    await menu(page, 'Levar 1 filtro deste navegador para a equipe')
    await page.getByRole('navigation', { name: 'Visões da equipe' }).getByRole('link', { name: 'Atrasadas' }).click()
    await page.waitForURL((url) => url.searchParams.has('view'))
    expect(filtersOf(page)).toMatchObject({ due: 'overdue', 'shipment-number': '3', overdue: 'true' })
    await page.getByRole('button', { name: 'Visões' }).click()
    await page.getByRole('menuitem', { name: 'Salvar como visão da equipe' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: /deste navegador/ }).count()).toBe(0)
  })
})

describe('the queue', () => {
  let watched: ConsolePage
  let page: Page
  beforeAll(async () => {
    await include(...numbered('Bruna', 12), primary({ name: 'Otávio Primeiro' }))
    watched = await open('/queue?status=created', { role: 'analyst' })
    ;({ page } = watched)
  })

  test('decides by keyboard in at most three keystrokes, row after row', async () => {
    await row(page, 'Bruna A').waitFor()
    const { decisions, keystrokes, maxKeystrokes } = await playDecisions(page, 10)
    const found = await movements()
    expect(decisions.map(({ name }) => ({ name, status: found[name].status }))).toEqual(decisions)
    expect(new Set(decisions.map(({ name }) => name)).size).toBe(10)
    expect({ maxKeystrokes, perDecision: keystrokes / 10 }).toEqual({ maxKeystrokes: 3, perDecision: 2.5 })
    const { 'pending-items': items, reason } = found[decisions[4]?.name ?? '']
    expect(items).toEqual([{ kind: 'document', 'document-type': 'document-proving-relationship', message: reason }])
    expect(watched.problems).toEqual([])
  })

  test('the other keys move, select, search, open and list the keys; none acts while one writes', async () => {
    const active = page.locator('main [data-active="true"]')
    await page.keyboard.press('j')
    await active.filter({ hasText: 'Bruna L' }).waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.getByRole('region', { name: 'Movimentações selecionadas' }).getByText('1 selecionada').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 selecionada').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await dialog(page).getByText('Próxima linha').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('otavio')
    await page.getByText('1 movimentação', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('otavio')
    await page.keyboard.press('Escape')
    // Else all rows would come back, and the mark would be lost.
    await expect.poll(() => page.getByRole('searchbox', { name: 'CPF ou nome' }).inputValue()).toBe('otavio')
    await row(page, 'Bruna').first().waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await active.filter({ hasText: 'Otávio Primeiro' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/queue/*')
    await page.goBack()
    // The movement has rows of that name too.
    await page.getByRole('heading', { name: 'Fila' }).waitFor()
    await row(page, 'Otávio Primeiro').waitFor()
  })

  test('filters are in the address, are counted in the tabs, and are exported', async () => {
    await include(...numbered('Carla', 2))
    await watched.goto(`/queue?carrier-name=Operadora+Aurora&q=carla&company-tax-id=${company.taxId}`)
    const tabs = page.getByRole('navigation', { name: 'Situação' })
    await tabs.getByRole('link', { name: 'Em aberto 2' }).waitFor()
    await tabs.getByRole('button', { name: 'Encerradas 0' }).click()
    await page.getByRole('menuitem', { name: 'Concluída 0' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Empresa: Metalúrgica/ }).waitFor()
    // What a filter fixes is in no column.
    await expect.poll(() => page.getByRole('columnheader', { name: /^Empresa/ }).count()).toBe(0)
    await expect.poll(() => page.getByRole('cell').getByText('Operadora Aurora').count()).toBe(0)
    await page.getByRole('searchbox').first().fill('carla')
    await tabs.getByRole('link', { name: 'Em aberto 2' }).waitFor()
    const download = page.waitForEvent('download')
    await choose(page, 'Exportar como CSV')
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(3)
    const workbook = page.waitForEvent('download')
    await choose(page, 'Exportar para Excel')
    const sheet = await partOf(await readFile(await (await workbook).path()), 'xl/worksheets/sheet1.xml')
    expect(sheet.match(/<row /g)).toHaveLength(3)
  })

  test('the selection bar takes its room from the rows', async () => {
    await watched.goto('/queue?status=created')
    await row(page, 'Bruna L').getByRole('checkbox').check()
    const bottom = async () =>
      page.evaluate<number>(`document.documentElement.scrollHeight - document.documentElement.clientHeight`)
    await expect.poll(bottom).toBe(0)
  })

  test('the row of a movement that was opened is still marked when one comes back, also by Escape', async () => {
    await watched.goto('/queue?status=all')
    await row(page, 'Bruna A').waitFor()
    const active = page.locator('main [data-active="true"]')
    for (const leave of ['back', 'Escape'] as const) {
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      const name = (await active.getByRole('link').textContent()) ?? ''
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1 }).filter({ hasText: name }).waitFor()
      await (leave === 'back' ? page.goBack() : page.keyboard.press('Escape'))
      await active.filter({ hasText: name }).waitFor()
      await expect.poll(() => active.count()).toBe(1)
    }
  })

  test('a bulk decision tells what was not done, and who was faster', async () => {
    await include(...numbered('Daniel', 3))
    await watched.goto('/queue?q=daniel')
    await select(page, 'Daniel A', 'Daniel B', 'Daniel C')
    const { id } = (await movements('q=daniel'))['Daniel B']
    expectOk(await other.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' }))
    await page.getByRole('button', { name: 'Rejeitar' }).click()
    await dialog(page).getByText('A movimentação já foi solicitada.').click()
    await dialog(page).getByRole('button', { name: 'Rejeitar' }).click()
    await dialog(page).getByText('2 concluídas · 1 não concluída').waitFor()
    const conflict = row(page, 'Daniel B').filter({ hasText: 'Outra pessoa foi mais rápida.' })
    await conflict.getByText(/Concluída por analyst em \d\d\/\d\d\/\d{4} \d\d:\d\d/).waitFor()
    await dialog(page).getByRole('button', { name: 'Tentar de novo 1' }).click()
    await dialog(page).getByText('2 concluídas · 1 não concluída').waitFor()
    await watched.expectSound()
    await dialog(page).getByRole('button', { name: 'Fechar' }).last().click()
    const found = await movements('q=daniel')
    expect(Object.values(found).map(({ status, reason }) => [status, reason])).toEqual([
      ['rejected', 'A movimentação já foi solicitada.'],
      ['completed', null],
      ['rejected', 'A movimentação já foi solicitada.'],
    ])
  })

  test('card numbers are pasted by CPF, shown and sent; the rest is assigned', async () => {
    const [first, second, third] = numbered('Elisa', 3) as [Json, Json, Json]
    await include(first, second, third)
    await watched.goto('/queue?q=elisa')
    await select(page, 'Elisa A', 'Elisa B', 'Elisa C')
    await page.getByRole('button', { name: 'Carteirinhas' }).click()
    const pasted = dialog(page).getByLabel('Colunas da planilha')
    const approve = dialog(page).getByRole('button', { name: /^Aprovar/ })
    // A heading shifts nobody: a line is missing then.
    await pasted.fill('Nº da carteirinha\n0077 0001\n0077 0002')
    await dialog(page).getByText('Cabeçalho, não é usado: Nº da carteirinha').waitFor()
    await dialog(page)
      .getByText(/^Há 2 linhas para 3 movimentações/)
      .waitFor()
    await expect.poll(() => approve.isDisabled()).toBe(true)
    // An empty cell in the middle is nobody else's card.
    await pasted.fill('0045 1\n\n0045 3')
    await dialog(page).getByRole('button', { name: 'Aprovar 2' }).waitFor()
    await row(page, 'Elisa B').filter({ hasText: 'Sem carteirinha: não será aprovada.' }).waitFor()
    await row(page, 'Elisa C').filter({ hasText: '0045 3' }).waitFor()
    await pasted.fill('4,5112E+13\n0045 2\n0045 2')
    await row(page, '4,5112E+13').getByText('Número cortado pela planilha').waitFor()
    await row(page, 'Elisa C').getByText('O número está em mais de uma linha.').waitFor()
    await expect.poll(() => approve.isDisabled()).toBe(true)
    const lines = [`${second['tax-id']}\t0045 2`, `${first['tax-id']}\t0045 1`, '390.533.447-05\t0099']
    await pasted.fill(lines.join('\n'))
    await row(page, '0099').getByText('Não é de nenhuma movimentação selecionada.').waitFor()
    await row(page, 'Elisa C').getByText('Nenhuma linha é para esta movimentação.').waitFor()
    await expect.poll(() => approve.isDisabled()).toBe(true)
    await watched.expectSound()
    await row(page, '0099').getByRole('button', { name: 'Deixar de fora' }).click()
    await dialog(page).getByRole('button', { name: 'Deixar de fora 1 sem correspondência' }).click()
    await dialog(page).getByRole('button', { name: 'Aprovar 2' }).click()
    await dialog(page).getByText('2 concluídas').waitFor()
    await dialog(page).getByRole('button', { name: 'Fechar' }).last().click()
    const { body } = expectOk(await partner.get(`/v1/benefit?items-per-page=500`))
    const cards = body.result.map((one: Json) => one['card-number']).filter((card: string) => card?.startsWith('0045'))
    expect(cards.toSorted()).toEqual(['0045 1', '0045 2'])
    await page.getByRole('button', { name: 'Assumir' }).click()
    await page.getByText('1 agora é sua.').waitFor()
    await row(page, 'Elisa C').getByText('analyst').waitFor()
    await expect.poll(async () => (await movements('q=elisa'))['Elisa C'].assignee).toBe(watched.clientId)
  })

  test('a card number of a person with two products waits until its product is chosen', async () => {
    const person = primary({ name: 'Nádia Duas' })
    const products = { ...person['products'], ...inProduct('dental-insurance', dental) }
    await include({ ...person, products })
    await watched.goto('/queue?q=nadia')
    for (const one of [0, 1]) await row(page, 'Nádia Duas').nth(one).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Carteirinhas' }).click()
    await dialog(page).getByLabel('Colunas da planilha').fill(`${person['tax-id']}\t3001`)
    await row(page, '3001').getByText('A pessoa tem mais de um produto: escolha um.').waitFor()
    const approve = dialog(page).getByRole('button', { name: /^Aprovar/ })
    await expect.poll(() => approve.isDisabled()).toBe(true)
    await dialog(page)
      .getByLabel('Produto de Nádia Duas')
      .selectOption({ label: `${dental} · ${companyBody.name}` })
    await dialog(page).getByRole('button', { name: 'Deixar de fora 1 sem correspondência' }).click()
    await approve.click()
    await dialog(page).getByText('1 concluída').waitFor()
    await dialog(page).getByRole('button', { name: 'Fechar' }).last().click()
    const { body } = expectOk(await testApp.operator.get('/operator/v1/enrollment?items-per-page=500&q=nadia'))
    const statuses = body.result.map((one: Json) => [one['product-name'], one.status])
    expect(Object.fromEntries(statuses)).toEqual({ [health]: 'created', [dental]: 'completed' })
  })

  test('a decisions file is checked first; its lines with errors are saved as they were', async () => {
    await include(...numbered('Fábio', 2))
    await watched.goto('/queue?q=fabio')
    const found = await movements('q=fabio')
    const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21;completed;;;;'
    const file = `enrollment-id;status;card-number;start-date;end-date;reason\n${found['Fábio A'].id};completed;77;;;\n${unknown}\n`
    await choose(page, 'Arquivo de decisões')
    const input = dialog(page).locator('input[type="file"]')
    await input.setInputFiles({ name: 'decisões.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await dialog(page).getByText('1 decisão pode ser aplicada. 1 tem erro.').waitFor()
    await expect.poll(async () => (await movements('q=fabio'))['Fábio A'].status).toBe('created')
    await watched.expectSound()
    await dialog(page).getByRole('button', { name: 'Aplicar 1 decisão' }).click()
    await dialog(page).getByText('1 decisão foi aplicada. 1 tem erro.').waitFor()
    await expect.poll(async () => (await movements('q=fabio'))['Fábio A'].status).toBe('completed')
    const download = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Salvar a linha com erro' }).click()
    const [header] = file.split('\n')
    expect(await readFile(await (await download).path(), 'utf8')).toBe(`${header}\n${unknown}\n`)
    expect(watched.problems).toEqual([])
  })

  test('a workbook of decisions is read by the service; of its rows with errors a list is saved', async () => {
    await include(...numbered('Wagner', 1))
    await watched.goto('/queue?q=wagner')
    const found = await movements('q=wagner')
    const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
    const rows = [
      ['enrollment-id', 'status'],
      [String(found['Wagner A'].id), 'broker-processing'],
      [unknown, 'completed'],
    ]
    await choose(page, 'Arquivo de decisões')
    const input = dialog(page).locator('input[type="file"]')
    await input.setInputFiles({ name: 'decisoes.xlsx', mimeType: xlsxType, buffer: bookOfRows(rows) })
    await dialog(page).getByText('1 decisão pode ser aplicada. 1 tem erro.').waitFor()
    await dialog(page).getByRole('button', { name: 'Aplicar 1 decisão' }).click()
    await dialog(page).getByText('1 decisão foi aplicada. 1 tem erro.').waitFor()
    await expect.poll(async () => (await movements('q=wagner'))['Wagner A'].status).toBe('broker-processing')
    const download = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Salvar a linha com erro' }).click()
    expect((await download).suggestedFilename()).toBe('decisoes-erros.csv')
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`3;${unknown};`)
    expect(watched.problems).toEqual([])
  })
})

test('the message of a decision is below the next dialog, also under the pointer, where it does not end', async () => {
  await include(...numbered('Fátima', 2))
  const { page, problems } = await open('/queue?status=created&q=fatima', { role: 'analyst' })
  await row(page, 'Fátima B').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await dialog(page).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('alert').hover()
  await row(page, 'Fátima A').waitFor({ state: 'detached' })
  await page.keyboard.press('a')
  await dialog(page).waitFor()
  const isOnTop = await page.evaluate<boolean>(`(() => {
    const element = document.querySelector('[role="alert"]')
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })()`)
  expect(isOnTop).toBe(false)
  expect(problems).toEqual([])
})

test('other filters start at the top of their list, wherever the former one was scrolled to', async () => {
  await include(...numbered('Íris', 26).flatMap((one) => [1, 2, 3, 4, 5].map(() => primary({ name: one['name'] }))))
  const watched = await open('/queue', { role: 'analyst' })
  const { page } = watched
  const table = page.getByRole('region', { name: 'Fila' })
  await row(page, 'Bruna').first().waitFor()
  await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await row(page, 'Íris Z').first().waitFor()
  const tabs = page.getByRole('navigation', { name: 'Situação' })
  await tabs.getByRole('button', { name: /^Encerradas/ }).click()
  await page.getByRole('menuitem', { name: /^Concluída/ }).click()
  await row(page, 'Íris').first().waitFor({ state: 'detached' })
  await tabs.getByRole('link', { name: /^Todas/ }).click()
  await row(page, 'Bruna A').waitFor()
  expect(watched.problems).toEqual([])
})

test('so do they after an empty list that came before the event of the scroll', async () => {
  await include(...numbered('Olga', 26).flatMap((one) => [1, 2, 3, 4, 5].map(() => primary({ name: one['name'] }))))
  const { page, problems } = await open('/queue', { role: 'analyst' })
  const table = page.getByRole('region', { name: 'Fila' })
  // Only the rows in view are in the document.
  const first = page.locator('[aria-rowindex="2"]')
  await first.waitFor()
  await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await first.waitFor({ state: 'detached' })
  await page.evaluate(`window.drop = (event) => event.stopImmediatePropagation()
    window.addEventListener('scroll', window.drop, true)`)
  const search = page.getByRole('searchbox', { name: 'CPF ou nome' })
  await search.fill('ninguem')
  await table.waitFor({ state: 'detached' })
  await page.evaluate(`window.removeEventListener('scroll', window.drop, true)`)
  await search.fill('olga')
  await first.waitFor()
  expect(problems).toEqual([])
})

test('the queue is filtered by the act of an operator, the number of a shipment and its cut-off', async () => {
  const shipper = await openShipper(testApp, { calendar: calendar(20) })
  await enrollShipped(testApp, shipper, [primary({ name: 'Zuleica Remessa' })])
  const id = await openShipmentOf(testApp, shipper.contractId)
  await act(testApp, id, 'close')
  const watched = await open('/queue', { role: 'analyst' })
  const { page } = watched
  await page.getByRole('button', { name: '+ Filtro' }).click()
  await page.getByRole('searchbox', { name: 'Remessa' }).fill('0')
  await page.getByText('O número, como 3').waitFor()
  await page.getByRole('searchbox', { name: 'Remessa' }).fill('1')
  await expect.poll(() => new URL(page.url()).search).toContain('shipment-number=1')
  await row(page, 'Zuleica Remessa').waitFor()
  await row(page, 'Bruna').first().waitFor({ state: 'detached' })
  const { 'cut-off-date': cutOff } = await readShipment(testApp, id)
  const written = cutOff.split('-').toReversed().join('/')
  await page.getByRole('textbox', { name: 'Data de corte' }).fill(written)
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).search).toContain(`cut-off-date=${cutOff}`)
  await row(page, 'Zuleica Remessa').waitFor()
  await row(page, 'Zuleica Remessa').getByText(`1 · ${written}`).waitFor()
  await page.getByRole('combobox', { name: 'Tipo' }).click()
  await page.getByRole('option', { name: '2ª via de cartão' }).click()
  await expect.poll(() => new URL(page.url()).search).toContain('alteration-kind=second-card')
  await row(page, 'Zuleica Remessa').waitFor({ state: 'detached' })
  await watched.expectSound()
})

test('a row says whose dependent it is, by when something is due and that the partner has answered; 18 rows fit', async () => {
  const of = await testApp.company()
  const by = await testApp.partner(of.taxId)
  // Thirty days after the admission, which is tomorrow, they are due.
  const admission = { 'admission-date': addDays(monday, -29) }
  const father = primary({ ...admission, name: 'Raimundo Nonato Albuquerque de Holanda' })
  await testApp.include(by, of, [father])
  await testApp.include(by, of, [primary({ ...admission, name: 'Saulo Vieira' })])
  // Later than the other family.
  await testApp.include(by, of, [dependent(father['tax-id'], { name: 'Rita de Holanda' })])
  const id = (await movements('q=rita'))['Rita de Holanda'].id
  const move = `/operator/v1/enrollment/${id}/transition`
  expectOk(await testApp.operator.post(move, { status: 'pending-documents', reason: 'Falta a certidão' }))
  await include(...numbered('Jonas', 26))
  const watched = await open('/queue?status=all', { role: 'analyst' })
  const { page } = watched
  await page.locator('.data-table [aria-rowindex="25"]').waitFor()
  const heightOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.height ?? 0
  const line = await heightOf('.data-table [aria-rowindex="2"]')
  expect(((await heightOf('.data-table')) - (await heightOf('.data-table .header'))) / line).toBeGreaterThanOrEqual(18)
  await watched.goto(`/queue?company-tax-id=${of.taxId}`)
  const child = row(page, 'Rita de Holanda')
  await child.getByText('Filho(a)', { exact: true }).waitFor()
  await expect
    .poll(() => page.locator('[role="row"] .row-link').allTextContents())
    .toEqual(['Raimundo Nonato Albuquerque de Holanda', 'Rita de Holanda', 'Saulo Vieira'])
  await child.getByText('amanhã').waitFor()
  await child.getByText('Documentos').waitFor()
  expectOk(await by.post(`/v1/enrollment/${id}/answer`, { data: { 'mothers-name': 'Rosa de Holanda' } }))
  await watched.goto(`/queue?answered=true&company-tax-id=${of.taxId}`)
  await child.getByText('Respondida').waitFor()
  await child.getByText('Nome da mãe').waitFor()
  await child.getByText(/titular Raimundo Nonato Albuquerque de Holanda/).waitFor()
  await page.getByText('1 movimentação', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Limpar o filtro Parceiro' }).click()
  await row(page, 'Saulo Vieira').waitFor()
  await page
    .getByRole('columnheader', { name: 'Na fila há' })
    .getByRole('button', { name: 'Na fila há', exact: true })
    .click()
  await page.waitForURL((url) => url.searchParams.get('sort') === 'created-at')
  await watched.expectSound()
  await child.getByRole('link').click()
  const changes = page.getByRole('region', { name: 'O que o parceiro mudou na resposta' })
  await changes.getByRole('row', { name: 'Nome da mãe Helena Brandão Souza Rosa de Holanda' }).waitFor()
  await watched.expectSound()
})

test('columns are left out and widened, and stay so', async () => {
  const watched = await open('/queue?status=all', { role: 'analyst' })
  const { page } = watched
  await row(page, 'Bruna').first().waitFor()
  const header = (name: string) => page.getByRole('columnheader', { name })
  await choose(page, 'Colunas')
  await page.getByRole('checkbox', { name: 'CPF' }).uncheck()
  await page.keyboard.press('Escape')
  await header('CPF').waitFor({ state: 'detached' })
  const widthOf = async () => (await header('Produto').boundingBox())?.width ?? 0
  const before = await widthOf()
  await header('Produto').getByRole('button', { name: 'Alargar a coluna Produto' }).press('ArrowRight')
  await expect.poll(widthOf).toBeGreaterThan(before + 10)
  const widened = await widthOf()
  await page.reload()
  await row(page, 'Bruna').first().waitFor()
  await expect.poll(async () => [await header('CPF').count(), await widthOf()]).toEqual([0, widened])
  await watched.expectSound()
  await choose(page, 'Colunas')
  await page.getByRole('button', { name: 'Voltar ao padrão' }).click()
  await header('CPF').waitFor()
})

test('every text of the queue and its dialogs is from the catalogue', async () => {
  const mother = primary({ name: 'Gabriela Souza' })
  await include(mother, dependent(mother['tax-id'], { name: 'Hugo Souza' }))
  const watched = await open('/queue?due=week&status=all&age=last-7', { role: 'analyst', language: 'en-XA' })
  const { page } = watched
  const check = async () => expect(await untranslated(watched)).toEqual([])
  await check()
  await watched.goto('/queue?q=souza')
  await row(page, 'Gabriela').first().waitFor()
  await check()
  await page.keyboard.press('j')
  for (const key of ['a', 'r', 'p', 'c', '?']) {
    await page.keyboard.press(key)
    await dialog(page).waitFor()
    if (key === 'p') await dialog(page).getByRole('combobox').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  await watched.expectSound()
})

test('an auditor sees the queue and decides nothing; it fits a phone', async () => {
  const watched = await open('/queue?status=all', { role: 'auditor', language: 'en', theme: 'dark', width: 390 })
  const { page } = watched
  await row(page, 'Bruna A').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await page.keyboard.press('x')
  await expect.poll(() => dialog(page).count()).toBe(0)
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Columns' }).waitFor()
  await expect.poll(() => page.getByRole('menuitem', { name: 'Decisions file' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '+ Filter' }).click()
  await page.getByRole('combobox', { name: 'Carrier' }).waitFor()
  await watched.expectSound()
})

test('selected movements are given to a colleague, and the marked one is taken by a key', async () => {
  await include(primary({ name: 'Norberto Um' }), primary({ name: 'Norberto Dois' }))
  const watched = await open('/queue?q=norberto', { role: 'analyst' })
  const { page, clientId } = watched
  await select(page, 'Norberto Um', 'Norberto Dois')
  await page.getByRole('button', { name: 'Atribuir a…' }).click()
  await page.getByRole('menuitem').first().click()
  await page.getByText(/2 agora são de/).waitFor()
  const assignees = async () => Object.values(await movements('q=norberto')).map(({ assignee }) => assignee)
  const [first, second] = await assignees()
  expect([first, first]).toEqual([expect.any(String), second])
  expect(first).not.toBe(clientId)
  await page.keyboard.press('j')
  await page.keyboard.press('m')
  await page.getByText('1 agora é sua.').waitFor()
  await expect.poll(async () => (await assignees()).filter((one) => one === clientId)).toHaveLength(1)
  await watched.expectSound()
})
