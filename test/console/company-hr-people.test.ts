import { beforeAll, describe, expect, test } from 'vitest'
import { type Company, dependent, expectOk, type Json, primary } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* What the people of companies see of their people, and how they answer what is pending. */

const { testApp, open } = useConsole()
let company: Company
let cookie: string
let mother: Json
let child: Json

/** The id of the only enrollment of a person in a request. */
const enrollmentOf = (request: Json, { 'tax-id': taxId }: Json): string =>
  Object.values<Json>(request['status-by-tax-id'][taxId])[0]['enrollment-id']

beforeAll(async () => {
  company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  mother = primary({ name: 'Beatriz Família Andrade', 'employee-id': 'MAT-9001' })
  child = dependent(mother['tax-id'], { name: 'Caio Família Andrade' })
  await testApp.include(partner, company, [mother, child, primary({ name: 'Rui Prado' })], '?resolution=approve')
  const path = `/v1/enrollment/exclusion/${child['tax-id']}/dependent-of/${mother['tax-id']}?resolution=approve`
  const details = { 'end-date': '2026-11-24', 'exclusion-reason': 'requested-by-beneficiary' }
  expectOk(await partner.post(path, { 'exclusion-details': details }))
  cookie = (await hrOf(testApp, [company.taxId])).cookie
})

const formatted = (cpf: string) => cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')

describe('people', () => {
  test('are found by name, CPF, employee id, and by the day of their cover', async () => {
    const watched = await open('/hr/people', { cookie })
    const { page } = watched
    const search = page.getByLabel('Nome, CPF, carteirinha, e-mail ou matrícula')
    await page.getByText('3 pessoas', { exact: true }).waitFor()
    for (const text of ['beatriz fam', 'mat-9001', formatted(mother['tax-id'])]) {
      await search.fill(text)
      await page.getByText('1 pessoa', { exact: true }).waitFor()
      await page.getByRole('link', { name: mother['name'] }).waitFor()
      expect(page.url()).not.toContain(mother['tax-id'])
    }
    await search.fill('')
    await page.getByText('3 pessoas', { exact: true }).waitFor()
    const day = page.getByLabel('Com cobertura em')
    await day.fill('25/11/2026')
    await page.getByText('2 pessoas', { exact: true }).waitFor()
    await day.fill('01/01/2020')
    await page.getByText('Ninguém', { exact: true }).waitFor()
    await watched.expectSound()
  })

  test('have a page with benefits in words, family, movements and data', async () => {
    const watched = await open('/hr/people', { cookie, width: 390 })
    const { page } = watched
    await page.getByRole('link', { name: child['name'] }).click()
    await page.getByRole('heading', { level: 1, name: child['name'] }).waitFor()
    await page.getByText('de 23/11/2026 a 24/11/2026').waitFor()
    await page.getByText('Anteriores').click()
    await page.getByText('Concluída: o benefício termina.').waitFor()
    await watched.expectSound()
    await page.getByRole('link', { name: mother['name'] }).click()
    await page.getByRole('heading', { level: 1, name: mother['name'] }).waitFor()
    await page.getByText('desde 23/11/2026').waitFor()
    await page.getByText('MAT-9001').waitFor()
  })
})

describe('a pending movement', () => {
  /** Includes somebody, whose movement the broker sends back. @returns the id of the movement. */
  async function pending(person: Json, items: Json[]): Promise<string> {
    const partner = await testApp.partner(company.taxId)
    const id = enrollmentOf(await testApp.include(partner, company, [person]), person)
    const note = { text: 'Nota interna da mesa' }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/note`, note))
    const analyst = await testApp.operatorOf('analyst')
    expectOk(await analyst.put(`/operator/v1/enrollment/${id}/assignee`, { assignee: analyst.clientId }))
    const status = items.some(({ kind }) => kind === 'document') ? 'pending-documents' : 'pending-correction'
    const body = { status, reason: 'Falta algo', 'pending-items': items }
    expectOk(await analyst.post(`/operator/v1/enrollment/${id}/transition`, body))
    return id
  }

  test('is answered with a document and a corrected field; the history names the person', async () => {
    const person = primary({ name: 'Otávio Pendente', 'mothers-name': 'Errada' })
    const document = {
      kind: 'document',
      'document-type': 'birth-certificate-or-national-id',
      message: 'Envie a frente e o verso',
    }
    const id = await pending(person, [document, { kind: 'field', field: 'date-of-birth', message: 'Como no RG' }])
    const hr = await hrOf(testApp, [company.taxId])
    const watched = await open('/hr/pending', { cookie: hr.cookie })
    const { page } = watched
    const bodies: string[] = []
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.startsWith('/v1/'))
        void response.text().then(
          (text) => bodies.push(text),
          () => {},
        )
    })
    await page.getByRole('link', { name: 'Pendências 1' }).waitFor()
    await page.getByRole('link', { name: 'Otávio Pendente' }).click()
    await page.getByText('Falta um documento. Responda abaixo.').waitFor()
    const send = page.getByRole('button', { name: 'Enviar a resposta' })
    await send.click()
    await page.getByText('Envie um documento, um campo corrigido ou um comentário.').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'certidão.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 x') })
    await page.getByText('certidão.pdf').waitFor()
    await page.getByLabel('Data de nascimento').fill('01/01/2190')
    await watched.expectSound()
    await send.click()
    await page.getByText('Corrija os campos marcados. Nada foi enviado.').waitFor()
    await expect.poll(() => page.getByLabel('Data de nascimento').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Data de nascimento').fill('17/05/1991')
    await page.getByLabel('Comentário para a corretora').fill('Conferido com o RG')
    await send.click()
    await page.getByText('A resposta foi enviada.').waitFor()
    await page.getByText('A corretora recebeu e vai analisar.').waitFor()
    await page.getByText(hr.session.name).last().waitFor()
    await page.getByText('Conferido com o RG').waitFor()
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}/document`)).body
    expect(result.map((one: Json) => [one['document-type'], one.name])).toEqual([
      ['birth-certificate-or-national-id', 'certidão.pdf'],
    ])
    const movement = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
    expect(movement.history.at(-1)).toMatchObject({ actor: 'partner', 'actor-name': hr.session.name })
    // No response shows what only the broker may see.
    await page.getByRole('link', { name: 'Otávio Pendente' }).click()
    await page.getByRole('heading', { level: 1, name: 'Otávio Pendente' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(bodies.length).toBeGreaterThan(5)
    for (const hidden of ['Nota interna', '"assignee"', '"notes-count"', 'carrier-plan-code', '"actor-id"']) {
      expect([hidden, bodies.filter((body) => body.includes(hidden))]).toEqual([hidden, []])
    }
  })

  test('is withdrawn', async () => {
    const id = await pending(primary({ name: 'Desiste Prado' }), [{ kind: 'field', field: 'name', message: 'Nome' }])
    const watched = await open(`/hr/pending/${id}`, { cookie, language: 'en', theme: 'dark' })
    const { page } = watched
    await page.getByText('Something has to be corrected. Answer below.').waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason (optional)').fill('Left already')
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('It was withdrawn; nothing changed.').waitFor()
    await page.getByText('Left already').first().waitFor()
    await watched.expectSound()
  })
})
