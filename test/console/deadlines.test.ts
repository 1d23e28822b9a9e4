import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDrafts } from '../world/draft.ts'
import { dependent, expectOk, health, type Json, primary } from '../world/test-app.ts'
import { untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()

test('a movement shows what is missing and until when, and goes without it with a reason', async () => {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const require = [
    {
      'any-of': ['stable-union-declaration', 'document-proving-relationship'],
      of: 'dependent',
      message: 'Declaração com firma reconhecida',
    },
  ]
  const when = { movements: ['inclusion'], 'dependent-types': ['partner'] }
  const rule = `/operator/v1/requirement-rule/${randomUUID()}`
  expectOk(await testApp.operator.put(rule, { name: 'União estável', when, require }))
  const titular = primary()
  const companion = dependent(titular['tax-id'], { 'dependent-type': 'partner', 'dependency-date': '2026-11-10' })
  const request = await testApp.include(partner, company, [titular, companion])
  const id = request['status-by-tax-id'][companion['tax-id']][health]['enrollment-id']

  const { page, goto, expectSound, violations } = await open(`/queue/${id}`, { role: 'analyst' })
  await page
    .getByText('Declaração de união estável ou Documento que comprova o parentesco: Declaração com firma reconhecida')
    .waitFor()
  const { deadlines, 'due-date': due } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
    .result
  expect(deadlines).toMatchObject([{ kind: 'inclusion-window', until: due }])
  const written = due.split('-').toReversed().join('/')
  await page.getByText(`Prazo até ${written}`).waitFor()
  const section = page.getByRole('region', { name: 'Prazos' })
  await section.getByText(`${written} · RN 557, art. 6`).waitFor()
  await section.getByText('Não se sabe: vidas do contrato não informadas').waitFor()
  await expectSound()
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Dispensar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dispensar este documento?' })
  const waive = dialog.getByRole('button', { name: 'Dispensar o documento' })
  await expect.poll(() => waive.isDisabled()).toBe(true)
  await dialog.getByLabel('Motivo').fill('A operadora aceitou a certidão')
  await waive.click()
  await page.getByText('O documento foi dispensado.').waitFor()
  await page.getByText('A operadora aceitou a certidão').first().waitFor()
  const read = async () => expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result.status
  await expect.poll(read).toBe('created')

  // What is due is in the list, with its filters in the address.
  await goto('/deadlines')
  const row = page.getByRole('row').filter({ hasText: companion['name'] })
  await row.getByText('Inclusão sem carência').waitFor()
  await page.getByRole('combobox', { name: 'Prazo', exact: true }).click()
  await page.getByRole('option', { name: 'Comprovante da exclusão' }).click()
  await page.getByText('Nenhum prazo em aberto com estes filtros.').waitFor()
  await goto(`/deadlines?kind=inclusion-window&assignee=none&company-tax-id=${company.taxId}`)
  await row.getByRole('link').click()
  await page.getByRole('region', { name: 'Prazos' }).waitFor()
  await goto('/deadlines')
  await row.waitFor()
  expect(await violations()).toEqual([])
  expectOk(await testApp.operator.delete(rule))
})

test('an exclusion that the clock proposes is confirmed, or discarded with a reason; who may only read sees it', async () => {
  const company = await testApp.company({ name: 'Cerâmica Boa Vista Ltda.' })
  const paths = await openDrafts(testApp, company, 2)
  const read = async (status: string): Promise<Json[]> =>
    expectOk(await testApp.operator.get(`/operator/v1/draft-exclusion?status=${status}`)).body.result
  const names = (await read('open')).map((one) => one['member-name'])
  const { page, expectSound, violations } = await open('/deadlines', { role: 'analyst', width: 390 })
  await page.getByRole('tab', { name: 'Exclusões a confirmar' }).click()
  const discard = page.getByRole('button', { name: /^Descartar: / })
  await expect.poll(() => discard.count()).toBe(paths.length)
  await expectSound()
  expect(await violations()).toEqual([])
  await discard.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Por que o benefício continua').fill('Estuda até julho')
  await dialog.getByRole('button', { name: 'Descartar' }).click()
  await expect.poll(() => discard.count()).toBe(1)
  await page.getByRole('button', { name: /^Confirmar: / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirmar' }).click()
  await page.getByText('Nenhuma exclusão espera confirmação.').waitFor()
  await expect.poll(() => read('discarded')).toMatchObject([{ reason: 'Estuda até julho' }])
  const [confirmed] = await read('confirmed')
  expect(names).toContain(confirmed?.['member-name'])
  expect(confirmed?.['request-id']).toEqual(expect.any(String))

  await openDrafts(testApp, company, 1)
  const reader = await open('/deadlines?view=drafts', { role: 'auditor' })
  await reader.page.getByText('Limite de idade', { exact: true }).last().waitFor()
  await expect.poll(() => reader.page.getByRole('button', { name: /^Confirmar/ }).count()).toBe(0)
})

test('dependents who age out are listed by how soon; the page has no text of its own in another language', async () => {
  const { page, goto, expectSound } = await open('/deadlines?view=ageing', { role: 'analyst' })
  await page.getByText('Nenhum dependente atinge o limite de idade').waitFor()
  const asked = page.waitForRequest((request) => request.url().includes('within-days=30'))
  await page.getByRole('combobox', { name: 'A cobertura termina' }).click()
  await page.getByRole('option', { name: 'em até 30 dias' }).click()
  await asked
  await expectSound()
  const watched = await open('/deadlines', { role: 'admin', language: 'en-XA' })
  for (const view of ['', '?view=ageing', '?view=drafts']) {
    await watched.goto(`/deadlines${view}`)
    await watched.page.waitForLoadState('networkidle')
    expect([view, await untranslated(watched)]).toEqual([view, []])
  }
  await goto('/queue')
})
