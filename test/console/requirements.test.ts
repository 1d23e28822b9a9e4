import { expect, test } from 'vitest'
import { bodyOf, newRule, valuesOf } from '../../console/src/broker/requirements/rule-values.ts'
import { carrierName } from '../world/contract.ts'
import { companyBody, expectOk, health, type Json } from '../world/test-app.ts'
import { openActions, untranslated, useConsole } from './console.ts'

const { testApp, open } = useConsole()

const url = '/operator/v1/requirement-rule'
const rules = async (): Promise<Json[]> => expectOk(await testApp.operator.get(url)).body.result

test('a rule that is saved without a change stays as it is', async () => {
  const company = await testApp.company()
  const when = {
    'carrier-names': [carrierName],
    'product-types': ['health-insurance'],
    'product-ids': [company.products[health]],
    'company-tax-ids': [company.taxId],
    movements: ['inclusion'],
    'beneficiary-types': ['dependent'],
    'dependent-types': ['partner', 'spouse'],
    'work-contract-types': ['intern'],
    'exclusion-reasons': [],
    lives: 'up-to-29',
    'age-from': 0,
    'age-until': 20,
    'days-since-admission-over': 30,
    late: false,
  }
  const require = [{ 'any-of': ['marriage-certificate'], of: 'company', message: 'Certidão' }]
  for (const body of [{ when, enforcement: 'offense', active: false, 'valid-from': '2027-01-01' }, {}]) {
    const path = `${url}/${crypto.randomUUID()}`
    const stored = expectOk(await testApp.operator.put(path, { name: 'Cônjuge', require, ...body })).body.result
    const saved = expectOk(await testApp.operator.put(path, bodyOf(valuesOf(stored)))).body.result
    expect(saved).toEqual({ ...stored, 'updated-at': saved['updated-at'] })
    expectOk(await testApp.operator.delete(path))
  }
  expect(bodyOf(newRule())).toMatchObject({ active: true, enforcement: 'pending', when: { movements: ['inclusion'] } })
})

test('a rule is made by a form, changed and deleted; what the service refuses stays in it', async () => {
  const { page, problems, expectSound, violations } = await open('/requirements', { role: 'analyst' })
  await page.getByText('Ainda não há regras.').waitFor()
  await page.getByRole('link', { name: 'Nova regra' }).click()
  const save = page.getByRole('button', { name: 'Salvar' })
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).fill(option)
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await page.getByRole('textbox', { name: 'Nome' }).fill('Companheiro: união estável')
  await choose('Titular ou dependente', 'Dependente')
  await choose('Parentesco', 'Companheiro(a)')
  await page.getByLabel('Idade a partir de (anos)').fill('40')
  await page.getByLabel('Idade até (anos)').fill('20')
  await choose('Um destes tipos', 'Declaração de união estável')
  await page.getByRole('combobox', { name: 'De quem é' }).click()
  await page.getByRole('option', { name: 'Dependente', exact: true }).click()
  await page.getByLabel('O que o parceiro deve enviar').fill('Declaração com firma reconhecida')
  await save.click()
  const invalid = page.locator('[aria-invalid="true"]')
  await expect.poll(() => invalid.inputValue()).toBe('20')
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')])
  await expectSound()
  expect(await violations()).toEqual([])
  await invalid.fill('')
  await save.click()
  await page.getByRole('link', { name: 'Companheiro: união estável' }).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Inclusão · Dependente · Companheiro(a) · a partir de 40 anos' })
  await row.getByRole('cell', { name: 'Declaração de união estável' }).waitFor()
  const [made] = await rules()
  expect(made).toMatchObject({
    active: true,
    enforcement: 'pending',
    when: { movements: ['inclusion'], 'dependent-types': ['partner'], 'age-from': 40, 'age-until': null },
    require: [{ 'any-of': ['stable-union-declaration'], of: 'dependent', message: 'Declaração com firma reconhecida' }],
  })

  // A colleague changes it while it is edited here.
  await page.getByRole('link', { name: 'Companheiro: união estável' }).click()
  await page.getByLabel('A regra está ligada').waitFor()
  const { 'rule-id': id, name, when, require } = made
  expectOk(await testApp.operator.put(`${url}/${id}`, { name, when, require, enforcement: 'warning' }))
  await page.getByLabel('A regra está ligada').uncheck()
  await save.click()
  await page.getByText('Outra pessoa alterou esta regra').waitFor()
  await page.getByRole('button', { name: 'Descartar minhas alterações' }).click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Sem o documento' }).inputValue()).toBe('Só avisa')
  await page.getByLabel('A regra está ligada').uncheck()
  await save.click()
  await page.getByText('desligada').waitFor()
  // The switch of the row changes nothing else.
  const before = (await rules())[0]
  await page.getByRole('switch', { name: 'Companheiro: união estável: ligada' }).press('Space')
  await expect.poll(async () => (await rules())[0].active).toBe(true)
  const { active: _active, 'updated-at': _updated, ...others } = before
  await expect.poll(async () => (await rules())[0]).toMatchObject(others)

  await page.getByRole('link', { name: 'Companheiro: união estável' }).click()
  await page.getByRole('button', { name: 'Excluir a regra' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir a regra' }).click()
  await page.getByText('Ainda não há regras.').waitFor()
  await expectSound()
})

test('the simulator tells what the rules ask of a person, and why the others do not match', async () => {
  await testApp.company({ name: 'Cerâmica Boa Vista Ltda.' })
  const rule = (name: string, type: string, kinship: string, more: Json = {}) =>
    testApp.operator.put(`${url}/${crypto.randomUUID()}`, {
      name,
      when: { movements: ['inclusion'], 'dependent-types': [kinship] },
      require: [{ 'any-of': [type], message: `Envie: ${name}` }],
      ...more,
    })
  expectOk(await rule('União estável', 'stable-union-declaration', 'partner'))
  expectOk(await rule('Casamento', 'marriage-certificate', 'spouse', { enforcement: 'offense' }))
  expectOk(
    await rule('De outra operadora', 'medical-report', 'partner', {
      active: false,
      when: { 'carrier-names': [carrierName], lives: 'up-to-29' },
    }),
  )
  const { page, expectSound, violations } = await open('/requirements', { role: 'finance' })
  await page.getByRole('rowheader', { name: /De outra operadora/ }).waitFor()
  // Who may not write has the list and the simulator.
  await expect.poll(() => page.getByRole('link', { name: 'Casamento' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Carregar exemplos' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('switch').first().isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Simulador' }).click()
  const simulator = page.getByRole('dialog', { name: 'Simulador' })
  await simulator.getByRole('button', { name: 'Simular' }).click()
  await simulator.getByText('Preencha este campo.').first().waitFor()
  await simulator.getByRole('combobox', { name: 'Empresa' }).fill('Cerâmica')
  await page.getByRole('option', { name: /Cerâmica/ }).click()
  await simulator.getByRole('combobox', { name: 'Produto' }).click()
  await page.getByRole('option', { name: health }).click()
  await simulator.getByRole('button', { name: 'Simular' }).click()
  await simulator.getByText('Declaração de união estável: Envie: União estável').waitFor()
  await simulator.getByText('Fica pendente').waitFor()
  await simulator.getByText('2 regras não valem').click()
  await simulator.getByText('Casamento: Parentesco').waitFor()
  await simulator.getByText(/De outra operadora: desligada/).waitFor()
  await simulator.getByRole('combobox', { name: 'Documentos que vêm junto' }).fill('união')
  await page.getByRole('option', { name: 'Declaração de união estável' }).click()
  await simulator.getByRole('button', { name: 'Simular' }).click()
  await simulator.getByText('Não falta nenhum documento.').waitFor()
  await expectSound()
  expect(await violations()).toEqual([])
})

test('the examples are loaded switched off, of the carriers that products name; a rule that is there stays', async () => {
  const [product] = companyBody.products
  await testApp.company({ products: [{ ...product, 'carrier-name': 'AMIL' }] })
  const { page, expectSound, violations } = await open('/requirements', { role: 'analyst', width: 390 })
  const load = async (button: RegExp) => {
    const examples = page.getByRole('button', { name: 'Carregar exemplos' })
    if (!(await examples.isVisible())) await openActions(page)
    await examples.click()
    const dialog = page.getByRole('dialog', { name: 'Exemplos de regras' })
    await dialog.getByText('Nenhum produto tem estas operadoras').waitFor()
    return dialog.getByRole('button', { name: button })
  }
  const button = await load(/^Carregar \d+ regras$/)
  expect(await violations()).toEqual([])
  await button.click()
  await page.getByRole('link', { name: 'Amil, até 29 vidas: titulares' }).waitFor()
  const loaded = (await rules()).filter(({ name }) => name.startsWith('Amil'))
  expect(loaded.length).toBeGreaterThan(3)
  expect(loaded.some(({ active }) => active)).toBe(false)
  await expect.poll(async () => (await rules()).some(({ name }) => name.startsWith('SulAmérica'))).toBe(false)
  const none = await load(/^Nada a carregar$/)
  await expect.poll(() => none.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await expectSound()

  // The filter has the rules that hold for a carrier.
  const desk = await open('/requirements?carrier=AMIL', { role: 'analyst' })
  await desk.page.getByRole('link', { name: 'Amil, até 29 vidas: titulares' }).waitFor()
  await desk.goto(`/requirements?carrier=${encodeURIComponent(carrierName)}`)
  await desk.page.getByRole('rowheader', { name: 'Casamento' }).waitFor()
  await expect.poll(() => desk.page.getByRole('link', { name: /^Amil/ }).count()).toBe(0)
})

test('in another language the page has no text of its own', async () => {
  const watched = await open('/requirements', { role: 'admin', language: 'en-XA' })
  await watched.page.locator('table').first().waitFor()
  expect(await untranslated(watched)).toEqual([])
  await watched.page.locator('table a').first().click()
  await watched.page.locator('main form').waitFor()
  expect(await untranslated(watched)).toEqual([])
})
