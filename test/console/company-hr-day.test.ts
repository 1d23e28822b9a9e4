import { beforeAll, expect, test } from 'vitest'
import { putFile, putInvoice } from '../world/invoice.ts'
import { type Company, dependent, expectOk, health, type Json, nextCpf, primary } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { openActions, useConsole } from './console.ts'

/* A day of a person of a company: on a phone, and with the keyboard alone. */

const { testApp, open } = useConsole()
let company: Company
let mother: Json
let pendingId: string

beforeAll(async () => {
  company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  mother = primary({ name: 'Sônia que Sai' })
  const child = dependent(mother['tax-id'], { name: 'Filho que Sai' })
  await testApp.include(partner, company, [mother, child], '?resolution=approve')
  const asked = primary({ name: 'Pedro Pendente' })
  const request = await testApp.include(partner, company, [asked])
  pendingId = Object.values<Json>(request['status-by-tax-id'][asked['tax-id']])[0]['enrollment-id']
  expectOk(
    await testApp.operator.post(`/operator/v1/enrollment/${pendingId}/transition`, {
      status: 'pending-documents',
      reason: 'Falta o documento',
      'pending-items': [{ kind: 'document', 'document-type': 'company-letter', message: 'Carta da empresa' }],
    }),
  )
  const invoiceId = await putInvoice(testApp, company, { id: 'FAT-2026-11', 'carrier-name': 'Operadora Aurora' })
  await putFile(testApp, invoiceId)
})

const file = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]) }

test('a whole day on a phone: a family with a document, somebody who leaves, an answer, an invoice', async () => {
  const { cookie } = await hrOf(testApp, [company.taxId], { seesMoney: true })
  const watched = await open('/hr/people', { cookie, width: 390 })
  const { page, expectSound } = watched
  const goTo = async (name: string) => {
    await page.getByRole('button', { name: 'Abrir a navegação' }).click()
    await page.getByRole('navigation', { name: 'Áreas' }).getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  await goTo('Incluir')
  await page.getByRole('button', { name: 'Adicionar dependente' }).click()
  const [first, second] = [
    page.getByRole('group', { name: 'Titular' }),
    page.getByRole('group', { name: 'Dependente' }),
  ]
  for (const [group, name, cpf, born] of [
    [first, 'Nora Nova', nextCpf(), '17/05/1990'],
    [second, 'Neto Nova', nextCpf(), '03/02/2020'],
  ] as const) {
    await group.getByRole('textbox', { name: 'Nome', exact: false }).first().fill(name)
    await group.getByRole('textbox', { name: 'CPF' }).first().fill(cpf)
    await group.getByRole('textbox', { name: 'Data de nascimento' }).fill(born)
    await group.getByRole('textbox', { name: 'Nome da mãe' }).fill('Nair Nova')
    await group.getByLabel('Sexo').selectOption('female')
  }
  await second.getByLabel('Parentesco').selectOption('child')
  await first.getByRole('checkbox', { name: health }).check()
  await second.getByRole('checkbox', { name: health }).check()
  await second.locator('input[type=file]').first().setInputFiles(file)
  await second.getByText('foto.jpg').waitFor()
  await second.getByLabel('O que é').selectOption('birth-certificate-or-national-id')
  await expectSound()
  await page.getByRole('button', { name: 'Verificar' }).click()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
  await expectSound()

  await goTo('Pessoas')
  await page.getByRole('link', { name: mother['name'] }).click()
  await openActions(page)
  await page.getByRole('link', { name: 'Excluir' }).click()
  await page.getByText('Filho que Sai, filho(a), sai junto.').waitFor()
  await page.getByLabel('Motivo da exclusão').selectOption('resignation')
  await page.getByRole('button', { name: 'Verificar' }).click()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
  await expectSound()

  await goTo('Pendências')
  await page.getByRole('link', { name: 'Pedro Pendente' }).click()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('foto.jpg').waitFor()
  await page.getByRole('button', { name: 'Enviar a resposta' }).click()
  await page.getByText('A corretora recebeu e vai analisar.').waitFor()
  await expectSound()
  await goTo('Pendências')
  await page.getByRole('heading', { name: 'Nada espera por você' }).waitFor()

  await goTo('Faturas')
  await page.getByText('1 fatura', { exact: true }).waitFor()
  await page.getByRole('cell', { name: 'Operadora Aurora' }).waitFor()
  await expectSound()
})

test('everything can be done with the keyboard: a search, a person, and an exclusion', async () => {
  const partner = await testApp.partner(company.taxId)
  const leaver = primary({ name: 'Karla Teclado' })
  await testApp.include(partner, company, [leaver], '?resolution=approve')
  const { cookie } = await hrOf(testApp, [company.taxId])
  const { page } = await open('/hr/people', { cookie })
  /** Presses Tab until the element of this name has the focus. */
  const tabTo = async (name: string | RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      const label = await page.evaluate<string>(`(() => {
        const element = document.activeElement
        return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? ''
      })()`)
      const matches = typeof name === 'string' ? label.trim().startsWith(name) : name.test(label)
      if (matches) return
    }
    throw new Error(`Tab does not reach ${String(name)}`)
  }
  await tabTo('Nome, CPF')
  await page.keyboard.type('karla')
  await page.keyboard.press('Enter')
  await page.getByText('1 pessoa', { exact: true }).waitFor()
  await tabTo('Karla Teclado')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Karla Teclado' }).waitFor()
  await tabTo('Excluir')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Excluir' }).waitFor()
  await page.getByLabel('Motivo da exclusão').waitFor()
  await tabTo('Motivo da exclusão')
  await page.keyboard.type('Pedido de demissão')
  await tabTo('Verificar')
  await page.keyboard.press('Enter')
  // The focus is on what sends.
  await page.getByText('Tudo certo. Será enviado:').waitFor()
  await page.locator('button:focus', { hasText: /^Enviar$/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
  const { result } = expectOk(await partner.get(`/v1/enrollment/history?member-tax-id=${leaver['tax-id']}`)).body
  expect(result[0]).toMatchObject({ 'enrollment-type': 'exclusion', 'exclusion-reason': 'resignation' })
})
