import { expect, test } from 'vitest'
import { useConsole } from './console.ts'

const { testApp, open } = useConsole()

const lines = [
  'Relação de vidas;;',
  'Nome do funcionário;Doc;Plano',
  'Helena Brandão;52998224725;Saúde Essencial Enfermaria',
]
const file = { name: 'vidas.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }

test('a file with own headings asks for the company, which opens its columns; nothing is remembered while columns lack', async () => {
  const company = await testApp.company()
  const { page, expectSound } = await open('/imports', { role: 'analyst' })
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('Escolha a empresa acima: ela abre as colunas deste arquivo').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Validar' }).isDisabled()).toBe(true)
  await expectSound()
  await page.getByRole('combobox', { name: 'Empresa' }).click()
  await page.getByRole('option').filter({ hasText: 'Metalúrgica' }).first().click()
  const columns = page.getByRole('table', { name: 'Colunas do arquivo' })
  await columns.waitFor()
  // In view, with no error above it.
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  expect((await columns.boundingBox())?.y ?? 800).toBeLessThan(800)
  await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await page.getByRole('alert').filter({ hasText: 'Colunas que ainda faltam' }).waitFor()
  const { body } = await testApp.operator.get(`/operator/v1/column-profile/${company.taxId}`)
  expect(body.result).toMatchObject({ columns: [] })
})

test('a file without the company is of the chosen one: its columns are confirmed, and it is read', async () => {
  await testApp.company({ name: 'Padaria Horizonte Ltda.' })
  const { page, expectSound } = await open('/imports', { role: 'analyst' })
  const text = [
    'Nome do funcionário;CPF;Data de nascimento;Sexo;Nome da mãe;Parentesco;Produto;Início da vigência',
    'Helena Brandão;52998224725;17/05/1990;F;Fátima Brandão;Titular;Saúde Essencial Enfermaria;01/03/2024',
  ].join('\n')
  await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(text) })
  await page.getByRole('combobox', { name: 'Empresa' }).click()
  await page.getByRole('option').filter({ hasText: 'Padaria Horizonte' }).click()
  await page.getByRole('table', { name: 'Colunas do arquivo' }).waitFor()
  await expect.poll(() => page.getByText('Colunas que ainda faltam').count()).toBe(0)
  await page.getByRole('button', { name: 'Confirmar e lembrar' }).click()
  await page.getByRole('button', { name: 'Validar' }).click()
  await page.getByText('1 linha seria salva').or(page.getByText('Aceitas')).first().waitFor()
  await expectSound()
})
