import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOf, bookOfRows, numberCell, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { onServer } from '../../world/engine.ts'
import { whileLocked } from '../../world/locked-table.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  premium,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

const send = (body: string | Buffer, query = '', type = 'text/csv'): Promise<ApiResponse> =>
  testApp.call('POST', `/operator/v1/enrollment/decision${query}`, {
    token: testApp.operator.token,
    body: Buffer.from(body),
    headers: { 'content-type': type, prefer: 'wait=60' },
  })

const columns = ['enrollment-id', 'status', 'card-number', 'start-date', 'end-date', 'reason'] as const
const csv = (...rows: Json[]) =>
  [columns.join(';'), ...rows.map((row) => columns.map((column) => row[column] ?? '').join(';'))].join('\n')

const decide = async (...rows: Json[]): Promise<Json> => expectOk(await send(csv(...rows))).body

/** Ids of the members' enrollments in a product, in the order given. */
async function enroll(...members: Json[]): Promise<string[]> {
  const request = await testApp.include(partner, company, members)
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id'])
}

const detail = async (id: string | undefined): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

const benefits = async (cpf: string): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/member?include-inactive=true&filter=tax-id=${cpf}`)).body.result[0].benefits

const enrollmentOf = async (response: ApiResponse): Promise<string> => {
  const { body } = expectOk(await partner.get(`/v1/request/${expectOk(response).body['request-id']}`))
  const [products] = Object.values<Json>(body['status-by-tax-id'])
  return Object.values<Json>(products)[0]['enrollment-id']
}

const exclude = (cpf: string) =>
  partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`, {
    'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' },
  })

/** Somebody with active cover since 2 November; the CPF. */
async function active(overrides: Json = {}): Promise<string> {
  const one = primary({ products: inProduct('health-insurance', health, 'on-admission-date'), ...overrides })
  await testApp.include(partner, company, [one], '?resolution=approve')
  return one['tax-id']
}

const notApplicable = (...fields: string[]) => ({
  error: 'Invalid body',
  code: 'not-applicable',
  details: fields.map((field) => ({ field, code: 'not-applicable' })),
})

describe('a workbook', () => {
  const table = (...rows: Json[]): string[][] => [
    [...columns],
    ...rows.map((row) => columns.map((column) => String(row[column] ?? ''))),
  ]
  const sendBook = (bytes: Buffer, query = '') => send(bytes, query, xlsxType)

  test('has the outcome of the same lines as CSV', async () => {
    const ids = await enroll(primary(), primary(), primary())
    const rows = [
      { 'enrollment-id': ids[0], status: 'completed', 'card-number': '0045', 'start-date': '01/12/2026' },
      { 'enrollment-id': ids[1], status: 'rejected', reason: 'Refused; "again"' },
      { 'enrollment-id': ids[1], status: 'rejected', reason: 'Another' },
      { 'enrollment-id': ids[2], status: 'completed', 'card-number': '4,5E+13' },
      { 'enrollment-id': unknown, status: 'completed' },
      { 'enrollment-id': 'x', status: 'done', 'start-date': '31/02/2026' },
      { 'enrollment-id': '', status: '', reason: '-' },
    ]
    const quoted = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')
    const text = expectOk(
      await send(
        table(...rows)
          .map(quoted)
          .join('\n'),
        '?dry-run=true',
      ),
    ).body
    expect(text).toMatchObject({ lines: 7, accepted: 1 })
    expect(expectOk(await sendBook(bookOfRows(table(...rows)), '?dry-run=true')).body).toEqual(text)
    expect(expectOk(await sendBook(bookOfRows([['Retorno'], [], ...table(...rows)]))).body).toMatchObject({
      lines: 7,
      accepted: 1,
      result: [{ line: 4, status: 'completed' }, ...Array.from({ length: 6 }, () => ({ error: expect.any(String) }))],
    })
  })

  test('has days and card numbers as numbers, and says which cell has an error', async () => {
    const [first, second] = await enroll(primary(), primary())
    const header = rowOf(['enrollment-id', 'status', 'card-number', 'start-date'].map(textCell))
    const decided = (id: string | undefined, card: string) =>
      rowOf([textCell(id ?? ''), textCell('completed'), card, numberCell(46_357)])
    const rows = header + decided(first, numberCell(11_207_788)) + decided(second, '<c t="e"><v>#REF!</v></c>')
    const { body } = expectOk(await sendBook(bookOf({ sheets: [{ name: 'Retorno', xml: rows }] }), '?sheet=Retorno'))
    expect(body.result).toMatchObject([
      { line: 2, status: 'completed' },
      {
        line: 3,
        details: [
          { field: 'card-number', code: 'invalid', message: expect.stringMatching(/^The cell C3 has an error/) },
        ],
      },
    ])
    const [stored] = await testApp.sql(
      'select card_number, start_date::text from benefit where id = (select benefit_id from enrollment where id = $1)',
      [first],
    )
    expect(stored).toEqual({ card_number: '11207788', start_date: '2026-12-01' })
  })

  test.for([
    [
      'with an unknown column',
      () => bookOfRows([['enrollment-id', 'status', 'color']]),
      400,
      { field: 'color', code: 'unknown' },
    ],
    ['without a header', () => bookOfRows([['Ana', '52998224725']]), 400, { field: 'enrollment-id', code: 'missing' }],
    ['that is damaged', () => Buffer.from('PK\x03\x04'), 400, { field: 'file', code: 'invalid' }],
    ['of Excel 97', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 415, { field: 'file', code: 'invalid' }],
    [
      'of 10,001 lines',
      () => bookOfRows(table(...Array.from({ length: 10_001 }, (_, n) => ({ 'enrollment-id': `${n}`, status: 'x' })))),
      413,
      { field: 'lines', code: 'too-many' },
    ],
  ] as const)('%s is refused, and nothing is read', async ([, make, status, detail]) => {
    const response = await sendBook(make())
    expect([response.status, response.body.details]).toMatchObject([
      status,
      expect.arrayContaining([expect.objectContaining(detail)]),
    ])
  })
})

describe('a file', () => {
  test('gives each person the own card number and date; a bad line does not stop the others, and the items are in file order', async () => {
    const people = [primary(), primary(), primary()]
    const [first, second, third] = await enroll(...people)
    const body = await decide(
      { 'enrollment-id': first, status: 'completed', 'card-number': '0045 1', 'start-date': '2026-12-01' },
      { 'enrollment-id': unknown, status: 'completed' },
      { 'enrollment-id': second, status: 'completed', 'card-number': '0045 2', 'start-date': '01/01/2027' },
      { 'enrollment-id': third, status: 'rejected' },
      { 'enrollment-id': third, status: 'rejected' },
      { 'enrollment-id': 'x', status: 'done', 'start-date': '2026-02-30' },
    )
    const missingReason = {
      error: 'Invalid body',
      code: 'invalid-body',
      details: [{ field: 'reason', code: 'missing' }],
    }
    expect(body).toEqual({
      'dry-run': false,
      lines: 6,
      accepted: 2,
      rejected: 4,
      result: [
        { line: 2, 'enrollment-id': first, status: 'completed' },
        { line: 3, 'enrollment-id': unknown, error: 'Enrollment not found', code: 'enrollment-not-found' },
        { line: 4, 'enrollment-id': second, status: 'completed' },
        { line: 5, 'enrollment-id': third, ...missingReason },
        { line: 6, 'enrollment-id': third, ...missingReason },
        {
          line: 7,
          'enrollment-id': null,
          error: 'Invalid body',
          code: 'invalid-body',
          details: expect.arrayContaining([
            expect.objectContaining({ field: 'enrollment-id', code: 'invalid' }),
            expect.objectContaining({ field: 'status', code: 'invalid' }),
            expect.objectContaining({ field: 'start-date', code: 'invalid' }),
          ]),
        },
      ],
    })
    expect(await benefits(people[0]?.['tax-id'])).toMatchObject([
      { status: 'active', 'card-number': '0045 1', 'start-date': '2026-12-01' },
    ])
    expect(await benefits(people[1]?.['tax-id'])).toMatchObject([
      { status: 'active', 'card-number': '0045 2', 'start-date': '2027-01-01' },
    ])
    expect((await detail(third)).status).toBe('created')
  })

  test('with a family in any order: primaries first; a dependent that another line took along counts as done', async () => {
    const [mother, other] = [primary(), primary()]
    const [own, child, father, son] = await enroll(
      mother,
      dependent(mother['tax-id']),
      other,
      dependent(other['tax-id']),
    )
    const reason = 'Refused by the carrier'
    const body = await decide(
      { 'enrollment-id': son, status: 'rejected', reason },
      { 'enrollment-id': child, status: 'completed', 'card-number': '2' },
      { 'enrollment-id': own, status: 'completed', 'card-number': '1' },
      { 'enrollment-id': father, status: 'rejected', reason },
    )
    expect(body).toMatchObject({ lines: 4, accepted: 4, rejected: 0 })
    expect(body.result.map((item: Json) => item['enrollment-id'])).toEqual([son, child, own, father])
    expect((await benefits(mother['tax-id']))[0]['card-number']).toBe('1')
  })

  test('judges the second decision of a family by what the first one did', async () => {
    const mother = primary()
    const [own, child] = await enroll(mother, dependent(mother['tax-id']))
    const { result } = await decide(
      { 'enrollment-id': child, status: 'completed' },
      { 'enrollment-id': own, status: 'cancelled' },
    )
    expect(result).toMatchObject([
      { line: 2, error: 'Illegal transition', from: 'rejected', to: 'completed', allowed: [] },
      { line: 3, status: 'cancelled' },
    ])
  })

  test('sent twice does no harm: each line is an Illegal transition that tells from, to and what is allowed', async () => {
    const [first, second] = await enroll(primary(), primary())
    const file = csv(
      { 'enrollment-id': first, status: 'completed' },
      { 'enrollment-id': second, status: 'carrier-processing' },
    )
    const once = expectOk(await send(file)).body
    expect(once.result).toEqual([
      { line: 2, 'enrollment-id': first, status: 'completed' },
      {
        line: 3,
        'enrollment-id': second,
        error: 'Illegal transition',
        code: 'illegal-transition',
        from: 'created',
        to: 'carrier-processing',
        allowed: expect.arrayContaining(['broker-processing', 'completed']),
        details: [
          {
            field: 'status',
            code: 'illegal-transition',
            message: expect.stringContaining('Enrollment is created and cannot become carrier-processing'),
          },
        ],
      },
    ])
    const before = [await detail(first), await detail(second)]
    const twice = expectOk(await send(file)).body
    expect(twice).toMatchObject({ accepted: 0, rejected: 2 })
    expect(twice.result[0]).toMatchObject({
      code: 'illegal-transition',
      from: 'completed',
      to: 'completed',
      allowed: [],
    })
    expect([await detail(first), await detail(second)]).toEqual(before)
  })

  test('with equal lines does them once; different lines of one enrollment are refused, all of them', async () => {
    const [equal, different, half] = await enroll(primary(), primary(), primary())
    const { result } = await decide(
      { 'enrollment-id': equal, status: 'completed', 'card-number': '7' },
      { 'enrollment-id': different, status: 'completed', 'card-number': '8' },
      { 'enrollment-id': equal?.toUpperCase(), status: 'completed', 'card-number': ' 7 ' },
      { 'enrollment-id': different, status: 'completed', 'card-number': '9' },
      { 'enrollment-id': half, status: 'completed' },
      { 'enrollment-id': half, status: 'complete' },
    )
    const duplicated = { error: 'Duplicated enrollment', code: 'duplicated-enrollment' }
    expect(result).toEqual([
      { line: 2, 'enrollment-id': equal, status: 'completed' },
      { line: 3, 'enrollment-id': different, ...duplicated },
      { line: 4, 'enrollment-id': equal, status: 'completed' },
      { line: 5, 'enrollment-id': different, ...duplicated },
      { line: 6, 'enrollment-id': half, ...duplicated },
      {
        line: 7,
        'enrollment-id': half,
        error: 'Invalid body',
        code: 'invalid-body',
        details: [expect.objectContaining({ field: 'status', code: 'invalid' })],
      },
    ])
    expect((await detail(equal)).history).toHaveLength(2)
    expect([(await detail(different)).status, (await detail(half)).status]).toEqual(['created', 'created'])
  })

  test('as a dry run returns the same outcomes and leaves everything as it was', async () => {
    const mother = primary()
    const [own, child] = await enroll(mother, dependent(mother['tax-id']))
    const file = csv(
      { 'enrollment-id': child, status: 'completed' },
      { 'enrollment-id': own, status: 'completed', 'card-number': '1' },
      { 'enrollment-id': unknown, status: 'completed' },
    )
    const before = [await detail(own), await detail(child), await benefits(mother['tax-id'])]
    const events = await testApp.sql('select count(*) from event')
    const dry = expectOk(await send(file, '?dry-run=true')).body
    expect([await detail(own), await detail(child), await benefits(mother['tax-id'])]).toEqual(before)
    expect(await testApp.sql('select count(*) from event')).toEqual(events)
    const done = expectOk(await send(file)).body
    expect(dry).toEqual({ ...done, 'dry-run': true })
    expect(done).toMatchObject({ accepted: 2, rejected: 1 })
  })

  test('of two alterations to one CPF completes one', async () => {
    const [taken, ...people] = [primary()['tax-id'], await active(), await active()]
    const ids = []
    for (const cpf of people) {
      ids.push(
        await enrollmentOf(
          await partner.post(`/v1/enrollment/alteration/${cpf}`, { 'alteration-data': { 'tax-id': taken } }),
        ),
      )
    }
    const rows = ids.map((id) => ({ 'enrollment-id': id, status: 'completed' }))
    const dry = expectOk(await send(csv(...rows), '?dry-run=true')).body
    const body = await decide(...rows)
    expect(body).toMatchObject({ accepted: 1, rejected: 1 })
    expect({ ...dry, 'dry-run': false }).toEqual(body)
  })
})

describe('the form of a file', () => {
  const moved = async (text: (id: string, other: string) => string | Buffer, type?: string) => {
    const [id = '', other = ''] = await enroll(primary(), primary())
    return expectOk(await send(text(id, other), '', type)).body
  }

  test.each([
    ['a comma', (id: string) => `status,enrollment-id,card-number\nbroker-processing,${id},\n`],
    ['a tab', (id: string) => `enrollment-id\tstatus\tcard-number\n${id}\tbroker-processing\t\n`],
    ['a semicolon and CRLF', (id: string) => `enrollment-id;status\r\n\r\n${id};broker-processing\r\n`],
    ['a byte order mark', (id: string) => `\uFEFFenrollment-id;status\n${id};broker-processing`],
    ['quotes', (id: string) => `"enrollment-id";"status";"reason"\n"${id}";broker-processing;"a; ""b""\nc"\n`],
  ])('CSV with %s', async (_name, text) => {
    expect(await moved(text)).toMatchObject({ lines: 1, accepted: 1 })
  })

  test('Windows-1252, as spreadsheets save it', async () => {
    const [id = ''] = await enroll(primary())
    const text = `enrollment-id;status;reason\n${id};rejected;Certidão ilegível\n`
    expectOk(await send(Buffer.from(text, 'latin1')))
    expect(await detail(id)).toMatchObject({ status: 'rejected', reason: 'Certidão ilegível' })
  })

  test('NDJSON: lines count from 1; a line that is no object or has an unknown key is bad alone', async () => {
    const body = await moved(
      (id, other) =>
        `${JSON.stringify({ 'enrollment-id': id, status: 'broker-processing', reason: null })}\n\n[]\n{\n` +
        JSON.stringify({ 'enrollment-id': other, status: 'broker-processing', card: '1' }),
      'application/x-ndjson',
    )
    const invalid = { error: 'Invalid body', code: 'invalid-body' }
    expect(body).toMatchObject({
      lines: 4,
      accepted: 1,
      result: [
        { line: 1, status: 'broker-processing' },
        { line: 3, 'enrollment-id': null, ...invalid, details: [{ field: 'line', code: 'invalid' }] },
        { line: 4, 'enrollment-id': null, ...invalid },
        { line: 5, ...invalid, details: [expect.objectContaining({ field: 'card', code: 'unknown' })] },
      ],
    })
  })

  test('CSV lines with content beyond the header, NUL, or quotes that do not close are bad alone', async () => {
    const body = await moved(
      (id, other) =>
        `enrollment-id;status;reason\n${id};broker-processing;;x\n${id};rejected;a\0b\n${id};rejected;"open\n${other};broker-processing;\n`,
    )
    expect(body.result.map((item: Json) => [item.line, item.code ?? item.status])).toEqual([
      [2, 'invalid-body'],
      [3, 'invalid-body'],
      [4, 'invalid-body'],
      [5, 'broker-processing'],
    ])
  })

  test.each([
    ['enrollment-id;card-number', [['status', 'missing']]],
    [
      'Helena Brandão;52998224725',
      [
        ['enrollment-id', 'missing'],
        ['status', 'missing'],
      ],
    ],
    ['enrollment-id;status;card', [['card', 'unknown']]],
    ['enrollment-id;status;reason;status', [['status', 'repeated']]],
  ])('400 for the header %s, and nothing is read', async (header, expected) => {
    const [id = ''] = await enroll(primary())
    const response = await send(`${header}\n${id};broker-processing;;\n${id};broker-processing\n`)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    expect(response.body.details.map((one: Json) => [one.field, one.code])).toEqual(expected)
    expect((await detail(id)).status).toBe('created')
  })

  test.each([
    ['100,000 repeated columns', `enrollment-id;status;${'reason;'.repeat(100_000)}`],
    ['65 columns', `enrollment-id,status${',reason'.repeat(63)}`],
    ['64 columns in 5,000 characters', `enrollment-id;status;${'r'.repeat(5_000)}`],
    ['15 MiB of separators', `enrollment-id;status${';'.repeat(15 * 1024 * 1024)}`],
  ])('400 for a header of %s, with one detail', async (_name, header) => {
    const response = await send(`${header}\n${unknown};completed\n`)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    const message = 'The header has more than 64 columns or 4,096 characters.'
    expect(response.body.details).toEqual([{ field: 'header', code: 'too-many-columns', message }])
  })

  test('CSV with Portuguese headers, dates without leading zeros, and empty rows', async () => {
    const somebody = primary()
    const [id = ''] = await enroll(somebody)
    const header = 'Identificador da movimentação;SITUAÇÃO;Inicio da vigência;Número da carteirinha;'
    const text = `${header}\n;;;;\n${id};completed;1/12/2026;'=0045;\n;;;;\n`
    expect(expectOk(await send(text)).body).toMatchObject({ lines: 1, accepted: 1, result: [{ line: 3 }] })
    const [benefit] = await benefits(somebody['tax-id'])
    expect(benefit).toMatchObject({ 'start-date': '2026-12-01', 'card-number': '=0045' })
  })

  test.each([
    ['PK\x03\x04', 'an Excel workbook (.xlsx) or another ZIP file'],
    ['%PDF-1.7', 'a PDF'],
  ])('400 for a file that begins with %j, and the sentence of the import', async (head, type) => {
    for (const format of ['text/csv', 'application/x-ndjson']) {
      const message = `The file is ${type}. Save it as CSV, such as "CSV UTF-8" in Excel, and send that.`
      expect((await send(Buffer.from(`${head}......`, 'latin1'), '', format)).body).toMatchObject({
        error: 'Invalid body',
        details: [{ field: 'file', code: 'invalid', message }],
      })
    }
  })

  test('a line as long as the file is bad alone', async () => {
    const size = 8 * 1024 * 1024
    const csvBody = await moved((id) => `enrollment-id;status\n${';'.repeat(size)}\n${id};broker-processing\n`)
    expect(csvBody.result.map((one: Json) => [one.line, one.code ?? one.status])).toEqual([
      [2, 'invalid-body'],
      [3, 'broker-processing'],
    ])
    const jsonBody = await moved(
      (id, other) =>
        `{"enrollment-id":"${id}","status":"broker-processing"${' '.repeat(size)}}\n` +
        `{"enrollment-id":"${other}","status":"broker-processing"}`,
      'application/x-ndjson',
    )
    expect(jsonBody.result.map((one: Json) => [one.line, one.code ?? one.status])).toEqual([
      [1, 'invalid-body'],
      [2, 'broker-processing'],
    ])
  })

  test('400 for an empty file, 415 for another type, 413 for 10,001 lines; a header alone is a file without lines', async () => {
    expect((await send('')).body.details).toEqual([{ field: 'file', code: 'empty' }])
    expect((await send('{}', '', 'application/json')).status).toBe(415)
    expect((await send('enrollment-id;status\n', '?dry-run=maybe')).status).toBe(400)
    expect(expectOk(await send('enrollment-id;status\n')).body).toMatchObject({ lines: 0, result: [] })
    const [id = ''] = await enroll(primary())
    const lines = (count: number) =>
      csv(...Array.from({ length: count }, () => ({ 'enrollment-id': id, status: 'broker-processing' })))
    expect((await send(lines(10_001))).status).toBe(413)
    expect((await detail(id)).status).toBe('created')
    expect(expectOk(await send(lines(10_000))).body).toMatchObject({ lines: 10_000, accepted: 10_000 })
    expect((await detail(id)).history).toHaveLength(2)
  })
})

describe('what does not belong to a movement is refused, and nothing is done', () => {
  const move = (id: string | undefined, body: Json) =>
    testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)
  const moveAll = (body: Json) => testApp.operator.post('/operator/v1/enrollment/transition', body)

  test('in a transition, an item and a line', async () => {
    const [inclusion] = await enroll(primary())
    const cpf = await active()
    const exclusion = await enrollmentOf(await exclude(cpf))
    const data = await enrollmentOf(
      await partner.post(`/v1/enrollment/alteration/${await active()}`, {
        'alteration-data': { phone: '11987654321' },
      }),
    )
    for (const [id, field] of [
      [inclusion, 'end-date'],
      [exclusion, 'start-date'],
      [exclusion, 'card-number'],
      [data, 'card-number'],
      [data, 'start-date'],
      [data, 'end-date'],
    ] as const) {
      const body = { status: 'completed', [field]: '2026-12-01' }
      const single = await move(id, body)
      expect([field, single.status, single.body]).toMatchObject([field, 400, notApplicable(field)])
      const ofOne = await moveAll({ 'enrollment-ids': [id], ...body })
      expect([field, ofOne.status, ofOne.body]).toMatchObject([field, 400, notApplicable(field)])
      const item = { 'enrollment-id': id, ...body }
      expect(expectOk(await moveAll({ items: [item] })).body.result).toEqual([
        { 'enrollment-id': id, ...notApplicable(field) },
      ])
      expect((await decide(item)).result).toEqual([{ line: 2, 'enrollment-id': id, ...notApplicable(field) }])
      expect((await detail(id)).history).toHaveLength(1)
    }
    const early = await move(inclusion, { status: 'created', 'card-number': '1', 'end-date': '2026-12-01' })
    expect([early.status, early.body]).toMatchObject([400, notApplicable('card-number', 'end-date')])
  })

  test.each([
    ['card-number', '1'],
    ['start-date', '2026-12-01'],
    ['end-date', '2026-12-01'],
  ])('%s beside several enrollment-ids', async (field, value) => {
    const ids = await enroll(primary(), primary())
    const response = await moveAll({ 'enrollment-ids': ids, status: 'completed', [field]: value })
    expect([response.status, response.body]).toMatchObject([400, notApplicable(field)])
    expect([(await detail(ids[0])).status, (await detail(ids[1])).status]).toEqual(['created', 'created'])
  })

  test('a card number in scientific notation, in a transition, an item and a line', async () => {
    const [id = ''] = await enroll(primary())
    const message = 'In scientific notation it has lost digits: send all of them.'
    const details = [{ field: 'card-number', code: 'invalid', message }]
    for (const card of ['4,5112E+13', '4.5E+15']) {
      const sent = { status: 'completed', 'card-number': card }
      const single = await move(id, sent)
      expect([single.status, single.body]).toMatchObject([400, { error: 'Invalid body', details }])
      const bulk = expectOk(await moveAll({ items: [{ 'enrollment-id': id, ...sent }] }))
      expect(bulk.body.result).toMatchObject([{ error: 'Invalid body', details }])
      expect(await decide({ 'enrollment-id': id, ...sent })).toMatchObject({
        rejected: 1,
        result: [{ line: 2, details }],
      })
    }
    expect((await detail(id)).status).toBe('created')
    expect(await decide({ 'enrollment-id': id, status: 'completed', 'card-number': '12E34' })).toMatchObject({
      accepted: 1,
    })
  })

  test('items have a status, a card number and dates each', async () => {
    const people = [primary(), primary()]
    const [first, second] = await enroll(...people)
    const leaver = await active()
    const exclusion = await enrollmentOf(await exclude(leaver))
    const response = await moveAll({
      items: [
        { 'enrollment-id': first, status: 'completed', 'card-number': '1', 'start-date': '2026-12-01' },
        { 'enrollment-id': exclusion, status: 'completed', 'end-date': '2026-11-30' },
        { 'enrollment-id': second, status: 'pending-documents' },
        { 'enrollment-id': second, status: 'pending-documents', reason: 'RG' },
      ],
    })
    const duplicated = { 'enrollment-id': second, error: 'Duplicated enrollment', code: 'duplicated-enrollment' }
    expect(expectOk(response).body.result).toEqual([
      { 'enrollment-id': first, status: 'completed' },
      { 'enrollment-id': exclusion, status: 'completed' },
      duplicated,
      duplicated,
    ])
    expect(await benefits(people[0]?.['tax-id'])).toMatchObject([{ 'card-number': '1', 'start-date': '2026-12-01' }])
    expect(await benefits(leaver)).toMatchObject([{ 'end-date': '2026-11-30' }])
  })

  test('details name the field of the item', async () => {
    for (const [body, field] of [
      [{ items: [] }, 'items'],
      [{ items: [{ 'enrollment-id': unknown, status: 'done' }] }, 'items[0].status'],
      [{ items: [{ 'enrollment-id': unknown, status: 'completed', 'pending-items': [] }] }, 'items[0].pending-items'],
      [{ items: [{ 'enrollment-id': unknown, status: 'completed' }], status: 'completed' }, 'status'],
      [{}, 'enrollment-ids'],
    ] as const) {
      const response = await moveAll(body)
      expect([response.status, response.body.details[0].field]).toEqual([400, field])
    }
  })

  test('a plan change takes the card number and the start date of the new benefit', async () => {
    const cpf = await active()
    const id = await enrollmentOf(
      await partner.post(`/v1/enrollment/alteration/${cpf}`, {
        'alteration-data': { 'new-product-id': company.products[premium] },
      }),
    )
    const early = await move(id, { status: 'completed', 'start-date': '2026-11-01' })
    expect([early.status, early.body.error]).toEqual([409, 'Illegal transition'])
    expectOk(await move(id, { status: 'completed', 'card-number': '0099', 'start-date': '2026-11-20' }))
    expect((await benefits(cpf)).toSorted((a, b) => (a['start-date'] < b['start-date'] ? -1 : 1))).toMatchObject([
      { status: 'inactive', 'end-date': '2026-11-19', 'card-number': null },
      { status: 'active', 'start-date': '2026-11-20', 'card-number': '0099' },
    ])
  })
})

test('of two files that decide the same movements at once each movement is decided once', async () => {
  const people = Array.from({ length: 6 }, () => primary())
  const ids = await enroll(...people.flatMap((one) => [one, dependent(one['tax-id'])]))
  const files = [ids, ids.toReversed()].map((own) =>
    csv(...own.map((id) => ({ 'enrollment-id': id, status: 'completed' }))),
  )
  const responses = await Promise.all(files.map((file) => send(file)))
  const accepted = responses.map((response) => expectOk(response).body.accepted)
  expect(accepted[0] + accepted[1]).toBe(ids.length)
  for (const id of ids) expect((await detail(id)).history).toHaveLength(2)
})

test('a file that completes an exclusion while the partner excludes the same person: one after the other', async () => {
  const cpf = await active()
  const id = await enrollmentOf(await exclude(cpf))
  const lockBenefit = `select 1 from benefit b join member m on m.company_id = b.company_id and m.id = b.member_id
    where b.company_id = '${company.id}' and m.company_id = '${company.id}' and m.tax_id = '${cpf}' for update of b`
  const [decided, excluded] = await whileLocked<ApiResponse>(testApp, lockBenefit, [
    () => send(csv({ 'enrollment-id': id, status: 'completed', 'end-date': monday })),
    () => exclude(cpf),
  ])
  expect(decided?.body).toMatchObject({ accepted: 1 })
  // Before the decision the exclusion is open; after it there is no active benefit any more.
  expect([404, 409]).toContain(excluded?.status)
  expect(await benefits(cpf)).toMatchObject([{ status: 'inactive', 'end-date': monday }])
})

test('when the database fails after other enrollments were moved, the response tells which were not; sent again, they are done', async () => {
  const [first] = await enroll(primary())
  const other = await testApp.company()
  const otherPartner = await testApp.partner(other.taxId)
  const request = await testApp.include(otherPartner, other, [primary()])
  const second = Object.values<Json>(request['status-by-tax-id'])[0][health]['enrollment-id']
  const move = (...ids: (string | undefined)[]) =>
    testApp.operator.post('/operator/v1/enrollment/transition', { 'enrollment-ids': ids, status: 'completed' })
  const all = [second, first, unknown]
  await testApp.sql(`create function fail() returns trigger language plpgsql as $$ begin
    if new.company_id = '${other.id}' then raise exception 'locked' using errcode = '55P03'; end if; return new; end $$`)
  const url = new URL(testApp.databaseUrl)
  // Allows triggers on tables that Citus distributes.
  url.searchParams.set('options', '-c citus.enable_unsafe_triggers=on')
  await onServer(url.href, 'create trigger fail before update on enrollment for each row execute function fail()')
  try {
    const alone = await move(second)
    expect([alone.status, alone.body.error]).toEqual([503, 'Service temporarily unavailable'])
    expect(expectOk(await move(...all)).body).toMatchObject({
      result: [
        { 'enrollment-id': second, error: 'Service temporarily unavailable', code: 'unavailable' },
        { 'enrollment-id': first, status: 'completed' },
        { 'enrollment-id': unknown, code: 'enrollment-not-found' },
      ],
    })
  } finally {
    await testApp.sql('drop function fail cascade')
  }
  const again = expectOk(await move(...all)).body
  expect(again.result.map((item: Json) => item.code ?? item.status)).toEqual([
    'completed',
    'illegal-transition',
    'enrollment-not-found',
  ])
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
