import { readdir, readFile as readBytes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bookOf, main, numberCell, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bradescoInvoice, hapvidaInvoice } from './carrier-bytes.ts'
import { computed, csv, filePath, linesOf, readFile, sendFile, upload } from '../../world/carrier-file.ts'
import { dependentOf, holder, ndjson, sendImport } from '../../world/import.ts'
import { openShipper } from '../../world/shipment.ts'
import { type ApiResponse, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const codeOf = ({ status, body }: ApiResponse) => [status, body.code]

async function importPeople(people: readonly Json[]): Promise<void> {
  expectOk(await sendImport(testApp.operator, ndjson(people)))
}

/** What the storage has. */
async function storedTexts(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((entry) => readBytes(join(entry.parentPath, entry.name), 'latin1')))
}

const matchOf = (line: Json) => [line['line-number'], line['matched-by'], line['member-name'], line['is-ambiguous']]

test('a line is matched by card, CPF with a repaired one, certificate, employee id with the name, or name with the birth, in this order', async () => {
  const shipper = await openShipper(testApp)
  const { company } = shipper
  const twins = { name: 'Gêmea Igual', 'date-of-birth': '1985-03-03' }
  const primary = holder(company, { name: 'Titular', 'employee-id': '0042' })
  const people = [
    holder(company, { name: 'Com Cartão', 'card-number': '0045 1120-7788' }),
    holder(company, { name: 'Com CPF', 'tax-id': '01234567890' }),
    primary,
    dependentOf(company, primary['tax-id'], { name: 'José da Silva' }),
    holder(company, twins),
    holder(company, twins),
    holder(company, { name: 'Só Nome', 'date-of-birth': '1977-07-07' }),
  ]
  await importPeople(people)
  const lines = [
    { 'card-number': '004511207788', name: 'Outro' },
    { 'tax-id': '1234567890' },
    { 'employee-id': '42', 'dependent-code': '01', name: 'JOSE  DA SILVA' },
    { name: 'GEMEA IGUAL', 'date-of-birth': '1985-03-03' },
    { name: 'so nome', 'date-of-birth': '1977-07-07', certificate: '0000077', 'dependent-code': '00' },
    { name: 'so nome', 'date-of-birth': '1977-07-08' },
    { 'tax-id': '00000000000', name: 'Ninguém' },
  ]
  const file = await upload(testApp, shipper, csv(lines))
  expect(file).toMatchObject({
    lines: 7,
    matches: {
      'card-number': 1,
      'tax-id': 1,
      'employee-id': 1,
      name: 1,
      ambiguous: 1,
      unmatched: 2,
      'repaired-tax-id': 1,
    },
  })
  const found = await linesOf(testApp, file['file-id'])
  expect(found.map(matchOf)).toEqual([
    [2, 'card-number', 'Com Cartão', false],
    [3, 'tax-id', 'Com CPF', false],
    [4, 'employee-id', 'José da Silva', false],
    [5, null, null, true],
    [6, 'name', 'Só Nome', false],
    [7, null, null, false],
    [8, null, null, false],
  ])
  expect(found[1]).toMatchObject({ 'tax-id': '01234567890', 'repaired-tax-id': true })
  // The next file has only the certificate.
  const next = await upload(
    testApp,
    { ...shipper, month: '2026-12' },
    csv([{ certificate: '77', 'dependent-code': '0', name: 'X' }]),
  )
  expect((await linesOf(testApp, next['file-id'])).map(matchOf)).toEqual([[2, 'certificate', 'Só Nome', false]])
  // Whatever the order of the lines.
  const turned = await upload(testApp, { ...shipper, month: '2026-10' }, csv(lines.toReversed()))
  const byName = (list: Json[]) =>
    list.map((one) => [one['matched-by'], one['member-name'], one['is-ambiguous']].join()).toSorted()
  const same = found.map((one: Json) => (one['matched-by'] === 'name' ? { ...one, 'matched-by': 'certificate' } : one))
  expect(byName(await linesOf(testApp, turned['file-id']))).toEqual(byName(same))
})

test('a line is linked by hand, audited, and the next file finds the benefit', async () => {
  const shipper = await openShipper(testApp)
  await importPeople([holder(shipper.company, { name: 'Casada Agora' })])
  const [benefit] = await testApp.sql<{ id: string }>('select id from benefit where company_id = $1', [
    shipper.company.id,
  ])
  const line = { 'card-number': '777', name: 'CASADA OUTRO' }
  const file = await upload(testApp, shipper, csv([line]))
  const url = `${filePath}/${file['file-id']}/line`
  const link = (number: number, id: string | null) =>
    testApp.operator.post(`${url}/${number}/link`, { 'benefit-id': id })
  expect(codeOf(await link(9, benefit!.id))).toEqual([404, 'carrier-line-not-found'])
  expect(codeOf(await link(2, unknown))).toEqual([400, 'invalid-body'])
  const linked = expectOk(await link(2, benefit!.id)).body.result
  expect(matchOf(linked)).toEqual([2, 'hand', 'Casada Agora', false])
  const next = await upload(testApp, { ...shipper, month: '2026-12' }, csv([line]))
  expect((await linesOf(testApp, next['file-id'])).map(matchOf)).toEqual([[2, 'card-number', 'Casada Agora', false]])
  expect(matchOf(expectOk(await link(2, null)).body.result)).toEqual([2, null, null, false])
  const actions = await testApp.sql<{ action: string }>(`select action from audit where target = $1 order by at`, [
    `${file['file-id']} line 2`,
  ])
  expect(actions.map(({ action }) => action)).toEqual(['carrier-line.linked', 'carrier-line.unlinked'])
})

test('who reconciles finds of whom a line may be, in the contract only, without CPFs and audited, and links it', async () => {
  const shipper = await openShipper(testApp)
  const other = await openShipper(testApp)
  const found = holder(shipper.company, { name: 'Zuleide Achada', 'employee-id': 'M-4711' })
  await importPeople([found, holder(other.company, { name: 'Zuleide Alheia' })])
  const file = await upload(testApp, shipper, csv([{ 'card-number': '778', name: 'Z ACHADA' }]))
  const finance = await testApp.operatorOf('finance')
  const find = (q: string, by = finance) =>
    by.get(`${filePath}/${file['file-id']}/benefit?${new URLSearchParams({ q }).toString()}`)
  const [member] = await testApp.sql<{ id: string }>('select id from member where company_id = $1', [
    shipper.company.id,
  ])
  const [benefit] = expectOk(await find('zuléide')).body.result
  expect(benefit).toMatchObject({ 'member-name': 'Zuleide Achada', type: 'primary', 'card-number': null })
  for (const q of [found['tax-id'], 'm-4711']) {
    const response = expectOk(await find(q))
    expect([q, response.body.result]).toEqual([q, [benefit]])
    expect(response.text).not.toContain(found['tax-id'])
  }
  expect(expectOk(await find('ninguém')).body.result).toEqual([])
  const audits = await testApp.sql(
    `select target, company_id from audit where actor = $1 and action = 'member.disclosed'`,
    [finance.clientId],
  )
  const audit = { target: member!.id, company_id: shipper.company.id }
  expect(audits).toEqual([audit, audit, audit])
  const link = { 'benefit-id': benefit['benefit-id'] }
  const linked = expectOk(await finance.post(`${filePath}/${file['file-id']}/line/2/link`, link)).body.result
  expect(matchOf(linked)).toEqual([2, 'hand', 'Zuleide Achada', false])
  expect((await find('zuleide', await testApp.operatorOf('auditor'))).status).toBe(403)
  expect(codeOf(await finance.get(`${filePath}/${unknown}/benefit?q=zuleide`))).toEqual([404, 'carrier-file-not-found'])
  expect((await find('a')).status).toBe(400)
})

test('the same bytes are the same file, and one that says another contract or month is refused', async () => {
  const shipper = await openShipper(testApp, { 'sub-contract': '0002' })
  const row = {
    'contract-number': '900001',
    'sub-contract': '2',
    'reference-month': '2026-11',
    name: 'A',
    'card-number': '1',
  }
  const bytes = csv([row])
  const first = await sendFile(testApp, shipper, bytes)
  expect(first.status).toBe(202)
  const id = first.body.result['file-id']
  await readFile(testApp, id)
  const again = await sendFile(testApp, shipper, bytes)
  expect([again.status, again.body.result['file-id'], again.body.result.status]).toEqual([200, id, 'read'])
  const others = [
    [{ ...row, 'contract-number': '900002' }, 409, 'another-contract', '900002'],
    [{ ...row, 'sub-contract': '3' }, 409, 'another-contract', '3'],
    [{ ...row, 'reference-month': '2026-10' }, 409, 'another-period', '2026-10'],
  ] as const
  for (const [other, status, code, found] of others) {
    const response = await sendFile(testApp, shipper, csv([other]))
    expect([...codeOf(response), response.body.found]).toEqual([status, code, found])
  }
  const beside = await upload(testApp, shipper, csv([row, { ...row, 'sub-contract': '3' }]))
  expect(beside).toMatchObject({ lines: 1, 'other-lines': 1 })
  expect(
    (await testApp.operator.get(`${filePath}?kind=roster&contract-id=${shipper.contractId}`)).body.pagination[
      'total-items'
    ],
  ).toBe(2)
  const content = await testApp.operator.get(`${filePath}/${id}/content`)
  expect(content.text).toBe(bytes)
})

test('what cannot be read is refused, and a line with a bad amount is a refused line', async () => {
  const shipper = await openShipper(testApp)
  const invoice = { ...shipper, kind: 'invoice' } as const
  expect(codeOf(await sendFile(testApp, { ...shipper, contractId: unknown }, 'a'))).toEqual([404, 'contract-not-found'])
  expect(codeOf(await sendFile(testApp, { ...shipper, layout: 'nothing' }, 'a'))).toEqual([404, 'layout-not-found'])
  expect(codeOf(await sendFile(testApp, { ...shipper, layout: 'mecsas' }, 'a'))).toEqual([400, 'invalid-parameter'])
  expect(codeOf(await sendFile(testApp, shipper, ''))).toEqual([400, 'invalid-body'])
  expect(codeOf(await sendFile(testApp, shipper, 'nada;disso\n1;2\n'))).toEqual([400, 'invalid-body'])
  expect(codeOf(await sendFile(testApp, shipper, 'name\n'))).toEqual([400, 'invalid-body'])
  const tooMany = `name\n${'A\n'.repeat(100_001)}`
  expect(codeOf(await sendFile(testApp, shipper, tooMany))).toEqual([400, 'invalid-body'])
  expect(codeOf(await sendFile(testApp, { ...shipper, type: 'application/pdf' }, '%PDF'))).toEqual([
    415,
    'unsupported-media-type',
  ])
  const file = await upload(
    testApp,
    invoice,
    csv([
      { name: 'A', amount: '412,35' },
      { name: 'B', amount: '412,355' },
    ]),
  )
  expect(file).toMatchObject({
    lines: 2,
    'refused-lines': 1,
    'computed-total': 41_235,
    'declared-total': null,
    'total-differs': null,
  })
  const [refused] = await linesOf(testApp, file['file-id'], '&match=refused')
  expect(refused).toMatchObject({
    name: null,
    amount: null,
    problems: [{ column: 'amount', target: 'invoice.amount', code: 'invalid' }],
  })
})

test('an invoice with headings that the layout does not know is refused before it is stored, with what is missing and what it has', async () => {
  const shipper = await openShipper(testApp)
  const invoice = { ...shipper, kind: 'invoice' } as const
  const detailsOf = async (text: string) => {
    const refused = await sendFile(testApp, invoice, text)
    expect(codeOf(refused)).toEqual([400, 'invalid-body'])
    return refused.body.details.map(({ field, code }: Json) => [field, code])
  }
  const whom = ['card-number', 'certificate', 'tax-id', 'employee-id', 'name'].map((name) => [name, 'missing'])
  expect(await detailsOf('Beneficiário;Vlr Cobrado\nHelena Brandão;412,35\n')).toEqual([
    ['file', 'invalid'],
    ['amount', 'missing'],
    ...whom,
    ['Beneficiário', 'unknown'],
    ['Vlr Cobrado', 'unknown'],
  ])
  // The amount alone says nothing of whom it is charged for.
  expect(await detailsOf('Relatório\n\nBeneficiário;amount\nHelena Brandão;412,35\n')).toEqual([
    ['file', 'invalid'],
    ...whom,
    ['Beneficiário', 'unknown'],
  ])
  // The first lines are no headings: data of people are not repeated.
  expect(await detailsOf('Helena Brandão;52998224725\n')).toEqual([['file', 'invalid'], ['amount', 'missing'], ...whom])
  const { body } = expectOk(await testApp.operator.get(`${filePath}?contract-id=${shipper.contractId}`))
  expect(body.result).toEqual([])
})

test('Bradesco’s invoice gives the total of its trailer to the cent, with codes from 50 on as credits, and says when it differs', async () => {
  const shipper = await openShipper(testApp, { 'contract-number': '900001', 'sub-contract': '2' })
  const bradesco = { ...shipper, kind: 'invoice', layout: 'bradesco-invoice', type: 'text/plain' } as const
  const entries = [
    { name: 'A', code: '01', amount: 41_235 },
    { name: 'B', code: '01', amount: 41_235 },
    { name: 'D', type: 'IR', code: '03', period: '102026', amount: 48_245 },
    { name: 'E', type: 'CR', code: '55', amount: 41_235 },
    { name: 'F', code: '01', amount: 70_631 },
    { name: 'G', code: '01', amount: 81_579 },
  ]
  const file = await upload(testApp, bradesco, bradescoInvoice('900001', '202611', '0002', entries, 241_690))
  expect(file).toMatchObject({ lines: 6, 'declared-total': 241_690, 'computed-total': 241_690, 'total-differs': 0 })
  const lines = await linesOf(testApp, file['file-id'])
  expect(lines[2]).toMatchObject({
    'entry-type': 'inclusion-retroactive',
    'entry-code': '03',
    'entry-period': '2026-10',
    amount: 48_245,
  })
  expect(lines[3]).toMatchObject({ 'entry-type': 'cancellation-retroactive', amount: -41_235 })
  const wrong = await upload(testApp, bradesco, bradescoInvoice('900001', '202611', '0002', entries, 241_691))
  expect(wrong).toMatchObject({ status: 'read', 'total-differs': 1 })
  const other = await sendFile(testApp, bradesco, bradescoInvoice('900009', '202611', '0002', entries, 1))
  expect([...codeOf(other), other.body.found]).toEqual([409, 'another-contract', '900009'])
  expect(codeOf(await sendFile(testApp, bradesco, bradescoInvoice('900001', '202610', '0002', entries, 1)))).toEqual([
    409,
    'another-period',
  ])
})

test('Hapvida’s invoice is read with any separator, until its history', async () => {
  const shipper = await openShipper(testApp, { 'carrier-company-code': '4711' })
  for (const [index, separator] of ['\t', ';', ','].entries()) {
    const hapvida = { ...shipper, kind: 'invoice', layout: 'hapvida-invoice', month: `2026-0${index + 1}` } as const
    const file = await upload(testApp, hapvida, hapvidaInvoice('4711', separator, [21_000, 25_050]))
    expect(file).toMatchObject({ lines: 2, 'computed-total': 46_050, 'refused-lines': 0 })
  }
})

test('a workbook with CPFs as numbers, days as serial numbers and headings below a merged title is read', async () => {
  const shipper = await openShipper(testApp)
  await importPeople([holder(shipper.company, { name: 'De Planilha', 'tax-id': '01234567890' })])
  const rows = [
    rowOf([textCell('Cadastro de beneficiários')]),
    rowOf([]),
    rowOf(['tax-id', 'name', 'date-of-birth', 'start-date'].map(textCell)),
    rowOf([numberCell(1_234_567_890), textCell('De Planilha'), numberCell(29_280, 1), textCell('2024-03-01')]),
  ]
  const merged = '<mergeCells count="1"><mergeCell ref="A1:D2"/></mergeCells>'
  const xml = Buffer.from(`<worksheet ${main}><sheetData>${rows.join('')}</sheetData>${merged}</worksheet>`)
  const book = bookOf({ styles: [0, 14], sheets: [{ name: 'Planilha1', xml }] })
  const file = await upload(testApp, { ...shipper, layout: 'generic-xlsx-roster', type: xlsxType }, book)
  const [line] = await linesOf(testApp, file['file-id'])
  expect(line).toMatchObject({
    'tax-id': '01234567890',
    'repaired-tax-id': true,
    'date-of-birth': '1980-02-29',
    'matched-by': 'tax-id',
  })
})

test('co-participation is the total of each person: neither tables nor stored files have what was used', async () => {
  const shipper = await openShipper(testApp)
  await importPeople([holder(shipper.company, { name: 'Quem Usou', 'card-number': '1' })])
  const use = (name: string, amount: string) => [
    '02',
    '05/11/2026',
    '00',
    name,
    'CLINICA SEGREDO',
    'meio',
    '1',
    'CONSULTA SIGILOSA',
    '',
    '',
    '',
    '',
    amount,
    '',
    'PROC-40304',
    '1',
    '0000012',
    '7',
    '0001',
  ]
  const bytes = [
    ['01', 'Empresa', '', '', 'Quem Usou', ''],
    use('Quem Usou', '30,00'),
    use('Quem Usou', '12,50'),
    use('Outra Pessoa', '8,00'),
  ]
    .map((cells) => `${cells.join(';')}\r\n`)
    .join('')
  const copay = { ...shipper, kind: 'coparticipation', layout: 'bradesco-coparticipation' } as const
  const file = await upload(testApp, copay, bytes)
  expect(file).toMatchObject({ lines: 2, 'computed-total': 5_050, 'is-stored': false })
  const lines = await linesOf(testApp, file['file-id'])
  expect(lines.map((line) => [line.name, line.amount, line['entry-type']])).toEqual([
    ['Quem Usou', 4_250, 'coparticipation'],
    ['Outra Pessoa', 800, 'coparticipation'],
  ])
  expect(codeOf(await testApp.operator.get(`${filePath}/${file['file-id']}/content`))).toEqual([
    404,
    'carrier-file-not-stored',
  ])
  const tables = await testApp.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { name } of tables) {
    const [{ has } = { has: true }] = await testApp.sql<{ has: boolean }>(
      `select exists (select 1 from "${name}" one where one::text ~ 'SEGREDO|SIGILOSA|40304') as has`,
    )
    expect([name, has]).toEqual([name, false])
  }
  for (const stored of await storedTexts(testApp.dataDir)) expect(stored).not.toMatch(/SEGREDO|SIGILOSA|40304/)
})

test('a file is deleted with its comparison, unless somebody worked with it; roles', async () => {
  const shipper = await openShipper(testApp)
  const file = await upload(testApp, shipper, csv([{ name: 'A', 'card-number': '5' }]))
  const id = file['file-id']
  const made = await testApp.operator.post('/operator/v1/reconciliation', { 'carrier-file-id': id })
  expect(made.status).toBe(202)
  const again = await testApp.operator.post('/operator/v1/reconciliation', { 'carrier-file-id': id })
  expect([again.status, again.body.result['reconciliation-id']]).toEqual([200, made.body.result['reconciliation-id']])
  const change = () =>
    testApp.operator.post(`/operator/v1/reconciliation/${made.body.result['reconciliation-id']}/discrepancy`, {
      filter: {},
      status: 'accepted',
    })
  await computed(testApp, made.body.result['reconciliation-id'])
  expectOk(await change())
  expect(codeOf(await testApp.operator.delete(`${filePath}/${id}`))).toEqual([409, 'carrier-file-in-use'])
  expectOk(
    await testApp.operator.post(`/operator/v1/reconciliation/${made.body.result['reconciliation-id']}/discrepancy`, {
      filter: {},
      status: 'open',
    }),
  )
  expect((await testApp.operator.delete(`${filePath}/${id}`)).status).toBe(204)
  expect(codeOf(await testApp.operator.get(`${filePath}/${id}`))).toEqual([404, 'carrier-file-not-found'])
  expect(
    codeOf(await testApp.operator.get(`/operator/v1/reconciliation/${made.body.result['reconciliation-id']}`)),
  ).toEqual([404, 'reconciliation-not-found'])
  const copay = await upload(testApp, { ...shipper, kind: 'coparticipation' }, csv([{ name: 'A', amount: '1,00' }]))
  expect(
    codeOf(await testApp.operator.post('/operator/v1/reconciliation', { 'carrier-file-id': copay['file-id'] })),
  ).toEqual([400, 'invalid-body'])
  const auditor = await testApp.operatorOf('auditor')
  expect((await sendFile({ ...testApp, operator: auditor }, shipper, 'name\nA\n')).status).toBe(403)
  expect((await auditor.get(filePath)).status).toBe(200)
  const finance = await testApp.operatorOf('finance')
  expect((await sendFile({ ...testApp, operator: finance }, shipper, 'name\nB\n')).status).toBe(202)
})
