import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { ROSTER_LINE_OFFENSES } from '#kernel/roster-syncs.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { universalWorkbook } from '#registry/layouts/built-in/universal-workbook.ts'
import { readViolations } from '../../crash/invariants.ts'
import { bookOf, bookOfRows, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { csv, ndjson } from '../../world/import.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  health,
  type Json,
  nextCpf,
  until,
  useTestApp,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

/* How a list of who should be covered gets in: its statement, its file, and the lines that are read of it. */

const testApp = useTestApp()
/** Without a worker: what is sent stays as it is. */
const still = useTestApp({ VIGENCIA_ROLE: 'api' })

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json', xlsx: xlsxType } as const
type Format = keyof typeof types

interface Tenant {
  readonly company: Company
  readonly partner: Client
}

async function tenant(app = testApp): Promise<Tenant> {
  const company = await app.company()
  return { company, partner: await app.partner(company.taxId) }
}

const create = ({ company, partner }: Tenant, more: Json = {}, client = partner, api = '/v1'): Promise<ApiResponse> =>
  client.post(`${api}/roster-sync`, { 'company-tax-id': company.taxId, states: [], ...more })
const created = async (of: Tenant, more: Json = {}): Promise<string> =>
  expectOk(await create(of, more)).body.result['roster-sync-id']
const put = (
  client: Client,
  id: string,
  body: string | Buffer,
  format: Format,
  { query = '', api = '/v1', headers = {} }: { query?: string; api?: string; headers?: Record<string, string> } = {},
): Promise<ApiResponse> =>
  client.put(`${api}/roster-sync/${id}/file${query}`, body, { 'content-type': types[format], ...headers })
const read = async (client: Client, id: string, api = '/v1'): Promise<Json> =>
  expectOk(await client.get(`${api}/roster-sync/${id}`)).body.result
/** Once its list was read. */
const finished = ({ partner }: Tenant, id: string): Promise<Json> =>
  until(
    () => read(partner, id),
    ({ status }) => status !== 'reading',
  )

/** A trigger is not possible then. */
const isDistributed = inject('nodeUrls').length > 1

/** The lines of a list are kept for the tests: the service deletes them when it was compared. */
beforeAll(async () => {
  if (isDistributed) return
  await testApp.sql(
    `create table kept_line (sync_id uuid, position integer, line integer, tax_id text, data jsonb, offenses text[]);
     create function keep_line() returns trigger language plpgsql as $$ begin
       insert into kept_line values (new.sync_id, new.position, new.line, new.tax_id, new.data, new.offenses); return new; end $$;
     create trigger keep_line after insert on roster_line for each row execute function keep_line()`,
  )
})

async function linesOf(id: string): Promise<Json[]> {
  const rows = await testApp.sql(
    'select line, tax_id, data, offenses from kept_line where sync_id = $1 order by position',
    [id],
  )
  return rows.map(({ line, tax_id, data, offenses }) => ({ line, taxId: tax_id, ...data, offenses }))
}

/** Sends a list to a new sync. @returns the sync once the list was read. */
async function sent(of: Tenant, body: string | Buffer, format: Format, more: Json = {}, query = ''): Promise<Json> {
  const id = await created(of, more)
  const response = await put(of.partner, id, body, format, { query })
  expect([200, 202]).toContain(response.status)
  const sync = await finished(of, id)
  if (sync.status === 'comparing') await of.partner.post(`/v1/roster-sync/${id}/cancel`)
  return sync
}

const [mother, child, leaver] = [nextCpf(), nextCpf(), nextCpf()]
const people: Json[] = [
  {
    'beneficiary-type': 'primary',
    'tax-id': mother,
    name: 'Lúcia Ferraz Brandão',
    'date-of-birth': '1984-02-11',
    'employee-id': 'V-0912',
    'admission-date': '2026-12-01',
    salary: 523_050,
    phone: '011 98765-4321',
    'product-name': 'Saúde Essencial',
    'start-option': 'on-admission-date',
    reference: 'linha 1',
  },
  {
    'tax-id': child,
    'primary-member-tax-id': mother,
    'dependent-type': 'child',
    name: 'Helena Ferraz Brandão',
    'product-name': 'Saúde Essencial',
    'card-number': '0045 1120',
    'start-date': '2026-01-01',
  },
  {
    'beneficiary-type': 'primary',
    'tax-id': leaver,
    'product-name': 'Saúde Essencial',
    'end-date': '2026-12-31',
    'exclusion-reason': 'dismissal',
    contributed: true,
    'contribution-months': 40,
    'extension-plan': false,
  },
]
const columns = [...new Set(people.flatMap((person) => Object.keys(person)))]
const rows = [columns, ...people.map((person) => columns.map((name) => String(person[name] ?? '')))]
const exclusionKeys = ['end-date', 'exclusion-reason', 'contributed', 'contribution-months', 'extension-plan']
const members = people.map((person) => {
  const own = Object.entries(person).filter(
    ([name]) => !exclusionKeys.includes(name) && !['product-name', 'start-option'].includes(name),
  )
  const details = Object.entries(person).filter(([name]) => exclusionKeys.includes(name))
  const product = { name: person['product-name'], 'start-option': person['start-option'] ?? null }
  return {
    ...Object.fromEntries(own),
    products: { 'health-insurance': [product] },
    ...(details.length > 0 && { 'exclusion-details': Object.fromEntries(details) }),
  }
})
const nothing = {
  role: null,
  primaryTaxId: null,
  dependentType: null,
  profile: {},
  productName: null,
  startOption: null,
  exclusion: null,
  carrier: {},
  reference: null,
  offenses: [],
}

describe('a list', () => {
  test.skipIf(isDistributed)('has the same lines in every format', async () => {
    const of = await tenant()
    const lists: readonly (readonly [Format, string | Buffer])[] = [
      ['csv', csv(people)],
      ['csv', Buffer.from(csv(people), 'latin1')],
      ['ndjson', ndjson(people)],
      ['ndjson', ndjson(members)],
      ['json', JSON.stringify({ members })],
      ['xlsx', bookOfRows(rows)],
    ]
    const expected = [
      {
        ...nothing,
        taxId: mother,
        role: 'primary',
        profile: {
          name: 'Lúcia Ferraz Brandão',
          'date-of-birth': '1984-02-11',
          'employee-id': 'V-0912',
          'admission-date': '2026-12-01',
          salary: 523_050,
          phone: '11987654321',
        },
        productName: 'Saúde Essencial',
        startOption: 'on-admission-date',
        reference: 'linha 1',
      },
      {
        ...nothing,
        taxId: child,
        role: 'dependent',
        primaryTaxId: mother,
        dependentType: 'child',
        profile: { name: 'Helena Ferraz Brandão' },
        productName: 'Saúde Essencial',
        carrier: { 'card-number': '0045 1120', 'start-date': '2026-01-01' },
      },
      {
        ...nothing,
        taxId: leaver,
        role: 'primary',
        productName: 'Saúde Essencial',
        exclusion: {
          'end-date': '2026-12-31',
          'exclusion-reason': 'dismissal',
          contributed: true,
          'contribution-months': 40,
          'extension-plan': false,
        },
      },
    ]
    for (const [format, body] of lists) {
      const sync = await sent(of, body, format, { states: ['people', 'dependents', 'products'] })
      expect(sync).toMatchObject({ lines: 3, 'refused-lines': 0, problems: [], warnings: [], 'sheets-not-read': [] })
      const lines = await linesOf(sync['roster-sync-id'])
      expect(lines.map(({ line: _line, ...rest }) => rest)).toEqual(expected)
      expect(lines.map(({ line }) => line)).toEqual(['csv', 'xlsx'].includes(format) ? [2, 3, 4] : [1, 2, 3])
    }
  })

  test.skipIf(isDistributed)('has Portuguese headings and words, and those of the profile of its company', async () => {
    const of = await tenant()
    expectOk(
      await of.partner.put(`/v1/column-profile/${of.company.taxId}`, {
        columns: [{ heading: 'Convênio', field: 'product-name' }],
        values: [{ field: 'product-name', value: 'básico', as: health }],
      }),
    )
    const body =
      'Relação de vidas\nCPF;Nome;Parentesco;CPF do titular;Convênio;Motivo da exclusão;Fim da vigência;Salário;Cor\n' +
      `${mother};Lúcia Ferraz;Titular;;Básico;Demissão sem justa causa;31/12/2026;5.230,50;azul\n${child};-;Filho(a);${mother};;;;;\n`
    const sync = await sent(of, body, 'csv', { states: ['dependents', 'products'] })
    expect(sync).toMatchObject({ lines: 2, 'refused-lines': 0 })
    expect(sync.warnings).toContainEqual({ warning: 'unknown-column', field: 'Cor' })
    const [first, second] = await linesOf(sync['roster-sync-id'])
    expect(first).toMatchObject({
      role: 'primary',
      productName: health,
      profile: { name: 'Lúcia Ferraz', salary: 523_050 },
    })
    expect(first?.['exclusion']).toEqual({ 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' })
    expect(second).toEqual({
      ...nothing,
      line: 4,
      taxId: child,
      role: 'dependent',
      primaryTaxId: mother,
      dependentType: 'child',
    })
  })

  test.skipIf(isDistributed)(
    'states nothing where it is blank, and its role only where something says it',
    async () => {
      const of = await tenant()
      const blank = Object.fromEntries(columns.map((name) => [name, name === 'tax-id' ? mother : '']))
      const nulls = Object.fromEntries(columns.map((name) => [name, name === 'tax-id' ? mother : null]))
      for (const [format, body] of [
        ['csv', csv([blank])],
        ['csv', csv([Object.fromEntries(columns.map((name) => [name, name === 'tax-id' ? mother : '-']))])],
        ['ndjson', ndjson([nulls])],
        ['json', JSON.stringify({ members: [{ ...nulls, products: null, 'exclusion-details': null }] })],
      ] as const) {
        const sync = await sent(of, body, format)
        const [line] = await linesOf(sync['roster-sync-id'])
        expect(line).toEqual({ ...nothing, line: format === 'csv' ? 2 : 1, taxId: mother })
      }
    },
  )

  test.skipIf(isDistributed)('is one line for each product of a member', async () => {
    const of = await tenant()
    const products = { 'health-insurance': [{ name: 'A' }, { name: 'B' }], 'dental-insurance': [{ name: 'C' }] }
    const sync = await sent(of, JSON.stringify({ members: [{ 'tax-id': mother, products }] }), 'json')
    expect(sync).toMatchObject({ lines: 1, 'refused-lines': 0 })
    const lines = await linesOf(sync['roster-sync-id'])
    expect(lines.map(({ line, productName }) => [line, productName])).toEqual([
      [1, 'A'],
      [1, 'B'],
      [1, 'C'],
    ])
  })

  test.skipIf(isDistributed)(
    'is a workbook of all carriers: its inclusions are people, its other sheets are said to be there',
    async () => {
      const of = await tenant()
      const { records } = universalWorkbook['universal-workbook'].definition
      const sheetsOf = (kind: string) => records.filter(({ when }) => when?.['movement.kind'] === kind)
      const [inclusions, exclusions] = [sheetsOf('inclusion')[0], sheetsOf('exclusion')[0]]
      const bookWith = (hasExclusion: boolean) =>
        bookOf({
          sheets: [inclusions, exclusions].map((record, index) => {
            const headings = record?.columns.map(({ heading = '' }) => heading) ?? []
            const values: Record<string, string> = {
              'person.tax-id': mother,
              'person.name': 'Lúcia Ferraz',
              'person.relationship': 'Titular',
              'plan.product-name': health,
            }
            const cells = record?.columns.map(({ source }) => values[source ?? ''] ?? '') ?? []
            const lines = index === 0 ? [cells] : hasExclusion ? [headings.map(() => 'x')] : []
            return {
              name: record?.sheet ?? '',
              xml: [[record?.sheet ?? ''], headings, ...lines].map((row) => rowOf(row.map(textCell))).join(''),
            }
          }),
        })
      for (const hasExclusion of [true, false]) {
        const sync = await sent(of, bookWith(hasExclusion), 'xlsx')
        expect(sync).toMatchObject({ lines: 1, 'refused-lines': 0, 'sheets-not-read': [exclusions?.sheet] })
        const [line] = await linesOf(sync['roster-sync-id'])
        expect(line).toMatchObject({ taxId: mother, role: 'primary', profile: { name: 'Lúcia Ferraz' } })
        const [stored] = await testApp.sql('select has_movement_sheets as found from roster_sync where id = $1', [
          sync['roster-sync-id'],
        ])
        expect(stored?.['found']).toBe(hasExclusion)
      }
    },
  )

  test.skipIf(isDistributed)('has lines that cannot be used', async () => {
    const of = await tenant()
    const other = (await testApp.company()).taxId
    const bad: readonly (readonly [Json, readonly string[]])[] = [
      [{ name: 'Sem CPF' }, ['missing-tax-id']],
      [{ 'tax-id': '111' }, ['invalid-tax-id']],
      ['{"tax-id":', ['malformed-line']],
      [{ 'tax-id': child, 'company-tax-id': other }, ['other-company']],
      [{ 'tax-id': child, 'company-tax-id': '1' }, ['invalid-company-tax-id']],
      [{ 'tax-id': child, 'date-of-birth': '2026-02-30', gender: 'x' }, ['invalid-date-of-birth', 'invalid-gender']],
      [{ 'tax-id': child, 'end-date': 'amanhã' }, ['invalid-end-date']],
      [{ 'tax-id': child, 'end-date': '2026-12-31', 'exclusion-reason': 'x' }, ['invalid-exclusion-details']],
      [{ 'tax-id': child, 'start-date': 'x', 'card-number': '4,5E+13' }, ['invalid-card-number', 'invalid-start-date']],
      [{ 'tax-id': child, products: 'x', 'exclusion-details': 1 }, ['invalid-exclusion-details', 'invalid-products']],
      [{ 'tax-id': child, 'primary-member-tax-id': child }, ['invalid-primary-member-tax-id']],
      [
        { 'tax-id': child, 'start-option': 'x', 'product-name': 'x'.repeat(201) },
        ['invalid-start-option', 'unknown-product'],
      ],
    ]
    const good = { 'tax-id': mother, 'company-tax-id': of.company.taxId, 'exclusion-reason': 'what nobody asked' }
    const sync = await sent(of, ndjson([good, ...bad.map(([line]) => line)]), 'ndjson')
    expect(sync).toMatchObject({ lines: bad.length + 1, 'refused-lines': bad.length })
    const lines = await linesOf(sync['roster-sync-id'])
    expect(lines.map(({ offenses }) => offenses)).toEqual([[], ...bad.map(([, offenses]) => offenses)])
    for (const offense of lines.flatMap(({ offenses }) => offenses)) expect(ROSTER_LINE_OFFENSES).toContain(offense)
  })

  test('is counted: wrong encodings in names, and whether its last line is whole', async () => {
    const of = await tenant()
    const line = JSON.stringify({ 'tax-id': mother, name: 'JosÃ© da Silva' })
    const counted = async (body: string, format: Format) => {
      const sync = await sent(of, body, format)
      const [row] = await testApp.sql('select suspicious_lines, is_complete from roster_sync where id = $1', [
        sync['roster-sync-id'],
      ])
      return row
    }
    // When a file was cut within a row, its last line has fewer cells, and no end.
    const rows = `CPF;Nome;Produto\n${nextCpf()};Davi Prates;${health}\n${nextCpf()};Nair`
    expect(await counted(rows, 'csv')).toMatchObject({ is_complete: false })
    expect(await counted(`${rows}\n`, 'csv')).toMatchObject({ is_complete: true })
    expect(await counted(`${rows};`, 'csv')).toMatchObject({ is_complete: true })
    expect(await counted(`${line}\n${line}`, 'ndjson')).toEqual({ suspicious_lines: 2, is_complete: true })
    expect(await counted(`${line}\n${line.slice(0, 20)}`, 'ndjson')).toEqual({
      suspicious_lines: 1,
      is_complete: false,
    })
    expect(await counted(`CPF;Nome\n${mother};Ana\n${child};"An`, 'csv')).toEqual({
      suspicious_lines: 0,
      is_complete: false,
    })
  })
})

describe('a list that cannot be compared', () => {
  const many = (count: number) => `${JSON.stringify({ 'tax-id': mother })}\n`.repeat(count)
  test.each<[string, Format, string | Buffer, Json, Json]>([
    ['no list at all', 'ndjson', Buffer.from('%PDF-1.7 x'), {}, [['not-readable', 'file']]],
    ['no workbook', 'xlsx', 'CPF\n', {}, [['not-readable', 'file']]],
    ['no JSON', 'json', '{"members":[', {}, [['not-readable', null]]],
    ['JSON without members', 'json', '{"people":[]}', {}, [['missing-column', 'members']]],
    ['no column of CPFs', 'csv', 'Nome\nAna\n', {}, [['missing-column', 'tax-id']]],
    ['a header only', 'csv', 'CPF;Nome\n', {}, [['no-people', null]]],
    ['no person', 'json', '{"members":[]}', {}, [['no-people', null]]],
    ['no line that can be used', 'ndjson', 'a\nb\n', {}, [['no-people', null]]],
    ['no product', 'csv', `CPF\n${mother}\n`, { states: ['products'] }, [['scope-not-in-file', 'product-name']]],
    ['no role', 'ndjson', many(1), { states: ['dependents'] }, [['scope-not-in-file', 'beneficiary-type']]],
    [
      'dates of two forms',
      'csv',
      `CPF;Data de nascimento\n${mother};31/01/1984\n${child};01/31/1984\n`,
      {},
      [['mixed-dates', null]],
    ],
    [
      'too many members',
      'json',
      JSON.stringify({ members: Array.from({ length: 10_001 }, () => ({})) }),
      {},
      [['too-many-lines', null]],
    ],
    ['too many lines', 'ndjson', many(200_001), {}, [['too-many-lines', null]]],
  ])('because it is %s', async (_name, format, body, more, problems) => {
    const of = await tenant()
    const sync = await sent(of, body, format, more)
    expect(sync).toMatchObject({ status: 'failed', 'draft-id': null, lines: null, 'finished-at': expect.any(String) })
    expect(sync.problems.map(({ problem, field }: Json) => [problem, field])).toEqual(problems)
    const id = sync['roster-sync-id']
    const [left] = await testApp.sql(
      `select (select count(*)::int from roster_line where sync_id = $1) as lines, (select count(*)::int from work where target_id = $1) as works,
         (select storage_key from roster_sync where id = $1) as key`,
      [id],
    )
    expect(left).toEqual({ lines: 0, works: 0, key: null })
    const events = expectOk(await of.partner.get(`/v1/webhook-event?company-tax-id=${of.company.taxId}`))
    expect(events.status).toBe(200)
    const [event] = await testApp.sql(`select type, data from event where company_id = $1`, [of.company.id])
    expect(event).toEqual({
      type: 'roster-sync.failed',
      data: { 'company-id': of.company.id, 'roster-sync-id': id, status: 'failed' },
    })
    // The same bytes get the same answer, at once.
    const again = await put(of.partner, id, body, format, { headers: { prefer: 'wait=30' } })
    expect([again.status, again.body.result.status, again.headers.get('preference-applied')]).toEqual([
      200,
      'failed',
      'wait=30',
    ])
    expect((await put(of.partner, id, 'x', 'csv')).body.code).toBe('file-differs')
    expect((await of.partner.post(`/v1/roster-sync/${id}/cancel`)).body).toMatchObject({
      code: 'roster-sync-status',
      status: 'failed',
    })
  })
})

describe('the statement of a list', () => {
  test('is what was sent, in one form', async () => {
    const of = await tenant()
    const product = of.company.products[health] ?? ''
    const more = {
      'as-of': '2026-11-01',
      states: ['people', 'products'],
      within: {
        'product-ids': [product],
        'cost-centers': ['4300', '4200'],
        'employee-company-tax-ids': [],
        'product-types': ['health-insurance'],
      },
      'people-count': 1001,
      defaults: { 'start-option': 'on-next-billing-period', products: ['Saúde Essencial'] },
      'accept-doubts': ['count-differs'],
      automatic: true,
      reference: ' folha 2026-12 ',
    }
    const { result } = expectOk(await create(of, more)).body
    const id = result['roster-sync-id']
    expect(result).toEqual({
      'roster-sync-id': id,
      'company-tax-id': of.company.taxId,
      status: 'open',
      'as-of': '2026-11-01',
      states: ['people', 'products'],
      within: { 'cost-centers': ['4200', '4300'], 'product-ids': [product], 'product-types': ['health-insurance'] },
      reference: 'folha 2026-12',
      'file-name': null,
      lines: null,
      'refused-lines': null,
      of: null,
      compared: 0,
      unchanged: null,
      doubts: [],
      problems: [],
      warnings: [],
      'sheets-not-read': [],
      'draft-id': null,
      'created-by': 'Folha',
      'created-at': expect.any(String),
      'finished-at': null,
    })
    const keyOf = async (sync: string) =>
      (await testApp.sql('select scope_key from roster_sync where id = $1', [sync]))[0]?.['scope_key']
    const { 'cost-centers': centers, ...rest } = more.within
    const turned = await created(of, { within: { 'cost-centers': centers.toReversed(), ...rest } })
    expect(await keyOf(turned)).toBe(await keyOf(id))
    expect(await keyOf(await created(of))).not.toBe(await keyOf(id))
    expect((await create(of)).body).toMatchObject({ code: 'too-many-roster-syncs', error: 'Too many roster syncs' })
    expectOk(await of.partner.post(`/v1/roster-sync/${turned}/cancel`))
    expect(await created(of)).toEqual(expect.any(String))
    const listed = expectOk(await of.partner.get(`/v1/roster-sync?company-tax-id=${of.company.taxId}&status=cancelled`))
    expect(listed.body.result.map((one: Json) => one['roster-sync-id'])).toEqual([turned])
    expect(listed.body.pagination['total-items'] ?? listed.body.pagination.total).toBe(1)
  })

  test.each<[Json, string, string]>([
    [{ states: undefined }, 'states', 'missing'],
    [{ states: ['people', 'people'] }, 'states', 'invalid'],
    [{ states: ['all'] }, 'states[0]', 'invalid'],
    [{ within: { carriers: [] } }, 'within.carriers', 'unknown'],
    [{ within: { 'product-types': ['x'] } }, 'within.product-types[0]', 'invalid'],
    [{ within: { 'product-ids': ['01995e0e-2c30-7d51-8a6b-7c8d9e0f1a22'] } }, 'within.product-ids[0]', 'unknown'],
    [
      { within: { 'cost-centers': Array.from({ length: 1_001 }, (_, n) => String(n)) } },
      'within.cost-centers',
      'invalid',
    ],
    [{ 'as-of': '2026-11-24' }, 'as-of', 'invalid'],
    [{ 'as-of': '2026-10-22' }, 'as-of', 'invalid'],
    [{ 'people-count': 1.5 }, 'people-count', 'invalid'],
    [{ defaults: { 'start-option': 'x' } }, 'defaults.start-option', 'invalid'],
    [{ 'accept-doubts': ['x'] }, 'accept-doubts[0]', 'invalid'],
    [{ automatic: 'yes' }, 'automatic', 'invalid'],
    [{ reference: `folha ${mother}` }, 'reference', 'invalid'],
    [{ intake: {} }, 'intake', 'unknown'],
  ])('is refused where it is not of its form: %#', async (more, field, code) => {
    const { company, partner } = await shared()
    const response = await create({ company, partner }, more)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    expect(response.body.details).toEqual([expect.objectContaining({ field, code })])
  })

  let made: Promise<Tenant> | undefined
  const shared = () => (made ??= tenant())

  test('is that of a company of the caller', async () => {
    const [of, other] = [await tenant(), await tenant()]
    expect((await create({ ...of, partner: other.partner })).body.code).toBe('not-entitled')
    expect((await create({ ...of, company: { ...of.company, taxId: '12ABC34501DE35' } })).body.code).toBe(
      'not-entitled',
    )
    const id = await created(of)
    for (const path of ['', '/file', '/cancel']) {
      const method = path === '' ? 'GET' : path === '/file' ? 'PUT' : 'POST'
      const response = await testApp.call(method, `/v1/roster-sync/${id}${path}`, {
        token: other.partner.token,
        ...(path === '/file' && { body: 'CPF\n', headers: { 'content-type': 'text/csv' } }),
      })
      expect([response.status, response.body.error]).toEqual([404, 'Roster sync not found'])
    }
    expect(expectOk(await other.partner.get('/v1/roster-sync')).body.result).toEqual([])
    const filtered = await other.partner.get(`/v1/roster-sync?company-tax-id=${of.company.taxId}`)
    expect(filtered.body.code).toBe('not-entitled')
  })

  test('is sent once with a key', async () => {
    const of = await tenant()
    const send = () =>
      of.partner.post(
        '/v1/roster-sync',
        { 'company-tax-id': of.company.taxId, states: [] },
        { 'idempotency-key': 'folha-2026-12' },
      )
    const [first, second] = [expectOk(await send()), expectOk(await send())]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('operators', () => {
  const intake = { medium: 'email', 'received-at': '2026-11-20T18:40:00-03:00', 'requester-name': 'Paula Andrade' }
  const api = '/operator/v1'

  test('send lists with their intake, whose evidence is used; a company does not see them', async () => {
    const of = await tenant()
    const analyst = await testApp.operatorOf('analyst')
    const evidence = await upload(analyst, undefined, api)
    const documents = { intake: { ...intake, documents: [evidence] } }
    const { result } = expectOk(await create(of, documents, analyst, api)).body
    const id = result['roster-sync-id']
    expect((await create(of, documents, analyst, api)).body.details).toEqual([
      expect.objectContaining({ field: 'intake.documents', code: 'invalid' }),
    ])
    expect((await create(of, {}, analyst, api)).body.details).toEqual([
      expect.objectContaining({ field: 'intake', code: 'missing' }),
    ])
    const [row] = await testApp.sql('select request_id from document where id = $1', [evidence])
    expect(row?.['request_id']).toBe(id)
    expect((await put(analyst, id, 'CPF;Nome\n', 'csv', { api })).status).toBe(202)
    const failed = await until(
      () => read(analyst, id, api),
      ({ status }) => status === 'failed',
    )
    expect(failed).toMatchObject({
      'created-by': 'analyst',
      problems: [{ problem: 'no-people', field: null, line: null }],
    })
    expect((await of.partner.get(`/v1/roster-sync/${id}`)).status).toBe(404)
    expect(await testApp.sql('select from event where company_id = $1', [of.company.id])).toEqual([])
    const unknown = { ...of, company: { ...of.company, taxId: '12ABC34501DE35' } }
    expect((await create(unknown, { intake }, analyst, api)).body.code).toBe('company-not-found')
  })

  test('that are auditors read them; those of finance do not', async () => {
    const of = await tenant()
    const id = await created(of)
    const [auditor, finance] = [await testApp.operatorOf('auditor'), await testApp.operatorOf('finance')]
    expect((await read(auditor, id, api))['roster-sync-id']).toBe(id)
    expect(
      expectOk(await auditor.get(`${api}/roster-sync?company-tax-id=${of.company.taxId}`)).body.result,
    ).toHaveLength(1)
    for (const response of [
      await create(of, { intake }, auditor, api),
      await put(auditor, id, 'CPF\n', 'csv', { api }),
      await auditor.post(`${api}/roster-sync/${id}/cancel`),
      await finance.get(`${api}/roster-sync/${id}`),
      await finance.get(`${api}/roster-sync`),
    ]) {
      expect(response.body.code).toBe('role-not-allowed')
    }
  })
})

describe('the file', () => {
  const body = `CPF\n${mother}\n`

  test('is taken once: the same bytes are the same file, others are refused', async () => {
    const of = await tenant(still)
    const id = await created(of)
    const first = await put(of.partner, id, body, 'csv', { query: '?file-name=vidas.csv' })
    expect([first.status, first.headers.get('location')]).toEqual([202, `/v1/roster-sync/${id}`])
    expect(first.body.result).toMatchObject({ status: 'reading', 'file-name': 'vidas.csv' })
    const again = await put(of.partner, id, body, 'csv')
    expect([again.status, again.body]).toEqual([202, first.body])
    const other = await put(of.partner, id, `${body}\n`, 'csv')
    expect(other.body).toMatchObject({ code: 'file-differs', error: 'This roster sync has another file' })
    expect(await still.sql('select count(*)::int as n from work where target_id = $1', [id])).toEqual([{ n: 1 }])
    const actions = await still.sql('select action from audit where target = $1 order by id', [id])
    expect(actions.map(({ action }) => action)).toEqual(['roster-sync.created', 'roster-sync.file-received'])
  })

  test('of two at once is one; the other is refused', async () => {
    const of = await tenant(still)
    const id = await created(of)
    const responses = await Promise.all([put(of.partner, id, body, 'csv'), put(of.partner, id, `${body}\n`, 'csv')])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, 409])
  })

  test('that breaks off stores nothing', async () => {
    const of = await tenant(still)
    const id = await created(of)
    await new Promise<void>((resolve) => {
      const { token } = of.partner
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'content-length': 1_000_000 }
      const outgoing = request(`${still.url}/v1/roster-sync/${id}/file`, { method: 'PUT', headers })
      outgoing.on('error', () => resolve())
      outgoing.write(body, () => outgoing.destroy())
      outgoing.on('close', () => resolve())
    })
    expect((await read(of.partner, id)).status).toBe('open')
    await until(
      () => still.sql(`select from orphan_file where key like 'roster/%'`),
      (orphans) => orphans.length === 0,
    )
    expect((await put(of.partner, id, body, 'csv')).status).toBe(202)
  })

  test.each<[string, Format, string | Buffer, Record<string, string>, number, string]>([
    ['empty', 'csv', '', {}, 400, 'invalid-body'],
    ['of another type', 'csv', 'x', { 'content-type': 'text/plain' }, 415, 'unsupported-media-type'],
    ['a workbook over 16 MiB', 'xlsx', Buffer.alloc(16 * 1024 * 1024 + 1), {}, 413, 'body-too-large'],
    ['JSON over 16 MiB', 'json', Buffer.alloc(16 * 1024 * 1024 + 1, ' '), {}, 413, 'body-too-large'],
  ])('that is %s is refused', async (_name, format, sentBody, headers, status, code) => {
    const of = await tenant(still)
    const id = await created(of)
    const response = await put(of.partner, id, sentBody, format, { headers })
    expect([response.status, response.body.code]).toEqual([status, code])
    expect((await read(of.partner, id)).status).toBe('open')
  })

  test('is refused above what a client may have together', async () => {
    const of = await tenant(still)
    const [full, id] = [await created(of), await created(of)]
    expect((await put(of.partner, full, body, 'csv')).status).toBe(202)
    await still.sql('update roster_sync set size = 1024 * 1024 * 1024 where id = $1', [full])
    expect((await put(of.partner, id, body, 'csv')).body.code).toBe('too-many-roster-syncs')
    expect(await still.sql(`select from orphan_file where key like 'roster/%'`)).toEqual([])
  })

  test('that cannot be stored is refused, and the same one is taken afterwards', async () => {
    const of = await tenant(still)
    const id = await created(of)
    const folder = join(still.dataDir, 'files', 'roster')
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'no folder')
    const refused = await put(of.partner, id, body, 'csv')
    await rm(folder)
    expect([refused.status, refused.body.code]).toEqual([503, 'roster-storage-unavailable'])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await put(of.partner, id, body, 'csv')).status).toBe(202)
  })
})

describe('a sync is cancelled', () => {
  test('before it has a list, and while it is read', async () => {
    const of = await tenant(still)
    const [open, reading] = [await created(of), await created(of)]
    const body = `CPF\n${mother}\n`
    expect((await put(of.partner, reading, body, 'csv')).status).toBe(202)
    for (const id of [open, reading]) {
      const { result } = expectOk(await of.partner.post(`/v1/roster-sync/${id}/cancel`)).body
      expect(result).toMatchObject({ status: 'cancelled', problems: [], 'finished-at': expect.any(String) })
      expect((await of.partner.post(`/v1/roster-sync/${id}/cancel`)).body).toMatchObject({
        code: 'roster-sync-status',
        error: 'Roster sync is not in this status',
        status: 'cancelled',
      })
      expect((await put(of.partner, id, body, 'csv')).body).toMatchObject({
        code: 'roster-sync-status',
        status: 'cancelled',
      })
    }
    expect(await still.sql('select from work where target_id = $1', [reading])).toEqual([])
    const orphans = await still.sql(`select delete_after <= now() as due from orphan_file where key like 'roster/%'`)
    expect(orphans).toContainEqual({ due: true })
    expect(await readViolations(still.sql)).toEqual({})
  })

  test('while it is compared: nothing of the list is left', async () => {
    const of = await tenant(still)
    const id = await created(of)
    expect((await put(of.partner, id, `CPF\n${mother}\n`, 'csv')).status).toBe(202)
    await still.sql(`update roster_sync set status = 'comparing', lines = 1 where id = $1`, [id])
    await still.sql(
      `insert into roster_line (company_id, sync_id, position, line, data, offenses) values ($1, $2, 1, 2, '{}', '{}')`,
      [of.company.id, id],
    )
    expectOk(await of.partner.post(`/v1/roster-sync/${id}/cancel`))
    expect(await still.sql('select from roster_line where sync_id = $1', [id])).toEqual([])
  })
})
