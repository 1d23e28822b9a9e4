import { randomUUID } from 'node:crypto'
import { pricesOf } from '../data/prices.ts'
import { csv, upload } from './carrier-file.ts'
import { calendar } from './contract.ts'
import { insertPriced, planCode, pricedContract } from './price.ts'
import {
  type Client,
  type Company,
  expectOk,
  health,
  inProduct,
  type Json,
  nextCpf,
  primary,
  type TestApp,
} from './test-app.ts'

/* Cerâmica Vale Claro on 14 December 2026, before the cut-off of the 18th: the invoices of November and December, and what is open. */

export const valeClaroDay = '2026-12-14'
const amounts = [21_840, 26_208, 31_974, 37_120, 39_804, 45_516, 56_190, 64_057, 82_953, 130_236]

/** Who was charged by both invoices: born, and the amount. */
const charged = {
  'Teresa Nogueira Prates': ['1987-12-14', 39_804],
  'Otávio Prates Lima': ['2019-05-02', 21_840],
  'Márcio Delgado Furtado': ['1970-03-09', 82_953],
  'Célia Amorim Bastos': ['1961-10-01', 130_236],
  'Nair Toledo Guerra': ['1990-02-11', 39_804],
  'Gilson Arruda Penteado': ['1982-07-30', 56_190],
  'Ruth Camargo Leite': ['1975-04-18', 64_057],
} as const
type Charged = keyof typeof charged

export interface ValeClaro {
  readonly company: Company
  readonly partner: Client
  readonly contractId: string
  readonly cpfs: Readonly<Record<string, string>>
  /** The ids of the open movements. */
  readonly movements: { readonly marcio: string; readonly davi: string; readonly celia: string }
}

const reais = (cents: number): string => (cents / 100).toFixed(2).replace('.', ',')

/** Sends an invoice of these lines. */
export const invoiceOf = (
  testApp: TestApp,
  { contractId }: Pick<ValeClaro, 'contractId'>,
  month: string,
  lines: Json[],
) => upload(testApp, { contractId, kind: 'invoice', month }, csv(lines))

/** A line of a person. */
export const lineOf = ({ cpfs }: Pick<ValeClaro, 'cpfs'>, name: string, cents: number, more: Json = {}): Json => ({
  'tax-id': cpfs[name],
  amount: reais(cents),
  'entry-type': '',
  'entry-month': '',
  ...more,
})

/** The lines of who was charged, with other amounts for some. */
export const chargedLines = (one: Pick<ValeClaro, 'cpfs'>, more: Partial<Record<Charged, number>> = {}): Json[] =>
  Object.entries(charged).map(([name, [, amount]]) => lineOf(one, name, more[name as Charged] ?? amount))

/** Opens the company on its day. @param more of the contract. */
export async function openValeClaro(testApp: TestApp, more: Json = {}): Promise<ValeClaro> {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const settings = { proration: 'daily-30', calendar: calendar(18), ...more }
  const { 'contract-id': contractId } = await pricedContract(testApp, company, settings)
  const table = {
    'contract-id': contractId,
    'valid-from': '2026-02-01',
    kind: 'age-band-10',
    'carrier-plan-code': planCode,
    prices: pricesOf('age-band-10', amounts),
  }
  expectOk(await testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, table))
  const cpfs: Record<string, string> = {}
  for (const [name, [born]] of Object.entries(charged)) {
    const { memberId } = await insertPriced(testApp, company, { name, born })
    const [row] = await testApp.sql('select tax_id from member where id = $1', [memberId])
    cpfs[name] = row?.['tax_id']
  }
  const include = async (name: string, born: string, startDate: string, query = '') => {
    cpfs[name] = nextCpf()
    const member = primary({
      name,
      'tax-id': cpfs[name],
      'date-of-birth': born,
      'admission-date': startDate,
      products: inProduct('health-insurance', health, 'on-admission-date'),
    })
    const { 'status-by-tax-id': status } = await testApp.include(partner, company, [member], query)
    return status[cpfs[name]][health]['enrollment-id']
  }
  const toldOn = (id: string, day: string) =>
    testApp.sql(`update enrollment_history set at = $2::date + time '15:00' where enrollment_id = $1`, [id, day])
  const exclude = async (name: string, endDate: string): Promise<string> => {
    const details = { 'end-date': endDate, 'exclusion-reason': 'dismissal' }
    const path = `/v1/enrollment/exclusion/${cpfs[name]}/product/${company.products[health]}`
    const { body } = expectOk(await partner.post(path, { 'exclusion-details': details }))
    await testApp.finished(partner, body['request-id'])
    const [row] = await testApp.sql('select id from enrollment where request_id = $1', [body['request-id']])
    return row?.['id']
  }
  await toldOn(
    await include('Iolanda Freitas Barreto', '1999-08-21', '2026-11-23', '?resolution=approve'),
    '2026-11-24',
  )
  const davi = await include('Davi Sampaio Coutinho', '2004-01-30', '2026-12-01')
  const celia = await exclude('Célia Amorim Bastos', '2026-11-30')
  for (const status of ['broker-processing', 'carrier-processing']) {
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${celia}/transition`, { status }))
  }
  await toldOn(celia, '2026-11-30')
  const marcio = await exclude('Márcio Delgado Furtado', '2026-12-09')
  const one = { company, partner, contractId, cpfs, movements: { marcio, davi, celia } }
  for (const month of ['2026-11', '2026-12']) await invoiceOf(testApp, one, month, chargedLines(one))
  return one
}
