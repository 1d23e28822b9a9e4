import { describe, expect, test } from 'vitest'
import { contractBody, makeContract } from '../../world/contract.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const path = '/operator/v1/layout'
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

const columns = [
  { at: 1, length: 1, literal: '2' },
  { at: 2, length: 20, source: 'person.name', format: 'upper-ascii', required: true },
  { at: 22, length: 8, source: 'person.date-of-birth', format: 'date:ddMMyyyy' },
  { at: 30, length: 5, source: 'plan.carrier-plan-code', required: true },
]
const body = (more: Json = {}): Json => ({
  name: 'Operadora Aurora: movimentação',
  direction: 'movement',
  source: 'Manual da operadora, versão 3',
  definition: { format: 'fixed-width', 'record-length': 40, records: [{ name: 'movement', columns }] },
  ...more,
})
const answerBody = body({
  name: 'Operadora Aurora: retorno',
  direction: 'acknowledgement',
  definition: {
    format: 'csv',
    encoding: 'windows-1252',
    'header-lines': ['headings'],
    records: [
      {
        name: 'answer',
        columns: [
          { heading: 'CPF', target: 'person.tax-id', required: true },
          { heading: 'Situação', target: 'acknowledgement.outcome', map: { OK: 'accepted', NOK: 'refused' } },
          { heading: 'CID', drop: true },
        ],
      },
    ],
  },
})

const create = async (layout: Json): Promise<Json> => expectOk(await testApp.operator.post(path, layout)).body.result
const problemsOf = ({ status, body: { code, details } }: ApiResponse) => [
  status,
  code,
  details?.map(({ field, code: detail }: Json) => [field, detail]),
]

describe('a layout', () => {
  test('is what was sent, in its first version', async () => {
    const made = await create(body())
    expect(made).toEqual({
      ...body(),
      'layout-id': expect.stringMatching(/^[\da-f-]{36}$/),
      version: 1,
      format: 'fixed-width',
      'built-in': false,
      'updated-at': expect.any(String),
    })
    const read = async (query = '') => testApp.operator.get(`${path}/${made['layout-id']}${query}`)
    expect(expectOk(await read()).body.result).toEqual(made)
    expect(expectOk(await read('?version=1')).body.result).toEqual(made)
    expect(problemsOf(await read('?version=2'))).toEqual([404, 'layout-not-found', undefined])
    expect(problemsOf(await testApp.operator.get(`${path}/${unknown}`))).toEqual([404, 'layout-not-found', undefined])
  })

  test('that cannot be used is refused with all of its errors, in words', async () => {
    const wrong = body({
      definition: {
        format: 'fixed-width',
        'record-length': 10,
        records: [{ name: 'one', columns: [...columns, { at: 3, length: 2, source: 'person.salary' }] }],
      },
    })
    expect(problemsOf(await testApp.operator.post(path, wrong))).toEqual([
      400,
      'invalid-body',
      [
        ['definition.records[0].columns[4].source', 'invalid'],
        ['definition.records[0].columns[1].length', 'invalid'],
        ['definition.records[0].columns[2].length', 'invalid'],
        ['definition.records[0].columns[3].length', 'invalid'],
      ],
    ])
    wrong.definition.records[0].columns = [{ ...columns[0], source: 'person.name' }, ...columns.slice(1)]
    const response = await testApp.operator.post(path, wrong, { 'accept-language': 'pt-BR' })
    expect(response.body.details.map(({ field, message }: Json) => [field, message])).toEqual([
      ['definition.records[0].columns[1].length', expect.stringContaining('Termina depois do caractere 10')],
      ['definition.records[0].columns[2].length', expect.stringContaining('Termina depois do caractere 10')],
      ['definition.records[0].columns[3].length', expect.stringContaining('Termina depois do caractere 10')],
      ['definition.records[0].columns[0]', expect.stringContaining('exatamente um destes: literal, source, total')],
    ])
  })

  test('has as many columns as a file can have in all of its records', async () => {
    const records = (count: number) =>
      Array.from({ length: count }, (_, record) => ({
        name: `record-${record}`,
        columns: Array.from({ length: 200 }, (__, n) => ({ heading: `Coluna ${n}`, source: 'person.name' })),
      }))
    const of = (count: number) => body({ definition: { format: 'csv', records: records(count) } })
    await create(of(5))
    const refused = await testApp.operator.post(path, of(6))
    expect(problemsOf(refused)).toEqual([400, 'invalid-body', [['definition.records', 'invalid']]])
    expect(refused.body.details[0].message).toContain('more than 1,000 columns')
  })

  test('is replaced while no shipment used it, and then gets another version', async () => {
    const made = await create(body())
    const id = made['layout-id']
    const put = async (more: Json) => testApp.operator.put(`${path}/${id}`, body(more))
    expect(expectOk(await put({ name: 'Outro' })).body.result).toMatchObject({ name: 'Outro', version: 1 })
    const contract = await makeContract(testApp, company, { 'contract-number': 'USED' })
    await testApp.sql(
      `update shipment set status = 'closed', layout_id = $1, layout_version = 1, closed_at = now() where contract_id = $2`,
      [id, contract['contract-id']],
    )
    expect(expectOk(await put({ name: 'Novo' })).body.result).toMatchObject({ name: 'Novo', version: 2 })
    expect(expectOk(await put({ name: 'Novo 2' })).body.result).toMatchObject({ name: 'Novo 2', version: 2 })
    expect(expectOk(await testApp.operator.get(`${path}/${id}?version=1`)).body.result.name).toBe('Outro')
    expect(problemsOf(await put({ ...answerBody }))).toEqual([400, 'invalid-body', [['direction', 'invalid']]])
    expect(problemsOf(await testApp.operator.put(`${path}/${unknown}`, body()))).toEqual([
      404,
      'layout-not-found',
      undefined,
    ])
  })

  test('that is built in is read and copied, not changed', async () => {
    const { result } = expectOk(await testApp.operator.get(`${path}/mecsas`)).body
    expect(result).toMatchObject({ 'layout-id': 'mecsas', version: 1, 'built-in': true, 'updated-at': null })
    const { name, direction, source, definition } = result
    const copy = { name: `${name} (cópia)`, direction, source, definition }
    expect(problemsOf(await testApp.operator.put(`${path}/mecsas`, copy))).toEqual([409, 'layout-built-in', undefined])
    expect((await create(copy)).definition).toEqual(definition)
  })

  test('is in the list, in its latest version, without its definition', async () => {
    const made = await create(answerBody)
    const list = async (query: string) => expectOk(await testApp.operator.get(`${path}?${query}`)).body
    const { result, pagination } = await list('direction=acknowledgement&items-per-page=500')
    const { definition: _, ...summary } = made
    expect(result).toContainEqual(summary)
    expect(result.map((one: Json) => one['layout-id'])).toEqual(
      expect.arrayContaining(['generic-csv-acknowledgement', 'mecsas-acknowledgement']),
    )
    expect(new Set(result.map((one: Json) => one.direction))).toEqual(new Set(['acknowledgement']))
    expect(pagination['total-items']).toBe(result.length)
    const names = (await list('items-per-page=500')).result.map((one: Json) => one.name)
    expect(names).toEqual(names.toSorted((one: string, other: string) => one.localeCompare(other, 'pt-BR')))
    expect((await list('items-per-page=2&page=2')).result).toHaveLength(2)
  })

  test('is read by the roles that see contracts, and written by analysts', async () => {
    for (const role of ['finance', 'auditor']) {
      const operator = await testApp.operatorOf(role)
      expectOk(await operator.get(path))
      expect((await operator.post(path, body())).status).toBe(403)
      expect((await operator.post(`${path}/generic-csv/preview`, { 'enrollment-ids': [unknown] })).status).toBe(403)
    }
    expect((await partner.get(path)).status).toBe(401)
  })
})

describe('a contract', () => {
  test('names the layouts of its files, which exist and have their direction', async () => {
    const answer = await create(answerBody)
    const layouts = { movement: 'generic-csv', acknowledgement: answer['layout-id'] }
    const contract = await makeContract(testApp, company, { 'contract-number': 'LAYOUTS', layouts })
    expect(contract.layouts).toEqual({ ...layouts, roster: null, invoice: null, coparticipation: null })
    const put = (more: Json) =>
      testApp.operator.put(
        `/operator/v1/contract/${contract['contract-id']}`,
        contractBody(company, { 'contract-number': 'LAYOUTS', ...more }),
      )
    const refused = await put({ layouts: { movement: answer['layout-id'], roster: unknown } })
    expect(problemsOf(refused)).toEqual([
      400,
      'invalid-body',
      [
        ['layouts.movement', 'invalid'],
        ['layouts.roster', 'unknown'],
      ],
    ])
    expect(expectOk(await put({ layouts: { movement: null } })).body.result.layouts.movement).toBe(null)
  })
})

describe('a preview', () => {
  const preview = (id: string, sent: unknown, headers: Record<string, string> = {}) =>
    testApp.operator.post(`${path}/${id}/preview`, sent, headers)

  test('of movements shows the lines under a ruler, and in words what keeps a movement out', async () => {
    const { 'layout-id': id } = await create(body())
    const [mother, other] = [primary(), primary({ name: 'Maria Antonieta Albuquerque' })]
    const child = dependent(mother['tax-id'])
    const request = await testApp.include(partner, company, [mother, child, other])
    const ids = [mother, child, other].map((one) => request['status-by-tax-id'][one['tax-id']][health]['enrollment-id'])
    const { result } = expectOk(await preview(id, { 'enrollment-ids': ids }, { 'accept-language': 'pt-BR' })).body
    expect(result.lines).toEqual([])
    expect(result.ruler).toBe('....:....1....:....2....:....3....:....4')
    const items = new Map<string, Json[]>(result.items.map((item: Json) => [item['enrollment-id'], item.problems]))
    expect(ids.map((one) => items.get(one)?.map(({ code }) => code))).toEqual([
      ['plan-code-missing'],
      ['plan-code-missing', 'primary-not-in-shipment'],
      ['value-too-long', 'plan-code-missing'],
    ])
    expect(items.get(ids[2])?.[0]).toEqual({
      code: 'value-too-long',
      field: 'person.name',
      column: '2',
      message: '“Nome” é mais longo que a coluna 2. Abrevie-o ou permita o corte no leiaute.',
    })
    await makeContract(testApp, company, {
      'contract-number': 'PREVIEW',
      plans: [{ 'product-id': company.products[health], 'carrier-plan-code': 'AE12' }],
    })
    const shown = expectOk(await preview(id, { 'enrollment-ids': ids.slice(0, 2) })).body.result
    expect(shown.lines).toEqual([
      { sheet: null, line: 1, text: '2HELENA BRANDAO SOUZA17051990AE12'.padEnd(40) },
      { sheet: null, line: 2, text: '2DAVI BRANDAO SOUZA  31012020AE12'.padEnd(40) },
    ])
    const rows = expectOk(await preview('universal-workbook', { 'enrollment-ids': ids.slice(0, 1) })).body.result
    expect(rows.ruler).toBe(null)
    const family = rows.lines.filter(({ sheet }: Json) => sheet === 'Inclusão grupo familiar')
    expect(family.map(({ line }: Json) => line)).toEqual([1, 2])
    expect(family[1].text).toContain('Helena Brandão Souza')
  })

  test('of a file shows what is read, and in words what is refused', async () => {
    const { 'layout-id': id } = await create(answerBody)
    const file = Buffer.from('CPF;Situação;CID\r\n52998224725;OK;F32\r\n123;SIM;\r\n', 'latin1')
    const { result } = expectOk(await preview(id, file, { 'content-type': 'text/csv' })).body
    expect(result).toEqual({
      counts: { read: 1, refused: 1, skipped: 1 },
      lines: [
        {
          line: 2,
          record: 'answer',
          values: { 'person.tax-id': '52998224725', 'acknowledgement.outcome': 'accepted' },
        },
      ],
      refused: [
        {
          line: 3,
          cells: [
            {
              column: 'CPF',
              target: 'person.tax-id',
              code: 'invalid',
              message: 'The column CPF does not have a value of its format.',
            },
            {
              column: 'Situação',
              target: 'acknowledgement.outcome',
              code: 'no-code',
              message: 'The layout does not know the code in the column Situação. Add it to a copy of the layout.',
            },
          ],
        },
      ],
    })
  })

  test('of another file says which columns were expected', async () => {
    const { 'layout-id': id } = await create(answerBody)
    const other = await preview(id, 'Nome;Plano\r\nAna;X\r\n', { 'content-type': 'text/csv' })
    expect(problemsOf(other)).toEqual([
      400,
      'invalid-body',
      [
        ['file', 'invalid'],
        ['CPF', 'missing'],
        ['Nome', 'unknown'],
        ['Plano', 'unknown'],
      ],
    ])
    expect(other.body.details[0].message).toContain('CPF, Situação')
    const archive = await preview(id, Buffer.from('PK\x03\x04'), { 'content-type': 'text/csv' })
    expect(archive.status).toBe(415)
    expect((await preview(id, { 'enrollment-ids': [unknown] })).status).toBe(415)
    expect((await preview('generic-csv', 'CPF', { 'content-type': 'text/csv' })).status).toBe(415)
    expect(problemsOf(await preview('generic-csv', { 'enrollment-ids': [unknown] }))).toEqual([
      400,
      'invalid-body',
      [['enrollment-ids[0]', 'unknown']],
    ])
    expect(problemsOf(await preview('generic-csv', { 'enrollment-ids': [] }))[0]).toBe(400)
    expect(problemsOf(await preview(unknown, { 'enrollment-ids': [unknown] }))[0]).toBe(404)
  })
})

// The last one: afterwards there is no room for another layout.
test('an installation has up to 500 layouts, and of two that come at once the last place has one', async () => {
  const { 'layout-id': id } = await create(body())
  await testApp.sql(
    `insert into layout (id, version, name, direction, format, definition, created_at, updated_at)
     select gen_random_uuid(), 1, name, direction, format, definition, now(), now() from layout
     cross join generate_series(1, 499 - (select count(distinct id) from layout)) where id = $1`,
    [id],
  )
  const responses = await Promise.all([body(), body()].map((one) => testApp.operator.post(path, one)))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const refused = responses.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ code: 'too-many-layouts', error: 'There are 500 layouts already' })
  expectOk(await testApp.operator.put(`${path}/${id}`, body({ name: 'Outro' })))
})
