import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { belowPrimary, type FamilyItem } from '../../console/src/broker/queue/families.ts'
import { type Company, dependent, expectOk, type Json, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* How the table of the queue and its header look and work, with decisions that wait. */
const { testApp, open } = useConsole({ VIGENCIA_UNDO_SECONDS: '60' })

const companyName = 'Metalúrgica Serra Azul Indústria e Comércio Ltda.'
let company: Company

const rows = (page: Page) => page.locator('.data-table [role="row"][aria-selected]')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
const more = (page: Page) => page.getByRole('button', { name: 'Mais ações' })

beforeAll(async () => {
  company = await testApp.company({ name: companyName })
  const partner = await testApp.partner(company.taxId)
  const [father, alone] = [primary({ name: 'Raimundo de Holanda' }), primary({ name: 'Amparo Quintela' })]
  await testApp.include(partner, company, [father, alone])
  const child = dependent(father['tax-id'], { name: 'Rita de Holanda' })
  const spouse = dependent(father['tax-id'], { name: 'Sandra de Holanda', 'dependent-type': 'spouse' })
  await testApp.include(partner, company, [child, spouse, dependent(alone['tax-id'], { name: 'Ciro Quintela' })])
  const { body } = expectOk(await testApp.operator.get('/operator/v1/enrollment?q=amparo'))
  const [{ id }] = body.result as [Json]
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'broker-processing' }))
})

describe('dependents below their primary', () => {
  const item = (id: string, taxId: string, primaryTaxId: string | null = null, companyTaxId = 'c') =>
    ({
      id,
      'company-tax-id': companyTaxId,
      'member-type': primaryTaxId === null ? 'primary' : 'dependent',
      'member-tax-id': taxId,
      'primary-member-tax-id': primaryTaxId,
    }) as const satisfies FamilyItem

  test.each([
    ['those that follow one of their movements', [item('1', 'a'), item('2', 'a'), item('3', 'b', 'a')], ['3']],
    ['all of the family', [item('1', 'a'), item('2', 'b', 'a'), item('3', 'c', 'a')], ['2', '3']],
    ['none of another primary', [item('1', 'a'), item('2', 'c', 'b'), item('3', 'd', 'a')], []],
    ['none of another company', [item('1', 'a'), item('2', 'b', 'a', 'other')], []],
    ['none above it', [item('1', 'b', 'a'), item('2', 'a')], []],
  ])('%s', (_, items, below) => expect([...belowPrimary(items)]).toEqual(below))

  test('are indented and say their kinship; where one stands alone it says whose dependent it is', async () => {
    const { page, expectSound } = await open('/queue?q=holanda', { role: 'analyst' })
    const startOf = async (name: string) =>
      (await row(page, name).getByRole('link', { name }).boundingBox())?.x ?? Number.NaN
    const start = await startOf('Raimundo de Holanda')
    for (const [name, kinship] of [
      ['Rita', 'Filho(a)'],
      ['Sandra', 'Cônjuge'],
    ] as const) {
      await expect.poll(() => startOf(`${name} de Holanda`)).toBeGreaterThan(start + 8)
      await expect
        .poll(() => row(page, name).getByRole('cell').nth(1).innerText())
        .toBe(`${name} de Holanda\n${kinship}`)
    }
    await expectSound()
    await page.getByRole('searchbox', { name: 'CPF ou nome' }).fill('rita')
    await row(page, 'Rita').getByText('Filho(a) · titular Raimundo de Holanda').waitFor()
    await expect.poll(() => startOf('Rita de Holanda')).toBe(start)
  })
})

describe('a row', () => {
  test('has the whole company beside the name, the carrier below the product, and one thing in bold', async () => {
    const { page, expectSound } = await open('/queue?q=holanda', { role: 'analyst' })
    const one = row(page, 'Raimundo')
    await one.waitFor()
    const name = one.getByText(companyName)
    await expect
      .poll(() =>
        name.evaluate((text) => text.scrollHeight <= text.clientHeight + 1 && text.scrollWidth <= text.clientWidth),
      )
      .toBe(true)
    const box = await name.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(1280)
    const product = one.getByRole('cell').filter({ hasText: 'Operadora Aurora' })
    await expect.poll(() => product.innerText()).toMatch(/^Saúde .+\nOperadora Aurora$/)
    const bold = await page.evaluate<string[]>(`[...document.querySelectorAll('.data-table [aria-rowindex="2"] *')]
      .filter((element) => Number(getComputedStyle(element).fontWeight) >= 600)
      .map((element) => element.textContent)`)
    expect(bold).toEqual(['Raimundo de Holanda'])
    const numeric = await page.evaluate<string[]>(`[...document.querySelectorAll('[role="columnheader"]')]
      .filter((header) => getComputedStyle(header).textAlign === 'end')
      .map((header) => header.textContent)`)
    expect(numeric).toEqual(['Na fila há', 'Em risco', 'Notas'])
    await expectSound()
  })

  test('has its status only where the tab does not say it; what the tab does not say stands at the name', async () => {
    const { page, goto, expectSound } = await open('/queue', { role: 'analyst' })
    const status = page.getByRole('columnheader', { name: 'Situação' })
    await status.waitFor()
    await row(page, 'Rita').getByText('Recebida').waitFor()
    await goto('/queue?status=created')
    await row(page, 'Rita').waitFor()
    await expect.poll(async () => [await status.count(), await rows(page).locator('.badge').count()]).toEqual([0, 0])
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    const held = rows(page).filter({ hasText: 'vale em instantes' })
    await held.getByRole('cell').nth(1).getByText('Concluída').waitFor()
    await expectSound()
    await page.keyboard.press('z')
    await held.waitFor({ state: 'detached' })
    const { body } = expectOk(await testApp.operator.get('/operator/v1/enrollment?q=rita'))
    const move = `/operator/v1/enrollment/${body.result[0].id}`
    const pending = { status: 'pending-documents', reason: 'Falta a certidão' }
    expectOk(await testApp.operator.post(`${move}/transition`, pending))
    const partner = await testApp.partner(company.taxId)
    const answer = { data: { 'mothers-name': 'Rosa de Holanda' } }
    const answered = expectOk(await partner.post(`/v1${move.replace('/operator/v1', '')}/answer`, answer))
    expect(answered.status).toBe(200)
    await goto('/queue?status=created&q=rita')
    await row(page, 'Rita').getByRole('cell').nth(1).getByText('Respondida').waitFor()
    await row(page, 'Rita').getByText('Nome da mãe').waitFor()
    await expectSound()
  })
})

describe('the header', () => {
  test('has one primary action; a menu has the others, by the keyboard too', async () => {
    const { page, violations, expectSound } = await open('/queue', { role: 'analyst' })
    await row(page, 'Rita').waitFor()
    const header = page.locator('.queue-header')
    await expect.poll(() => header.locator('[data-variant="filled"]').allInnerTexts()).toEqual(['Nova movimentação'])
    await more(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual([
        'Exportar como CSV',
        'Exportar para Excel',
        'Arquivo de decisões',
        'Histórico de decisões',
        'Colunas',
        'Atalhos',
      ])
    expect(await violations()).toEqual([])
    const focused = page.locator(':focus')
    for (let turn = 0; turn < 6 && (await focused.innerText()) !== 'Colunas'; turn++) {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Colunas' })
    await dialog.getByRole('checkbox', { name: 'Tipo' }).uncheck()
    await page.getByRole('columnheader', { name: 'Tipo' }).waitFor({ state: 'detached' })
    expect(await violations()).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Mais ações')
    // From there the keys of the rows work, Enter too.
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/queue/*')
    await page.goBack()
    await more(page).click()
    await page.getByRole('menuitem', { name: 'Histórico de decisões' }).click()
    await page.waitForURL('**/console/decision-jobs')
    await expectSound()
  })

  test('selects all rows, and is half-ticked where only some are', async () => {
    const { page, expectSound } = await open('/queue', { role: 'analyst' })
    await row(page, 'Rita').waitFor()
    const all = page.getByRole('columnheader').getByRole('checkbox')
    const state = async () =>
      page.evaluate<string>(`(({ indeterminate, checked }) => (indeterminate ? 'some' : checked ? 'all' : 'none'))(
        document.querySelector('[role="columnheader"] input'))`)
    await expect.poll(state).toBe('none')
    await row(page, 'Rita').getByRole('checkbox').check()
    await expect.poll(state).toBe('some')
    await all.check()
    await page.getByText('5 selecionadas').waitFor()
    await expect.poll(state).toBe('all')
    await row(page, 'Rita').getByRole('checkbox').uncheck()
    await expect.poll(state).toBe('some')
    await page.getByRole('button', { name: 'Selecionar todas as 5' }).click()
    await expect.poll(state).toBe('all')
    await all.uncheck()
    await page.getByText('5 selecionadas').waitFor({ state: 'detached' })
    await expect.poll(state).toBe('none')
    await expectSound()
  })

  test('while all are being selected no decision about a part of them begins, by keys neither', async () => {
    const { page } = await open('/queue', { role: 'analyst' })
    await row(page, 'Rita').getByRole('checkbox').check()
    const answer = Promise.withResolvers<void>()
    await page.route(/\/operator\/v1\/enrollment\?.*items-per-page=500/, async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Selecionar todas as 5' }).click()
    const bar = page.getByRole('region', { name: 'Movimentações selecionadas' })
    for (const name of ['Aprovar', 'Rejeitar', 'Carteirinhas', 'Assumir', 'Atribuir a…']) {
      await expect.poll(async () => [name, await bar.getByRole('button', { name }).isDisabled()]).toEqual([name, true])
    }
    for (const key of ['a', 'm']) await page.keyboard.press(key)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    answer.resolve()
    await bar.getByText('5 selecionadas').waitFor()
    await bar.getByRole('button', { name: 'Aprovar' }).click()
    await page.getByRole('dialog', { name: /5 movimentações/ }).waitFor()
    const { body } = expectOk(await testApp.operator.get('/operator/v1/enrollment?items-per-page=500'))
    expect(body.result.map((one: Json) => one.assignee)).toEqual([null, null, null, null, null])
  })
})

test('on a telephone a card has the company, the product and, at its side, the status and the due date', async () => {
  const { page, expectSound, violations } = await open('/queue?q=holanda', { role: 'analyst', width: 390 })
  const card = row(page, 'Rita')
  await card.locator('.card-title').getByText('Filho(a)').waitFor()
  const side = card.locator('.card-side')
  await side.locator('time, .badge').first().waitFor()
  await expect.poll(() => card.locator('.card-lines').innerText()).toContain('Operadora Aurora')
  await more(page).click()
  await page.getByRole('menuitem', { name: 'Colunas' }).click()
  await page.getByRole('dialog', { name: 'Colunas' }).waitFor()
  expect(await violations()).toEqual([])
  await page.keyboard.press('Escape')
  await expectSound()
})
