import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Company, dependent, expectOk, health, type Json, nextCpf, primary, until } from '../world/test-app.ts'
import { pdf, upload } from '../world/upload.ts'
import { hrOf } from './company-hr.ts'
import { type ConsolePage, useConsole } from './console.ts'

/* The broker requests movements: how the request came, and the forms that the people of companies have. */

const { testApp, open } = useConsole()
let company: Company
let other: Company

beforeAll(async () => {
  company = await testApp.company({ name: 'Metalúrgica Serra Azul S.A.' })
  other = await testApp.company({ name: 'Padaria Aurora Ltda.' })
})

/** A primary with a child, both covered. @returns the primary and its member id. */
async function family(name: string): Promise<{ titular: Json; child: Json; id: string }> {
  const partner = await testApp.partner(company.taxId)
  const titular = primary({ name, 'mothers-name': 'Fátima Prates' })
  const child = dependent(titular['tax-id'], { name: `Helena de ${name.split(' ', 1)[0]}` })
  await testApp.include(partner, company, [titular, child], '?resolution=approve')
  const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${titular['tax-id']}`)).body
  return { titular, child, id: result[0].id }
}

/** The newest movement of a person, and how its request came, as operators see it. */
async function newestOf(taxId: string): Promise<{ movement: Json; request: Json }> {
  const partner = await testApp.partner(company.taxId)
  const [movement] = expectOk(await partner.get(`/v1/enrollment/history?member-tax-id=${taxId}`)).body.result
  const path = `/operator/v1/request/${movement['request-id']}`
  return { movement, request: expectOk(await testApp.operator.get(path)).body.result }
}

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
/** Types into the field that has the focus. */
const type = (page: Page, text: string) => page.keyboard.insertText(text)
/** Waits until the field with this label, or a button of the group, has the focus. */
const focusIn = (page: Page, label: string) =>
  page
    .getByLabel(new RegExp(`^${label}( \\*)?$`))
    .and(page.locator(':focus'))
    .or(page.getByRole('radiogroup', { name: label }).locator(':focus'))
    .waitFor({ state: 'attached' })

/** Types how the request came; the focus goes on to what is to be said next. */
async function typeIntake(page: Page): Promise<void> {
  await focusIn(page, 'Meio')
  await press(page, 'ArrowDown', 'Tab', 'Control+A')
  // The business day of the tests.
  await type(page, '20/11/2026')
  await press(page, 'Tab', 'Control+A')
  await type(page, '1840')
  await press(page, 'Tab')
  // Key by key, faster than anybody types: no letter is lost.
  await page.keyboard.type('Paula Andrade')
  await press(page, 'Tab')
  await page.keyboard.type('paula.andrade@serraazul.example')
  await press(page, 'Enter')
}

const sent = (page: Page) => page.getByText('Recebida: cada item virou uma movimentação.').waitFor()

const intake = {
  medium: 'email',
  'received-at': '2026-11-20T21:40:00.000Z',
  'requester-name': 'Paula Andrade',
  'requester-contact': 'paula.andrade@serraazul.example',
}

/** Dry runs with offenses are problems that the page logs. */
const withoutRefusals = ({ problems }: ConsolePage) =>
  problems.splice(0).filter((problem) => !problem.includes('400 (Bad Request)'))

test('by keyboard only, a message asks for an inclusion, an exclusion and an alteration', async () => {
  const { titular, id } = await family('Davi Nogueira Prates')
  const altered = await family('Lúcia Ferraz Monteiro')
  const watched = await open('/queue', { role: 'analyst' })
  const { page } = watched
  await page.waitForLoadState('networkidle')
  await press(page, 'n')
  await typeIntake(page)

  await focusIn(page, 'Tipo')
  await press(page, 'i')
  await focusIn(page, 'Empresa')
  await type(page, 'serra azul')
  await press(page, 'Enter')
  await focusIn(page, 'Nome')
  const cpf = nextCpf()
  for (const text of ['Camila Duarte Reis', cpf, '17/05/1990']) {
    await type(page, text)
    await press(page, 'Tab')
  }
  await press(page, 'ArrowDown', 'Tab')
  await type(page, 'Nair Duarte Reis')
  await press(page, 'Control+Enter')
  // Without a product.
  await page.getByText('Corrija os campos marcados. Nada foi enviado.').waitFor()
  expect(withoutRefusals(watched)).toEqual([])
  await page.getByRole('checkbox', { name: health }).and(page.locator(':focus')).waitFor()
  await press(page, 'Space', 'Control+Enter')
  await page.getByText('Tudo certo. Será enviado:').waitFor()
  await press(page, 'Control+Enter')
  await sent(page)
  await expect.poll(async () => (await newestOf(cpf)).request).toMatchObject({ 'requested-by': 'operator', intake })
  await watched.expectSound()

  // The next movement of the same message, of the same company.
  await press(page, 'Alt+n')
  await focusIn(page, 'Tipo')
  await press(page, 'e')
  await focusIn(page, 'Pessoa')
  await type(page, titular['tax-id'])
  await press(page, 'Enter')
  await page.locator('[type=radio][value=everything]:focus').waitFor()
  await press(page, 'Tab')
  const reason = page.getByLabel('Motivo da exclusão')
  await focusIn(page, 'Motivo da exclusão')
  while ((await reason.inputValue()) !== 'requested-by-beneficiary') await press(page, 'ArrowDown')
  await press(page, 'Tab', 'Control+A')
  await type(page, '30/11/2026')
  await press(page, 'Control+Enter')
  await page.getByText('Davi Nogueira Prates, Helena de Davi · ').waitFor()
  await press(page, 'Control+Enter')
  await sent(page)
  await page.getByRole('link', { name: 'Helena de Davi' }).waitFor()
  const excluded = await newestOf(titular['tax-id'])
  expect(excluded.request).toMatchObject({ 'requested-by': 'operator', intake })
  // The day on which it came, not that on which it was typed.
  expect(excluded.movement['exclusion-details']).toMatchObject({ 'requested-at': '2026-11-20' })
  await watched.expectSound()

  // The button of the next one has the focus.
  await press(page, 'Enter')
  await focusIn(page, 'Tipo')
  await press(page, 'a')
  await focusIn(page, 'Pessoa')
  await type(page, 'lúcia ferraz')
  await press(page, 'Enter')
  await focusIn(page, 'O que muda')
  await press(page, 'Tab')
  await focusIn(page, 'Nome')
  await press(page, 'Control+A')
  await type(page, 'Lúcia Ferraz Brandão')
  await press(page, 'Control+Enter')
  await page.getByText('Tudo certo. Será enviado:').waitFor()
  await press(page, 'Control+Enter')
  await sent(page)
  // Another message begins with an empty intake.
  await press(page, 'Alt+Shift+N')
  await focusIn(page, 'Meio')
  await expect.poll(() => page.getByRole('textbox', { name: 'Solicitante', exact: true }).inputValue()).toBe('')
  const { movement, request } = await newestOf(altered.titular['tax-id'])
  expect(movement).toMatchObject({ 'enrollment-type': 'alteration' })
  expect(request).toMatchObject({ 'requested-by': 'operator', intake })
  expect(watched.problems).toEqual([])

  // From the page of a person it is of that person.
  await watched.goto(`/members/${id}`)
  await page.waitForLoadState('networkidle')
  await press(page, 'n')
  await typeIntake(page)
  await focusIn(page, 'Tipo')
  await expect.poll(() => page.getByRole('combobox', { name: 'Pessoa' }).inputValue()).toContain('Davi Nogueira Prates')
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Empresa' }).inputValue())
    .toContain('Metalúrgica Serra Azul S.A.')
  await press(page, '?')
  await page.getByRole('dialog').getByText('Na nova movimentação: a próxima da mesma entrada').waitFor()
  await watched.expectSound()
}, 120_000)

describe('the intake', () => {
  test('has its errors at its fields and its evidence, is kept for what follows, and is in no storage of the browser', async () => {
    const { titular, child, id } = await family('Rita Provas')
    const watched = await open(`/members/${id}`, { role: 'analyst' })
    const { page } = watched
    await page.getByRole('link', { name: 'Nova movimentação' }).last().click()
    const panel = page.getByRole('group', { name: 'Entrada' })
    await page.getByText('Exclusão').click()
    await page.getByLabel('Motivo da exclusão').selectOption('death')
    await panel.getByLabel('Solicitante', { exact: false }).first().fill(`Rui ${titular['tax-id']}`)
    await page.getByRole('button', { name: 'Verificar' }).click()
    await panel.locator('[aria-invalid=true]:focus').waitFor()
    await expect.poll(() => panel.locator('[aria-invalid=true]').count()).toBeGreaterThan(1)
    expect(withoutRefusals(watched)).toEqual([])
    await watched.expectSound()
    await panel.getByLabel('Meio').selectOption('letter')
    await panel.getByLabel('Recebido em').fill('19/11/2026')
    await panel.getByLabel('Hora').fill('9h05')
    await panel.getByRole('textbox', { name: 'Solicitante', exact: true }).fill('Rui Provas')
    const files = ['carta.pdf', 'envelope.pdf'].map((name) => ({ name, mimeType: 'application/pdf', buffer: pdf }))
    await panel.locator('input[type=file]').setInputFiles(files)
    await panel.getByText('envelope.pdf').waitFor()
    await panel.getByRole('button', { name: 'Remover o arquivo: envelope.pdf' }).click()
    await page.getByRole('button', { name: 'Verificar' }).click()
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await sent(page)
    await watched.expectSound()
    const first = (await newestOf(titular['tax-id'])).request
    expect(first.intake).toMatchObject({ medium: 'letter', 'received-at': '2026-11-19T12:05:00.000Z' })
    expect(first.intake.documents).toHaveLength(1)
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    expect(stored).not.toContain('Rui Provas')

    // The evidence of one message shows several requests.
    await page.getByRole('button', { name: 'Próxima movimentação desta entrada' }).click()
    await page.getByText('Alteração').click()
    await expect.poll(() => panel.getByLabel('Meio').inputValue()).toBe('letter')
    // A dependent only, whom partners cannot alter.
    await page.getByRole('combobox', { name: 'Pessoa' }).fill('Helena de Rita')
    await page.getByRole('option', { name: /Helena de Rita/ }).click()
    await page.getByLabel('Nome da mãe').fill('Rita Provas Souza')
    await page.getByRole('button', { name: 'Verificar' }).click()
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await sent(page)
    const second = (await newestOf(child['tax-id'])).request
    expect(second.intake.documents).toHaveLength(1)
    expect(second.intake.documents).not.toEqual(first.intake.documents)
    await panel.getByRole('button', { name: 'Limpar a entrada' }).click()
    await expect.poll(() => panel.getByRole('textbox', { name: 'Solicitante', exact: true }).inputValue()).toBe('')
    await expect.poll(() => panel.getByText('carta.pdf').count()).toBe(0)
    expect(watched.problems).toEqual([])
  })

  test('says which documents are missing, and a form with changes is not left without a question', async () => {
    expectOk(
      await testApp.operator.put('/operator/v1/requirement-rule/01995e0b-7c11-7f22-8b33-4d5e6f708192', {
        name: 'Saída',
        when: { movements: ['exclusion'], 'company-tax-ids': [company.taxId] },
        require: [{ 'any-of': ['exclusion-file'], of: 'primary', message: 'Carta de desligamento' }],
      }),
    )
    const { id } = await family('Sônia Sem Carta')
    const watched = await open(`/movements/new?kind=exclusion&person=${id}`, { role: 'admin', width: 390 })
    const { page } = watched
    await page.getByLabel('Meio').selectOption('phone')
    await page.getByLabel('Recebido em').fill('20/11/2026')
    await page.getByRole('textbox', { name: 'Solicitante', exact: true }).fill('Paula Andrade')
    await page.getByLabel('Motivo da exclusão').selectOption('resignation')
    await press(page, 'Alt+n')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
    await press(page, 'Control+Enter')
    await page.getByText('Tudo certo. Será enviado:').waitFor()
    await press(page, 'Control+Enter')
    await sent(page)
    await page.getByText('Sônia Sem Carta: Carta de desligamento').first().waitFor()
    await watched.expectSound()
    await page.getByRole('status').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Solicitação' }).waitFor()
    expect(watched.problems).toEqual([])
  })
})

describe('a new movement', () => {
  test('begins from the command menu, and from a company with the company', async () => {
    const { page, goto } = await open('/queue', { role: 'analyst', language: 'en' })
    await press(page, 'Control+k')
    await page.getByRole('textbox', { name: 'Search and commands' }).fill('new movement')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'New movement' }).waitFor()
    await goto(`/companies/${other.taxId}`)
    await page.locator('#content').getByRole('link', { name: 'New movement' }).waitFor()
    await press(page, 'n')
    await page.getByRole('heading', { name: 'New movement' }).waitFor()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Company' }).inputValue())
      .toContain('Padaria Aurora Ltda.')
  })

  test.each(['auditor', 'finance'] as const)('is not of the role %s', async (role) => {
    const { page, goto } = await open('/companies', { role })
    await page.waitForLoadState('networkidle')
    await press(page, 'n')
    await goto(`/companies/${other.taxId}`)
    expect(page.url()).toContain('/companies/')
    await expect.poll(() => page.getByRole('link', { name: 'Nova movimentação' }).count()).toBe(0)
    await goto('/movements/new')
    await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
  })
})

test('a movement and its request say how it came: to operators with contact and evidence, to the company without them', async () => {
  const { titular } = await family('Otto Origem')
  const analyst = await testApp.operatorOf('analyst')
  const evidence = await upload(analyst, pdf, '/operator/v1')
  const body = {
    'company-tax-id': company.taxId,
    intake: { ...intake, documents: [evidence] },
    members: [
      {
        'tax-id': titular['tax-id'],
        'exclusion-details': { 'exclusion-reason': 'resignation', 'end-date': '2026-12-31' },
      },
    ],
  }
  expectOk(await analyst.post('/operator/v1/enrollment/exclusion', body))
  const { movement } = await until(
    () => newestOf(titular['tax-id']),
    ({ movement: newest }) => newest['enrollment-type'] === 'exclusion',
  )
  const watched = await open(`/queue/${movement.id}`, { role: 'analyst' })
  const { page } = watched
  const facts = page.getByRole('region', { name: 'Movimentação', exact: true })
  await facts.getByText('Corretora').waitFor()
  await facts.getByText('E-mail · 20/11/2026 18:40').waitFor()
  await facts.getByText('Paula Andrade · paula.andrade@serraazul.example').waitFor()
  const download = page.waitForEvent('download')
  await facts.getByRole('link', { name: 'Comprovante 1' }).click()
  expect(await readFile(await (await download).path())).toEqual(pdf)
  await watched.expectSound()
  await watched.goto(`/requests/${movement['request-id']}`)
  await page.getByText('E-mail · 20/11/2026 18:40').waitFor()

  const audited = await open(`/queue/${movement.id}`, { role: 'auditor' })
  await audited.page.getByText('E-mail · 20/11/2026 18:40').waitFor()
  await expect.poll(() => audited.page.getByRole('link', { name: 'Comprovante 1' }).count()).toBe(0)

  const { cookie } = await hrOf(testApp, [company.taxId])
  const ofCompany = await open(`/hr/pending/${movement.id}`, { cookie })
  for (const path of [`/hr/pending/${movement.id}`, `/hr/requests/${movement['request-id']}`]) {
    await ofCompany.goto(path)
    await ofCompany.page.getByText('E-mail · 20/11/2026 18:40').waitFor()
    await ofCompany.page.getByText('Paula Andrade', { exact: true }).waitFor()
    await expect.poll(() => ofCompany.page.getByText('Comprovante').count()).toBe(0)
    await ofCompany.expectSound()
  }
})
