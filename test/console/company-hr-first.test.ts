import { beforeAll, expect, test } from 'vitest'
import { expectOk, type Json, primary, useCompany } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* The first day of a person of a company, whose people are all pending. */

const { testApp, open } = useConsole()
const { company, partner } = useCompany(testApp)
let cookie: string

beforeAll(async () => {
  await testApp.include(partner, company, [primary({ name: 'Vera Primeira' }), primary({ name: 'Vítor Segundo' })])
  ;({ cookie } = await hrOf(testApp, [company.taxId]))
})

test('people who are pending are on the first page', async () => {
  const { page, expectSound } = await open('/hr/people', { cookie })
  await page.getByRole('link', { name: 'Vera Primeira' }).waitFor()
  await page.getByText('2 pessoas').waitFor()
  await expectSound()
})

test('the search of everything finds people of the company', async () => {
  const { page, expectSound } = await open('/hr/requests', { cookie })
  await page.keyboard.press('Control+k')
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .or(page.getByRole('dialog').getByRole('searchbox'))
    .first()
    .fill('vitor')
  await page.getByRole('dialog').getByText('Vítor Segundo').waitFor()
  await expectSound()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Vítor Segundo' }).waitFor()
})

test('a request is received, goes on and is concluded, as its movements are decided', async () => {
  const people = ['Ugo Um', 'Ula Dois'].map((name) => primary({ name }))
  const { 'request-id': id } = await testApp.include(partner, company, people)
  const { page, goto, expectSound } = await open('/hr/requests', { cookie })
  const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${String(id)}"]`) })
  await row.getByText('Recebida').waitFor()
  const { body } = expectOk(await testApp.operator.get(`/operator/v1/enrollment?status=created&q=ugo`))
  const decide = (one: Json, status: string) =>
    testApp.operator.post(`/operator/v1/enrollment/${String(one['id'])}/transition`, { status, reason: 'Teste' })
  expectOk(await decide(body.result[0], 'rejected'))
  await goto('/hr/requests')
  await row.getByText('Em andamento: 1 de 2').waitFor()
  await expectSound()
  const { body: rest } = expectOk(await testApp.operator.get(`/operator/v1/enrollment?status=created&q=ula`))
  expectOk(await decide(rest.result[0], 'rejected'))
  await goto('/hr/requests')
  await row.getByText('Recusada').waitFor()
})

test('on a phone fields are 44 pixels high with text of 16, and a document has several files', async () => {
  const { body } = expectOk(await testApp.operator.get('/operator/v1/enrollment?status=created&q=vera'))
  const { id } = body.result[0]
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${String(id)}/transition`, {
      status: 'pending-documents',
      reason: 'Falta o documento',
      'pending-items': [
        {
          kind: 'document',
          'document-type': 'identification-document-with-tax-id',
          message: 'RG e CPF, frente e verso',
        },
      ],
    }),
  )
  const { page, expectSound } = await open('/hr/include', { cookie, width: 390 })
  const name = page.getByRole('textbox', { name: 'Nome', exact: false }).first()
  await name.waitFor()
  const sizes = await page.evaluate<{ height: number; size: string }[]>(
    `[...document.querySelectorAll('#content :is(input:not([type=checkbox], [type=radio], [type=file], [type=hidden]), select)')]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ height: one.getBoundingClientRect().height, size: getComputedStyle(one).fontSize }))`,
  )
  expect(sizes.length).toBeGreaterThan(5)
  for (const one of sizes) {
    expect(one.height).toBeGreaterThanOrEqual(44)
    expect(one.size).toBe('16px')
  }
  await page.goto(`${testApp.url}/console/hr/pending/${String(id)}`)
  const photo = (front: string) => ({
    name: front,
    mimeType: 'image/jpeg',
    buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, front.length]),
  })
  const files = page.locator('input[type=file]')
  await files.setInputFiles([photo('frente.jpg'), photo('verso da carteira.jpg')])
  await page.getByText('frente.jpg').waitFor()
  await page.getByText('verso da carteira.jpg').waitFor()
  await page.getByRole('button', { name: 'Adicionar outro arquivo' }).waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Enviar a resposta' }).click()
  await page.getByText('verso da carteira.jpg').waitFor({ state: 'detached' })
  const { body: movements } = expectOk(await testApp.operator.get('/operator/v1/enrollment?q=vera'))
  expect(movements.result[0].status).not.toBe('pending-documents')
})
