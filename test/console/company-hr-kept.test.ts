import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { expectOk, health, nextCpf, primary, useCompany } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* What HR writes in a form is there after the page is loaded again, in this tab only, until it is sent or discarded, or the person signs out. */

const { testApp, open } = useConsole()
const { company, partner } = useCompany(testApp)
let cookie: string
let memberId: string

beforeAll(async () => {
  ;({ cookie } = await hrOf(testApp, [company.taxId]))
  const leaver = primary({ name: 'Rita Rascunho' })
  await testApp.include(partner, company, [leaver], '?resolution=approve')
  const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id=${leaver['tax-id']}`)).body
  memberId = result[0].id
})

const recovered = (page: Page) => page.getByText('Rascunho recuperado')
/** What the tab keeps of forms. */
const kept = (page: Page) =>
  page.evaluate<string>(`Object.entries(sessionStorage).filter(([key]) => key.startsWith('vigencia-form')).join()`)

async function reopen(page: Page): Promise<void> {
  await page.reload()
  await page.locator('#content h1').waitFor()
}

test('an inclusion with its document is recovered, and dropped once it was sent', async () => {
  const { page, expectSound } = await open('/hr/include', { cookie, width: 390 })
  page.on('dialog', (dialog) => void dialog.accept())
  const first = page.getByRole('group', { name: 'Titular' })
  const cpf = nextCpf()
  await first.getByRole('textbox', { name: 'Nome' }).first().fill('Nora Guardada')
  await first.getByRole('textbox', { name: 'CPF' }).first().fill(cpf)
  await first.getByRole('checkbox', { name: health }).check()
  await first
    .locator('input[type=file]')
    .last()
    .setInputFiles({
      name: 'frente.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]),
    })
  await first.getByText('frente.jpg').waitFor()
  await expect.poll(() => recovered(page).count()).toBe(0)

  await reopen(page)
  await recovered(page).waitFor()
  await expect.poll(() => first.getByRole('textbox', { name: 'Nome' }).first().inputValue()).toBe('Nora Guardada')
  await expect.poll(() => first.getByRole('checkbox', { name: health }).isChecked()).toBe(true)
  await first.getByText('frente.jpg').waitFor()
  await expectSound()

  await first.getByRole('textbox', { name: 'Data de nascimento' }).fill('17/05/1990')
  await first.getByRole('textbox', { name: 'Nome da mãe' }).fill('Nair')
  await first.getByLabel('Sexo').selectOption('female')
  await page.getByRole('button', { name: 'Verificar' }).click()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
  await expect.poll(() => kept(page)).toBe('')
})

test('an exclusion is recovered, and discarded on demand; what is too old is not recovered', async () => {
  const { page } = await open(`/hr/people/${memberId}/exclude`, { cookie })
  page.on('dialog', (dialog) => void dialog.accept())
  const reason = page.getByLabel('Motivo da exclusão')
  await reason.selectOption('resignation')
  await reopen(page)
  await recovered(page).waitFor()
  await expect.poll(() => reason.inputValue()).toBe('resignation')
  await page.getByRole('button', { name: 'Descartar' }).click()
  await recovered(page).waitFor({ state: 'detached' })
  await expect.poll(async () => [await reason.inputValue(), await kept(page)]).toEqual(['', ''])

  await reason.selectOption('resignation')
  await expect.poll(() => kept(page)).toContain('resignation')
  await page.evaluate(`for (const [key, text] of Object.entries(sessionStorage)) {
    if (key.startsWith('vigencia-form')) sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(text), at: Date.now() - 8 * 24 * 3600 * 1000 }))
  }`)
  await reopen(page)
  await reason.waitFor()
  await expect
    .poll(async () => [await reason.inputValue(), await recovered(page).count(), await kept(page)])
    .toEqual(['', 0, ''])
})

test('nothing is kept after the person signs out', async () => {
  const { page } = await open('/hr/include', { cookie })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('textbox', { name: 'Nome' }).first().fill('Nina Guardada')
  await expect.poll(() => kept(page)).toContain('Nina Guardada')
  await reopen(page)
  await recovered(page).waitFor()
  await page
    .getByRole('button', { name: /^Pessoa|^Conta/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Sair' }).click()
  await page.waitForURL('**/console/sign-in')
  await expect.poll(() => kept(page)).toBe('')
})
