import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  act,
  enroll,
  itemsOf,
  moved,
  openShipmentOf,
  openShipper,
  type Shipper,
  shipmentPath,
} from '../../world/shipment.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'

/* The files of carriers, byte by byte, as shipments make them and as acknowledgements are read. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const layoutPath = '/operator/v1/layout'
const createLayout = async (layout: Json): Promise<string> =>
  expectOk(await testApp.operator.post(layoutPath, layout)).body.result['layout-id']

/** A copy of a built-in layout with codes of a carrier, by heading. */
async function copyOf(id: string, maps: Readonly<Record<string, Record<string, string>>>): Promise<string> {
  const { result } = expectOk(await testApp.operator.get(`${layoutPath}/${id}`)).body
  const { name, direction, source, definition } = result
  for (const column of definition.records[0].columns) {
    if (column.map !== undefined) column.map = maps[column.heading] ?? column.map
  }
  return createLayout({ name: `${name} (cópia)`, direction, source, definition })
}

const mecsas = () =>
  copyOf('mecsas', {
    SEXO: { male: 'M', female: 'F' },
    GP: { primary: '0', child: '2' },
    CODMOVEXCLUSAO: { dismissal: '1' },
    CODOPERACAO: { inclusion: 'I', exclusion: 'E' },
  })

/** The bytes of the file of a shipment. */
async function fileOf(id: string): Promise<Buffer> {
  const response = await fetch(`${testApp.url}${shipmentPath}/${id}/file`, {
    headers: { authorization: `Bearer ${testApp.operator.token}` },
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const member = (more: Json = {}) => primary({ 'employee-id': 'M-17', 'mothers-name': 'Rita', ...more })

/** A movement that ends the cover of somebody who was active. */
async function leave({ partner, company }: Shipper, leaving: Json): Promise<void> {
  await testApp.include(partner, company, [leaving], '?resolution=approve')
  const details = { 'end-date': '2026-11-20', 'exclusion-reason': 'dismissal' }
  const path = `/v1/enrollment/exclusion/${leaving['tax-id']}/product/${company.products[health]}`
  expectOk(await partner.post(path, { 'exclusion-details': details }))
}

test('MECSAS: two header lines and a line of 100 columns for each movement, the same bytes at each download and after reopening', async () => {
  const shipper = await openShipper(testApp, {
    'sub-contract': '0002',
    'carrier-company-code': 'EMP-0042',
    layouts: { movement: await mecsas() },
  })
  const leaving = member({ name: 'Otávio Prado' })
  await leave(shipper, leaving)
  const [joao, ines, lia] = [member({ name: "João D'Ávila", gender: 'male' }), member({ name: 'Inês' }), member()]
  const children = [joao, ines].map((one) => dependent(one['tax-id'], { name: `Filha de ${one['name']}` }))
  await enroll(testApp, shipper, [joao, ines, lia, ...children])
  const id = await openShipmentOf(testApp, shipper.contractId)
  const { result } = expectOk(await act(testApp, id, 'close')).body
  expect(result).toMatchObject({ counts: { ready: 6, 'not-ready': 0 }, file: { name: '900001-0002-1.csv' } })

  const bytes = await fileOf(id)
  const lines = bytes.toString('latin1').split('\r\n')
  expect(lines).toHaveLength(2 + 6 + 1)
  expect(lines.pop()).toBe('')
  const rows = lines.slice(2).map((line) => line.split(';'))
  expect(rows.map(({ length }) => length)).toEqual(Array(6).fill(100))
  expect(rows.map(([number]) => number)).toEqual(['1', '2', '3', '4', '5', '6'])
  const rowOf = ({ 'tax-id': cpf }: Json) => rows.find((row) => row[11] === cpf) ?? []
  const begin = `EMP-0042;M-17;;;;;;;AE1230;20261120;${joao['tax-id']};JOAO D'AVILA;19900517;M;;0`
  expect(rowOf(joao).slice(1, 17).join(';')).toBe(begin)
  expect(rowOf(leaving).slice(50, 53)).toEqual(['20261120', '1', 'E'])
  // The dates: of adhesion, birth, admission, reference, of the identity document, of exclusion and of the transfer.
  const dates = rows.flatMap((row) => [10, 13, 17, 18, 41, 50, 62].map((at) => row[at] ?? ''))
  expect(dates.filter((date) => date !== '' && !/^20\d{6}$|^19\d{6}$/.test(date))).toEqual([])
  const place = (one: Json) => rows.findIndex((row) => row[11] === one['tax-id'])
  expect(children.map(place)).toEqual([joao, ines].map((one) => place(one) + 1))
  const items = await itemsOf(testApp, id)
  expect(items.map((item) => item['line-numbers'])).toEqual([[3], [4], [5], [6], [7], [8]])

  expect(sha256(bytes)).toBe(result.file.sha256)
  expect(sha256(await fileOf(id))).toBe(result.file.sha256)
  expectOk(await act(testApp, id, 'reopen'))
  expect(expectOk(await act(testApp, id, 'close')).body.result.file.sha256).toBe(result.file.sha256)
  expect((await fileOf(id)).equals(bytes)).toBe(true)
})

describe('a file of 180 characters', () => {
  const fixed = (format: string): Json => ({
    name: 'Operadora Aurora: 180',
    direction: 'movement',
    source: 'Manual da operadora',
    definition: {
      format: 'fixed-width',
      encoding: 'iso-8859-1',
      'line-ending': 'crlf',
      'record-length': 180,
      records: [
        {
          name: 'movement',
          columns: [
            { at: 1, length: 1, literal: '2' },
            { at: 2, length: 40, source: 'person.name', format, required: true, overflow: 'error' },
            { at: 42, length: 8, source: 'person.date-of-birth', format: 'date:ddMMyyyy' },
          ],
        },
      ],
    },
  })

  const opened = async (format: string): Promise<Shipper> =>
    openShipper(testApp, { layouts: { movement: await createLayout(fixed(format)) } })

  test('has lines of 180 bytes; a name that is too long keeps its movement out, and the five others are closed', async () => {
    const shipper = await opened('upper-ascii')
    const long = 'Ana '.repeat(11).slice(0, 41).replace(/ $/, 'a')
    expect(long).toHaveLength(41)
    const names = ["João D'Ávila", 'Łucja', 'Conceição', 'Müller', 'Zoë', long]
    const ids = await enroll(
      testApp,
      shipper,
      names.map((name) => member({ name })),
    )
    const id = await openShipmentOf(testApp, shipper.contractId)
    const refused = await act(testApp, id, 'close')
    expect([refused.status, refused.body.code, refused.body['not-ready']]).toEqual([409, 'shipment-items-not-ready', 1])
    expect(refused.body.items).toMatchObject([
      { 'enrollment-id': ids[5], problems: [{ code: 'value-too-long', field: 'person.name' }] },
    ])
    expectOk(await act(testApp, id, 'close', { 'skip-not-ready': true }))
    const bytes = await fileOf(id)
    expect(bytes).toHaveLength(5 * 182)
    const lines = bytes.toString('latin1').split('\r\n')
    expect(lines.slice(0, 5).toSorted()).toEqual(
      ['CONCEICAO', "JOAO D'AVILA", 'LUCJA', 'MULLER', 'ZOE'].map((name) => `2${name.padEnd(40)}17051990`.padEnd(180)),
    )
    const next = await openShipmentOf(testApp, shipper.contractId)
    expect(await itemsOf(testApp, next)).toMatchObject([{ 'enrollment-id': ids[5], status: 'not-ready' }])
    expect(await readViolations((text, values) => testApp.sql(text, values))).toEqual({})
  })

  test('names the field with a character that its encoding lacks', async () => {
    const shipper = await opened('text')
    const [, ids] = [
      await enroll(testApp, shipper, [member({ name: "João D'Ávila" })]),
      await enroll(testApp, shipper, [member({ name: 'Łucja' })]),
    ]
    const id = await openShipmentOf(testApp, shipper.contractId)
    const [item] = await itemsOf(testApp, id, '&status=not-ready')
    expect(item).toMatchObject({
      'enrollment-id': ids[0],
      problems: [{ code: 'not-representable', field: 'person.name' }],
    })
    expect(item?.problems[0].message).toContain('the character Ł (U+0141)')
    expectOk(await act(testApp, id, 'close', { 'skip-not-ready': true }))
    const bytes = await fileOf(id)
    expect(bytes).toHaveLength(182)
    expect(bytes.subarray(1, 13).toString('latin1')).toBe("João D'Ávila")
  })
})

describe('health data of a carrier’s answer', () => {
  const diagnosis = 'F32-EPISODIO-DEPRESSIVO'

  /** Every row of every table as one text each, in which the word stands. */
  async function rowsWith(word: string): Promise<string[]> {
    const tables = await testApp.sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    expect(tables.length).toBeGreaterThan(30)
    const found: string[] = []
    for (const { name } of tables) {
      const hits = await testApp.sql<{ n: number }>(
        `select count(*)::int as n from "${name}" stored where stored::text like '%' || $1 || '%'
           or stored::text like '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%'`,
        [word],
      )
      if ((hits[0]?.n ?? 0) > 0) found.push(name)
    }
    return found
  }

  test('is not stored: the columns CID1 to CID10 of MECSAS are not read', async () => {
    const acknowledgement = await copyOf('mecsas-acknowledgement', { 'COD STATUS': { A: 'accepted', R: 'refused' } })
    const shipper = await openShipper(testApp, {
      'carrier-company-code': 'EMP-0042',
      layouts: { movement: await mecsas(), acknowledgement },
      'code-map': [{ code: '17', status: 'pending-correction' }],
    })
    const members = [member(), member()]
    const ids = await enroll(testApp, shipper, members)
    const id = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, id, 'close'))
    expectOk(await act(testApp, id, 'send'))
    await moved(testApp, id)
    // The carrier sends the file back with its answers and its diagnoses.
    const lines = (await fileOf(id)).toString('latin1').trimEnd().split('\r\n')
    const answered = lines.map((line, index) => {
      if (index < 2) return line
      const cells = line.split(';')
      cells[63] = index === 2 ? 'A' : 'R'
      cells[64] = index === 2 ? '' : '17'
      return cells.map((cell, at) => (at >= 87 && at < 97 ? `${diagnosis} ${at}` : cell)).join(';')
    })
    const body = Buffer.from(`${answered.join('\r\n')}\r\n`, 'latin1')
    const send = (path: string): Promise<ApiResponse> =>
      testApp.call('POST', path, {
        token: testApp.operator.token,
        body,
        headers: { 'content-type': 'text/csv', prefer: 'wait=60' },
      })
    const preview = expectOk(await send(`${layoutPath}/${acknowledgement}/preview`))
    expect(preview.body.result.counts).toMatchObject({ read: 2, refused: 0 })
    expect(preview.text).not.toContain(diagnosis)
    for (const query of ['?dry-run=true', '']) {
      const response = expectOk(await send(`${shipmentPath}/${id}/acknowledgement${query}`))
      expect(response.body).toMatchObject({ lines: 2, accepted: 1, refused: 1, done: 2 })
      expect(response.text).not.toContain(diagnosis)
    }
    const statuses = await until(
      () =>
        Promise.all(
          ids.map(
            async (one) => expectOk(await shipper.partner.get(`/v1/enrollment/detail/${one}`)).body.result.status,
          ),
        ),
      (found) => !found.includes('carrier-processing'),
    )
    expect(statuses.toSorted()).toEqual(['completed', 'pending-correction'])
    // What is stored is found this way.
    expect(await rowsWith(String(members[0]?.['tax-id']))).toContain('enrollment')
    expect(await rowsWith('EMP-0042')).toEqual(expect.arrayContaining(['contract', 'shipment_file']))
    expect(await rowsWith(diagnosis)).toEqual([])
  })

  test.each([
    ['fills one', 'movement', { heading: 'CID1', source: 'person.name' }],
    ['fills one with a text', 'movement', { heading: 'Diagnóstico', literal: diagnosis }],
    ['reads one', 'acknowledgement', { heading: 'CID 10', target: 'acknowledgement.message' }],
    [
      'reads one by another name',
      'acknowledgement',
      { heading: 'Doença preexistente', target: 'acknowledgement.code' },
    ],
  ])('a layout that %s is refused', async (_what, direction, column) => {
    const status = {
      heading: 'CPF',
      ...(direction === 'movement' ? { source: 'person.tax-id' } : { target: 'person.tax-id' }),
    }
    const response = await testApp.operator.post(layoutPath, {
      name: 'Com saúde',
      direction,
      source: 'Manual',
      definition: {
        format: 'csv',
        'header-lines': ['headings'],
        records: [{ name: 'one', columns: [status, column] }],
      },
    })
    expect([response.status, response.body.details.map(({ field }: Json) => field)]).toEqual([
      400,
      [expect.stringMatching(/^definition\.records\[0\]\.columns\[1\]/)],
    ])
  })
})
