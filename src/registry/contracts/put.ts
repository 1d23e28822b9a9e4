import { v7 as uuidv7 } from 'uuid'
import { findCarrier } from '../carriers/queries.ts'
import type { Actor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, type Detail, invalidBody } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { codeMapErrors, mappingErrors } from '../rules/acknowledgement.ts'
import { type ContractFee, repeatedFees } from '../rules/contract-fee.ts'
import { calendarErrors, prorationErrors, repeatedPlans } from '../rules/contract.ts'
import type { CutOffCalendar } from '../rules/cut-off.ts'
import { BUILT_IN_LAYOUTS, type LayoutDirection } from '../rules/layout.ts'
import { storedContacts } from '#platform/http/contact-schemas.ts'
import { resetCarrierCutOffs } from './carrier-cut-off.ts'
import { resetRetroactiveLimits } from './retroactive-limits.ts'
import type { Context } from '#platform/http/context.ts'
import { cancelOpenShipment, openNextShipment } from './open-shipment.ts'
import { readContract, type StoredContract } from './queries.ts'
import type { ContractInput } from './schema.ts'
import {
  type ContractRow,
  deletePlans,
  hasNumber,
  insertPlans,
  lockCompany,
  type PlanRow,
  putContractRow,
  readLayoutDirections,
  readPlannedProducts,
} from './rows.ts'

/** The roles that write contracts, beside `admin`. */
export const mayWriteContracts = ['analyst'] as const

const defaultAnswerDays = 10

/** Creates a contract. @returns its id. @throws ApiError 404 for an unknown company, 400. */
export async function createContract(context: Context, actor: Actor, body: ContractInput): Promise<string> {
  const id = uuidv7()
  await write(context, actor, { may: mayWriteContracts }, (tx) => putContract(tx, id, body, null))
  return id
}

/** Replaces a contract. Company and carrier stay. @throws ApiError 404, 400. */
export async function replaceContract(context: Context, actor: Actor, id: string, body: ContractInput): Promise<void> {
  await write(context, actor, { may: mayWriteContracts }, async (tx) => {
    const stored = await readContract(tx, id)
    if (stored === null) throw new ApiError('contract-not-found')
    await putContract(tx, id, body, stored)
  })
}

/** @param stored the contract that is replaced; null for a new one. */
async function putContract(tx: Tx, id: string, body: ContractInput, stored: StoredContract | null): Promise<void> {
  const companyId = await lockCompany(tx, body['company-tax-id'])
  if (companyId === null) throw new ApiError('company-not-found')
  const carrierId = await findCarrier(tx, body['carrier-name'])
  const plans = planRows(body)
  const calendar = calendarOf(body)
  const errors: Detail[] = [
    ...(calendar === null ? [] : calendarErrors(calendar)),
    ...prorationErrors(body.proration ?? null, body['proration-day'] ?? null),
    ...repeatedPlans(plans.map((plan) => plan.product_id)),
    ...codeMapErrors(body['code-map'] ?? []),
    ...repeatedFees(contractFees(body)),
    ...mappingErrors(body['acknowledgement-mapping'] ?? null),
  ]
  if (carrierId === null) throw invalidBody([{ field: 'carrier-name', code: 'unknown' }, ...errors])
  const row = contractRow(body, carrierId, calendar)
  if (stored !== null) errors.push(...(await keptErrors(tx, stored, body, carrierId)))
  if (await hasNumber(tx, companyId, row, id)) errors.push({ field: 'contract-number', code: 'duplicate-contract' })
  errors.push(...(await planErrors(tx, companyId, { id, row }, plans)), ...(await layoutErrors(tx, row.layouts)))
  if (errors.length > 0) throw invalidBody(errors)
  const contract = { companyId, id }
  if (stored !== null) await deletePlans(tx, companyId, id)
  await putContractRow(tx, contract, row, tx.at())
  await insertPlans(tx, contract, row.status, plans)
  await resetCarrierCutOffs(tx, companyId)
  await resetRetroactiveLimits(tx, companyId)
  if (row.status === 'active') await openNextShipment(tx, { companyId, contractId: id }, tx.at())
  else await cancelOpenShipment(tx, companyId, id, tx.at())
  tx.audit({ action: stored === null ? 'contract.created' : 'contract.replaced', target: id, companyId })
}

/** A contract of another company or carrier is another contract. */
async function keptErrors(sql: Sql, stored: StoredContract, body: ContractInput, carrierId: string): Promise<Detail[]> {
  const changed = [
    ...(body['company-tax-id'] === stored['company-tax-id'] ? [] : ['company-tax-id']),
    ...((await findCarrier(sql, stored['carrier-name'])) === carrierId ? [] : ['carrier-name']),
  ]
  return changed.map((field) => ({ field, code: 'invalid', message: { key: 'not-another' } }))
}

async function planErrors(
  sql: Sql,
  companyId: string,
  { id, row }: { readonly id: string; readonly row: ContractRow },
  plans: readonly PlanRow[],
): Promise<Detail[]> {
  const found = await readPlannedProducts(
    sql,
    companyId,
    plans.map((plan) => plan.product_id),
    { carrierId: row.carrier_id, contractId: id },
  )
  const products = new Map(found.map((product) => [product.id, product]))
  return plans.flatMap((plan, index): Detail[] => {
    const field = `plans[${index}].product-id`
    const product = products.get(plan.product_id)
    if (product === undefined) return [{ field, code: 'unknown' }]
    if (!product.isOfCarrier) return [{ field, code: 'carrier-mismatch' }]
    if (row.status !== 'active' || product.otherContract === null) return []
    return [
      { field, code: 'in-another-contract', message: { key: 'product-in-contract', number: product.otherContract } },
    ]
  })
}

/** The layouts that are named, by direction. */
function layoutsOf({ layouts = {} }: ContractInput): Partial<Record<LayoutDirection, string>> {
  return Object.fromEntries(Object.entries(layouts).filter(([, id]) => id !== null))
}

async function layoutErrors(sql: Sql, layouts: ContractRow['layouts']): Promise<Detail[]> {
  const own = await readLayoutDirections(sql, Object.values(layouts))
  const directions: Readonly<Record<string, LayoutDirection>> = { ...BUILT_IN_LAYOUTS, ...Object.fromEntries(own) }
  return Object.entries(layouts).flatMap(([direction, id]): Detail[] => {
    const field = `layouts.${direction}`
    if (!Object.hasOwn(directions, id)) return [{ field, code: 'unknown' }]
    if (directions[id] === direction) return []
    return [{ field, code: 'invalid', message: { key: 'layout-no-direction', direction } }]
  })
}

/** The fees as they are stored, with what was not sent of them. */
function contractFees({ 'contract-fees': fees = [] }: ContractInput): ContractFee[] {
  return fees.map((fee) => ({
    'entry-type': fee['entry-type'],
    'entry-code': fee['entry-code'] ?? null,
    amount: fee.amount ?? null,
    name: fee.name ?? null,
  }))
}

function planRows({ plans = [] }: ContractInput): PlanRow[] {
  return plans.map((plan) => ({
    product_id: plan['product-id'],
    carrier_plan_code: plan['carrier-plan-code'] ?? null,
    ans_plan_number: plan['ans-plan-number'] ?? null,
    plan_version: plan['plan-version'] ?? null,
  }))
}

function calendarOf({ calendar }: ContractInput): CutOffCalendar | null {
  if (calendar === undefined || calendar === null) return null
  return {
    'cut-off-day': calendar['cut-off-day'] ?? null,
    'cut-off-business-days-before-billing': calendar['cut-off-business-days-before-billing'] ?? null,
    'when-not-business-day': calendar['when-not-business-day'] ?? 'previous',
    holidays: calendar.holidays ?? 'national',
    'own-holidays': calendar['own-holidays'] ?? [],
    'coverage-day': calendar['coverage-day'],
    'coverage-month-offset': calendar['coverage-month-offset'],
    exceptions: calendar.exceptions ?? [],
  }
}

function contractRow(body: ContractInput, carrierId: string, calendar: CutOffCalendar | null): ContractRow {
  return {
    carrier_id: carrierId,
    contract_number: body['contract-number'],
    sub_contract: body['sub-contract'] ?? '',
    carrier_company_code: body['carrier-company-code'] ?? null,
    ans_registration: body['ans-registration'] ?? null,
    carrier_tax_id: body['carrier-tax-id'] ?? null,
    lives: body.lives ?? null,
    contract_start: body['contract-start'] ?? null,
    anniversary_month: body['anniversary-month'] ?? null,
    contributory: body.contributory ?? null,
    coparticipation: body.coparticipation ?? null,
    post_paid: body['post-paid'] ?? null,
    retirement_remainder: body['retirement-remainder'] ?? null,
    age_on: body['age-on'] ?? null,
    proration: body.proration ?? null,
    proration_day: body['proration-day'] ?? null,
    tolerance: body.tolerance ?? 0,
    retroactive_exclusion: body['retroactive-exclusion'] ?? null,
    retroactive_inclusion: body['retroactive-inclusion'] ?? null,
    coparticipation_delay_months: body['coparticipation-delay-months'] ?? null,
    fees: contractFees(body),
    channel: body.channel ?? null,
    layouts: layoutsOf(body),
    calendar,
    contacts: storedContacts(body.contacts ?? []),
    answer_within_business_days: body['answer-within-business-days'] ?? defaultAnswerDays,
    code_map: body['code-map'] ?? [],
    acknowledgement_mapping: body['acknowledgement-mapping'] ?? null,
    show_discrepancies: body['show-discrepancies'] ?? false,
    status: body.status ?? 'active',
  }
}
