import { beforeAll, describe, expect, test } from 'vitest'
import { type Company, expectOk, health, type Json, nextCpf, primary } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { openActions, useConsole } from './console.ts'

/* A family is included by a form that knows what each product asks for. */

const { testApp, open } = useConsole()
let company: Company
let cookie: string

beforeAll(async () => {
  company = await testApp.company()
  cookie = (await hrOf(testApp, [company.taxId])).cookie
  expectOk(
    await testApp.operator.put('/operator/v1/requirement-rule/01995e0b-7c11-7f22-8b33-4d5e6f708192', {
      name: 'Cônjuge',
      when: { movements: ['inclusion'], 'dependent-types': ['spouse'] },
      require: [
        {
          'any-of': ['marriage-certificate', 'stable-union-declaration'],
          of: 'dependent',
          message: 'Certidão do casal',
        },
      ],
    }),
  )
})

const file = { name: 'certidao.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 x') }

/** The movements of a person, newest first. */
const movementsOf = async (taxId: string): Promise<Json[]> => {
  const partner = await testApp.partner(company.taxId)
  return expectOk(await partner.get(`/v1/enrollment/history?member-tax-id=${taxId}`)).body.result
}

describe('a family', () => {
  test('is judged with all errors at their fields, mended, reviewed and sent once, with its document', async () => {
    const watched = await open('/hr/include', { cookie })
    const { page } = watched
    const sent: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().includes('/v1/enrollment/inclusion')) return
      sent.push(new URL(request.url()).search || request.headers()['idempotency-key'])
    })
    const [titular, spouse] = [nextCpf(), nextCpf()]
    const check = page.getByRole('button', { name: 'Verificar' })
    await check.click()
    await page.getByText('Corrija os campos marcados. Nada foi enviado.').waitFor()
    const first = page.getByRole('group', { name: 'Titular' })
    await expect
      .poll(() => first.getByLabel('Nome', { exact: false }).first().getAttribute('aria-invalid'))
      .toBe('true')
    await expect.poll(() => first.locator('[aria-invalid=true]').count()).toBe(6)
    await page.locator('[aria-invalid=true]:focus').waitFor()
    // The refused dry run is a problem that the page logs.
    watched.problems.splice(0)
    await watched.expectSound()

    const fill = async (group: typeof first, values: Record<string, string>) => {
      for (const [label, value] of Object.entries(values))
        await group.getByRole('textbox', { name: label }).first().fill(value)
    }
    await fill(first, { Nome: 'Lia Casal', CPF: titular, 'Data de nascimento': '17/05/1990', 'Nome da mãe': 'Nair' })
    await first.getByLabel('Sexo').selectOption('female')
    await first.getByRole('checkbox', { name: health }).check()
    await first.getByLabel(`Início: ${health}`).selectOption('on-admission-date')
    await page.getByRole('button', { name: 'Adicionar dependente' }).click()
    const second = page.getByRole('group', { name: 'Dependente' })
    await second.getByLabel('Parentesco').selectOption('spouse')
    await fill(second, {
      Nome: 'Ian Casal',
      CPF: '12345678900',
      'Data de nascimento': '10/01/1989',
      'Nome da mãe': 'Rute',
    })
    await second.getByLabel('Sexo').selectOption('male')
    await expect.poll(() => second.getByRole('checkbox', { name: health }).isChecked()).toBe(true)
    await second.getByText('Certidão do casal').waitFor()
    await check.click()
    await second.getByText('Confira os 11 dígitos do CPF.').waitFor()
    await expect
      .poll(() => first.getByRole('textbox', { name: 'Data de admissão' }).getAttribute('aria-invalid'))
      .toBe('true')

    await fill(first, { 'Data de admissão': '02/09/2026' })
    await fill(second, { CPF: spouse })
    await check.click()
    await page.getByText('Tudo certo. Será enviado:').waitFor()
    await page.getByText('Lia Casal: Passaram mais de 30 dias da admissão').waitFor()
    await page.getByText('Certidão do casal').last().waitFor()
    // The document is sent with it after all.
    await second.getByRole('button', { name: 'Escolher arquivo: Certidão do casal' }).click()
    await second.locator('input[type=file]').first().setInputFiles(file)
    await second.getByText('certidao.pdf').waitFor()
    await second.getByLabel('O que é').selectOption('stable-union-declaration')
    await check.click()
    await page.getByText('Tudo certo. Será enviado:').waitFor()
    await expect.poll(() => page.getByText('Documentos que faltam').count()).toBe(0)
    watched.problems.splice(0)
    await watched.expectSound()
    await page.route('**/v1/enrollment/inclusion', (route) => route.abort(), { times: 2 })
    const send = page.getByRole('button', { name: 'Enviar', exact: true })
    await send.click()
    await page.getByText('O serviço não respondeu.').waitFor()
    await send.click()
    await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
    const keys = sent.filter((one) => one !== '?dry-run=true')
    expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1])
    // The calls that were cut off are problems that the page logs.
    watched.problems.splice(0)
    await watched.expectSound()
    await page.getByRole('link', { name: 'Abrir a movimentação: Ian Casal' }).click()
    await page.getByRole('heading', { level: 1, name: 'Inclusão' }).waitFor()
    const [movement] = await movementsOf(spouse)
    expect(movement).toMatchObject({ status: 'created', 'member-type': 'dependent' })
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${movement.id}/document`)).body
    expect(result.map((one: Json) => one['document-type'])).toEqual(['stable-union-declaration'])
  })

  test('is asked about before the page is left with what was written', async () => {
    const { page } = await open('/hr/include', { cookie, language: 'en', theme: 'dark' })
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Somebody')
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).first().inputValue()).toBe('Somebody')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Correct the marked fields. Nothing was sent.').waitFor()
    await page
      .getByText(/^tax id: /)
      .first()
      .waitFor()
  })
})

test('a dependent is included for somebody who is covered already', async () => {
  const titular = primary({ name: 'Vera Titular' })
  const partner = await testApp.partner(company.taxId)
  await testApp.include(partner, company, [titular], '?resolution=approve')
  const watched = await open('/hr/people?q=vera', { cookie, width: 390 })
  const { page } = watched
  await page.getByRole('link', { name: 'Vera Titular' }).click()
  await openActions(page)
  await page.getByRole('link', { name: 'Incluir dependente' }).click()
  await page.getByText('Dependente de').waitFor()
  const child = nextCpf()
  await page.getByLabel('Parentesco').selectOption('child')
  for (const [label, value] of [
    ['Nome', 'Téo Titular'],
    ['CPF', child],
    ['Data de nascimento', '03/02/2020'],
    ['Nome da mãe', 'Vera Titular'],
  ] as const) {
    await page.getByRole('textbox', { name: label }).first().fill(value)
  }
  await page.getByLabel('Sexo').selectOption('male')
  const products = page.getByRole('checkbox')
  await expect.poll(() => products.count()).toBe(1)
  await products.check()
  await page.getByRole('button', { name: 'Verificar' }).click()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
  await watched.expectSound()
  await expect
    .poll(async () => (await movementsOf(child))[0])
    .toMatchObject({ 'member-type': 'dependent', 'product-name': health })
})
