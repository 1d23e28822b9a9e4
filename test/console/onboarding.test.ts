import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { useBrowser } from '../browser/browser.ts'
import { childOf, invitationBody, invited, openPage, submissionOf } from '../world/onboarding.ts'
import { pricedContract, putBands } from '../world/price.ts'
import { expectOk, health, type Json, nextCpf, useCompany } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* The HR invites somebody, who fills in the own data on a phone; the HR reviews them, returns them once, and approves them. */

const { testApp, open } = useConsole()
const browser = useBrowser()
const { company, partner } = useCompany(testApp)
let cookie: string

beforeAll(async () => {
  cookie = (await hrOf(testApp, [company.taxId])).cookie
  const contract = await pricedContract(testApp, company)
  await putBands(testApp, contract['contract-id'])
  expectOk(
    await testApp.operator.put('/operator/v1/contribution-rule/01995e0f-3c21-7d33-8e44-7f8091021324', {
      'contract-id': contract['contract-id'],
      'valid-from': '2026-01-01',
      'primary-employee-share': { 'basis-points': 1_000 },
      'dependent-employee-share': { 'basis-points': 5_000 },
    }),
  )
  expectOk(
    await testApp.operator.put('/operator/v1/requirement-rule/01995e0b-7c11-7f22-8b33-4d5e6f708192', {
      name: 'Filho',
      when: { movements: ['inclusion'], 'dependent-types': ['child'] },
      require: [{ 'any-of': ['birth-certificate-or-national-id'], of: 'dependent', message: 'Certidão do filho' }],
    }),
  )
})

const file = { name: 'certidao.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 x') }

interface Phone {
  readonly page: Page
  readonly problems: readonly string[]
  readonly violations: () => Promise<{ id: string }[]>
  /** Axe finds nothing, the page fits the width, and the browser refused nothing. */
  readonly expectSound: () => Promise<void>
}

async function phone(options: { theme?: 'light' | 'dark'; width?: number } = {}): Promise<Phone> {
  const { theme = 'light', width = 390 } = options
  const watched = await browser.newPage({ viewport: { width, height: 844 }, colorScheme: theme, locale: 'pt-BR' })
  const { page, problems, violations } = watched
  return {
    page,
    problems,
    violations,
    expectSound: async () => {
      const found = (await violations()).map(({ id }) => id)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      // Calls that were refused are logged, too.
      const others = problems.filter((problem) => !problem.includes('Failed to load resource'))
      expect({ found, overflow: Math.max(0, Number(overflow)), problems: others }).toEqual({
        found: [],
        overflow: 0,
        problems: [],
      })
    },
  }
}

async function identify(page: Page, link: string, ending: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Os 5 últimos dígitos do seu CPF').fill(ending)
  await page.getByLabel('Data de nascimento').fill('1990-05-17')
  await page.getByRole('button', { name: 'Confirmar' }).click()
}

test('an employee is invited, fills in the data on a phone, corrects what is returned, and is included once', async () => {
  const desk = await open('/hr/onboarding', { cookie })
  const cpf = nextCpf()
  await desk.page.getByRole('button', { name: 'Convidar funcionário' }).click()
  const dialog = desk.page.getByRole('dialog')
  for (const [label, value] of [
    ['Nome', 'Helena Prado'],
    ['CPF', cpf],
    ['Data de nascimento', '17/05/1990'],
    ['Data de admissão', '16/11/2026'],
  ] as const) {
    await dialog.getByRole('textbox', { name: label }).fill(value)
  }
  await dialog.getByRole('checkbox', { name: health }).check()
  await dialog.getByRole('button', { name: 'Criar link' }).click()
  const link = await desk.page.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toMatch(/\/onboarding#[\w-]{43}$/)
  await desk.page.getByRole('checkbox').check()
  await desk.page.getByRole('button', { name: 'Fechar' }).click()
  await desk.page.getByRole('table').getByText('Link criado').waitFor()
  await desk.expectSound()

  const { page, expectSound } = await phone()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  // A scanner of mail opens the page, three times.
  for (let visit = 0; visit < 3; visit += 1) {
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('heading', { name: 'É você?' }).waitFor()
  }
  await expectSound()
  // Reading the brand has no effect.
  expect(urls.filter((url) => url.includes('/v1/') && !url.endsWith('/operator/v1/brand'))).toEqual([])
  const [{ status } = { status: null }] = await testApp.sql(
    'select status from onboarding_invitation where tax_id = $1',
    [cpf],
  )
  expect(status).toBe('sent')

  await identify(page, link, '00000')
  await page.getByText('Restam 4 tentativas.').waitFor()
  await identify(page, link, cpf.slice(-5))
  await page.getByRole('heading', { name: 'Olá, Helena Prado' }).waitFor()
  await page.getByText(/R\$\s[\d,.]+ por mês, descontados do seu salário/).waitFor()
  await page.getByRole('button', { name: 'Enviar ao RH' }).click()
  await page.getByText('Corrija os campos marcados.').waitFor()
  await page.getByRole('radio', { name: 'Quero', exact: true }).check()
  await page.getByRole('button', { name: 'Enviar ao RH' }).click()
  await page.locator('input[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('Nome da mãe').first().fill('Fátima Prado')
  await page.getByLabel('Sexo').first().selectOption('female')
  await page.getByLabel('Celular com DDD').fill('11 9')
  await page.getByRole('button', { name: 'Adicionar dependente' }).click()
  const child = page.getByRole('group', { name: /^Dependente/ }).first()
  await child.getByLabel('Parentesco').selectOption('child')
  await child.getByLabel('Nome completo').fill('Davi Prado')
  await child.getByLabel('CPF').fill(nextCpf())
  await child.getByLabel('Data de nascimento').fill('2020-01-31')
  await child.getByLabel('Nome da mãe').fill('Helena Prado')
  await child.getByLabel('Sexo').selectOption('male')
  await page.getByText('por mês com os seus dependentes').waitFor()
  await child.getByText('Certidão do filho').waitFor()
  await child.locator('input[type=file]').first().setInputFiles(file)
  await child.getByText('certidao.pdf').waitFor()
  await page.getByRole('button', { name: 'Enviar ao RH' }).click()
  await page.getByText('Informe o telefone com DDD').waitFor()
  await page.getByLabel('Celular com DDD').fill('11 98765-4321')
  await expectSound()
  await page.getByRole('button', { name: 'Enviar ao RH' }).click()
  await page.getByRole('heading', { name: 'Seus dados foram enviados' }).waitFor()
  await expectSound()

  await desk.goto('/hr/onboarding')
  await desk.page.getByRole('link', { name: 'Helena Prado' }).click()
  await desk.page.getByRole('heading', { name: /Davi Prado/ }).waitFor()
  await desk.page.getByRole('link', { name: 'certidao.pdf' }).waitFor()
  await desk.expectSound()
  await desk.page.getByRole('button', { name: 'Devolver' }).click()
  await desk.page.getByRole('dialog').getByLabel('O que corrigir').fill('Complete o nome da mãe.')
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Devolver' }).click()
  await desk.page.getByText('Devolvido ao funcionário.').waitFor()

  await page.goto('about:blank')
  await identify(page, link, cpf.slice(-5))
  await page.getByText('Complete o nome da mãe.').waitFor()
  await page.getByLabel('Nome da mãe').first().fill('Fátima Prado Lima')
  await page.getByRole('button', { name: 'Enviar ao RH' }).click()
  await page.getByRole('heading', { name: 'Seus dados foram enviados' }).waitFor()

  await desk.goto('/hr/onboarding')
  await desk.page.getByRole('link', { name: 'Helena Prado' }).click()
  await desk.page.getByText('Fátima Prado Lima').waitFor()
  await desk.page.getByRole('button', { name: 'Aprovar' }).click()
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click()
  await desk.page.getByText('Aprovado: a inclusão foi solicitada.').waitFor()
  await desk.page.getByRole('link', { name: 'Abrir a solicitação' }).click()
  await desk.page.getByRole('link', { name: 'Helena Prado' }).waitFor()
  expect(await testApp.sql('select id from request where company_id = $1', [company.id])).toHaveLength(1)
  const [token = ''] = link.split('#').slice(1)
  expect(urls.filter((url) => url.includes(token))).toEqual(urls.filter((url) => url.includes('#')))
})

test('one who waives everything types the name, in English, by keyboard, in the dark', async () => {
  const link = await invited(partner, invitationBody(company))
  const { page, expectSound } = await phone({ theme: 'dark', width: 1280 })
  await page.goto(`${testApp.url}/onboarding#${link.token}`)
  await page.getByRole('button', { name: 'English' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('The last 5 digits of your CPF').focus()
  await page.keyboard.type(link.body['tax-id'].slice(-5))
  await page.getByLabel('Date of birth').fill('1990-05-17')
  await page.keyboard.press('Enter')
  const waive = page.getByRole('radio', { name: 'I do not want it' })
  await waive.focus()
  await page.keyboard.press('Space')
  await page.getByLabel('Type your full name').focus()
  await page.keyboard.type('Helena Prado')
  await expectSound()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your data were sent' }).waitFor()
  const review = await open(`/hr/onboarding/${link.id}`, { cookie, language: 'en', theme: 'dark', width: 390 })
  await review.page.getByText('typed by').waitFor()
  await review.expectSound()
})

test('what was written is there after the page is loaded again; a field that is filled in is not missing any more', async () => {
  const link = await invited(partner, invitationBody(company))
  const address = `${testApp.url}/onboarding#${link.token}`
  const { page, expectSound } = await phone()
  page.on('dialog', (dialog) => void dialog.accept())
  await identify(page, address, link.body['tax-id'].slice(-5))
  await page.getByRole('radio', { name: 'Quero', exact: true }).check()
  const mother = page.getByLabel('Nome da mãe').first()
  await page.getByRole('button', { name: 'Enviar ao RH' }).click()
  await page.getByText('Preencha este campo.').first().waitFor()
  const before = await page.getByText('Preencha este campo.').count()
  await mother.fill('Fátima Prado')
  await expect.poll(() => page.getByText('Preencha este campo.').count()).toBe(before - 1)

  await page.reload()
  await page.getByLabel('Os 5 últimos dígitos do seu CPF').waitFor()
  await expect.poll(() => mother.count()).toBe(0)
  await identify(page, address, link.body['tax-id'].slice(-5))
  await expect.poll(() => mother.inputValue()).toBe('Fátima Prado')
  await expect.poll(() => page.getByRole('radio', { name: 'Quero', exact: true }).isChecked()).toBe(true)
  await page.getByText('Rascunho recuperado.').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await page.getByText('Rascunho recuperado.').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('radio', { name: 'Quero', exact: true }).isChecked()).toBe(false)
  await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
})

test('what is refused as an inclusion says why, and can be returned', async () => {
  const body = invitationBody(company)
  const link = await invited(partner, body)
  const owner = { 'company-tax-id': company.taxId, members: [] as Json[] }
  owner.members.push({
    'beneficiary-type': 'primary',
    'tax-id': body['tax-id'],
    name: 'Helena Prado',
    'mothers-name': 'Fátima',
    'date-of-birth': '1990-05-17',
    gender: 'female',
    products: { 'health-insurance': [{ name: health, 'start-option': 'on-inclusion-date' }] },
  })
  await testApp.include(partner, company, owner.members, '?resolution=approve')
  const { page } = await phone()
  await identify(page, `${testApp.url}/onboarding#${link.token}`, body['tax-id'].slice(-5))
  await page.getByRole('radio', { name: 'Quero', exact: true }).check()
  await page.getByLabel('Nome da mãe').first().fill('Fátima Prado')
  await page.getByLabel('Sexo').first().selectOption('female')
  await page.getByRole('button', { name: 'Enviar ao RH' }).click()
  await page.getByRole('heading', { name: 'Seus dados foram enviados' }).waitFor()
  const desk = await open(`/hr/onboarding/${link.id}`, { cookie })
  await desk.page.getByRole('button', { name: 'Aprovar' }).click()
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click()
  await desk.page.getByText('A pessoa já tem este produto ativo na empresa.').waitFor()
  expect(await testApp.sql('select status from onboarding_invitation where id = $1', [link.id])).toEqual([
    { status: 'submitted' },
  ])
})

test('the review warns of texts that seem to have lost characters', async () => {
  const link = await invited(partner, invitationBody(company))
  const employee = await openPage(testApp, link)
  const sent = submissionOf(link, { dependents: [childOf(company, { 'mothers-name': 'Helena ConceiÃ§Ã£o' })] })
  const member = { ...sent['member'], 'mothers-name': 'F?tima Jo?o Prado' }
  expectOk(await employee.submit({ ...sent, member }))
  const { page, expectSound } = await open(`/hr/onboarding/${link.id}`, { cookie })
  const facts = page.locator('dl > div').filter({ hasText: 'O texto parece ter perdido caracteres' })
  await facts.first().waitFor()
  await expect
    .poll(async () => (await facts.allTextContents()).map((text) => text.split('O texto')[0]))
    .toEqual(['Nome da mãeF?tima Jo?o Prado', 'Nome da mãeHelena ConceiÃ§Ã£o'])
  await expectSound()
})

test('a link that is incomplete says so; the page is light', async () => {
  const { page, expectSound } = await phone()
  await page.goto(`${testApp.url}/onboarding`)
  await page.getByText('Este link está incompleto').waitFor()
  await expectSound()
  const paths = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
  )
  const scripts = await Promise.all(paths.map(async (path) => Buffer.from(await (await fetch(path)).arrayBuffer())))
  expect(scripts.reduce((sum, script) => sum + gzipSync(script).length, 0)).toBeLessThan(100_000)
})
