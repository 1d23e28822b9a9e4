import { expect, test } from 'vitest'
import { createContinuation, makeFamily } from '../world/continuation.ts'
import { expectOk } from '../world/test-app.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()

test('a plan that is kept is offered, answered and ended; its letters are downloaded', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const family = await makeFamily(testApp, company, partner)
  const made = await createContinuation(testApp, family)
  const read = async () =>
    expectOk(await testApp.operator.get(`/operator/v1/continuation/${made['continuation-id']}`)).body.result
  const { page, goto, expectSound, violations } = await open('/continuations', { role: 'analyst' })
  await page.getByRole('cell', { name: 'Sem comunicado' }).waitFor()
  await expectSound()
  expect(await violations()).toEqual([])
  await page.getByRole('link', { name: made['member-name'] }).click()
  await page.getByText('14 meses').waitFor()
  await page.getByText('31/01/2028').waitFor()
  expect(await violations()).toEqual([])
  const act = async (name: string, fill: () => Promise<void>, day: string) => {
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog', { name })
    await fill()
    await dialog.getByRole('textbox', { name: /^(Dia d|Último dia)/ }).fill(day)
    const button = dialog.getByRole('button', { name })
    // Red is for what deletes or ends.
    expect((await button.getAttribute('style'))?.includes('red') ?? false).toBe(name === 'Encerrar')
    await button.click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await act('Registrar o comunicado', async () => {}, '23/11/2026')
  const step = page.locator('[aria-current=step]')
  await step.getByText('até 23/12/2026').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Baixar o termo de opção' }).click()
  expect((await download).suggestedFilename()).toBe('termo-de-opcao.pdf')
  await act('Registrar a opção', async () => {}, '23/11/2026')
  await page.getByText('Aceita', { exact: true }).waitFor()
  const chooseReason = async () => {
    await page.getByRole('dialog').getByRole('combobox', { name: 'Motivo do encerramento' }).click()
    await page.getByRole('option', { name: 'Novo emprego com acesso a plano' }).click()
  }
  await act('Encerrar', chooseReason, '31/12/2026')
  await expect.poll(async () => (await read())['end-reason']).toBe('new-job')
  await expect.poll(read).toMatchObject({ 'notice-date': '2026-11-23', 'end-date': '2026-12-31' })

  await goto('/continuations?status=offered')
  await page.getByText('Nenhum plano mantido após demissão').waitFor()
  const reader = await open(`/continuations/${made['continuation-id']}`, { role: 'auditor', width: 390 })
  await reader.page.getByText('Novo emprego com acesso a plano').waitFor()
  await expect.poll(() => reader.page.getByRole('button', { name: /^Registrar|^Encerrar/ }).count()).toBe(0)
  await reader.expectSound()

  // The page of the member has it too.
  await goto(`/members/${made['member-id']}`)
  await page.getByRole('heading', { name: 'Manutenção do plano' }).waitFor()
  await page.getByText('Encerrada', { exact: true }).waitFor()
})

test('a plan that is kept is recorded on the page of the member, with prices for the notice', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const { cpf } = await makeFamily(testApp, company, partner)
  const [member] = expectOk(await testApp.operator.get(`/operator/v1/member?tax-id=${cpf}`)).body.result
  const { page, expectSound, violations } = await open(`/members/${member.id}`, { role: 'analyst' })
  await page.getByRole('button', { name: 'Registrar manutenção do plano' }).click()
  const dialog = page.getByRole('dialog', { name: 'Registrar manutenção do plano' })
  await dialog.getByRole('button', { name: 'Registrar manutenção do plano' }).click()
  await dialog.getByText('Informe os meses de contribuição.').waitFor()
  const register = dialog.getByRole('button', { name: 'Registrar manutenção do plano' })
  expect((await register.getAttribute('style'))?.includes('red') ?? false).toBe(false)
  await dialog.getByText('Nenhum mês é conhecido aqui.').waitFor()
  await dialog.getByLabel('Meses de contribuição').fill('40')
  await dialog.getByLabel('Último dia como funcionário').fill('30/11/2026')
  await dialog.getByRole('button', { name: 'Adicionar mensalidade' }).click()
  await dialog.getByLabel('Faixa etária').fill('0 a 18')
  await dialog.getByRole('button', { name: 'Registrar manutenção do plano' }).click()
  await dialog.getByText('Como 412,35.').waitFor()
  await dialog.getByLabel('Valor (R$)').fill('1.412,35')
  expect(await violations()).toEqual([])
  await expectSound()
  await dialog.getByRole('button', { name: 'Registrar manutenção do plano' }).click()
  await page.waitForURL(/\/continuations\/[0-9a-f-]{36}$/)
  await page.getByText('14 meses').waitFor()
  const [stored] = await testApp.sql('select prices from continuation where id = $1', [page.url().split('/').at(-1)])
  expect(stored?.['prices']).toEqual([{ 'age-band': '0-18', amount: '1412.35' }])
})

test('the calculator tells what somebody who leaves may keep, or why not', async () => {
  const { page, expectSound, violations } = await open('/continuations', { role: 'auditor' })
  await page.getByRole('button', { name: 'Calculadora' }).click()
  const dialog = page.getByRole('dialog', { name: 'Calculadora' })
  await dialog.getByLabel('Meses de contribuição').fill('40')
  await dialog.getByLabel('Comunicado do empregador').fill('25/11/2026')
  await dialog.getByLabel('Último dia como funcionário').fill('30/11/2026')
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await dialog.getByText('14 meses').waitFor()
  await dialog.getByText('28/12/2026').waitFor()
  await dialog.getByText('31/01/2028').waitFor()
  await dialog.getByText('Lei 9.656/1998 art. 30 § 1; RN 488 art. 4').waitFor()
  expect(await violations()).toEqual([])
  await dialog.getByLabel('A pessoa pagou parte da mensalidade').uncheck()
  await dialog.getByRole('button', { name: 'Calcular' }).click()
  await dialog.getByText('não houve contribuição').waitFor()
  await expectSound()
})

test('in another language the pages have no text of their own', async () => {
  const watched = await open('/continuations', { role: 'admin', language: 'en-XA' })
  await watched.page.getByRole('row').nth(1).waitFor()
  expect(await untranslated(watched)).toEqual([])
  await watched.page.getByRole('row').nth(1).getByRole('link').click()
  await watched.page.locator('.steps').waitFor()
  expect(await untranslated(watched)).toEqual([])
})
