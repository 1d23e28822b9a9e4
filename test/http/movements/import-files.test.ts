import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { type ApiResponse, dental, expectOk, useTestApp, useCompany } from '../../world/test-app.ts'
import { csv, holder, memberOf, ndjson, sendImport } from '../../world/import.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const asCsv = (body: string | Buffer) => sendImport(testApp.operator, body, { type: 'text/csv' })
const asNdjson = (body: string | Buffer) => sendImport(testApp.operator, body)
const nameOf = async (taxId: string) => (await memberOf(partner, taxId)).profile.name
/** Windows-1252, of characters that it shares with ISO 8859-1 and the euro sign. */
const in1252 = (text: string) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')

describe.for([
  ['text/csv', (lines: Record<string, unknown>[]) => csv(lines)],
  ['application/x-ndjson', (lines: Record<string, unknown>[]) => ndjson(lines)],
] as const)('%s', ([type, write]) => {
  const name = 'João € Ação Ü'
  test.for([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['Windows-1252', in1252],
  ] as const)('in %s', async ([, encode]) => {
    const line = holder(company, { name })
    const response = await sendImport(testApp.operator, encode(write([line])), { type: `${type}; charset=whatever` })
    expect(response.body).toMatchObject({ accepted: 1, errors: [] })
    expect(await nameOf(line['tax-id'])).toBe(name)
  })

  test('one byte that is not UTF-8, in the last line of a long file, makes the file Windows-1252, but for rows that are UTF-8', async () => {
    const ascii = { 'product-name': dental, 'mothers-name': 'Ana' }
    const [first, last] = [
      holder(company, { ...ascii, name: 'Conceição' }),
      holder(company, { ...ascii, name: 'Fran' }),
    ]
    const text = write([first, last])
    const split = text.lastIndexOf('Fran') + 4
    const body = Buffer.concat([
      Buffer.from(text.slice(0, split)),
      Buffer.from([0xe7, 0x61]),
      Buffer.from(text.slice(split)),
    ])
    expectOk(await sendImport(testApp.operator, body, { type }))
    expect(await nameOf(last['tax-id'])).toBe('França')
    expect(await nameOf(first['tax-id'])).toBe('Conceição')
  })

  test('without an end of the last line, with blank lines and CR LF', async () => {
    const [one, two] = [holder(company), holder(company)]
    const text = write([one, two]).replaceAll(/\r?\n/g, '\r\n \r\n').trimEnd()
    expect((await sendImport(testApp.operator, text, { type })).body).toMatchObject({
      lines: 2,
      accepted: 2,
      rejected: 0,
    })
  })

  test('lines that are no lines are malformed, with their numbers, and harm no others', async () => {
    const good = Array.from({ length: 4 }, () => holder(company))
    const [head, ...lines] = write(good).trimEnd().split(/\r?\n/)
    const rows = type === 'text/csv' ? lines : [head, ...lines]
    const offset = type === 'text/csv' ? 1 : 0
    const bad = [`${rows[1]}\0`, 'x'.repeat(10 * 1024 * 1024), type === 'text/csv' ? `${rows[1]};a` : 'a', '"']
    const mixed = [rows[0], bad[0], rows[1], bad[1], rows[2], bad[2], bad[3], rows[3]]
    const body = [...(offset === 1 ? [head] : []), ...mixed].join('\n')
    const response = expectOk(await sendImport(testApp.operator, body, { type })).body
    expect(response).toMatchObject({ lines: 8, accepted: 4, rejected: 4 })
    expect(response.errors).toEqual([2, 4, 6, 7].map((line) => ({ line: line + offset, offenses: ['malformed-line'] })))
  })
})

describe('CSV', () => {
  test.for([';', ',', '\t'])('with %j between cells', async (separator) => {
    const name = separator === '\t' ? 'Silva "Nena"' : `Silva${separator} "Nena"`
    const line = holder(company, { name, 'card-number': ` 00${separator}1 ` })
    expect((await asCsv(csv([line], separator))).body).toMatchObject({ accepted: 1 })
    expect(await memberOf(partner, line['tax-id'])).toMatchObject({
      profile: { name },
      benefits: [{ 'card-number': `00${separator}1` }],
    })
  })

  test('quoted cells may hold ends of lines; the number is that of the first line', async () => {
    const lines = [
      holder(company, { 'job-title': 'A\r\nB' }),
      holder(company, { 'job-title': 'C\nD', gender: 'x' }),
      holder(company),
    ]
    const response = (await asCsv(csv(lines))).body
    expect(response).toMatchObject({ lines: 3, accepted: 2, errors: [{ line: 4, offenses: ['invalid-gender'] }] })
  })

  test('quotes that never close spoil their own line only', async () => {
    const lines = Array.from({ length: 30 }, () => holder(company))
    const rows = csv(lines).trimEnd().split('\r\n')
    rows[5] = `"${rows[5]}`
    const response = (await asCsv(rows.join('\r\n'))).body
    expect(response).toMatchObject({ lines: 30, accepted: 29, errors: [{ line: 6, offenses: ['malformed-line'] }] })
  })

  test('content beyond the header, text after closing quotes, a quote inside a cell: malformed', async () => {
    const row = csv([holder(company)])
      .trimEnd()
      .split('\r\n')
    const bad = [`${row[1]};x`, `"a"b${row[1]}`, (row[1] ?? '').replace('Müller', 'M"ller')]
    const response = (await asCsv([row[0], ...bad, row[1]].join('\n'))).body
    expect(response).toMatchObject({ lines: 4, accepted: 1, rejected: 3 })
    expect(response.errors.map((error: { offenses: string[] }) => error.offenses)).toEqual(
      bad.map(() => ['malformed-line']),
    )
  })

  test('columns in any order, unknown ones ignored, a salary as whole cents', async () => {
    const line = holder(company, { zodiac: 'leão', salary: 123_456, Apelido: 'x' })
    const shuffled = Object.fromEntries(Object.entries(line).toReversed())
    expect((await asCsv(csv([shuffled]))).body).toMatchObject({ accepted: 1 })
    expect(await testApp.sql('select salary from member where tax_id = $1', [line['tax-id']])).toEqual([
      { salary: '123456' },
    ])
    for (const salary of ['12.5', '-1', '1e3', '99999999999999999', 'mil']) {
      expect((await asCsv(csv([holder(company, { salary })]))).body.errors).toEqual([
        { line: 2, offenses: ['invalid-salary'] },
      ])
    }
  })

  test('a header alone has no lines', async () => {
    expect((await asCsv(csv([holder(company)]).split('\r\n')[0] ?? '')).body).toMatchObject({
      status: 'done',
      lines: 0,
      accepted: 0,
      rejected: 0,
    })
  })

  test.for([
    [
      'names a column twice',
      'tax-id;name;CPF\n1;2;3',
      'repeated',
      'The column tax-id is there twice. Columns found: tax-id,',
    ],
    ['is no line', '"tax-id\n', 'invalid', 'not a line of CSV'],
    ['is JSON', '{"tax-id":"1"}\n', 'invalid', 'send NDJSON as application/x-ndjson'],
  ])('a header that %s: 400, nothing is judged', async ([, body, code, message]) => {
    const response = await asCsv(body ?? '')
    expect([response.status, response.body.error, response.body.details]).toEqual([
      400,
      'Invalid body',
      [{ field: 'header', code, message: expect.stringContaining(message ?? '') }],
    ])
  })
})

describe('NDJSON', () => {
  test.for([
    ['an array', '[]'],
    ['a text', '"x"'],
    ['a number', '1'],
    ['null', 'null'],
    ['half an object', '{"name":'],
    ['two objects', '{}{}'],
    ['NUL', '{"name":"\\u0000"}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['__proto__', '{"__proto__":{}}'],
    ['deep nesting', `{"a":${'['.repeat(65)}${']'.repeat(65)}}`],
  ])('%s is malformed', async ([, line]) => {
    const response = (await asNdjson(ndjson([line, holder(company)]))).body
    expect(response).toMatchObject({ lines: 2, accepted: 1, errors: [{ line: 1, offenses: ['malformed-line'] }] })
  })

  test('keys in any order, unknown ones of any shape ignored', async () => {
    const line = { deep: [{ x: null }], products: {}, documents: 1, ...holder(company), 'start-option': 7 }
    expect((await asNdjson(ndjson([line]))).body).toMatchObject({ accepted: 1 })
  })
})

describe('what is no import', () => {
  const refused = (response: ApiResponse) => [response.status, response.body.error]

  test.for(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/octet-stream'])(
    '%s: 415',
    async (type) => {
      expect(refused(await sendImport(testApp.operator, 'x', { type }))).toEqual([415, 'Unsupported media type'])
    },
  )

  test('a compressed body: 415; an empty one: 400', async () => {
    const path = '/operator/v1/member/import'
    const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
    expect(refused(await testApp.operator.post(path, 'x', headers))).toEqual([415, 'Unsupported media type'])
    for (const body of ['', '\uFEFF']) expect(refused(await asCsv(body))).toEqual([400, 'Invalid body'])
  })

  test.for(['?dry-run=yes', '?dry-run=', '?import-id=1', '?dry-run=true&dry-run=true', '?dryrun=true'])(
    '%s: 400',
    async (query) => {
      const response = await sendImport(testApp.operator, ndjson([holder(company)]), { query })
      expect(refused(response)).toEqual([400, 'Invalid parameter'])
    },
  )
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
