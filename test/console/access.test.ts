import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { completeCnpj } from '#kernel/tax-id.ts'
import { nextCnpj } from '../data/people.ts'
import { makeContract } from '../world/contract.ts'
import { dental, dependent, inProduct, primary } from '../world/test-app.ts'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const unused = () => nextCnpj().replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')

describe('companies', () => {
  test('are created and edited with their products; what the service refuses stays in the form, at its fields', async () => {
    const { page, expectSound, problems } = await open('/companies', { role: 'admin' })
    await page.getByRole('link', { name: 'Cadastrar empresa' }).click()
    const formatted = unused()
    // As it comes out of a spreadsheet.
    await page.getByLabel('CNPJ').fill(` cnpj: ${formatted.toLowerCase().replaceAll('.', ' ')} `)
    await page.getByLabel('Nome').first().fill('Cerâmica Boa Vista Ltda.')
    const product = page.getByRole('group', { name: 'Produto 1' })
    await product.getByLabel('Nome').fill('Saúde Vale')
    await product.getByLabel('Operadora').fill('Operadora Aurora')
    for (const option of ['Na data de admissão', 'No próximo faturamento']) await product.getByLabel(option).uncheck()
    await product.getByRole('button', { name: 'Todos os tipos' }).click()
    await product.getByLabel('Dia do faturamento').fill('40')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await product.getByText('Preencha o campo “Tipo de produto”.').waitFor()
    await product.getByText('O campo “Dia do faturamento” não é válido').first().waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('404'), expect.stringContaining('400')])
    await page.getByRole('button', { name: 'Adicionar contato' }).click()
    const contact = page.getByRole('group', { name: 'Contatos 1' })
    await contact.getByLabel('Nome').fill('Rosa do RH')
    await contact.getByLabel('E-mail').fill('rosa@ceramica.example')
    await expectSound()
    await expect.poll(() => product.getByLabel('Nome').inputValue()).toBe('Saúde Vale')
    await product.getByRole('combobox', { name: 'Tipo' }).click()
    await page.getByRole('option', { name: 'Saúde', exact: true }).click()
    await product.getByLabel('Dia do faturamento').fill('10')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('heading', { name: 'Cerâmica Boa Vista Ltda.' }).waitFor()
    problems.splice(0)
    const taxId = formatted.replaceAll(/\W/g, '')
    await page.waitForURL(`**/console/companies/${taxId}`)
    const read = async () => (await testApp.operator.get(`/operator/v1/company/${taxId}`)).body.result
    await expect.poll(read).toMatchObject({
      name: 'Cerâmica Boa Vista Ltda.',
      contacts: [{ name: 'Rosa do RH', email: 'rosa@ceramica.example', phone: null }],
      products: [
        {
          'product-name': 'Saúde Vale',
          'product-type': 'health-insurance',
          'allowed-start-options': ['on-inclusion-date'],
          'billing-day': 10,
          'cut-off-day': null,
        },
      ],
    })

    await page.getByRole('link', { name: 'rosa@ceramica.example' }).waitFor()
    await page.getByRole('link', { name: 'Editar' }).click()
    await page.getByText(formatted).waitFor()
    await page.getByRole('link', { name: 'Cancelar' }).click()
    await page.getByRole('link', { name: 'Editar' }).click()
    // Another admin at the same time.
    const [{ 'product-id': productId, ...saved }] = (await read()).products
    const products = [{ 'product-id': productId, ...saved, 'cut-off-day': 5 }]
    await page.getByLabel('Nome').first().fill('Cerâmica Boa Vista S.A.')
    const put = await testApp.operator.put(`/operator/v1/company/${taxId}`, { name: 'Cerâmica Boa Vista ME', products })
    expect(put.status).toBe(200)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('First operator alterou esta empresa').waitFor()
    await expect.poll(async () => (await read()).name).toBe('Cerâmica Boa Vista ME')
    await page.getByRole('button', { name: 'Descartar as minhas alterações' }).click()
    await page.getByLabel('Nome').first().fill('Cerâmica Boa Vista S.A.')
    await page.getByRole('link', { name: 'Integrações' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
    // A product that is known shows what names it, until it is opened.
    await page.getByRole('button', { name: 'Saúde Vale · Operadora Aurora · Saúde' }).click()
    await page.getByRole('button', { name: 'Remover produto Saúde Vale' }).click()
    await page.getByRole('button', { name: 'Restaurar produto Saúde Vale' }).click()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('heading', { name: 'Cerâmica Boa Vista S.A.' }).waitFor()
    await expect
      .poll(async () => (await read()).products)
      .toMatchObject([{ 'product-id': productId, 'cut-off-day': 5 }])
    await expectSound()

    // A CNPJ that has a company is not replaced.
    await page.getByRole('navigation', { name: 'Áreas' }).getByRole('link', { name: 'Empresas' }).click()
    await page.getByRole('link', { name: 'Cadastrar empresa' }).click()
    await page.getByLabel('CNPJ').fill(completeCnpj(taxId.slice(0, 12)))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Já existe uma empresa com este CNPJ: Cerâmica Boa Vista S.A.').waitFor()
    await page.getByRole('link', { name: 'Abrir a empresa' }).click()
    await page.waitForURL(`**/console/companies/${taxId}`)
  })

  test('are found by name, and by CNPJ in any form, from the address; their numbers link to their lists', async () => {
    const company = await testApp.company({ name: 'Padaria Estrela do Norte Ltda.' })
    await testApp.company({ name: 'Outra Empresa Ltda.' })
    const { page, expectSound } = await open('/companies?q=ESTRELA', { role: 'finance', theme: 'dark', width: 390 })
    const rows = page.getByRole('table').getByRole('link')
    await page.getByText('1 empresa', { exact: true }).waitFor()
    // Rows are drawn once the table knows its height.
    await expect.poll(() => rows.allTextContents()).toEqual(['Padaria Estrela do Norte Ltda.'])
    await expectSound()
    const { taxId } = company
    await page.getByLabel('Buscar').fill(`CNPJ ${taxId.slice(0, 8)} / ${taxId.slice(8, 12)} - ${taxId.slice(12)}`)
    await page.waitForURL('**/companies?q=CNPJ*')
    await page.getByText('1 empresa', { exact: true }).waitFor()
    await rows.first().click()
    await page.getByRole('rowheader', { name: 'Saúde Premium Apartamento' }).waitFor()
    await page.getByText('Ninguém tem um produto desta empresa hoje.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Relação de vidas' }).count()).toBe(0)
    const lists = page.getByRole('navigation', { name: 'O que a empresa tem' }).getByRole('link')
    await lists.filter({ hasText: 'Faturas (0)' }).waitFor()
    // Finance sees no movements.
    await expect.poll(() => lists.allTextContents()).toEqual(['Faturas (0)', 'Exportações da folha (0)'])
    await expect.poll(() => page.getByRole('link', { name: 'Editar' }).count()).toBe(0)
    await expectSound()
    await lists.first().click()
    await page.waitForURL((url) => url.pathname.endsWith('/invoices') && url.search.includes(taxId))
  })

  test('a company has its lives by product, contracts and open movements; its roster is saved as CSV and Excel', async () => {
    const company = await testApp.company({ name: 'Olaria Três Rios Ltda.' })
    const partner = await testApp.partner(company.taxId)
    const parent = primary({ name: 'Helena Olaria' })
    const people = [parent, dependent(parent['tax-id']), primary({ products: inProduct('dental-insurance', dental) })]
    await testApp.include(partner, company, people, '?resolution=approve')
    await testApp.include(partner, company, [primary()])
    const contract = await makeContract(testApp, company, {
      contacts: [{ name: 'Mesa', email: 'mesa@aurora.example' }],
    })
    const { page, expectSound } = await open(`/companies/${company.taxId}`, { role: 'analyst' })
    const lives = page.getByRole('region', { name: 'Vidas por produto' }).getByRole('row')
    await lives.nth(3).waitFor()
    const cellsOf = async (n: number) => (await lives.nth(n).getByRole('cell').allTextContents()).slice(-4)
    expect([await cellsOf(1), await cellsOf(2), await cellsOf(3)]).toEqual([
      ['1', '1', '2', '0'],
      ['1', '0', '1', '0'],
      ['2', '1', '3', '0'],
    ])
    await page.getByRole('link', { name: 'Movimentações em aberto (1)' }).waitFor()
    await page.getByRole('link', { name: 'mesa@aurora.example' }).waitFor()
    await expectSound()
    const saved = async (role: 'link' | 'button', name: string) => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Relação de vidas' }).click()
      await page.getByRole('dialog').getByRole(role, { name }).click()
      const file = await download
      await page.keyboard.press('Escape')
      return file
    }
    const csv = await saved('link', 'Exportar como CSV')
    expect(csv.suggestedFilename()).toBe(`vidas-${company.taxId}.csv`)
    expect(await readFile(await csv.path(), 'utf8')).toContain(';Helena Olaria;')
    const workbook = await saved('button', 'Exportar para Excel')
    expect(workbook.suggestedFilename()).toBe(`vidas-${company.taxId}.xlsx`)
    await page.getByRole('link', { name: contract['contract-number'] }).click()
    await page.waitForURL(`**/carriers/contracts/${contract['contract-id']}`)
  })
})

describe('clients', () => {
  test('get a secret that is shown once, entitlements, a second secret, and are revoked', async () => {
    const company = await testApp.company({ name: 'Metalúrgica Serra Azul S.A.' })
    const other = await testApp.company({ name: 'Transportes Lapa Ltda.' })
    const { page, expectSound } = await open('/companies', { role: 'admin' })
    await page.getByRole('link', { name: 'Integrações' }).click()
    await page.getByRole('button', { name: 'Criar integração' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nome').fill('Folha Aurora')
    await dialog.getByLabel('Empresas').fill('serra azul')
    await page.getByRole('option', { name: /Metalúrgica Serra Azul/ }).click()
    await page.keyboard.press('Tab')
    await expectSound()
    await dialog.getByRole('button', { name: 'Criar integração' }).click()
    const secretField = dialog.getByRole('textbox', { name: 'Segredo' })
    const secret = await secretField.inputValue()
    const clientId = await dialog.getByRole('textbox', { name: 'Client id' }).inputValue()
    // Not closed by accident.
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.evaluate('history.back()')
    await expect.poll(() => secretField.inputValue()).toBe(secret)
    await expectSound()
    await expect.poll(() => dialog.getByRole('button', { name: 'Fechar' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Guardei o segredo').check()
    await dialog.getByRole('button', { name: 'Fechar' }).click()
    await page.getByRole('heading', { name: 'Folha Aurora' }).waitFor()
    await page.waitForURL(`**/console/clients/${clientId}`)
    expect(await page.content()).not.toContain(secret)
    const partner = await testApp.signIn(clientId, secret)
    expect((await partner.get('/v1/company')).body.result).toMatchObject([{ 'tax-id': company.taxId }])

    await page.getByRole('button', { name: 'Adicionar empresas' }).click()
    await dialog.getByLabel('Empresas').fill(other.taxId)
    await page.getByRole('option', { name: /Transportes Lapa/ }).click()
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Conceder acesso' }).click()
    await page.getByRole('cell', { name: 'Transportes Lapa Ltda.' }).waitFor()
    const formatted = company.taxId.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')
    await page.getByRole('button', { name: `Encerrar acesso a ${formatted}` }).click()
    await dialog.getByRole('button', { name: 'Encerrar acesso' }).click()
    await page.getByRole('cell', { name: 'Metalúrgica Serra Azul S.A.' }).waitFor({ state: 'detached' })
    expect((await partner.get('/v1/company')).body.result).toMatchObject([{ 'tax-id': other.taxId }])

    await page.getByRole('button', { name: 'Novo segredo' }).click()
    await dialog.getByRole('button', { name: 'Novo segredo' }).click()
    const second = await secretField.inputValue()
    expect(second).not.toBe(secret)
    await dialog.getByLabel('Guardei o segredo').check()
    await dialog.getByRole('button', { name: 'Fechar' }).click()
    await page.getByText('Segredo anterior, ainda válido').waitFor()
    await expectSound()
    await testApp.signIn(clientId, secret)
    await page.getByRole('button', { name: 'Encerrar o segredo anterior' }).click()
    await dialog.getByRole('button', { name: 'Encerrar o segredo anterior' }).click()
    await page.getByText('Segredo anterior, ainda válido').waitFor({ state: 'detached' })
    await testApp.signIn(clientId, second)
    const body = { 'client-id': clientId, 'client-secret': secret }
    expect((await testApp.call('POST', '/v1/authenticate', { body })).status).toBe(401)

    await page.getByRole('button', { name: 'Revogar integração' }).click()
    const revoke = dialog.getByRole('button', { name: 'Revogar integração' })
    await expect.poll(() => revoke.isDisabled()).toBe(true)
    await dialog.getByLabel('Digite o nome para confirmar: Folha Aurora').fill('Folha Aurora')
    await revoke.click()
    await page.waitForURL('**/console/clients')
    await page.getByRole('link', { name: 'Folha Aurora' }).waitFor({ state: 'detached' })
    expect((await partner.get('/v1/company')).status).toBe(401)
  })
})

describe('operators', () => {
  test('get a role, another one, and are removed; the last admin is not', async () => {
    const {
      page,
      expectSound,
      problems,
      clientId: ownId,
      clientSecret: ownSecret,
    } = await open('/operators', { role: 'admin' })
    await page.getByRole('button', { name: 'Criar operador' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nome').fill('Ana Prado')
    await dialog.getByRole('radio', { name: 'Financeiro' }).check()
    await expectSound()
    await dialog.getByRole('button', { name: 'Criar operador' }).click()
    const secret = await dialog.getByRole('textbox', { name: 'Segredo' }).inputValue()
    const clientId = await dialog.getByRole('textbox', { name: 'Client id' }).inputValue()
    await dialog.getByLabel('Guardei o segredo').check()
    await dialog.getByRole('button', { name: 'Fechar' }).click()
    const ana = await testApp.signIn(clientId, secret)
    const row = page.getByRole('row', { name: 'Ana Prado' })
    await row.getByText('Financeiro').waitFor()
    await expectSound()
    const choose = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Ações para ${name}`, exact: true }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    expect((await ana.get('/operator/v1/enrollment')).status).toBe(403)
    await choose('Ana Prado', 'Mudar o perfil')
    await dialog.getByRole('radio', { name: 'Analista' }).check()
    await dialog.getByRole('button', { name: 'Mudar o perfil' }).click()
    await row.getByText('Analista').waitFor()
    expect((await ana.get('/operator/v1/enrollment')).status).toBe(200)
    await choose('Ana Prado', 'Remover operador')
    await dialog.getByRole('button', { name: 'Remover operador' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await ana.get('/operator/v1/enrollment')).status).toBe(401)

    // One's own row is marked. Once all others are gone, the last admin cannot go.
    const own = await testApp.signIn(ownId, ownSecret)
    const operators = (await own.get('/operator/v1/operator?items-per-page=100')).body.result
    for (const { 'client-id': id } of operators as { 'client-id': string }[]) {
      if (id !== ownId) expect((await own.delete(`/operator/v1/operator/${id}`)).status).toBe(204)
    }
    await page.getByRole('row', { name: 'você' }).getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Remover operador' }).click()
    await dialog.getByText('Este é o seu próprio acesso').waitFor()
    await dialog.getByRole('button', { name: 'Remover operador' }).click()
    await dialog.getByRole('alert').getByText('O último administrador não pode ser removido').waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('409')])
  })
})
