import { randomUUID } from 'node:crypto'
import { companyIdsOf } from '#registry/companies/queries.ts'
import { readProducts } from '#registry/companies/rows.ts'
import { createContract } from '#registry/contracts/put.ts'
import { contractPage, type StoredContract } from '#registry/contracts/queries.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { required } from '#platform/core/log.ts'
import { addDays } from '#kernel/calendar.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { completeCpf } from '#kernel/tax-id.ts'
import type { Context } from '#platform/http/context.ts'
import { acceptBatch } from '#movements/batch/accept.ts'
import { decideEnrollments } from '#movements/decide/decide.ts'
import { inclusion } from '#movements/include/queries.ts'
import { closeShipment } from '#exchange/shipments/close.ts'
import { readJoining } from '#exchange/shipments/joining.ts'
import { shipmentPage, type StoredShipment } from '#exchange/shipments/queries.ts'
import { sendShipment } from '#exchange/shipments/send.ts'
import { demoCarrier, demoCompany } from './company.ts'

const productName = 'Vida em Grupo'

const person = (nineDigits: string, name: string, mothersName: string, dateOfBirth: string, gender: string) => {
  return { name, 'tax-id': completeCpf(nineDigits), 'mothers-name': mothersName, 'date-of-birth': dateOfBirth, gender }
}

type DemoPerson = ReturnType<typeof person>

const sentPeople = [
  person('912345601', 'Otávio Nunes Prado', 'Silvia Nunes', '1985-03-12', 'male'),
  person('912345602', 'Renata Campos Leal', 'Elisa Campos', '1992-11-04', 'female'),
  person('912345603', 'Caio Freitas Rocha', 'Norma Freitas', '1979-07-21', 'male'),
]
const waitingPeople = [
  person('912345604', 'Marina Teles Duarte', 'Ivone Teles', '1996-01-30', 'female'),
  person('912345605', 'Samuel Pires Antunes', 'Clara Pires', '1988-09-17', 'male'),
]

/**
 * Makes a contract of the demo company with two shipments, by the calls that its clients make: number 1 is sent and waits for the carrier's
 * answer, number 2 is open, with movements that the broker has checked. A step that was done before is not done again.
 * @param finishWork does the work of the workers, which start later.
 */
export async function makeDemoShipments(
  context: Context,
  { partnerId, operatorId }: { readonly partnerId: string; readonly operatorId: string },
  finishWork: () => Promise<void>,
): Promise<void> {
  const { database } = context
  const origin = { address: '127.0.0.1', traceId: randomUUID() }
  const partner = { kind: 'partner', clientId: partnerId, origin } as const
  const operator = { kind: 'operator', clientId: operatorId, origin } as const
  const companyId = required((await companyIdsOf(database, [demoCompany.taxId])).get(demoCompany.taxId), 'company')
  const contractId = await ensureContract(context, operator, companyId)
  const ensureIncluded = async (people: readonly DemoPerson[]) => {
    // What was accepted before is an enrollment then.
    await finishWork()
    if (!(await areEnrolled(database, companyId, people))) await include(context, partner, people)
    await finishWork()
  }

  await ensureIncluded(sentPeople)
  const { items } = await shipmentPage(database, { 'contract-id': contractId, page: 1, 'items-per-page': 2 })
  // The latest comes first.
  const { shipment, status } = required((JSON.parse(items) as StoredShipment[]).at(-1), 'shipment')
  const shipmentId = String(shipment['shipment-id'])
  if (status === 'open') await closeShipment(context, operator, shipmentId, { skipNotReady: false, language: 'en' })
  if (status === 'open' || status === 'closed') {
    await sendShipment(context, operator, shipmentId, { sentAt: null, carrierProtocol: '2026-118840' })
  }
  await ensureIncluded(waitingPeople)
  const waiting = await readJoining(database, companyId, contractId, null)
  const taken = { status: 'broker-processing', reason: null } as const
  await decideEnrollments(context, operator, new Map(waiting.map(({ id }) => [id, taken])))
}

/** @returns the id of the contract. */
async function ensureContract(context: Context, operator: ClientActor, companyId: string): Promise<string> {
  const { database } = context
  const query = { 'company-tax-id': demoCompany.taxId, 'carrier-name': demoCarrier.name, page: 1, 'items-per-page': 1 }
  const [stored] = JSON.parse((await contractPage(database, query)).items) as StoredContract[]
  if (stored !== undefined) return stored['contract-id']
  const products = await readProducts(database, companyId)
  const product = required(
    products.find(({ nameKey }) => nameKey === productNameKey(productName)),
    'product of the contract',
  )
  return createContract(context, operator, contractWith(product.id))
}

/** They are in one batch: it is all of them or none. */
async function areEnrolled(sql: Sql, companyId: string, people: readonly DemoPerson[]): Promise<boolean> {
  const rows = await sql.query('select from enrollment where company_id = $1 and member_tax_id = any($2) limit 1', [
    companyId,
    people.map((person) => person['tax-id']),
  ])
  return rows.length > 0
}

const contractWith = (productId: string) => ({
  'company-tax-id': demoCompany.taxId,
  'carrier-name': demoCarrier.name,
  'contract-number': '700015',
  plans: [{ 'product-id': productId, 'carrier-plan-code': 'VG24' }],
  calendar: {
    'cut-off-day': 20,
    'when-not-business-day': 'previous' as const,
    'coverage-day': 1,
    'coverage-month-offset': 1,
  },
  'answer-within-business-days': 10,
})

async function include(context: Context, partner: ClientActor, people: readonly DemoPerson[]): Promise<void> {
  const products = { 'life-insurance': [{ name: productName, 'start-option': 'on-admission-date' }] }
  const admission = addDays(context.today(), -3)
  const members = people.map((person) => {
    return { 'beneficiary-type': 'primary', ...person, 'admission-date': admission, products }
  })
  const body = Buffer.from(JSON.stringify({ 'company-tax-id': demoCompany.taxId, members }))
  const saveResponse = async () => {}
  const options = { dryRun: false, lenient: false, resolution: null, language: 'en' as const, saveResponse }
  await acceptBatch(inclusion, context, partner, { body, ...options })
}
