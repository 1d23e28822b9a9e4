import { randomUUID } from 'node:crypto'
import { contractBody, makeContract } from './contract.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  health,
  type Json,
  type TestApp,
  until,
} from './test-app.ts'

export const shipmentPath = '/operator/v1/shipment'

/** A company whose health product is in a contract, and its partner. */
export interface Shipper {
  readonly company: Company
  readonly partner: Client
  readonly contractId: string
}

/** The plans of a contract: products by name, each with a code of the carrier. */
export const plansOf = (company: Company, ...names: string[]): Json[] =>
  names.map((name) => ({ 'product-id': company.products[name], 'carrier-plan-code': 'AE1230' }))

/** Opens a company with a contract of its health product. @param more of the contract. */
export async function openShipper(testApp: TestApp, more: Record<string, unknown> = {}): Promise<Shipper> {
  const company = await testApp.company()
  const made = await makeContract(testApp, company, { plans: plansOf(company, health), ...more })
  return { company, partner: await testApp.partner(company.taxId), contractId: made['contract-id'] }
}

/** Replaces the contract. */
export const putContract = (testApp: TestApp, { company, contractId }: Shipper, more: Record<string, unknown>) =>
  testApp.operator.put(`/operator/v1/contract/${contractId}`, contractBody(company, more))

/** Includes the members; the ids of their health movements, in their order. */
export async function enroll(testApp: TestApp, { company, partner }: Shipper, members: Json[]): Promise<string[]> {
  const request = await testApp.include(partner, company, members)
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id'])
}

/** The shipments of a contract, the latest first. */
export async function shipmentsOf({ operator }: TestApp, contractId: string): Promise<Json[]> {
  return expectOk(await operator.get(`${shipmentPath}?contract-id=${contractId}`)).body.result
}

/** The id of the open shipment of a contract. */
export async function openShipmentOf({ operator }: TestApp, contractId: string): Promise<string> {
  const { result } = expectOk(await operator.get(`${shipmentPath}?contract-id=${contractId}&status=open`)).body
  expectOne(result)
  return result[0]['shipment-id']
}

function expectOne(list: unknown[]): void {
  if (list.length !== 1) throw new Error(`one was expected, not ${list.length}`)
}

export const readShipment = async ({ operator }: TestApp, id: string): Promise<Json> =>
  expectOk(await operator.get(`${shipmentPath}/${id}`)).body.result

export const itemsOf = async ({ operator }: TestApp, id: string, query = ''): Promise<Json[]> =>
  expectOk(await operator.get(`${shipmentPath}/${id}/item?items-per-page=500${query}`)).body.result

/** What is done with a shipment: `close`, `send` and others. */
export const act = ({ operator }: TestApp, id: string, verb: string, body?: Json): Promise<ApiResponse> =>
  operator.post(`${shipmentPath}/${id}/${verb}`, body)

/** Waits until the workers have moved the movements of a sent shipment. */
export const moved = (testApp: TestApp, id: string): Promise<Json> =>
  until(
    () => readShipment(testApp, id),
    ({ counts }) => counts.ready === 0,
  )

/** Gives the contract a layout whose file needs a source, the carrier's code of the plan unless another is named. */
export async function needPlanCode(
  { sql }: TestApp,
  contractId: string,
  needed = 'plan.carrier-plan-code',
): Promise<void> {
  const columns = [needed, 'person.name', 'movement.position'].map((source) => {
    return { heading: source, source, ...(source === needed && { required: true }) }
  })
  const definition = { format: 'csv', 'header-lines': ['headings'], records: [{ name: 'movement', columns }] }
  await sql(
    `with layout as (
       insert into layout (id, version, name, direction, format, definition, created_at, updated_at)
       values ($2, 1, 'x', 'movement', 'csv', $3, now(), now())
     )
     update contract set layouts = jsonb_build_object('movement', $2) where id = $1`,
    [contractId, randomUUID(), JSON.stringify(definition)],
  )
}
