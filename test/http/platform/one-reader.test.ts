import { beforeAll, describe, expect, test } from 'vitest'
import { sendImport } from '../../world/import.ts'
import { act, enroll, moved, openShipmentOf, openShipper, type Shipper, shipmentPath } from '../../world/shipment.ts'
import { type ApiResponse, expectOk, health, type Json, nextCpf, primary, useTestApp } from '../../world/test-app.ts'

/* The same file is read alike by all readers of tables: imports, tables, decisions, acknowledgements and layouts. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })
let shipper: Shipper
let shipmentId = ''
const members = [primary(), primary()]
let ids: string[] = []
beforeAll(async () => {
  shipper = await openShipper(testApp)
  ids = await enroll(testApp, shipper, members)
  shipmentId = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, shipmentId, 'close'))
  expectOk(await act(testApp, shipmentId, 'send'))
  await moved(testApp, shipmentId)
})

type Row = readonly string[]

interface Reader {
  /** The last one is optional and may be empty, the one before it has a text. */
  readonly headings: Row
  readonly row: (n: number, text: string) => Row
  readonly send: (bytes: Buffer) => Promise<ApiResponse>
  /** What is read of the text of each row; null: the row is refused. */
  readonly texts: (body: Json) => readonly unknown[]
}

const csvType = { 'content-type': 'text/csv', prefer: 'wait=60' }

const people = {
  headings: [
    'Tipo de beneficiário',
    'CPF',
    'Nome',
    'Nome da mãe',
    'Data de nascimento',
    'Sexo',
    'Produto',
    'Cargo',
    'Setor',
  ],
  row: (n: number, text: string) => [
    'titular',
    members[n]?.['tax-id'] ?? '',
    'Ana Lima',
    'Eva Lima',
    '29/02/1980',
    'F',
    health,
    text,
    '',
  ],
}

const readers: Readonly<Record<string, Reader>> = {
  import: {
    headings: [
      ...people.headings.slice(0, -1),
      'CNPJ da empresa',
      'Início da vigência',
      'Matrícula',
      'Centro de custo',
    ],
    row: (n, text) => [
      ...people
        .row(n, '')
        .map((cell, at) => (at === 1 ? nextCpf() : cell))
        .slice(0, -1),
      shipper.company.taxId,
      '01/03/2024',
      text,
      '',
    ],
    send: (bytes) => sendImport(testApp.operator, bytes, { type: 'text/csv' }),
    texts: ({ errors }) => errors.map(() => null),
  },
  table: {
    ...people,
    send: (bytes) =>
      shipper.partner.post(
        `/v1/table?movement=inclusion&company-tax-id=${shipper.company.taxId}&start-option=on-inclusion-date`,
        bytes,
        csvType,
      ),
    texts: ({ result }) => result.batch?.members.map((one: Json) => one['job-title'] ?? '') ?? [],
  },
  decisions: {
    headings: ['Identificador da movimentação', 'Situação', 'Motivo', 'Número da carteirinha'],
    row: (n, text) => [ids[n] ?? '', 'rejected', text, ''],
    send: (bytes) => testApp.operator.post('/operator/v1/enrollment/decision?dry-run=true', bytes, csvType),
    texts: ({ result }) => result.map((one: Json) => (one.details === undefined ? 'read' : null)),
  },
  acknowledgement: {
    headings: ['CPF', 'Situação', 'Mensagem', 'Carteirinha'],
    row: (n, text) => [members[n]?.['tax-id'] ?? '', 'Recusado', text, ''],
    send: (bytes) =>
      testApp.operator.post(`${shipmentPath}/${shipmentId}/acknowledgement?dry-run=true`, bytes, csvType),
    texts: ({ result }) => result.map((one: Json) => (one.details === undefined ? 'read' : null)),
  },
  layout: {
    headings: ['tax-id', 'name', 'employee-id', 'gender'],
    row: (n, text) => [members[n]?.['tax-id'] ?? '', 'Ana Lima', text, ''],
    send: (bytes) => testApp.operator.post('/operator/v1/layout/generic-csv-roster/preview', bytes, csvType),
    texts: ({ result }) => result.lines.map(({ values }: Json) => values['registration.employee-id']),
  },
}

const names = Object.keys(readers)

/** The file of two rows as lines of cells. */
function linesOf(reader: Reader, text = 'texto'): string[][] {
  return [reader.headings, reader.row(0, text), reader.row(1, text)].map((cells) => [...cells])
}
const join = (lines: readonly Row[], end = '\r\n') => lines.map((cells) => `${cells.join(';')}${end}`).join('')

/** How many rows were read, and how many refused. */
function counts(name: string, { status, body }: ApiResponse): readonly unknown[] {
  if (status !== 200) return [status, body.details?.map(({ code, message }: Json) => `${code} ${message ?? ''}`)]
  switch (name) {
    case 'import':
      return [body.accepted, body.rejected]
    case 'table':
      return [body.result.batch?.members.length, body.result['row-errors'].length]
    case 'layout':
      return [body.result.counts.read, body.result.counts.refused]
    default: {
      const refused = body.result.filter(({ details }: Json) => details !== undefined).length
      return [body.result.length - refused, refused]
    }
  }
}

/** What is sent, and how many rows are read and refused. */
const cases: Readonly<Record<string, readonly [read: number, refused: number, make: (reader: Reader) => string]>> = {
  'lines that end with CR LF': [2, 0, (one) => join(linesOf(one))],
  'lines that end with LF': [2, 0, (one) => join(linesOf(one), '\n')],
  'lines that end with CR': [2, 0, (one) => join(linesOf(one), '\r')],
  'a byte order mark': [2, 0, (one) => `\uFEFF${join(linesOf(one))}`],
  'a last line without an end': [2, 0, (one) => join(linesOf(one)).trimEnd()],
  'rows without their last, empty cells': [
    2,
    0,
    (one) => join(linesOf(one).map((cells, n) => (n === 0 ? cells : cells.slice(0, -1)))),
  ],
  'rows with further separators': [
    2,
    0,
    (one) => join(linesOf(one).map((cells, n) => (n === 0 ? cells : [...cells, '', '  ']))),
  ],
  'a heading row with further separators': [2, 0, (one) => join(linesOf(one).map((cells) => [...cells, '', '']))],
  'a row with content beyond the headings': [
    1,
    1,
    (one) => join(linesOf(one).map((cells, n) => (n === 1 ? [...cells, 'x'] : cells))),
  ],
  'headings in quotes with line breaks, blanks and marks': [
    2,
    0,
    (one) =>
      join(
        linesOf(one).map((cells, n) =>
          n === 0 ? cells.map((cell) => `" ${cell.replace(' ', ' \n ').toUpperCase()} *"`) : cells,
        ),
      ),
  ],
  'headings marked as required': [
    2,
    0,
    (one) =>
      join(linesOf(one).map((cells, n) => (n === 0 ? cells.map((cell) => `${cell}\u00a0(obrigatório)`) : cells))),
  ],
  'titles and blank lines above': [2, 0, (one) => `Relatório de novembro\r\n\r\n${join(linesOf(one))}`],
  'a text as a formula, raw': [2, 0, (one) => join(linesOf(one, '="0123"'))],
  'a text as a formula, in quotes': [2, 0, (one) => join(linesOf(one, '"=""0123"""'))],
  'blank rows between': [2, 0, (one) => join(linesOf(one).flatMap((cells) => [cells, cells.map(() => '')]))],
}

describe.for(names)('%s', (name) => {
  const reader = readers[name] as Reader

  test.for(Object.entries(cases))('reads %s', async ([, [read, refused, make]]) => {
    const response = await reader.send(Buffer.from(make(reader)))
    expect(counts(name, response)).toEqual([read, refused])
  })

  test('refuses a heading that is there twice, and says which', async () => {
    const lines = linesOf(reader).map((cells) => [...cells, cells[1] ?? ''])
    const { status, body } = await reader.send(Buffer.from(join(lines)))
    expect([status, body.details]).toEqual([
      400,
      [
        {
          field: expect.any(String),
          code: 'repeated',
          message: expect.stringMatching(/ is there twice\. Columns found: /),
        },
      ],
    ])
  })
})

test('a text as a formula is its text', async () => {
  for (const text of ['="0123"', '"=""0123"""']) {
    for (const name of ['table', 'layout']) {
      const reader = readers[name] as Reader
      const { body } = expectOk(await reader.send(Buffer.from(join(linesOf(reader, text)))))
      expect([name, reader.texts(body)]).toEqual([name, ['0123', '0123']])
    }
  }
})
