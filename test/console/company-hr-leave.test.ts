import { extensionOf } from '../../console/src/entities/movement-forms/reason-fields.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Company, dependent, expectOk, health, type Json, primary } from '../world/test-app.ts'
import { hrOf } from './company-hr.ts'
import { useConsole } from './console.ts'

/* Who leaves, what is corrected, and another plan, as the people of companies ask for them. */

const { testApp, open } = useConsole()
let company: Company
let cookie: string

beforeAll(async () => {
  company = await testApp.company()
  cookie = (await hrOf(testApp, [company.taxId])).cookie
})

/** A primary with a child, both covered. @returns the primary and its member id. */
async function family(name: string): Promise<{ titular: Json; child: Json; id: string }> {
  const partner = await testApp.partner(company.taxId)
  const titular = primary({ name, 'mothers-name': 'Fátima Brandão' })
  const child = dependent(titular['tax-id'], { name: `Filho de ${name}` })
  await testApp.include(partner, company, [titular, child], '?resolution=approve')
  const list = expectOk(await partner.get(`/v1/member?filter=tax-id%3D${titular['tax-id']}`)).body.result
  return { titular, child, id: list[0].id }
}

const newestOf = async (taxId: string): Promise<Json> => {
  const partner = await testApp.partner(company.taxId)
  return expectOk(await partner.get(`/v1/enrollment/history?member-tax-id=${taxId}`)).body.result[0]
}

test.each([
  ['accepted', { 'extension-plan': true }],
  ['declined', {}],
  ['no-answer', {}],
  [null, {}],
])('of the option %s, the exclusion sends %j', (option, sent) => {
  expect(extensionOf(option)).toEqual(sent)
})

describe('an exclusion', () => {
  test('says who goes too, asks for the items of RN 488, and is sent after the check', async () => {
    const { titular, child, id } = await family('Dora Demitida')
    const watched = await open(`/hr/people/${id}/exclude`, { cookie })
    const { page } = watched
    await page.getByText('Filho de Dora Demitida, filho(a), sai junto.').waitFor()
    const reason = page.getByLabel('Motivo da exclusão')
    const check = page.getByRole('button', { name: 'Verificar' })
    await check.click()
    await page.getByText('Corrija os campos marcados. Nada foi enviado.').waitFor()
    await expect.poll(() => reason.getAttribute('aria-invalid')).toBe('true')
    watched.problems.splice(0)
    await reason.selectOption('dismissal')
    await page.getByLabel('Contribuiu').selectOption('true')
    await page.getByLabel('Meses de contribuição').fill('40')
    const [notice, answered] = [page.getByLabel('Data do comunicado'), page.getByLabel('Data da opção')]
    await notice.fill('20/11/2026')
    await page.getByLabel('Opção pela manutenção').selectOption('declined')
    await answered.fill('23/11/2026')
    await page.getByLabel('Fim da vigência').fill('30/11/2026')
    await watched.expectSound()
    await check.click()
    await page.getByText('Dora Demitida, Filho de Dora Demitida · ').waitFor()
    await page.getByText('Último dia com cobertura: 30/11/2026').waitFor()
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
    await watched.expectSound()
    const movement = await newestOf(titular['tax-id'])
    expect(movement['exclusion-details']).toMatchObject({
      'exclusion-reason': 'dismissal',
      'end-date': '2026-11-30',
      contributed: true,
      'contribution-months': 40,
      'notice-date': '2026-11-20',
      option: 'declined',
      'option-date': '2026-11-23',
    })
    await expect
      .poll(() => newestOf(child['tax-id']))
      .toMatchObject({ 'enrollment-type': 'exclusion', 'end-date': '2026-11-30' })
  })

  test('of a reason that has to be explained is refused until it is, in English too', async () => {
    const { titular, id } = await family('Olga Outro')
    const watched = await open(`/hr/people/${id}/exclude`, { cookie, language: 'en', theme: 'dark', width: 390 })
    const { page } = watched
    await page.getByLabel('Exclusion reason', { exact: false }).first().selectOption('other')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Correct the marked fields. Nothing was sent.').waitFor()
    watched.problems.splice(0)
    await page.getByLabel('Exclusion reason details').fill('Moved abroad')
    await watched.expectSound()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent', { exact: true }).waitFor()
    await page
      .getByRole('link', { name: /^Open the movement: / })
      .first()
      .waitFor()
    await expect.poll(() => newestOf(titular['tax-id'])).toMatchObject({ 'exclusion-reason': 'other' })
  })
})

describe('an alteration in staging', () => {
  test('corrects what was changed, and nothing else', async () => {
    const { titular, id } = await family('Cora Correta')
    const watched = await open(`/hr/people/${id}/correct`, { cookie })
    const { page } = watched
    const check = page.getByRole('button', { name: 'Verificar' })
    await check.click()
    await page.getByText('Nada foi alterado.').waitFor()
    await page.getByLabel('Telefone').fill('123')
    await check.click()
    await page.getByText('Corrija os campos marcados. Nada foi enviado.').waitFor()
    watched.problems.splice(0)
    await expect.poll(() => page.getByLabel('Telefone').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Telefone').fill('(11) 92561-8483')
    await page.getByLabel('Nome da mãe').fill('Fátima Brandão Souza')
    await page.getByLabel('Salário mensal').fill('5.230,00')
    await check.click()
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
    await watched.expectSound()
    const movement = await newestOf(titular['tax-id'])
    expect(movement['enrollment-type']).toBe('alteration')
    const [row] = await testApp.sql('select data from enrollment where id = $1', [movement.id])
    expect(row?.['data']['alteration-data']).toEqual({
      phone: '11925618483',
      'mothers-name': 'Fátima Brandão Souza',
      'monthly-salary': 523_000,
    })
  })

  test('changes the plan', async () => {
    const { titular, id } = await family('Pia Plano')
    const { page } = await open(`/hr/people/${id}/plan`, { cookie })
    const plan = page.getByLabel('Novo plano')
    await plan.locator('option').nth(1).waitFor({ state: 'attached' })
    const names = await plan.locator('option').allTextContents()
    expect(names).toEqual(['', 'Saúde Premium Apartamento · Operadora Aurora'])
    await plan.selectOption({ label: names[1] ?? '' })
    await page.getByRole('button', { name: 'Verificar' }).click()
    await page.getByText(`${health} → Saúde Premium Apartamento`).waitFor()
    await page.getByRole('button', { name: 'Enviar', exact: true }).click()
    await page.getByText('Recebida: cada item virou uma movimentação.').waitFor()
    await expect
      .poll(() => newestOf(titular['tax-id']))
      .toMatchObject({
        'enrollment-type': 'alteration',
        'product-name': 'Saúde Premium Apartamento',
      })
  })
})

test('in production a correction and a change of plan wait for the broker, who confirms one and says why not of the other', async () => {
  const { titular, id } = await family('Rita Produção')
  const watched = await open('/hr/people', { cookie })
  const { page } = watched
  await page.route('**/operator/v1/session/options', (route) =>
    route.fulfill({ json: { result: { environment: 'production', 'identity-provider': null } } }),
  )
  const check = page.getByRole('button', { name: 'Verificar' })
  const send = page.getByRole('button', { name: 'Enviar', exact: true })
  await watched.goto(`/hr/people/${id}/plan`)
  const plan = page.getByLabel('Novo plano')
  await plan.locator('option').nth(1).waitFor({ state: 'attached' })
  await plan.selectOption({ index: 1 })
  await check.click()
  await send.click()
  await page.getByText('Aguarda a sua corretora', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Abrir o pedido' }).click()
  await page.getByText('Aguarda a sua corretora. Nada mudou ainda.').waitFor()
  await page.getByRole('cell', { name: 'Saúde Premium Apartamento' }).waitFor()
  await watched.goto(`/hr/people/${id}/correct`)
  await page.getByLabel('Telefone').fill('123')
  await check.click()
  await page.getByText('Corrija os campos marcados. Nada foi enviado.').waitFor()
  watched.problems.splice(0)
  await page.getByLabel('Telefone').fill('(11) 92561-8483')
  await check.click()
  await send.click()
  await page.getByText('Aguarda a sua corretora', { exact: true }).waitFor()
  await watched.expectSound()
  await expect.poll(() => newestOf(titular['tax-id'])).toMatchObject({ 'enrollment-type': 'inclusion' })

  const broker = await open('/queue', { role: 'analyst' })
  const desk = broker.page
  const link = desk.getByRole('link', { name: /^Rascunhos/ })
  await link.getByText('2', { exact: true }).waitFor()
  await link.click()
  const rows = desk.getByRole('table').getByRole('link')
  await rows.nth(1).waitFor()
  await rows.nth(1).click()
  await desk.getByRole('cell', { name: 'Saúde Premium Apartamento' }).waitFor()
  await desk.getByRole('button', { name: 'Descartar tudo' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('O contrato não tem este plano')
  await dialog.getByRole('button', { name: 'Descartar' }).click()
  await desk.getByText('O rascunho foi descartado.').waitFor()
  await broker.goto('/drafts?status=open')
  await rows.first().click()
  await desk.getByRole('cell', { name: '11925618483' }).waitFor()
  await desk.getByRole('button', { name: 'Confirmar tudo' }).click()
  await dialog.getByRole('button', { name: 'Confirmar' }).click()
  await desk.getByRole('link', { name: 'Solicitação 1' }).waitFor()
  await broker.expectSound()
  await expect
    .poll(() => newestOf(titular['tax-id']))
    .toMatchObject({
      'enrollment-type': 'alteration',
      'requested-by': 'operator',
    })

  await watched.goto('/hr/drafts')
  await page.getByRole('table').getByRole('link').nth(1).click()
  await page.getByText('Motivo: O contrato não tem este plano').waitFor()
  await watched.expectSound()
})
