import { readFile } from 'node:fs/promises'
import { Client as Postgres } from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Client,
  type Company,
  companyBody,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  primary,
} from '../world/test-app.ts'
import { untranslated, useConsole } from './console.ts'

/* Requests and members. */

const consoleOf = useConsole()
const { testApp } = consoleOf
let company: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})

const formatted = (cpf: string) => cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')

describe('a request', () => {
  test('is followed while it is processed; the failed lines are told in words and saved as CSV', async () => {
    const twice = primary({ name: 'Ana Duas Vezes' })
    const once = [primary(), primary()]
    const sendInclusion = async (members: Json[], reference: string): Promise<string> => {
      const body = { 'company-tax-id': company.taxId, members, reference }
      return expectOk(await partner.post('/v1/enrollment/inclusion', body)).body['request-id']
    }
    const holder = new Postgres({ connectionString: testApp.databaseUrl })
    await holder.connect()
    onTestFinished(() => holder.end())
    // Workers wait until both requests are there: then the first enrolls the person of the second.
    await holder.query('begin; lock table enrollment in share mode')
    await sendInclusion([twice], 'folha-a')
    const id = await sendInclusion([twice, ...once], 'folha-b')

    const watched = await consoleOf.open('/requests', { role: 'analyst' })
    const { page } = watched
    await page.getByLabel('Referência').fill('folha-b')
    await page.getByText('1 solicitação', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?reference=folha-b')
    await watched.expectSound()
    await page.getByRole('table').getByRole('link').click()
    await page.waitForURL(`**/requests/${id}`)
    await page.getByText('faltam 3').waitFor()
    await page.getByText('A solicitação está em processamento.').waitFor()
    await holder.query('commit')
    await page.getByText('Recebida: alguns itens falharam.').waitFor()
    await page.getByText('2 movimentações criadas · 1 falhou').waitFor()
    await page.getByRole('link', { name: '1 item' }).click()
    await page.getByText('3 itens', { exact: true }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toContain('offense=ongoing-enrollment')
    const why = 'Já existe uma movimentação em andamento para esta pessoa neste produto.'
    await page.getByRole('cell', { name: why }).waitFor()
    await watched.expectSound()

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Salvar a linha com falha em CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    const [header, line, end] = file.split('\r\n')
    expect([header, end]).toEqual(['\ufeffCPF;Produto;Códigos;Por que falhou', ''])
    expect(line).toContain(`${formatted(twice['tax-id'])};${health};ongoing-enrollment;${why}`)

    await page.getByRole('button', { name: 'Limpar os filtros' }).click()
    await page.getByText('3 itens', { exact: true }).first().waitFor()
    const created = page.getByRole('row').filter({ hasText: 'Movimentação criada' }).first()
    await created.getByRole('link').click()
    await page.waitForURL(/\/queue\/[0-9a-f-]{36}$/)
  })
})

describe('a member', () => {
  let mother: Json
  let child: Json
  let id: string

  beforeAll(async () => {
    mother = primary({
      name: 'Beatriz Família Andrade',
      'employee-id': 'MAT-9001',
      'email-corporate': 'b.andrade@empresa.example',
      'bank-account-number': '98765-4',
    })
    child = dependent(mother['tax-id'], { name: 'Caio Família Andrade' })
    await testApp.include(partner, company, [mother, child], '?resolution=approve')
    await testApp.include(partner, company, [{ ...mother, products: inProduct('dental-insurance', dental) }])
    const exclusion = { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal', 'extension-plan': true }
    const path = `/v1/enrollment/exclusion/${mother['tax-id']}/product/${company.products[health]}?resolution=approve`
    expectOk(await partner.post(path, { 'exclusion-details': exclusion }))
    const found = expectOk(await testApp.operator.get(`/operator/v1/member?tax-id=${mother['tax-id']}`)).body
    id = found.result[0].id
  })

  test('is found by any of its names and a part of the CPF; an analyst sees the CPF, and each page leaves one audit row', async () => {
    const watched = await consoleOf.open('/members', { role: 'analyst' })
    const { page } = watched
    const search = page.getByLabel('CPF, nome, e-mail, matrícula ou carteirinha')
    const result = page.getByRole('link', { name: mother['name'] })
    const cpf: string = mother['tax-id']
    for (const text of ['MAT-9001', 'b.andrade@empresa', formatted(cpf), cpf.slice(1, 10), 'beatriz familia']) {
      await search.fill(text)
      await page.getByText('1 pessoa', { exact: true }).waitFor()
      await result.waitFor()
      await search.fill('xxx')
      await page.getByText('Ninguém corresponde.').waitFor()
    }
    await search.fill(cpf.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)))
    await page.getByText('Ninguém corresponde.').waitFor()
    await search.fill('familia andrade')
    await page.getByText('2 pessoas', { exact: true }).waitFor()
    await page.getByRole('cell', { name: formatted(cpf) }).waitFor()
    await page.getByRole('cell', { name: companyBody.name }).first().waitFor()
    await watched.expectSound()
    const rows = async () =>
      testApp.sql(`select target from audit where action = 'member.disclosed' and target like $1`, [`%${id}%`])
    const before = await rows()
    expect(before.at(-1)?.['target'].split(' ')).toHaveLength(2)

    await result.click()
    await page.getByRole('heading', { level: 1, name: mother['name'] }).waitFor()
    await page
      .getByText('A auditoria registra que você viu estes dados. Ver a fila e as movimentações não deixa registro.')
      .waitFor()
    await page.getByText(formatted(cpf), { exact: true }).first().waitFor()
    await page.getByText('98765-4').waitFor()
    await page.getByRole('link', { name: 'Ver 3 movimentações' }).waitFor()
    await watched.expectSound()
    await expect.poll(async () => (await rows()).slice(before.length)).toEqual([{ target: id }])
    // The page reads nothing again by itself.
    await page.getByRole('link', { name: child['name'] }).click()
    await page.getByRole('heading', { level: 1, name: child['name'] }).waitFor()
    await page.goBack()
    await page.getByText('98765-4').waitFor()
    await expect.poll(async () => (await rows()).slice(before.length)).toEqual([{ target: id }])
  })

  test('has benefits in force on a date; the one of the extension plan is ended after a confirmation', async () => {
    const watched = await consoleOf.open(`/members/${id}`, { role: 'analyst', theme: 'dark', width: 390 })
    const { page } = watched
    await watched.expectSound()
    const date = page.getByRole('textbox', { name: 'Nesta data' })
    await date.fill('01/01/2020')
    await page.getByText('Nenhum benefício vigente em 01/01/2020').waitFor()
    expect(new URL(page.url()).search).toBe('?on=2020-01-01')
    await date.fill('15/03/2027')
    await page.getByText('1 benefício vigente em 15/03/2027').waitFor()
    await page.getByRole('link', { name: 'Ver 3 movimentações' }).click()
    await page.getByText('3 movimentações', { exact: true }).waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Encerrar o benefício' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Encerrar o benefício' }).click()
    await dialog.getByText('Informe o último dia.').waitFor()
    await dialog.getByLabel('Último dia coberto').fill('31122026')
    await dialog.getByLabel('Motivo').fill('Fim do prazo legal')
    await watched.expectSound()
    await dialog.getByRole('button', { name: 'Encerrar o benefício' }).click()
    await page.getByText('O benefício termina em 31/12/2026.').waitFor()
    await page.getByText('Nenhum benefício vigente em 15/03/2027').waitFor()
  })

  test('is masked for an auditor', async () => {
    const { page } = await consoleOf.open(`/members/${id}`, { role: 'auditor', language: 'en' })
    await page.getByText('analysts and admins see them.').waitFor()
    const text = await page.content()
    const secrets = [mother['tax-id'], formatted(mother['tax-id']), '98765-4']
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    await expect.poll(() => page.getByRole('button', { name: /end the benefit/i }).count()).toBe(0)
  })

  test('every text of the pages is from the catalogue', async () => {
    const watched = await consoleOf.open('/requests', { role: 'analyst', language: 'en-XA' })
    const { page } = watched
    const ready = async (path: string, selector: string) => {
      if (path !== '') await watched.goto(path)
      await page.locator(selector).first().waitFor()
      expect([path, await untranslated(watched)]).toEqual([path, []])
      await watched.expectSound()
    }
    await ready('', 'main [role="table"]')
    await page.locator('main [role="cell"] a').first().click()
    await ready('', 'main [role="cell"]')
    await ready('/members', 'main h2')
    await ready('/members?q=fam%C3%ADlia', 'main [role="cell"]')
    await ready(`/members/${id}`, 'main table')
  })
})
