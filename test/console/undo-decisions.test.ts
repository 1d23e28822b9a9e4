import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Company, expectOk, type Json, primary, until } from '../http/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole({ VIGENCIA_UNDO_SECONDS: '60' })

let company: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})

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
    expect(await movementOf(name)).toMatchObject({ status: 'created', 'held-decision': { status: 'completed' } })
    await expectSound()
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await page.getByText('Desfeita.').waitFor()
    await row(page, name).getByText('em instantes').waitFor({ state: 'detached' })
    expect(await movementOf(name)).toMatchObject({ status: 'created', 'held-decision': null })
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
    expect(await page.getByRole('button', { name: 'Aprovar' }).count()).toBe(0)
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
