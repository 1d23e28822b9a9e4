import { makeContract } from './contract.ts'
import { plansOf } from './shipment.ts'
import {
  type Client,
  type Company,
  companyBody,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  type TestApp,
} from './test-app.ts'

const other = 'Saúde de outra operadora'

export interface ChangeOptions {
  /** More of the contract that the person leaves. */
  readonly leaving?: Json
  /** More of the contract that the person joins. */
  readonly joining?: Json
  /** Dependents, by the CPF of their primary; from the third on their benefits have ended. */
  readonly followers?: (primary: string) => Json[]
  /** The first day of the new plan. */
  readonly startDate?: string
}

interface ChangedPlan {
  /** The movement. */
  readonly id: string
  readonly company: Company
  readonly partner: Client
  readonly member: Json
  readonly dependents: Json[]
  /** The contracts. */
  readonly former: string
  readonly next: string
}

/** Requests a plan change to another contract. */
export async function changePlan(
  testApp: TestApp,
  { leaving = {}, joining = {}, followers = () => [], startDate = '2026-12-07' }: ChangeOptions = {},
): Promise<ChangedPlan> {
  const [first] = companyBody.products
  const products = [...companyBody.products, { ...first, 'product-name': other, 'carrier-name': 'Operadora Boreal' }]
  const company = await testApp.company({ products })
  const partner = await testApp.partner(company.taxId)
  const former = await makeContract(testApp, company, { plans: plansOf(company, health), ...leaving })
  const own = { 'carrier-name': 'Operadora Boreal', 'contract-number': '800008', ...joining }
  const plans = [{ 'product-id': company.products[other], 'carrier-plan-code': 'BO77' }]
  const next = await makeContract(testApp, company, { ...own, plans })
  const member = primary()
  const dependents = followers(member['tax-id'])
  await testApp.include(partner, company, [member, ...dependents], '?resolution=approve')
  await testApp.sql(
    `update benefit set status = 'inactive', end_date = start_date - 1
     where member_id in (select id from member where tax_id = any($1))`,
    [dependents.slice(2).map((one) => one['tax-id'])],
  )
  const data = { 'requested-start-date': startDate, 'new-product-id': company.products[other] }
  const { body } = expectOk(
    await partner.post(`/v1/enrollment/alteration/${member['tax-id']}`, { 'alteration-data': data }),
  )
  const request = await testApp.finished(partner, body['request-id'])
  const [part] = Object.values<Json>(request['status-by-tax-id'][member['tax-id']])
  const id: string = part?.['enrollment-id']
  return { id, company, partner, member, dependents, former: former['contract-id'], next: next['contract-id'] }
}

/** Two dependents who move along, and one who has ended. */
export const family = (taxId: string): Json[] => [
  dependent(taxId, { name: 'Davi Brandão Souza' }),
  dependent(taxId, { name: 'Lia Brandão Souza', 'date-of-birth': '2018-03-02' }),
  dependent(taxId, { name: 'Caio Brandão Lima', 'date-of-birth': '1988-03-02', 'dependent-type': 'spouse' }),
]
