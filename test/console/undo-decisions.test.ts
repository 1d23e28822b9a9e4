import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectOk, type Json, primary, until, useCompany } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_UNDO_SECONDS: '60' })

const { company, partner } = useCompany(testApp)

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function movementOf(name: string): Promise<Json> {
  const { result } = expectOk(await testApp.operator.get('/operator/v1/enrollment?items-per-page=500')).body
  return result.find((item: Json) => item['member-name'] === name)
}

describe('a decision can be undone', () => {
  test('from the queue: the row says what will be done, and is as before after “Desfazer”', async () => {
    const name = 'Bruna Por Engano'
    await testApp.include(partner, company, [primary({ name })])
    const { page, expectSound } = await open('/queue?status=created', { role: 'analyst' })
    await row(page, name).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await row(page, name).getByText('em instantes').waitFor()
    await expect
      .poll(() => movementOf(name))
      .toMatchObject({ status: 'created', 'held-decision': { status: 'completed' } })
    await expectSound()
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await page.getByText('Desfeita.').waitFor()
    await row(page, name).getByText('em instantes').waitFor({ state: 'detached' })
    await expect.poll(() => movementOf(name)).toMatchObject({ status: 'created', 'held-decision': null })
  })

  test('from the page of the movement, which shows the decision of a colleague too', async () => {
    const name = 'Otávio De Novo'
    await testApp.include(partner, company, [primary({ name })])
    const { id } = await movementOf(name)
    expectOk(
      await testApp.operator.post('/operator/v1/enrollment/transition', {
        'enrollment-ids': [id],
        status: 'rejected',
        reason: 'Por engano',
        undoable: true,
      }),
    )
    const { page, expectSound } = await open(`/queue/${String(id)}`, { role: 'analyst' })
    await page.getByText('vale em instantes').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Aprovar' }).count()).toBe(0)
    await expectSound()
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await page.getByRole('button', { name: 'Aprovar' }).waitFor()
    const { status } = await until(
      () => movementOf(name),
      (item) => item['held-decision'] === null,
    )
    expect(status).toBe('created')
  })
})

describe('decisions that are made quickly one after the other', () => {
  test('are counted in one message, and “z” takes back the last of them', async () => {
    const names = ['Alba Primeira', 'Alba Segunda', 'Alba Terceira']
    for (const name of names) await testApp.include(partner, company, [primary({ name })])
    const { page, expectSound } = await open('/queue?status=created&q=Alba', { role: 'analyst' })
    await row(page, 'Alba Terceira').waitFor()
    await page.keyboard.press('j')
    for (const name of names) {
      await page.keyboard.press('a')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Enter')
      await row(page, name).getByText('em instantes').waitFor()
    }
    const bar = page.getByRole('region', { name: 'Desfazer' })
    await bar.getByText('3 decisões').waitFor()
    await expect.poll(() => bar.textContent()).toContain('Concluída: Alba Terceira')
    await expect
      .poll(() => page.getByRole('button', { name: 'Desfazer' }).allTextContents())
      .toEqual(['Desfazer a últimaz', 'Desfazer todas'])
    // It covers neither tabs nor rows.
    const [box, tabs] = await Promise.all([bar.boundingBox(), page.locator('.queue-tabs').boundingBox()])
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0)
    await expectSound()
    await page.keyboard.press('z')
    await bar.getByText('2 decisões').waitFor()
    await expect.poll(() => movementOf('Alba Terceira')).toMatchObject({ 'held-decision': null })
    await expect.poll(() => movementOf('Alba Segunda')).toMatchObject({ 'held-decision': { status: 'completed' } })
    await bar.getByRole('button', { name: 'Desfazer todas' }).click()
    await bar.waitFor({ state: 'detached' })
    await page.getByText('2 decisões desfeitas').waitFor()
    await expect.poll(() => movementOf('Alba Primeira')).toMatchObject({ status: 'created', 'held-decision': null })
  })

  test('can be undone under the list of what was not done', async () => {
    const names = ['Célia Vai', 'Célia Fica']
    for (const name of names) await testApp.include(partner, company, [primary({ name })])
    const { page, expectSound } = await open('/queue?status=created&q=C%C3%A9lia', { role: 'analyst' })
    for (const name of names) await row(page, name).getByRole('checkbox').check()
    const { id } = await movementOf('Célia Fica')
    const colleague = { 'enrollment-ids': [id], status: 'rejected', reason: 'De um colega', undoable: true }
    expectOk(await testApp.operator.post('/operator/v1/enrollment/transition', colleague))
    await page.getByRole('button', { name: 'Aprovar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 concluída · 1 não concluída').waitFor()
    await dialog.getByText('Vale em instantes').waitFor()
    await expectSound()
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await dialog.getByText('Desfeita').waitFor()
    await expect.poll(() => movementOf('Célia Vai')).toMatchObject({ status: 'created', 'held-decision': null })
  })

  test('more than 200 at once can be undone too', { timeout: 60_000 }, async () => {
    const people = Array.from({ length: 201 }, (_, index) => primary({ name: `Tropa Número ${index}` }))
    await testApp.include(partner, company, people)
    const { page, expectSound } = await open('/queue?status=created&q=Tropa', { role: 'analyst' })
    await page.getByText('201 movimentações', { exact: true }).waitFor()
    await page.getByRole('checkbox').nth(1).check()
    await page.getByRole('button', { name: 'Selecionar todas as 201' }).click()
    await page.getByText('201 selecionadas').waitFor()
    await page.getByRole('button', { name: 'Aprovar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Aprovar' }).click()
    await dialog.getByText('até lá podem ser desfeitas').waitFor()
    await expectSound()
    await page.getByRole('region', { name: 'Desfazer' }).getByText('Concluída: 201 movimentações').waitFor()
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('201 movimentações', { exact: true }).waitFor()
    const { body } = await testApp.operator.get('/operator/v1/decision-job')
    expect(body.result[0]).toMatchObject({ status: 'undone', lines: 201, accepted: 0 })
  })
})
