import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages } from '#platform/http/pages.ts'
import { nextCutOff } from '../rules/cut-off.ts'
import type { CutOffCalendar } from '../rules/cut-off.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { holdsText } from '#kernel/search.ts'
import { CARRIER_DIRECTIONS } from '../rules/layout.ts'
import type { ContractData, ContractQuery } from './schema.ts'

/** A contract without what follows from today. */
export type StoredContract = Omit<ContractData, 'next-cut-off'>

/** SQL of a Contract without what follows from today, over `contract`, `company` and `carrier`. */
const contractJson = `json_build_object('contract-id', contract.id, 'company-tax-id', company.tax_id, 'carrier-name', carrier.name,
  'contract-number', contract.contract_number, 'sub-contract', contract.sub_contract,
  'carrier-company-code', contract.carrier_company_code, 'plans', (
    select coalesce(json_agg(json_build_object('product-id', product_id, 'carrier-plan-code', carrier_plan_code,
      'ans-plan-number', ans_plan_number, 'plan-version', plan_version) order by position), '[]')
    from contract_plan where contract_plan.company_id = contract.company_id and contract_plan.contract_id = contract.id),
  'ans-registration', contract.ans_registration, 'carrier-tax-id', contract.carrier_tax_id, 'lives', contract.lives,
  'contract-start', contract.contract_start, 'anniversary-month', contract.anniversary_month,
  'contributory', contract.contributory, 'coparticipation', contract.coparticipation, 'post-paid', contract.post_paid,
  'retirement-remainder', contract.retirement_remainder, 'age-on', contract.age_on, 'proration', contract.proration,
  'proration-day', contract.proration_day, 'tolerance', contract.tolerance,
  'retroactive-exclusion', contract.retroactive_exclusion, 'retroactive-inclusion', contract.retroactive_inclusion,
  'coparticipation-delay-months', contract.coparticipation_delay_months, 'contract-fees', contract.fees, 'channel', contract.channel,
  'layouts', json_build_object(${CARRIER_DIRECTIONS.map((name) => `'${name}', contract.layouts->>'${name}'`).join(', ')}),
  'calendar', contract.calendar, 'contacts', contract.contacts,
  'answer-within-business-days', contract.answer_within_business_days,
  'code-map', contract.code_map, 'acknowledgement-mapping', contract.acknowledgement_mapping,
  'show-discrepancies', contract.show_discrepancies, 'status', contract.status)`

const joined = `contract join company on company.id = contract.company_id join carrier on carrier.id = contract.carrier_id`

/** A contract; null when there is none. */
export async function readContract(sql: Sql, id: string): Promise<StoredContract | null> {
  const rows = await sql.query<{ contract: StoredContract }>(
    `select ${contractJson} as contract from ${joined} where contract.id = $1`,
    [id],
  )
  return rows[0]?.contract ?? null
}

/** The ids of the contracts of a company. */
export async function readContractIds(sql: Sql, companyId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>('select id from contract where company_id = $1 order by id', [companyId])
  return rows.map(({ id }) => id)
}

const inOrder = `company.search_name collate "C", carrier.key collate "C", contract.contract_number collate "C",
  contract.sub_contract collate "C", contract.id`

/** A page of the contracts by company, carrier and number, without what follows from today. */
export const contractPage = pages<Static<typeof ContractQuery>>({
  from: joined,
  item: contractJson,
  order: inOrder,
  where: {
    'company-tax-id': equals('company.tax_id'),
    q: (text) => `(${holdsText('lower(contract.contract_number)', text)} or ${holdsText('carrier.key', text)})`,
    'carrier-name': (name) => `carrier.key = fold(btrim(${name}))`,
  },
})

/** A contract as the API has it. */
export function contractOn(today: LocalDate, contract: StoredContract): ContractData {
  const calendar = contract.status === 'active' ? contract.calendar : null
  return { ...contract, 'next-cut-off': calendar === null ? null : nextCutOffOn(today, calendar) }
}

function nextCutOffOn(today: LocalDate, calendar: CutOffCalendar): NonNullable<ContractData['next-cut-off']> {
  const { exception: _, ...next } = nextCutOff(calendar, today)
  return next
}

/** A contract with a calendar. */
export interface DatedContract {
  readonly id: string
  readonly contractNumber: string
  readonly subContract: string
  readonly companyTaxId: string
  readonly companyName: string
  readonly carrierName: string
  readonly calendar: CutOffCalendar
  readonly updatedAt: Date
}

/** The active contracts that have a calendar, in the order of the list: all, or those of a company; of an id only that one, also when it has ended. */
export async function readDatedContracts(
  sql: Sql,
  of: { readonly id: string } | { readonly companyTaxId: string } | null,
): Promise<DatedContract[]> {
  const values = of === null ? [] : Object.values<string>(of)
  const active = `contract.status = 'active'`
  const selected = of === null ? active : 'id' in of ? 'contract.id = $1' : `${active} and company.tax_id = $1`
  return sql.queryPlanned<DatedContract>(
    `select contract.id, contract.contract_number as "contractNumber", contract.sub_contract as "subContract",
       company.tax_id as "companyTaxId", company.name as "companyName", carrier.name as "carrierName", contract.calendar,
       contract.updated_at as "updatedAt"
     from ${joined} where contract.calendar is not null and ${selected}
     order by ${inOrder}`,
    values,
  )
}
