import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readViolations } from '../crash/invariants.ts'
import { calendar, contractBody } from '../world/contract.ts'
import { plansOf } from '../world/shipment.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  until,
  useTestApp,
} from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

/* One month of one contract, as a broker types it: 40 movements, sent, three refused, answered by the partner, sent again, finished. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-16' })
let cli: Cli
let company: Company
let partner: Client

beforeAll(async () => {
  cli = await openCli()
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  await cli.signIn(testApp.url, { partner, operator: testApp.operator })
})
afterAll(() => cli.clear())

/** Runs the command and returns what it prints as JSON. */
async function vigencia(...words: string[]): Promise<Json> {
  const outcome = await cli.run([...words, '--json'])
  expect([words, outcome.code, outcome.err]).toEqual([words, 0, outcome.err])
  return outcome.json
}

/** Closes the open shipment of the contract, reads its file and sends it; its id once its movements are at the carrier. */
async function sendMonth(contractId: string, items: number): Promise<string> {
  const [open] = (await vigencia('shipment', 'list', '--contract-id', contractId, '--status', 'open')).result
  const id: string = open['shipment-id']
  const { result: closed } = await vigencia('shipment', 'close', id)
  expect(closed).toMatchObject({ status: 'closed', 'cut-off-date': '2026-11-19', counts: { ready: items } })
  const file = join(cli.folder, closed.file.name)
  expect((await cli.run(['shipment', 'file', id, '--output', file])).code).toBe(0)
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + items)
  await vigencia('shipment', 'send', id, '--carrier-protocol', `2026-${id.slice(-6)}`)
  await until(
    async () => (await vigencia('shipment', 'show', id)).result.counts.sent,
    (sent) => sent === items,
  )
  return id
}

const header = 'id da movimentação;Situação;Carteirinha;Início;Código;Mensagem'

/** The carrier's answer to the items of a shipment. @param refusals the code of each that it refuses. */
async function answerOf(shipmentId: string, refusals: ReadonlyMap<string, string>): Promise<string> {
  const { result } = await vigencia('shipment', 'items', shipmentId, '--limit', '100')
  const lines = result.map((item: Json, index: number) => {
    const id: string = item['enrollment-id']
    const code = refusals.get(id)
    return code === undefined
      ? `${id};Aceito;0045${shipmentId.slice(-4)}${index};01/12/2026;;`
      : `${id};Recusado;;;${code};Falta`
  })
  return cli.file(`retorno-${shipmentId}.csv`, `${[header, ...lines].join('\r\n')}\r\n`)
}

test('a month of a contract from 40 movements to the second shipment that is finished', async () => {
  const contract = contractBody(company, {
    plans: plansOf(company, health),
    calendar: calendar(20, { 'when-not-business-day': 'previous' }),
    'code-map': [
      {
        code: '17',
        status: 'pending-documents',
        'pending-items': [
          { kind: 'document', 'document-type': 'birth-certificate-or-national-id', message: 'Certidão ou RG' },
        ],
      },
      {
        code: '31',
        status: 'pending-correction',
        'pending-items': [{ kind: 'field', field: 'name', message: 'Nome' }],
      },
    ],
  })
  const { result: made } = await vigencia(
    'contract',
    'create',
    await cli.file('contract.json', JSON.stringify(contract)),
  )
  const contractId: string = made['contract-id']

  const primaries = Array.from({ length: 32 }, () => primary())
  const members = [...primaries, ...primaries.slice(0, 8).map((one) => dependent(one['tax-id']))]
  const batch = JSON.stringify({ 'company-tax-id': company.taxId, members })
  expect((await cli.run(['include', await cli.file('month.json', batch), '--watch'])).code).toBe(0)

  const first = await sendMonth(contractId, 40)
  const { result: items } = await vigencia('shipment', 'items', first, '--limit', '100')
  const idOf = (member: Json): string =>
    items.find((item: Json) => item['member-tax-id'] === member['tax-id'])['enrollment-id']
  const [documents, name, unknown] = [idOf(primaries[20]), idOf(primaries[21]), idOf(primaries[22])]
  const refused = new Map([
    [documents, '17'],
    [name, '31'],
    [unknown, '99'],
  ])
  const answer = await answerOf(first, refused)
  const dry = await vigencia('shipment', 'acknowledge', first, answer, '--dry-run')
  expect(dry).toMatchObject({ 'dry-run': true, lines: 40, accepted: 37, refused: 3, done: 40, rejected: 0 })
  const read = await vigencia('shipment', 'acknowledge', first, answer, '--yes')
  expect(read).toEqual({ ...dry, 'dry-run': false })
  expect((await vigencia('shipment', 'show', first)).result).toMatchObject({
    status: 'acknowledged',
    counts: { accepted: 37, refused: 3, sent: 0 },
  })

  const answerMovement = (id: string, body: Json) => partner.post(`/v1/enrollment/${id}/answer`, body)
  expectOk(await answerMovement(documents, { comment: 'A certidão segue por e-mail.' }))
  expectOk(await answerMovement(name, { data: { name: 'Helena Brandão de Souza' } }))
  expectOk(await answerMovement(unknown, { comment: 'O cadastro está certo.' }))

  const second = await sendMonth(contractId, 3)
  expect(await vigencia('shipment', 'acknowledge', second, await answerOf(second, new Map()), '--yes')).toMatchObject({
    accepted: 3,
  })
  for (const id of [first, second]) {
    expect((await vigencia('shipment', 'finish', id)).result).toMatchObject({
      status: 'finished',
      counts: { unanswered: 0, ready: 0, sent: 0 },
    })
  }
  const benefits = await partner.get(`/v1/benefit?company-tax-id=${company.taxId}&items-per-page=100`)
  const { result } = expectOk(benefits).body
  expect(result).toHaveLength(40)
  expect(new Set(result.map(({ status }: Json) => status))).toEqual(new Set(['active']))
  expect(new Set(result.map((one: Json) => one['card-number'])).size).toBe(40)
  expect(await readViolations((text, values) => testApp.sql(text, values))).toEqual({})
})
