import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { nextCnpj, nextCpf } from '../world/test-app.ts'
import { useConsole } from './console.ts'

/* From an empty installation to the deduction of an employee, by clicks in the console alone. */

const { open } = useConsole()

/** Chooses an option of a select. */
async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const bands = ['00 a 18', '19 a 23', '24 a 28', '29 a 33', '34 a 38', '39 a 43', '44 a 48', '49 a 53', '54 a 58']
const pasted = [...bands.map((band, index) => `${band} anos\tR$ ${index + 2}00,00`), '59 anos ou mais\tR$ 1.100,00']

test('a month of finance needs no terminal: from the first company to the file of the payroll', async () => {
  const watched = await open('/companies', { role: 'admin' })
  const { page, unsound } = watched
  page.setDefaultTimeout(20_000)
  const dialog = page.getByRole('dialog')
  const save = () => page.getByRole('button', { name: 'Salvar', exact: true }).click()

  /** What is searched for has replaced the first companies when the option is chosen; each search is another one, which the page does not know yet. */
  const chooseCompany = async (field: Locator, text: string) => {
    const found = page.waitForResponse((response) => new URL(response.url()).searchParams.get('q') === text)
    await field.fill(text)
    await found
    await page.getByRole('option', { name: /Serra Azul/ }).click()
  }

  await page.getByRole('link', { name: 'Cadastrar empresa' }).click()
  await page.getByLabel('CNPJ').fill(nextCnpj())
  await page.getByRole('textbox', { name: 'Nome', exact: true }).first().fill('Metalúrgica Serra Azul S.A.')
  const product = page.getByRole('group', { name: 'Produto 1' })
  await product.getByRole('textbox', { name: 'Nome' }).fill('Saúde Ouro')
  await product.getByLabel('Operadora').fill('Operadora Aurora')
  await choose(page, product.getByRole('combobox', { name: 'Tipo' }), 'Saúde')
  await save()
  await page.getByRole('heading', { level: 1, name: 'Metalúrgica Serra Azul S.A.' }).waitFor()

  await page.getByRole('link', { name: 'Operadoras' }).click()
  await page.getByRole('link', { name: 'Novo contrato' }).click()
  await page.getByRole('heading', { level: 1, name: 'Novo contrato' }).waitFor()
  await chooseCompany(page.getByRole('combobox', { name: 'Empresa' }), 'Serra Azul')
  await choose(page, page.getByRole('combobox', { name: 'Operadora' }), 'Operadora Aurora')
  await page.getByLabel('Número do contrato').fill('900777')
  await page.getByRole('navigation', { name: 'Seções do formulário' }).getByRole('button', { name: 'Planos' }).click()
  await expect.poll(() => page.getByLabel('Faz parte do contrato: Saúde Ouro').isChecked()).toBe(true)
  await page.getByLabel('Código do plano na operadora').fill('AE1230')
  await choose(page, page.getByRole('combobox', { name: 'Data da idade' }), 'primeiro dia da competência')
  await choose(page, page.getByRole('combobox', { name: 'Parte de um mês' }), 'o mês inteiro')
  await save()

  await page.getByRole('link', { name: 'Adicionar tabela de preços' }).click()
  await page.getByLabel('Cole a tabela da operadora').fill(pasted.join('\n'))
  await page.getByText('10 de 10 preços foram lidos').waitFor()
  await page.getByLabel('Válida desde').fill('01/01/2026')
  await save()
  await page.getByRole('region', { name: 'Tabelas de preços' }).getByText('R$ 600,00').waitFor()
  await page.getByRole('link', { name: 'Adicionar regra de contribuição' }).click()
  await page.getByLabel('Válida desde').fill('01/01/2026')
  await page.getByRole('group', { name: 'Pelo titular o funcionário paga' }).getByLabel('Porcento').fill('20')
  await page.getByRole('group', { name: 'Por dependente o funcionário paga' }).getByLabel('Porcento').fill('50')
  await save()
  await page.getByText('O funcionário paga 20% do preço pelo titular', { exact: false }).waitFor()

  await page.getByRole('link', { name: 'Folha' }).click()
  await chooseCompany(page.getByRole('combobox', { name: 'Empresa' }), 'Metalúrgica Serra')
  await page.getByRole('link', { name: 'Perfil da folha' }).click()
  for (const [label, event] of [
    ['Próprio', '7611'],
    ['Dependentes', '7612'],
    ['Coparticipação', '7613'],
  ] as const) {
    await page.getByLabel(label, { exact: false }).first().fill(event)
  }
  await save()
  await page.getByText('O perfil da folha foi salvo.').waitFor()

  const cpf = nextCpf()
  await page.getByRole('link', { name: 'Fila' }).click()
  await page.getByRole('link', { name: 'Nova movimentação' }).first().click()
  await page.getByLabel('Meio').selectOption('email')
  await page.getByLabel('Recebido em').fill('20/11/2026')
  await page.getByLabel('Hora (Brasília)').fill('09:00')
  await page.getByRole('textbox', { name: 'Solicitante', exact: true }).fill('Paula Andrade')
  await page.getByRole('radiogroup', { name: 'Tipo' }).getByText('Inclusão').click()
  await chooseCompany(page.getByRole('combobox', { name: 'Empresa' }), 'Azul')
  const person = page.getByRole('group', { name: 'Titular' })
  for (const [label, value] of [
    ['Nome', 'Camila Duarte Reis'],
    ['CPF', cpf],
    ['Data de nascimento', '17/05/1990'],
    ['Nome da mãe', 'Nair Duarte Reis'],
    ['Matrícula', '1001'],
  ] as const) {
    await person.getByRole('textbox', { name: label }).first().fill(value)
  }
  await person.getByLabel('Sexo').selectOption('female')
  await person.getByRole('checkbox', { name: 'Saúde Ouro' }).check()
  await person.getByLabel('Início: Saúde Ouro').selectOption('on-inclusion-date')
  await page.getByRole('button', { name: 'Verificar' }).click()
  await page.getByText('Tudo certo. Será enviado:').waitFor()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('link', { name: 'Camila Duarte Reis' }).first().click()
  await page.getByRole('button', { name: 'Aprovar' }).click()
  await dialog.getByLabel('Número da carteirinha').fill('0045 1121')
  await dialog.getByRole('button', { name: 'Aprovar' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Conciliação' }).click()
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()
  await chooseCompany(dialog.getByRole('combobox', { name: 'Empresa' }), 'Metalúrgica')
  await dialog.getByRole('combobox', { name: 'Contrato' }).and(page.locator('[value*="900777"]')).waitFor()
  await choose(page, dialog.getByRole('combobox', { name: 'Tipo', exact: false }).first(), 'Fatura')
  await dialog.getByLabel('Competência').fill('11/2026')
  await choose(page, dialog.getByRole('combobox', { name: 'Leiaute' }), 'Fatura em CSV')
  const buffer = Buffer.from(`tax-id;name;amount\n${cpf};Camila Duarte Reis;650,00\n`)
  await page.locator('input[type=file]').setInputFiles({ name: 'fatura.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'Camila Duarte Reis' }).waitFor()
  await page.getByRole('button', { name: 'Conciliar' }).click()
  await page.getByRole('checkbox', { name: 'Selecionar a linha 1' }).check()
  await page
    .getByRole('region', { name: 'Divergências selecionadas' })
    .getByRole('button', { name: 'Contestar' })
    .click()
  await dialog.getByText('R$ 50,00').first().waitFor()
  await dialog.getByRole('button', { name: 'Contestar' }).click()
  await page.getByRole('button', { name: 'Marcar como enviada' }).click()
  await dialog.getByRole('button', { name: 'Marcar como enviada' }).click()
  await page.getByRole('button', { name: 'Aceita pela operadora' }).waitFor()

  await page.getByRole('link', { name: 'Conciliação', exact: true }).click()
  await page.getByRole('link', { name: 'Fechamento' }).click()
  await page.getByRole('button', { name: 'Conferir competência' }).click()
  await chooseCompany(dialog.getByRole('combobox', { name: 'Empresa' }), 'Serra')
  await dialog.getByLabel('Competência').fill('11/2026')
  await dialog.getByRole('button', { name: 'Conferir', exact: true }).click()
  await page.getByRole('button', { name: 'Fechar competência' }).click()
  await dialog.getByLabel('Por que fechar mesmo sem concluir').fill('Contestação enviada')
  await dialog.getByRole('button', { name: 'Fechar competência' }).click()
  await page.getByText('A competência foi fechada.').waitFor()
  await page.getByRole('button', { name: 'Exportar para a folha' }).click()
  // 20 % of what is charged, until the carrier credits what was claimed.
  await dialog.getByText('130,00 de 1 funcionário').waitFor()
  await dialog.getByRole('button', { name: 'Exportar para a folha' }).click()
  const link = page.getByRole('link', { name: 'Baixar a exportação 1 de 11/2026' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(await readFile(await download.path(), 'utf8')).toContain('7611')
  // The profile and the closing were asked for before they were there.
  expect((await unsound()).filter((one) => !one.includes('404 (Not Found)'))).toEqual([])
}, 180_000)
