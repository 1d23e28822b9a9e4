import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeCpf } from '#kernel/tax-id.ts'
import {
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  type Json,
  nextCpf,
  premium,
  useTestApp,
  primary,
} from '../world/test-app.ts'
import { bookOfRows, partOf } from '../platform/tables/workbook.ts'
import { respondJson, anyClient, type Cli, openCli, openStandIn } from './command.ts'

const testApp = useTestApp()
let cli: Cli
let company: Company
let partner: Client

beforeAll(async () => {
  cli = await openCli()
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  await cli.signIn(testApp.url, { partner, operator: testApp.operator })
})
afterAll(async () => {
  await cli.clear()
})

const requests = async () => (await testApp.sql<{ n: number }>('select count(*)::int as n from request'))[0]?.n
const batch = (...members: Json[]) => JSON.stringify({ 'company-tax-id': company.taxId, members }, null, 2)

test('--dry-run prints the offenses with the line of each member, stores nothing and ends with 1', async () => {
  const bad = primary({ 'mothers-name': null, 'tax-id': '123' })
  const text = batch(primary(), bad)
  const file = await cli.file('batch.json', text)
  const line = text.slice(0, text.lastIndexOf('"beneficiary-type"')).split('\n').length - 1
  const before = await requests()
  const outcome = await cli.run(['include', file, '--dry-run'])
  expect(outcome.code).toBe(1)
  const [taxId, mother] = [
    '`tax-id` is not valid: a CPF, digits only or formatted. Correct it.',
    '`mothers-name` is missing. Send it.',
  ]
  expect(outcome.out).toBe(`${file}:${line}: invalid-tax-id (${taxId}); missing-mothers-name (${mother})\n`)
  expect(outcome.err).toContain('1 of 2 members have offenses; nothing was kept.')
  expect(outcome.out + outcome.err).not.toContain(bad['name'])
  const json = await cli.run(['include', file, '--dry-run', '--json'])
  expect(json.code).toBe(1)
  expect(json.json).toMatchObject({ error: 'Invalid members', result: [{ index: 1, lines: [line] }] })
  expect(await requests()).toBe(before)
})

test('a valid batch ends --dry-run with 0, and is sent and watched without it', async () => {
  const file = await cli.file('good.json', batch(primary(), primary()))
  const before = await requests()
  const dry = await cli.run(['include', file, '--dry-run'])
  expect(dry).toMatchObject({ code: 0, out: '' })
  expect(dry.err).toContain('2 of 2 members would be taken')
  expect(await requests()).toBe(before)
  const taken = await cli.run(['include', file, '--watch', '--resolution', 'approve'])
  expect(taken.code).toBe(0)
  expect(taken.out).toMatch(/^request-id \S{36}\n/)
  expect(taken.out).toMatch(/Request \S{36} completed; enrollments: 2 completed\.\n$/)
})

test('--dry-run names the documents that a rule asks for, and whether the movement waits for them', async () => {
  const id = '01995e0b-7c11-7f22-8b33-4d5e6f708192'
  const any = ['marriage-certificate', 'stable-union-declaration']
  const rule = {
    name: 'Certidão',
    when: { movements: ['inclusion'], 'company-tax-ids': [company.taxId] },
    require: [{ 'any-of': any, of: 'primary', message: 'Certidão ou declaração' }],
  }
  expectOk(await testApp.operator.put(`/operator/v1/requirement-rule/${id}`, rule))
  const file = await cli.file('missing.json', batch(primary()))
  const outcome = await cli.run(['include', file, '--dry-run'])
  expectOk(await testApp.operator.delete(`/operator/v1/requirement-rule/${id}`))
  expect(outcome.code).toBe(0)
  expect(outcome.out).toBe(
    `${file}:4: pending without marriage-certificate or stable-union-declaration (Certidão ou declaração)\n`,
  )
})

test('--lenient accepts the valid members and ends with 5; without valid members it ends with 1', async () => {
  const file = await cli.file('mixed.json', batch(primary(), primary({ name: '' })))
  const outcome = await cli.run(['include', file, '--lenient', '--json'])
  expect(outcome.code).toBe(5)
  expect(outcome.json).toMatchObject({ result: [{ index: 1, offenses: ['missing-name'] }] })
  expect(outcome.json['request-id']).toMatch(/^\S{36}$/)
  const none = await cli.run(['include', await cli.file('none.json', batch(primary({ name: '' }))), '--lenient'])
  expect(none.code).toBe(1)
})

const header =
  'beneficiary-type;primary-member-tax-id;dependent-type;name;tax-id;mothers-name;date-of-birth;gender;salary;product-name;start-option'

test('CSV in Windows-1252 with semicolons: lines of a member become its products, looked up by name', async () => {
  const [mother, child] = [nextCpf(), nextCpf()]
  const lines = [
    header,
    `primary;;;Conceição Müller;${mother};Fátima;1990-05-17;female;250000;${health};on-inclusion-date`,
    `primary;;;Conceição Müller;${mother};Fátima;1990-05-17;female;250000;${dental};on-inclusion-date`,
    `dependent;${mother};child;Joana Müller;${child};Conceição Müller;2020-01-31;male;;${health};on-inclusion-date`,
  ]
  const file = await cli.file('family.csv', Buffer.from(lines.join('\r\n'), 'latin1'))
  const words = ['include', file, '--company-tax-id', company.taxId, '--watch', '--resolution', 'approve']
  const outcome = await cli.run(words)
  expect(outcome.err).toContain('2 of 2 members taken')
  expect(outcome.code).toBe(0)
  const listed = await partner.get(`/v1/member?filter=${encodeURIComponent(`tax-id=${mother}|tax-id=${child}`)}`)
  const shown = Object.fromEntries(
    listed.body.result.map((one: Json) => [one.profile.name, one.benefits.map((b: Json) => b['product-name']).sort()]),
  )
  expect(shown).toEqual({ 'Conceição Müller': [dental, health], 'Joana Müller': [health] })
})

test('CSV with the headers and forms of the template of an import', async () => {
  const mother = completeCpf('001234567')
  const child = nextCpf()
  const lines = [
    'CNPJ da empresa;Tipo de beneficiário;CPF;Nome;Nome da mãe;Data de nascimento;Sexo;Estado civil;Salário;CPF do titular;Parentesco;Produto;Início da vigência;Idade',
    `${company.taxId};titular;${Number(mother)};Conceição Müller;Ana Müller;29/02/1980;F;união estável;5.230,00;;;${health};01/03/2024;46`,
    `${company.taxId};dependente;${child};Zoé Müller;Conceição Müller;7/6/2015;feminino;;;${Number(mother)};filha;${health};01/03/2024;11`,
  ]
  const file = await cli.file('roster.csv', `\uFEFF${lines.join('\r\n')}`)
  const words = ['include', file, '--start-option', 'on-inclusion-date']
  const outcome = await cli.run([...words, '--warnings', '--resolution', 'approve', '--watch'])
  expect(outcome.err).toContain('2 of 2 members taken')
  expect(outcome.code).toBe(0)
  for (const warning of [
    ': warning unknown-column Início da vigência',
    ': warning unknown-column Idade',
    ':2: warning leading-zeros-restored CPF',
    ':3: warning leading-zeros-restored CPF do titular',
  ]) {
    expect(outcome.out).toContain(`${file}${warning}\n`)
  }
  const [stored] = await testApp.sql('select salary, date_of_birth::text as born from member where tax_id = $1', [
    mother,
  ])
  expect(stored).toEqual({ salary: '523000', born: '1980-02-29' })
  const listed = await partner.get(`/v1/member?filter=${encodeURIComponent(`tax-id=${child}`)}`)
  expect(listed.body.result[0].profile).toMatchObject({ 'date-of-birth': '2015-06-07', gender: 'female' })
  const again = await cli.run([...words, '--dry-run', '--json'])
  expect(again.json.warnings).toContainEqual({ warning: 'leading-zeros-restored', field: 'CPF', lines: [2] })
})

test('the template is printed without a service, and its Portuguese words are read', async () => {
  const { out } = await cli.run(['include', 'template'])
  const header = out.trim()
  expect(header).toContain(';Produto;Tipo de produto;Opção de início;')
  const cells: Record<string, string> = {
    'CNPJ da empresa': company.taxId,
    'Tipo de beneficiário': 'Titular',
    CPF: nextCpf(),
    Nome: 'Ana Lima',
    'Nome da mãe': 'Rosa Lima',
    'Data de nascimento': '17/05/1990',
    Sexo: 'F',
    Produto: health,
    'Tipo de produto': 'Saúde',
    'Opção de início': 'na data da inclusão',
  }
  const line = header.split(';').map((name) => cells[name.replace('\uFEFF', '')] ?? '')
  const file = await cli.file('template.csv', `${header}\n${line.join(';')}\n`)
  const outcome = await cli.run(['include', file, '--dry-run'])
  expect(outcome).toMatchObject({ code: 0, out: '' })
  const { json } = await cli.run(['include', 'template', '--language', 'en', '--json'])
  expect(json.columns).toContain('start-option')
})

test('the template of a company is a workbook with a list of its products', async () => {
  const file = join(cli.folder, 'template.xlsx')
  const words = ['include', 'template', '--output', file, '--company-tax-id']
  expect(await cli.run([...words, company.taxId])).toMatchObject({ code: 0, out: '' })
  const lists = await partOf(readFileSync(file), 'xl/worksheets/sheet2.xml')
  for (const choice of [company.taxId, health, dental, 'titular', 'na inclusão']) expect(lists).toContain(`>${choice}<`)
  expect((await cli.run([...words, '11222333000181', '--yes'])).code).toBe(1)
})

test('the template of leavers has the reasons as a list, whose Portuguese words are read', async () => {
  const template = join(cli.folder, 'leavers.xlsx')
  expect(await cli.run(['exclude', 'template', '--output', template])).toMatchObject({ code: 0, out: '' })
  expect(await partOf(readFileSync(template), 'xl/worksheets/sheet2.xml')).toContain('>Pedido de demissão<')
  const leavers = `CPF;Fim da vigência;Motivo da exclusão\n${nextCpf()};30/11/2026;pedido de demissao\n`
  const file = await cli.file('leavers.csv', leavers)
  const { json } = await cli.run(['exclude', 'file', file, '--company-tax-id', company.taxId, '--dry-run', '--json'])
  expect(json.result).toMatchObject([{ lines: [2], offenses: ['member-not-found'] }])
})

test('a file of alterations, as CSV and as a workbook, alters what its cells state, and products by their names', async () => {
  const members = [primary(), primary()]
  await testApp.include(partner, company, members, '?resolution=approve')
  const [one, other] = members.map((member) => member['tax-id'])
  const template = join(cli.folder, 'alterations.xlsx')
  expect(await cli.run(['alter', 'template', '--output', template])).toMatchObject({ code: 0, out: '' })
  expect(await partOf(readFileSync(template), 'xl/worksheets/sheet1.xml')).toContain('>CPF correto<')
  const rows = [
    ['CNPJ da empresa', 'CPF', 'Telefone', 'Novo produto', 'Referência', 'Idade'],
    [company.taxId, one, '(11) 98765-4321', '', 'RH-1', '44'],
    [company.taxId, other, '', premium, '', ''],
    [company.taxId, nextCpf(), '-', '', '', ''],
  ]
  const text = await cli.file('alterations.csv', rows.map((row) => row.join(';')).join('\n'))
  const book = await cli.file('alterations.xlsx', bookOfRows(rows))
  for (const file of [text, book]) {
    const outcome = await cli.run(['alter', 'file', file, '--dry-run', '--warnings'])
    expect(outcome.code).toBe(1)
    const [warning, offenses = ''] = outcome.out.split('\n')
    expect(warning).toBe(`${file}: warning unknown-column Idade`)
    expect(offenses.replaceAll(/ \([^)]+\)/g, '')).toBe(`${file}:4: invalid-alteration-data; member-not-found`)
  }
  const sent = await cli.run(['alter', 'file', book, '--lenient', '--watch', '--resolution', 'approve'])
  expect(sent.err).toContain('2 of 3 members taken')
  expect(sent.code).toBe(5)
  const stored = await testApp.sql('select to_jsonb(member) as row from member where tax_id = $1', [one])
  expect(JSON.stringify(stored)).toContain('11987654321')
  const { result } = expectOk(await partner.get(`/v1/benefit?member-tax-id=${other}`)).body
  expect(result.map((benefit: Json) => benefit['product-name'])).toEqual([premium])
})

test('the same lines as CSV and as a workbook are the same batch, also those with offenses', async () => {
  const rows = [
    [...header.split(';'), 'Idade'],
    ['primary', '', '', 'Ana', '123', 'Rosa', '1990-05-17', 'female', '', health, 'on-inclusion-date', '44'],
    ['primary', '', '', 'Bia', nextCpf(), 'Rosa', '17/05/1990', 'F', '', dental, 'on-inclusion-date', ''],
  ]
  const files = [
    await cli.file('batch.csv', rows.map((row) => row.join(';')).join('\n')),
    await cli.file('batch.xlsx', bookOfRows(rows)),
  ]
  const [text, book] = await Promise.all(
    files.map((file) => cli.run(['include', file, '--dry-run', '--json', '--company-tax-id', company.taxId])),
  )
  expect(text?.json.result).toMatchObject([{ index: 0, lines: [2] }])
  expect({ ...book?.json, 'request-trace-id': null }).toEqual({ ...text?.json, 'request-trace-id': null })
})

test('a damaged workbook ends with 2 and says so, and another kind of workbook how to save it', async () => {
  const zip = await cli.file('members.xlsx', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0]))
  expect(await cli.run(['include', zip])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no workbook that can be read'),
  })
  const workbook = await cli.file('members.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  for (const words of [
    ['include', workbook],
    ['exclude', 'file', workbook],
    ['include', workbook, '--format', 'csv'],
  ]) {
    const outcome = await cli.run(words)
    expect([outcome.code, outcome.err]).toEqual([2, expect.stringContaining('is an Excel workbook (.xls)')])
    expect(outcome.err).toContain('Save it as .xlsx')
  }
})

test('offenses of CSV name all lines of the member; malformed lines are reported before anything is sent', async () => {
  const text = [
    header.replaceAll(';', ','),
    `primary,,,Ana,123,Rosa,1990-05-17,female,,${health},on-inclusion-date`,
    `primary,,,Ana,123,Rosa,1990-05-17,female,,${dental},on-inclusion-date`,
    `primary,,,"Bia, a segunda",${nextCpf()},Rosa,1990-05-17,female,ten,No such plan,on-inclusion-date`,
  ]
  const file = await cli.file('bad.csv', text.join('\n'))
  const outcome = await cli.run(['include', file, '--company-tax-id', company.taxId, '--dry-run'])
  expect(outcome.out.replaceAll(/ \([^)]+\)/g, '')).toBe(
    `${file}:2,3: invalid-tax-id\n${file}:4: invalid-salary; unknown-product\n`,
  )
  expect(outcome.code).toBe(1)
  const malformed = await cli.file('malformed.csv', [...text, `${text.at(-1)},too,many`].join('\n'))
  const refused = await cli.run(['include', malformed, '--company-tax-id', company.taxId, '--json'])
  expect(refused.code).toBe(1)
  expect(refused.json.result).toEqual([{ line: 5, offenses: ['malformed-line'] }])
  expect((await cli.run(['include', file])).err).toContain('--company-tax-id')
})

test('without the entitlement it says who grants it', async () => {
  const other = await testApp.company()
  const file = await cli.file('other.json', JSON.stringify({ 'company-tax-id': other.taxId, members: [primary()] }))
  const outcome = await cli.run(['include', file])
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('Not entitled to access this company')
  expect(outcome.err).toContain('vigencia entitlement grant')
})

test('the payroll of the tests passes whole through standard input', async () => {
  const payroll = readFileSync(new URL('../data/payroll-offenses.json', import.meta.url), 'utf8')
  const { members } = JSON.parse(payroll) as { members: Json[] }
  const body = JSON.stringify({ members: members.map(({ expect: _expected, ...member }) => member) })
  const put = ['company', 'put', 'test/data/company.json']
  expect((await cli.run(put)).code).toBe(0)
  expect((await cli.run(['entitlement', 'grant', partner.clientId, '7B4XK2M9000194'])).code).toBe(0)
  const outcome = await cli.run(['include', '-', '--company-tax-id', '7B4XK2M9000194', '--dry-run', '--json'], {
    stdin: body,
  })
  const offenses = new Map(outcome.json.result.map((one: Json) => [one.index, one.offenses]))
  expect(members.map((_one, index) => offenses.get(index) ?? [])).toEqual(members.map((one) => one.expect))
})

test('the same file has the same key after a broken connection, another one after a remembered refusal, with --again a new one', async () => {
  let mode: 'break' | 'take' | 'remembered' = 'break'
  const standIn = await openStandIn((call, response) => {
    if (mode === 'break') response.destroy()
    else if (mode === 'remembered' && String(call.headers['idempotency-key']).endsWith('-1"')) {
      respondJson(response, 400, { error: 'Invalid members', result: [] }, { 'idempotency-replayed': 'true' })
    } else respondJson(response, 200, { 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' })
  })
  const other = await openCli()
  await other.signIn(standIn.url, { partner: anyClient })
  const file = await other.file('one.json', batch(dependent('52998224725')))
  const keys = () => standIn.calls.splice(0).map((call) => call.headers['idempotency-key'])
  expect((await other.run(['include', file])).code).toBe(3)
  const [first] = keys()
  mode = 'take'
  expect((await other.run(['include', file])).code).toBe(0)
  expect(keys()).toEqual([first])
  mode = 'remembered'
  expect((await other.run(['include', file])).code).toBe(0)
  expect(keys()).toEqual([first, String(first).replace('-1"', '-2"')])
  mode = 'take'
  expect((await other.run(['include', file, '--again'])).code).toBe(0)
  expect((await other.run(['include', file, '--lenient'])).code).toBe(0)
  expect((await other.run(['include', file, '--dry-run'])).code).toBe(0)
  const [again, lenient, dry] = keys()
  expect(new Set([first, again, lenient]).size).toBe(3)
  expect(dry).toBeUndefined()
  await other.clear()
  await standIn.close()
})
