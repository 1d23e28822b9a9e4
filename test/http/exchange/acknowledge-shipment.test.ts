import { describe, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOf, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { readViolations } from '../../crash/invariants.ts'
import {
  act,
  enroll,
  itemsOf,
  moved,
  openShipmentOf,
  openShipper,
  putContract,
  plansOf,
  readShipment,
  type Shipper,
  shipmentPath,
} from '../../world/shipment.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  type Json,
  premium,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
const needsDocument = {
  kind: 'document',
  'document-type': 'birth-certificate-or-national-id',
  message: 'Certidão de nascimento ou RG',
}
const codeMap = [
  { code: '17', status: 'pending-documents', 'pending-items': [needsDocument] },
  { code: '23', status: 'rejected', reason: 'Plano encerrado' },
]

interface Sent {
  readonly shipper: Shipper
  /** The movements, in the order of the members. */
  readonly ids: string[]
  readonly id: string
}

/** Closes and sends the open shipment of the contract. */
async function sendOpen({ contractId }: Shipper): Promise<string> {
  const id = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, id, 'close'))
  expectOk(await act(testApp, id, 'send'))
  await moved(testApp, id)
  return id
}

/** A shipment of these members that was sent. */
async function sent(members: Json[], more: Record<string, unknown> = {}): Promise<Sent> {
  const shipper = await openShipper(testApp, { 'code-map': codeMap, ...more })
  const ids = await enroll(testApp, shipper, members)
  return { shipper, ids, id: await sendOpen(shipper) }
}

const acknowledge = (
  id: string,
  body: string | readonly Json[],
  {
    dryRun = false,
    type = typeof body === 'string' ? types.csv : types.ndjson,
  }: { dryRun?: boolean; type?: string } = {},
): Promise<ApiResponse> =>
  testApp.call('POST', `${shipmentPath}/${id}/acknowledgement?dry-run=${dryRun}`, {
    token: testApp.operator.token,
    body: Buffer.from(typeof body === 'string' ? body : body.map((line) => JSON.stringify(line)).join('\n')),
    headers: { 'content-type': type, prefer: 'wait=60' },
  })

/** The results of the lines. */
const resultsOf = async (...sending: Parameters<typeof acknowledge>): Promise<Json[]> =>
  expectOk(await acknowledge(...sending)).body.result
const codesOf = (results: readonly Json[]) => results.map((one) => one.code ?? one.status)
const movement = async (id: string | undefined): Promise<Json> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await movement(id)).status))
const itemStatusesOf = async (id: string) => (await itemsOf(testApp, id)).map(({ status }) => status)

/** What an acknowledgement may change. */
const stateOf = ({ shipper, ids, id }: Sent) =>
  Promise.all([readShipment(testApp, id), itemsOf(testApp, id), ...ids.map(movement), eventsOf(shipper)])

async function eventsOf({ company }: Shipper): Promise<string[]> {
  const rows = await testApp.sql<{ type: string }>(
    `select event.type from event join company on company.id = event.company_id where company.tax_id = $1 order by event.id`,
    [company.taxId],
  )
  return rows.map(({ type }) => type)
}

test('six lines: four accepted, one refused with a code that the contract knows, one with another', async () => {
  const members = Array.from({ length: 6 }, () => primary())
  const all = await sent(members)
  const { shipper, ids, id } = all
  const line = (index: number, rest: string) => `${members[index]?.['tax-id']};${health};${rest}`
  const file = [
    'CPF;Produto;Situação;Carteirinha;Início;Código;Mensagem;Protocolo',
    ...[0, 1, 2, 3].map((index) => line(index, `Aceito;0045 ${index};01/12/2026;;;P-${index}`)),
    line(4, 'Recusado;;;17;Falta documento;'),
    line(5, 'Recusado;;;99;"CPF não confere\u0007";'),
  ].join('\r\n')
  const results = [
    ...[0, 1, 2, 3].map((index) => ({
      line: index + 2,
      'enrollment-id': ids[index],
      outcome: 'accepted',
      status: 'completed',
      'card-number': `0045 ${index}`,
      'start-date': '2026-12-01',
    })),
    { line: 6, 'enrollment-id': ids[4], outcome: 'refused', status: 'pending-documents' },
    { line: 7, 'enrollment-id': ids[5], outcome: 'refused', status: 'pending-correction', flags: ['unmapped-code'] },
  ]
  const before = await stateOf(all)
  const dry = expectOk(await acknowledge(id, file, { dryRun: true })).body
  const counts = { lines: 6, accepted: 4, refused: 2, done: 6, rejected: 0 }
  expect(dry).toEqual({ 'dry-run': true, ...counts, result: results })
  expect(await stateOf(all)).toEqual(before)

  expect(expectOk(await acknowledge(id, file)).body).toEqual({ ...dry, 'dry-run': false })
  expect(await readShipment(testApp, id)).toMatchObject({
    status: 'acknowledged',
    counts: { accepted: 4, refused: 2, sent: 0 },
  })
  const items = await itemsOf(testApp, id)
  const itemOf = (index: number) => items.find((item) => item['enrollment-id'] === ids[index])
  expect(itemOf(0)).toMatchObject({ status: 'accepted', 'carrier-protocol': 'P-0', 'carrier-code': null })
  expect(itemOf(4)).toMatchObject({ status: 'refused', 'carrier-code': '17', 'carrier-message': 'Falta documento' })
  expect(itemOf(5)).toMatchObject({ status: 'refused', 'carrier-code': '99', 'carrier-message': 'CPF não confere' })
  const accepted = await movement(ids[0])
  expect(accepted.history.at(-1)).toMatchObject({ status: 'completed', actor: 'carrier' })
  expect(await movement(ids[4])).toMatchObject({
    status: 'pending-documents',
    reason: 'Falta documento',
    'pending-items': [needsDocument],
  })
  expect(await movement(ids[5])).toMatchObject({
    status: 'pending-correction',
    reason: 'CPF não confere',
    'pending-items': [],
  })
  const events = (await eventsOf(shipper)).filter(
    (type) => /completed|pending/.test(type) && type.startsWith('enrollment'),
  )
  expect(events.toSorted()).toEqual([...Array(4).fill('enrollment.completed'), ...Array(2).fill('enrollment.pending')])
  const benefits = expectOk(await shipper.partner.get(`/v1/benefit?member-tax-id=${members[0]?.['tax-id']}`)).body
    .result
  expect(benefits).toMatchObject([{ 'card-number': '0045 0', 'start-date': '2026-12-01', status: 'active' }])

  const after = await stateOf(all)
  const again = await resultsOf(id, file)
  expect(again.map(({ flags }) => String(flags))).toEqual(Array(6).fill('unchanged'))
  expect(await stateOf(all)).toEqual(after)

  const answered = await shipper.partner.post(`/v1/enrollment/${ids[5]}/answer`, { comment: 'Está certo assim' })
  expectOk(answered)
  const next = await openShipmentOf(testApp, shipper.contractId)
  expect((await itemsOf(testApp, next)).map((item) => item['enrollment-id'])).toEqual([ids[5]])
  expect((await resultsOf(id, file)).map(({ flags }) => String(flags))).toEqual(Array(6).fill('unchanged'))
  expect((await movement(ids[5])).status).toBe('broker-processing')
  expect(await sendOpen(shipper)).toBe(next)
  const late = await resultsOf(id, [{ 'enrollment-id': ids[5], outcome: 'accepted', 'card-number': '7' }])
  expect(late).toEqual([
    {
      line: 1,
      'enrollment-id': ids[5],
      outcome: 'accepted',
      status: 'carrier-processing',
      flags: ['in-later-shipment'],
    },
  ])
  expect(codesOf(await resultsOf(next, [{ position: 1, outcome: 'accepted', 'card-number': '7' }]))).toEqual([
    'completed',
  ])
  expect(await readShipment(testApp, next)).toMatchObject({ status: 'acknowledged', counts: { accepted: 1 } })
  expect(await readViolations(testApp.sql)).toEqual({})
})

describe('a family', () => {
  const family = () => {
    const one = primary()
    return [one, dependent(one['tax-id'])]
  }
  const accepted = (id: string | undefined, card: string): Json => ({
    'enrollment-id': id,
    outcome: 'accepted',
    'card-number': card,
  })
  const refused = (id: string | undefined, code: string): Json => ({ 'enrollment-id': id, outcome: 'refused', code })

  test('is accepted in any order of its lines', async () => {
    const { ids, id } = await sent(family())
    expect(codesOf(await resultsOf(id, [accepted(ids[1], '2'), accepted(ids[0], '1')]))).toEqual([
      'completed',
      'completed',
    ])
    expect(await itemStatusesOf(id)).toEqual(['accepted', 'accepted'])
  })

  test('whose primary is refused: the dependent waits, and is completed with the primary in the next shipment', async () => {
    const { shipper, ids, id } = await sent(family())
    const lines = [refused(ids[0], '17'), accepted(ids[1], '2')]
    const results = await resultsOf(id, lines)
    expect(codesOf(results)).toEqual(['pending-documents', 'primary-member-not-active'])
    expect(await readShipment(testApp, id)).toMatchObject({
      status: 'partly-acknowledged',
      counts: { refused: 1, sent: 1 },
    })
    const waiting = async () => (await itemsOf(testApp, id)).map((item) => item['waits-for-primary'])
    expect(await waiting()).toEqual([false, true])
    expect(codesOf(await resultsOf(id, lines))).toEqual(['pending-documents', 'primary-member-not-active'])
    expectOk(await shipper.partner.post(`/v1/enrollment/${ids[0]}/answer`, { comment: 'Segue' }))
    const next = await sendOpen(shipper)
    expect(codesOf(await resultsOf(next, [accepted(ids[0], '1')]))).toEqual(['completed'])
    expect(await statusesOf(ids)).toEqual(['completed', 'completed'])
    expect((await movement(ids[1])).history.at(-1).actor).toBe('carrier')
    expect(await waiting()).toEqual([false, false])
    expect((await readShipment(testApp, id)).status).toBe('acknowledged')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('whose primary an operator completes: the workers complete the dependent, also after the shipment is finished', async () => {
    const { ids, id } = await sent(family())
    expect(codesOf(await resultsOf(id, [accepted(ids[1], '2')]))).toEqual(['primary-member-not-active'])
    expectOk(await act(testApp, id, 'finish'))
    expect(await itemStatusesOf(id)).toEqual(['unanswered', 'unanswered'])
    expectOk(
      await testApp.operator.post(`/operator/v1/enrollment/${ids[0]}/transition`, {
        status: 'completed',
        'card-number': '1',
      }),
    )
    await until(
      () => statusesOf(ids),
      ([, status]) => status === 'completed',
    )
    expect(await itemStatusesOf(id)).toEqual(['accepted', 'accepted'])
    expect((await readShipment(testApp, id)).status).toBe('finished')
  })

  test('whose primary is rejected is rejected with it', async () => {
    const { ids, id } = await sent(family())
    const results = await resultsOf(id, [accepted(ids[1], '2'), refused(ids[0], '23')])
    expect(codesOf(results)).toEqual(['illegal-transition', 'rejected'])
    expect(await itemStatusesOf(id)).toEqual(['refused', 'refused'])
    expect((await readShipment(testApp, id)).status).toBe('acknowledged')
    expect((await movement(ids[0])).reason).toBe('Plano encerrado')
  })
})

describe('a line', () => {
  test('of nobody, of an unreadable item and with a card of another person has a code, and the others are done', async () => {
    const members = [primary(), primary(), primary()]
    const { ids, id } = await sent(members)
    const results = await resultsOf(id, [
      { 'enrollment-id': ids[0], outcome: 'accepted', 'card-number': '0045-1' },
      { 'tax-id': primary()['tax-id'], outcome: 'accepted' },
      { position: 99, outcome: 'refused' },
      { 'enrollment-id': ids[1], outcome: 'yes' },
      { 'enrollment-id': ids[2], outcome: 'accepted', 'start-date': '2001-01-01' },
      { outcome: 'accepted' },
    ])
    expect(codesOf(results)).toEqual([
      'completed',
      'unknown-line',
      'unknown-line',
      'invalid-body',
      'date-out-of-range',
      'unknown-line',
    ])
    expect(results[1]).toEqual({
      line: 2,
      'enrollment-id': null,
      outcome: 'accepted',
      code: 'unknown-line',
      error: expect.any(String),
    })
    const more = [
      { 'enrollment-id': ids[1], outcome: 'accepted', 'card-number': '00451' },
      { 'enrollment-id': ids[2], outcome: 'refused' },
    ]
    expect(codesOf(await resultsOf(id, more))).toEqual(['duplicate-card', 'pending-correction'])
    expect((await movement(ids[2])).reason).toBe('Refused by the carrier')
    expect(await statusesOf(ids)).toEqual(['completed', 'carrier-processing', 'pending-correction'])
    expect((await readShipment(testApp, id)).status).toBe('partly-acknowledged')
  })

  test('that says otherwise than before follows the rules of decisions', async () => {
    const { ids, id } = await sent([primary(), primary()])
    const lines = (outcomes: readonly string[], code?: string): Json[] =>
      ids.map((one, index) => ({
        'enrollment-id': one,
        outcome: outcomes[index],
        ...(code === undefined ? {} : { code }),
      }))
    expect(codesOf(await resultsOf(id, lines(['accepted', 'refused'])))).toEqual(['completed', 'pending-correction'])
    const other = await resultsOf(id, lines(['refused', 'refused'], '17'))
    expect(other).toMatchObject([
      { code: 'illegal-transition', from: 'completed', to: 'pending-documents' },
      { code: 'illegal-transition', from: 'pending-correction', to: 'pending-documents' },
    ])
    expect(codesOf(await resultsOf(id, lines(['accepted', 'accepted'])))).toEqual(['completed', 'completed'])
    expect(await itemStatusesOf(id)).toEqual(['accepted', 'accepted'])
  })

  test('with the card number that the acceptance lacked corrects the benefit, once; a dry run says so', async () => {
    const [first, second] = [primary(), primary()]
    const all = await sent([first, second])
    const { shipper, ids, id } = all
    const lines = ids.map((one) => ({ 'enrollment-id': one, outcome: 'accepted' }))
    expect(codesOf(await resultsOf(id, lines))).toEqual(['completed', 'completed'])
    const later = [
      { ...lines[0], 'card-number': '0045 1' },
      { ...lines[1], 'card-number': '0045 2', 'start-date': '2027-03-01' },
    ]
    const before = await stateOf(all)
    const dry = await resultsOf(id, later, { dryRun: true })
    expect(dry).toMatchObject([
      { outcome: 'accepted', status: 'completed', 'card-number': '0045 1', flags: ['card-corrected'] },
      // Another start is no later card.
      { code: 'illegal-transition' },
    ])
    expect(await stateOf(all)).toEqual(before)
    expect(await resultsOf(id, later)).toEqual(dry)
    const corrected = await movement(ids[0])
    expect(corrected.corrections).toMatchObject([
      {
        'actor-id': 'carrier',
        field: 'card-number',
        old: null,
        new: '0045 1',
        reason: expect.stringContaining('retorno posterior'),
      },
    ])
    const cardsOf = async (member: Json) =>
      expectOk(await shipper.partner.get(`/v1/benefit?member-tax-id=${member['tax-id']}`)).body.result.map(
        (one: Json) => one['card-number'],
      )
    expect([await cardsOf(first), await cardsOf(second)]).toEqual([['0045 1'], [null]])
    const [audited] = await testApp.sql<{ count: number }>(
      `select count(*)::int from audit where action = 'benefit.updated' and target = $1`,
      [corrected['benefit-id']],
    )
    expect(audited?.count).toBe(1)
    expect(await eventsOf(shipper)).toContain('benefit.updated')
    const after = await stateOf(all)
    const again = await resultsOf(id, [later[0] ?? {}])
    expect(again).toMatchObject([{ status: 'completed', flags: ['unchanged'] }])
    expect(codesOf(await resultsOf(id, [{ ...lines[1], 'card-number': '0045 1' }]))).toEqual(['duplicate-card'])
    // A card that is there is another operator's matter: a correction of the benefit.
    expect(codesOf(await resultsOf(id, [{ ...lines[0], 'card-number': '0045 9' }]))).toEqual(['illegal-transition'])
    expect(await stateOf(all)).toEqual(after)
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('of a person with two products needs the product', async () => {
    const shipper = await openShipper(testApp)
    expectOk(await putContract(testApp, shipper, { plans: plansOf(shipper.company, health, premium) }))
    const products = [health, premium].map((name) => ({ name, 'start-option': 'on-inclusion-date' }))
    const member = primary({ products: { 'health-insurance': products } })
    await testApp.include(shipper.partner, shipper.company, [member])
    const id = await sendOpen(shipper)
    const line = { 'tax-id': member['tax-id'], outcome: 'accepted' }
    expect(codesOf(await resultsOf(id, [line]))).toEqual(['ambiguous-line'])
    const named = [
      { ...line, 'product-name': health.toUpperCase() },
      { ...line, 'product-name': premium },
    ]
    expect(codesOf(await resultsOf(id, named))).toEqual(['completed', 'completed'])
  })
})

test('two lines of one movement that say otherwise are both refused', async () => {
  const { ids, id } = await sent([primary()])
  const lines = [
    { 'enrollment-id': ids[0], outcome: 'accepted', 'card-number': '0001' },
    { 'enrollment-id': ids[0], outcome: 'refused', code: '17' },
  ]
  expect(codesOf(await resultsOf(id, lines))).toEqual(['conflicting-lines', 'conflicting-lines'])
  expect(await statusesOf(ids)).toEqual(['carrier-processing'])
})

test('an answer that an operator gives by hand answers the item', async () => {
  const { ids, id } = await sent([primary(), primary()])
  const move = async (index: number, body: Json) =>
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${ids[index]}/transition`, body))
  await move(0, { status: 'completed' })
  expect((await readShipment(testApp, id)).status).toBe('partly-acknowledged')
  await move(1, { status: 'pending-documents', reason: 'RG' })
  expect(await readShipment(testApp, id)).toMatchObject({ status: 'acknowledged', counts: { accepted: 1, refused: 1 } })
  const said = [
    { 'enrollment-id': ids[0], outcome: 'accepted' },
    { 'enrollment-id': ids[1], outcome: 'refused' },
  ]
  expect((await resultsOf(id, said)).map(({ flags }) => flags)).toEqual([['unchanged'], ['unchanged']])
})

test('a file of fixed width is read by the layout of the contract; of another layout: 400, with its columns', async () => {
  const definition = {
    format: 'fixed-width',
    'record-length': 30,
    records: [
      {
        name: 'answer',
        match: { at: 1, length: 1, equals: '2' },
        columns: [
          { at: 2, length: 11, target: 'person.tax-id', required: true },
          { at: 13, length: 1, target: 'acknowledgement.outcome', map: { '0': 'accepted', '1': 'refused' } },
          { at: 14, length: 4, target: 'acknowledgement.card-number' },
          { at: 18, length: 2, target: 'acknowledgement.code' },
        ],
      },
    ],
  }
  const layout = { name: 'Retorno', direction: 'acknowledgement', definition }
  const made = expectOk(await testApp.operator.post('/operator/v1/layout', layout)).body.result
  const members = [primary(), primary()]
  const { id } = await sent(members, { layouts: { acknowledgement: made['layout-id'] } })
  const type = 'text/plain'
  const [one, other] = members.map((member) => member['tax-id'])
  expect(codesOf(await resultsOf(id, `2${one}00045\r\n2${other}1    17\r\n`, { type }))).toEqual([
    'completed',
    'pending-documents',
  ])
  const wrong = await acknowledge(id, '9 x\n', { type })
  expect([wrong.status, wrong.body.details[0].message]).toEqual([400, expect.stringContaining('person.tax-id')])
})

describe('a spreadsheet', () => {
  test('is read by the mapping of the contract, which names the columns that count', async () => {
    const member = primary()
    const mapping = {
      columns: { 'NR CPF': 'tax-id', 'ST MOV': 'outcome', CARTEIRA: 'card-number' },
      outcomes: { EFETIVADA: 'accepted', 'EM CRÍTICA': 'refused' },
    }
    const { ids, id } = await sent([member], { 'acknowledgement-mapping': mapping })
    const file = `Nome;Nr Cpf;St Mov;Carteira\nQualquer;${Number(member['tax-id'])};efetivada;0045\n`
    expect(codesOf(await resultsOf(id, file))).toEqual(['completed'])
    expect((await movement(ids[0])).status).toBe('completed')
    // Headings that are known are read too.
    const known = `CPF;Situação\n${member['tax-id']};EFETIVADA\n`
    expect(await resultsOf(id, known)).toMatchObject([{ outcome: 'accepted', flags: ['unchanged'] }])
    const other = await acknowledge(id, 'Nome;Situação\nx;Aceito\n')
    expect([other.status, other.body.details[0]]).toMatchObject([400, { field: 'enrollment-id', code: 'missing' }])
    expect(other.body.details[0].message).toContain('The columns of this file: NR CPF, ST MOV, CARTEIRA, ')
    expect(other.body.details[0].message).toContain('Columns found: Nome, Situação.')
  })

  test('of a carrier has its own headings under a title, other columns beside them, and its words', async () => {
    const members = Array.from({ length: 4 }, () => primary())
    const { ids, id } = await sent(members)
    const words = ['IMPLANTADO', 'INCLUÍDA', 'RECUSADO', 'EM ANÁLISE']
    const file = [
      'Retorno de movimentação;;;;',
      '',
      'Nome;CPF Beneficiário;Nº Carteirinha;Situação;Dt. Início Vigência;Mensagem',
      ...members.map(
        (member, n) =>
          `Ana;${member['tax-id']};${n < 2 ? `0045 ${n}` : '-'};${words[n]};01-12-2026;${n === 2 ? 'Falta RG' : ''}`,
      ),
    ].join('\r\n')
    expect(await resultsOf(id, file, { dryRun: true })).toMatchObject([
      { line: 4, outcome: 'accepted', status: 'completed' },
      { line: 5, outcome: 'accepted', status: 'completed' },
      { line: 6, outcome: 'refused', status: 'pending-correction' },
      { line: 7, outcome: 'in-analysis', status: 'carrier-processing' },
    ])
    const { body } = expectOk(await acknowledge(id, file))
    expect(body).toMatchObject({ lines: 4, accepted: 2, refused: 1, done: 3, rejected: 0, 'unknown-columns': ['Nome'] })
    expect(body).not.toHaveProperty('sheets-not-read')
    expect(await statusesOf(ids)).toEqual(['completed', 'completed', 'pending-correction', 'carrier-processing'])
    expect((await itemStatusesOf(id)).toSorted()).toEqual(['accepted', 'accepted', 'refused', 'sent'])
  })

  test('as a workbook names the sheets and the columns that were not read, also in its job', async () => {
    const member = primary()
    const { id } = await sent([member])
    const xmlOf = (rows: string[][]) => rows.map((cells) => rowOf(cells.map(textCell))).join('')
    const rows = [
      ['CPF', 'Situação', 'Lote'],
      [member['tax-id'], 'Aceito', '7'],
    ]
    const sheets = [
      { name: 'Resumo', xml: xmlOf([['Total', '1']]) },
      { name: 'Retorno', xml: xmlOf(rows) },
    ]
    const { body } = expectOk(
      await testApp.call('POST', `${shipmentPath}/${id}/acknowledgement`, {
        token: testApp.operator.token,
        body: bookOf({ sheets }),
        headers: { 'content-type': xlsxType, prefer: 'wait=60' },
      }),
    )
    expect(body).toMatchObject({ accepted: 1, 'unknown-columns': ['Lote'], 'sheets-not-read': ['Resumo'] })
    const jobs = expectOk(await testApp.operator.get('/operator/v1/decision-job')).body.result
    const job = jobs.find((one: Json) => one['shipment-id'] === id)
    expect(job).toMatchObject({ lines: 1, done: 1, accepted: 1, refused: 0, rejected: 0 })
    const read = await testApp.operator.get(`/operator/v1/decision-job/${job['job-id']}/result`)
    expect(expectOk(read).body).toEqual(body)
  })

  test('without a heading that it needs names those that it has, and what they may stand for', async () => {
    const { id } = await sent([primary()])
    const { status, body } = await acknowledge(id, 'Nome;Situaçao do movto;Cartero\nAna;Aceito;2\n')
    expect([status, body.details]).toMatchObject([
      400,
      [
        { field: 'enrollment-id', code: 'missing' },
        { field: 'outcome', code: 'missing' },
        { field: 'Nome', code: 'unknown' },
        { field: 'Situaçao do movto', code: 'unknown' },
        { field: 'Cartero', code: 'unknown', allowed: ['card-number'] },
      ],
    ])
  })
})

test('dates of a table are named in the forms that are read, and one far from today is taken with `confirm`', async () => {
  const [first, second] = [primary(), primary()]
  const { ids, id } = await sent([first, second])
  const lines = [`${first['tax-id']};Aceito;31/02/2027`, `${second['tax-id']};Aceito;01/12/2029`]
  const file = ['CPF;Situação;Início', ...lines].join('\n')
  const [wrong, far] = await resultsOf(id, file)
  expect(wrong?.details).toMatchObject([
    { field: 'start-date', message: expect.stringContaining('as 31/12/2026 or 2026-12-31') },
  ])
  expect(far).toMatchObject({ code: 'date-out-of-range', details: [{ field: 'start-date' }] })
  const confirming = await testApp.call('POST', `${shipmentPath}/${id}/acknowledgement?confirm=true`, {
    token: testApp.operator.token,
    body: Buffer.from(file),
    headers: { 'content-type': types.csv, prefer: 'wait=60' },
  })
  expect(codesOf(expectOk(confirming).body.result)).toEqual(['invalid-body', 'completed'])
  expect(await statusesOf(ids)).toEqual(['carrier-processing', 'completed'])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('a shipment that was not sent, or is none, takes no acknowledgement', async () => {
  const shipper = await openShipper(testApp)
  await enroll(testApp, shipper, [primary()])
  const id = await openShipmentOf(testApp, shipper.contractId)
  const line = [{ position: 1, outcome: 'accepted' }]
  const refusal = async (shipmentId: string) => {
    const { status, body } = await acknowledge(shipmentId, line)
    return [status, body.code]
  }
  expect(await refusal(id)).toEqual([409, 'shipment-status'])
  expectOk(await act(testApp, id, 'close'))
  expect(await refusal(id)).toEqual([409, 'shipment-status'])
  expect(await refusal('01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')).toEqual([404, 'shipment-not-found'])
})

test('partners, and operators that only read, send no acknowledgement; the audit names the operator', async () => {
  const { shipper, ids, id } = await sent([primary()])
  const body = Buffer.from(JSON.stringify({ 'enrollment-id': ids[0], outcome: 'accepted' }))
  const send = (token: string) =>
    testApp.call('POST', `${shipmentPath}/${id}/acknowledgement`, {
      token,
      body,
      headers: { 'content-type': types.ndjson, prefer: 'wait=60' },
    })
  expect((await send(shipper.partner.token)).status).toBe(401)
  const auditor = await testApp.operatorOf('auditor')
  expect((await send(auditor.token)).status).toBe(403)
  const analyst = await testApp.operatorOf('analyst')
  expectOk(await send(analyst.token))
  const rows = await testApp.sql<{ actor: string; action: string }>(
    `select actor, action from audit where target in ($1, $2) and action in ('shipment.acknowledged', 'enrollment.completed') order by action`,
    [id, ids[0]],
  )
  expect(rows).toEqual([
    { actor: 'carrier', action: 'enrollment.completed' },
    { actor: analyst.clientId, action: 'shipment.acknowledged' },
  ])
})
