import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bodyOf, type Contract, readMonth, valuesOf } from '../../console/src/broker/carriers/contract-values.ts'
import { weeksOf } from '../../console/src/broker/carriers/weeks.ts'
import { calendar, carrierName, makeContract } from '../world/contract.ts'
import { expectOk, health, premium } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const full = {
  'contract-number': '900001',
  'sub-contract': '0002',
  'carrier-company-code': 'EMP-0042',
  'ans-registration': '326305',
  'carrier-tax-id': '60.840.055/0001-31',
  lives: '30-or-more',
  'contract-start': '2024-03-01',
  'anniversary-month': 3,
  contributory: true,
  coparticipation: false,
  channel: 'portal',
  calendar: calendar(20, {
    'own-holidays': ['01-25', '2027-07-09'],
    exceptions: [{ month: '2026-12', 'cut-off-date': '2026-12-10' }],
  }),
  'age-on': 'month-after-birthday',
  proration: 'full-if-started-until-day',
  'proration-day': 15,
  tolerance: 150,
  'retroactive-exclusion': { unit: 'days', count: 30 },
  'retroactive-inclusion': { unit: 'months', count: 0 },
  'coparticipation-delay-months': 2,
  contacts: [{ name: 'Mesa', email: 'mesa@aurora.example', phone: '11987654321' }, { name: 'Plantão' }],
  'answer-within-business-days': 5,
}

describe('a contract', () => {
  test('that is saved without a change stays as it is', async () => {
    const company = await testApp.company()
    const plans = [{ 'product-id': company.products[health], 'carrier-plan-code': 'AE1230' }]
    const before = { 'cut-off-day': null, 'cut-off-business-days-before-billing': 4, 'when-not-business-day': 'none' }
    for (const body of [
      { ...full, plans },
      { ...full, 'contract-number': '2', calendar: { ...calendar(1), ...before } },
      { 'contract-number': '3' },
    ]) {
      const contract = (await makeContract(testApp, company, body)) as Contract
      const path = `/operator/v1/contract/${contract['contract-id']}`
      const saved = expectOk(await testApp.operator.put(path, bodyOf(valuesOf(contract), contract)))
      expect(saved.body.result).toEqual(contract)
    }
  })

  test('is made and changed by a form; what the service refuses stays in it, at its fields', async () => {
    const company = await testApp.company({ name: 'Cerâmica Boa Vista Ltda.' })
    const { page, problems, expectSound } = await open('/carriers', { role: 'analyst' })
    await page.getByRole('link', { name: 'Novo contrato' }).click()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Preencha este campo.').first().waitFor()
    await page.getByRole('combobox', { name: 'Empresa' }).fill('Cerâmica')
    await page.getByRole('option', { name: /Cerâmica/ }).click()
    await page.getByRole('combobox', { name: 'Operadora' }).click()
    await page.getByRole('option', { name: carrierName }).click()
    await page.getByLabel('Número do contrato').fill(' 900777 ')
    await expect.poll(() => page.getByLabel(`Faz parte do contrato: ${health}`).isChecked()).toBe(true)
    await page.getByLabel(`Faz parte do contrato: ${premium}`).uncheck()
    await page.getByLabel('Código do plano na operadora').fill('AE1230')
    await page.getByLabel('Número do plano na ANS').fill('47')
    await page.getByLabel('A empresa vê as divergências').check()
    await page.getByLabel('O contrato tem datas de corte').check()
    await page.getByLabel('Outros feriados').fill('25/01, 9/7/2027')
    await page.getByRole('button', { name: 'Adicionar exceção' }).click()
    await page.getByLabel('Competência (mm/aaaa)').fill('12/2026')
    await page.getByRole('textbox', { name: 'Data de corte' }).fill('10/12/2026')
    await page.getByRole('button', { name: 'Salvar' }).click()
    const invalid = page.locator('[aria-invalid="true"]')
    await expect.poll(() => invalid.inputValue()).toBe('47')
    await invalid.fill('471234567')
    await page.getByRole('button', { name: 'Salvar' }).click()
    // The calendar is judged when each field is valid.
    await expect.poll(() => invalid.inputValue()).toBe('')
    expect(problems.splice(0)).toEqual([expect.stringContaining('400'), expect.stringContaining('400')])
    await expectSound()
    await invalid.fill('20')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('heading', { name: `${carrierName}, contrato 900777` }).waitFor()
    await page.getByText('exceção').waitFor()
    const list = await testApp.operator.get(`/operator/v1/contract?company-tax-id=${company.taxId}`)
    const [made] = list.body.result
    expect(made).toMatchObject({
      'contract-number': '900777',
      'show-discrepancies': true,
      plans: [{ 'carrier-plan-code': 'AE1230', 'ans-plan-number': '471234567', 'plan-version': null }],
      calendar: {
        'cut-off-day': 20,
        'own-holidays': ['01-25', '2027-07-09'],
        exceptions: [{ month: '2026-12', 'cut-off-date': '2026-12-10' }],
      },
    })

    // A colleague changes it while it is edited here.
    await page.getByRole('link', { name: 'Alterar' }).click()
    await page.getByLabel(`Faz parte do contrato: ${premium}`).check()
    const { 'contract-id': id, 'next-cut-off': _cutOff, ...body } = made
    expectOk(await testApp.operator.put(`/operator/v1/contract/${id}`, { ...body, channel: 'email' }))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Outra pessoa alterou este contrato').waitFor()
    await page.getByRole('button', { name: 'Descartar minhas alterações' }).click()
    await expect.poll(() => page.getByLabel(`Faz parte do contrato: ${premium}`).isChecked()).toBe(false)
    await expect.poll(() => page.getByRole('combobox', { name: 'Canal' }).inputValue()).toBe('E-mail')
    await page.getByLabel('Subfatura').fill('0009')
    await page.getByRole('link', { name: 'Fila' }).click()
    await page.getByRole('dialog', { name: 'Sair sem salvar?' }).getByRole('button', { name: 'Cancelar' }).click()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('0009', { exact: true }).waitFor()
    await expectSound()
  })

  test('has what its prices and late movements need, without defaults, by a form and on its page', async () => {
    const contract = await makeContract(testApp, await testApp.company())
    const path = `/carriers/contracts/${contract['contract-id']}`
    const { page, problems, expectSound, violations } = await open(`${path}/edit`, { role: 'analyst', width: 390 })
    const choose = async (name: string, option: string) => {
      await page.getByRole('combobox', { name }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Data da idade', 'desde o mês seguinte ao aniversário')
    await choose('Parte de um mês', 'o mês inteiro até um dia, nada depois dele')
    await page.getByRole('textbox', { name: 'Até o dia' }).fill('15')
    await page.getByRole('textbox', { name: 'Tolerância' }).fill('1,50')
    const exclusion = page.getByRole('group', { name: 'Exclusão retroativa' })
    await exclusion.getByRole('textbox', { name: 'Número' }).fill('30')
    await page.getByRole('textbox', { name: 'Meses até a última coparticipação' }).fill('2')
    const save = page.getByRole('button', { name: 'Salvar' })
    await save.click()
    // A number without its unit says nothing.
    const unit = exclusion.getByRole('combobox', { name: 'Unidade' })
    await expect.poll(() => unit.getAttribute('aria-invalid')).toBe('true')
    expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
    expect(await violations()).toEqual([])
    await unit.click()
    await page.getByRole('option', { name: 'dias', exact: true }).click()
    await save.click()
    await page.getByText('30 dias', { exact: true }).waitFor()
    await page.getByText('R$ 1,50').waitFor()
    expect(
      expectOk(await testApp.operator.get(`/operator/v1/contract/${contract['contract-id']}`)).body.result,
    ).toEqual({
      ...contract,
      'age-on': 'month-after-birthday',
      proration: 'full-if-started-until-day',
      'proration-day': 15,
      tolerance: 150,
      'retroactive-exclusion': { unit: 'days', count: 30 },
      'retroactive-inclusion': null,
      'coparticipation-delay-months': 2,
    })
    await expectSound()
  })

  test('is read, not written, by finance', async () => {
    const company = await testApp.company()
    const contract = await makeContract(testApp, company, full)
    const { page, goto, expectSound } = await open('/carriers', { role: 'finance' })
    await page.getByRole('link', { name: '900001 / 0002' }).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Alterar/ }).count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Novo contrato' }).count()).toBe(0)
    await goto(`/carriers/contracts/${contract['contract-id']}`)
    await page.getByText('Dia 20 do mês').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Alterar' }).count()).toBe(0)
    await goto(`/carriers/contracts/${contract['contract-id']}/edit`)
    await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
    await expectSound()
  })
})

test('the channels of a contract are set by an admin: a key is shown once, a password is never shown', async () => {
  const contract = await makeContract(testApp, await testApp.company(), { channel: 'connector' })
  const id = contract['contract-id']
  const { page, problems, expectSound } = await open(`/carriers/contracts/${id}`, { role: 'admin' })
  const edit = async () => {
    await page.getByRole('link', { name: 'Alterar a entrega' }).click()
    await page.getByRole('heading', { name: /^Entrega do contrato/ }).waitFor()
  }
  const save = page.getByRole('button', { name: 'Salvar' })
  await edit()
  await page.getByText('O contrato usa: Conector.').waitFor()
  await page.getByRole('combobox', { name: 'As remessas são entregues' }).click()
  await page.getByRole('option', { name: 'ao serem fechadas' }).click()
  await page.getByLabel('O contrato tem um modelo de e-mail').check()
  await page.getByLabel('Para').fill('mesa@aurora.example; movimentacao@aurora.example')
  await page.getByLabel('A operadora tem um servidor SFTP').check()
  await page.getByRole('textbox', { name: 'Servidor', exact: true }).fill('sftp.aurora.example')
  await page.getByLabel('Usuário').fill('serra-azul')
  await page.getByLabel('Chave do servidor').fill('SHA256:curta')
  await page.getByRole('textbox', { name: 'Pasta', exact: true }).fill('/out')
  await page.getByLabel('Senha', { exact: true }).fill('segredo-da-senha')
  await page.getByLabel('Um conector recebe as remessas').check()
  await page.getByLabel('Endereço do conector').fill('https://pls.broker.example/shipment')
  await save.click()
  const invalid = page.locator('[aria-invalid="true"]')
  await expect.poll(() => invalid.inputValue()).toBe('SHA256:curta')
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  await expectSound()
  await invalid.fill('SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDeGNh1S0bHWPHvpS4')
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'Chave do conector' })
  const secret = await dialog.getByLabel('Chave das assinaturas').inputValue()
  expect(secret).toMatch(/^whsec_/)
  await expectSound()
  await dialog.getByLabel('Guardei o segredo').check()
  await dialog.getByRole('button', { name: 'Fechar' }).click()
  await page.getByText('serra-azul@sftp.aurora.example:22').waitFor()
  await page.getByText('informada', { exact: true }).waitFor()
  await expectSound()

  // What was not written again stays; the key is replaced only when that is said.
  await edit()
  await page.getByText('Já informada, não é mostrada.').waitFor()
  await page.getByLabel('Pasta dos retornos').fill('/in')
  await save.click()
  await page.getByText('/in', { exact: true }).waitFor()
  const read = await testApp.operator.get(`/operator/v1/contract/${id}/channel`)
  expect(read.body.result).toMatchObject({
    deliver: 'automatic',
    email: { to: ['mesa@aurora.example', 'movimentacao@aurora.example'], cc: [] },
    sftp: { 'in-folder': '/in', 'has-password': true, 'has-private-key': false },
    connector: { url: 'https://pls.broker.example/shipment', secret: null },
  })
  expect(await page.content()).not.toContain(secret)

  // A colleague changes them while they are edited here.
  await edit()
  expectOk(await testApp.operator.put(`/operator/v1/contract/${id}/channel`, { deliver: 'by-hand' }))
  await save.click()
  await page.getByText('Outra pessoa alterou este contrato').waitFor()
  await page.getByRole('button', { name: 'Descartar minhas alterações' }).click()
  await expect.poll(() => page.getByLabel('A operadora tem um servidor SFTP').isChecked()).toBe(false)
})

test('the channels of a contract are read, not written, by an analyst', async () => {
  const contract = await makeContract(testApp, await testApp.company())
  const { page, goto } = await open(`/carriers/contracts/${contract['contract-id']}`, { role: 'analyst' })
  await page.getByText('por uma pessoa').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Alterar a entrega' }).count()).toBe(0)
  await goto(`/carriers/contracts/${contract['contract-id']}/channel`)
  await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
})

test('the registrations of a carrier are changed in a dialog', async () => {
  await testApp.company()
  const { page, problems } = await open('/carriers', { role: 'analyst' })
  await page.getByRole('button', { name: `Alterar: ${carrierName}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Registro na ANS').fill('12')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.locator('[aria-invalid="true"]').waitFor()
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  await dialog.getByLabel('Registro na ANS').fill('326305')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('cell', { name: '326305' }).waitFor()
})

test('the calendar shows a month of all contracts, also days that an exception moves into it, and is a file', async () => {
  const company = await testApp.company({ name: 'Padaria Aurora Ltda.' })
  const exceptions = [{ month: '2027-05', 'cut-off-date': '2027-04-30' }]
  const rule = calendar(20, { exceptions })
  await makeContract(testApp, company, { 'contract-number': '555', calendar: rule })
  const watched = await open('/carriers/calendar?month=2027-03', { role: 'auditor' })
  const { page, expectSound } = watched
  await page.getByRole('link', { name: 'Mês seguinte' }).click()
  await page.getByRole('heading', { name: 'abril de 2027' }).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Padaria Aurora' })
  await expect
    .poll(() => row.allTextContents())
    .toEqual([expect.stringContaining('20/04/2027'), expect.stringContaining('30/04/2027 exceção')])
  await expectSound()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar como .ics' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('datas-de-corte.ics')
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('DTSTART;VALUE=DATE:20270430')
})

test('months and weeks', () => {
  expect(['12/2026', '122026', '1/2027', '2026-12', 'x'].map(readMonth)).toEqual([
    '2026-12',
    '2026-12',
    '2027-01',
    '2026-12',
    'x',
  ])
  expect(weeksOf('2026-02').map(([first]) => first)).toEqual(['2026-02-01', '2026-02-08', '2026-02-15', '2026-02-22'])
  expect(weeksOf('2026-08').length).toBe(6)
  expect(weeksOf('2026-12').at(-1)?.at(-1)).toBe('2027-01-02')
})
