import type { Sql } from '../core/database.ts'
import type { AlterationKind, BeneficiaryType, MovementKind } from '../domain/enums.ts'
import { type ExclusionDetails, FIELDS_OF_REASONS } from '../domain/exclusion-details.ts'
import { addDays } from '../domain/calendar.ts'
import { sideIn } from '../contracts/sides.ts'
import type { ItemSide } from '../domain/shipment.ts'
import { hasRule } from '../enrollments/kind.ts'
import { registrationJson } from '../members/write.ts'
import { REGISTRATION } from './fields.ts'
import type { MovementRecord, SourceValues } from './types.ts'

/** The values of one subject, under the names of the fields of a layout or the keys of registration data. */
type Values = Readonly<Record<string, string | number | boolean | null>>

interface MovementRow {
  readonly id: string
  readonly familyId: string
  readonly kind: MovementKind
  readonly beneficiaryType: BeneficiaryType
  /** Of an act of an operator. */
  readonly alterationKind: AlterationKind | null
  /** What becomes of the benefit by an alteration. */
  readonly alterationType: 'registration' | 'plan' | 'company'
  readonly destinationCompanyId: string | null
  readonly destinationProductId: string | null
  readonly data: Readonly<Record<string, unknown>>
  /** null: the person has not become a member. */
  readonly registered: Values | null
  readonly relationship: string | null
  /** Of a plan change to another contract: in the shipment of which it is read. */
  readonly side: ItemSide | null
  readonly startDate: string | null
  readonly effectiveDate: string | null
  readonly movement: Values
  readonly primary: Values
  readonly contract: Values
  readonly plan: Values
  readonly destination: Values | null
  readonly benefit: Values
}

/** SQL: the values of a contract, over `contract`, `company` and `carrier`; without a contract those of the company. */
const contractValues = `json_build_object('contract-number', contract.contract_number, 'sub-contract', contract.sub_contract,
  'carrier-company-code', contract.carrier_company_code, 'carrier-name', carrier.name,
  'ans-registration', coalesce(contract.ans_registration, carrier.ans_registration),
  'carrier-tax-id', coalesce(contract.carrier_tax_id, carrier.tax_id), 'lives', contract.lives,
  'contract-start', contract.contract_start, 'company-tax-id', company.tax_id, 'company-name', company.name)`

/** SQL: the values of a product and of the plan that a contract has for it. */
const planValues = (product: string, plan: string) => `json_build_object('product-name', ${product}.name,
  'product-type', ${product}.product_type, 'carrier-plan-code', ${plan}.carrier_plan_code,
  'ans-plan-number', ${plan}.ans_plan_number, 'plan-version', ${plan}.plan_version)`

/** SQL: where the carrier has the primary of a dependent of the company $1: by the benefit of the product, else by its open inclusion. */
const primaryStatus = `coalesce(
  (select case when primary_benefit.status = 'pending' then null else primary_benefit.status end from benefit primary_benefit
   where primary_benefit.company_id = $1 and primary_benefit.member_id = enrollment.primary_member_id
     and primary_benefit.product_id = enrollment.product_id and primary_benefit.type = 'primary'
   order by primary_benefit.status = 'pending', primary_benefit.start_date desc, primary_benefit.id limit 1),
  (select case when open_movement.status = 'carrier-processing' then 'sent' end from open_movement
   where open_movement.company_id = $1 and open_movement.member_id = enrollment.primary_member_id
     and open_movement.product_id = enrollment.product_id and open_movement.member_type = 'primary'
     and ${hasRule('open_movement.enrollment_type', 'createsBenefit')}
   order by open_movement.status = 'carrier-processing' desc limit 1),
  'pending')`

const primaryCard = `(select primary_benefit.card_number from benefit primary_benefit
  where primary_benefit.company_id = $1 and primary_benefit.member_id = primary_member.id
    and primary_benefit.product_id = enrollment.product_id and primary_benefit.type = 'primary'
  order by primary_benefit.start_date desc, primary_benefit.id limit 1)`

/**
 * The movements of a company as layouts read them: families together in the order of their first movement, primaries first.
 * @param contractId of their shipment; null: each of its own contract. A plan change to another contract is an inclusion there, and an exclusion here.
 */
export async function readMovementRecords(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
  contractId: string | null = null,
): Promise<MovementRecord[]> {
  const rows = await sql.query<MovementRow>(
    `select enrollment.id, coalesce(enrollment.primary_member_id, enrollment.member_id) as "familyId",
       enrollment.enrollment_type as kind, enrollment.alteration_kind as "alterationKind", enrollment.member_type as "beneficiaryType", enrollment.data,
       case when enrollment.destination_company_id is null then 'registration'
         when enrollment.destination_company_id = enrollment.company_id then 'plan' else 'company' end as "alterationType",
       enrollment.destination_company_id as "destinationCompanyId", enrollment.destination_product_id as "destinationProductId",
       case when member.id is not null then ${registrationJson('member')} end as registered,
       benefit.dependent_type as relationship, coalesce(benefit.start_date, enrollment.start_date) as "startDate",
       enrollment.effective_date as "effectiveDate", ${sideIn('enrollment', '$3::uuid')} as side,
       json_build_object('reference', enrollment.reference, 'carrier-protocol', enrollment.carrier_protocol,
         'created-at', (enrollment.created_at at time zone 'America/Sao_Paulo')::date) as movement,
       json_build_object('name', primary_member.name, 'tax-id', primary_member.tax_id,
         'date-of-birth', primary_member.date_of_birth, 'employee-id', primary_member.employee_id,
         'cost-center', primary_member.cost_center, 'card-number', ${primaryCard},
         'status', case when enrollment.primary_member_id is not null then ${primaryStatus} end) as "primary",
       ${contractValues} as contract, ${planValues('product', 'contract_plan')} as plan,
       case when new_product.id is not null then ${planValues('new_product', 'new_plan')} end as destination,
       json_build_object('card-number', benefit.card_number, 'start-date', benefit.start_date, 'end-date', benefit.end_date) as benefit
     from enrollment
     join company on company.id = $1
     join product on product.company_id = $1 and product.id = enrollment.product_id
     left join member on member.company_id = $1 and member.id = enrollment.member_id
     left join member primary_member on primary_member.company_id = $1
       and primary_member.id = coalesce(enrollment.primary_member_id, enrollment.member_id)
     left join benefit on benefit.company_id = $1 and benefit.id = enrollment.benefit_id
     left join contract_plan own_plan on own_plan.company_id = $1 and own_plan.active_product_id = enrollment.product_id
     left join contract on contract.company_id = $1 and contract.id = coalesce($3::uuid, own_plan.contract_id)
     left join contract_plan on contract_plan.company_id = $1 and contract_plan.contract_id = contract.id
       and contract_plan.product_id = enrollment.product_id
     left join carrier on carrier.id = contract.carrier_id
     left join product new_product on new_product.company_id = $1 and new_product.id = enrollment.destination_product_id
       and enrollment.destination_company_id = $1
     left join contract_plan new_plan on new_plan.company_id = $1 and new_plan.contract_id = contract.id
       and new_plan.product_id = new_product.id
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])
     order by min(enrollment.created_at) over (partition by coalesce(enrollment.primary_member_id, enrollment.member_id)),
       coalesce(enrollment.primary_member_id, enrollment.member_id), enrollment.member_type desc, enrollment.created_at, enrollment.id`,
    [companyId, enrollmentIds, contractId],
  )
  const destinations = await readDestinations(sql, rows)
  return rows.map((row) => ({
    enrollmentId: row.id,
    familyId: row.familyId,
    values: { ...valuesOf(row), ...under('destination', destinations.get(row.id) ?? {}) },
  }))
}

/**
 * Where changes of company go to, by movement: the company, and the active contract of the new product. Each is of its own company, so there is one
 * statement for each of these. A transfer stays in its contract.
 */
async function readDestinations(sql: Sql, rows: readonly MovementRow[]): Promise<ReadonlyMap<string, Values>> {
  const found = new Map<string, Values>()
  for (const { id, alterationKind, data, contract } of rows) {
    if (alterationKind !== 'contract-transfer') continue
    const { 'sub-contract': subContract } = data['alteration-data'] as Values
    found.set(id, {
      'company-tax-id': contract['company-tax-id'] ?? null,
      'company-name': contract['company-name'] ?? null,
      'contract-number': contract['contract-number'] ?? null,
      'sub-contract': subContract ?? contract['sub-contract'] ?? null,
    })
  }
  const changes = rows.filter(({ alterationType }) => alterationType === 'company')
  for (const [companyId, moved] of Map.groupBy(changes, ({ destinationCompanyId }) => destinationCompanyId)) {
    const destinations = await sql.query<{ productId: string; values: Values }>(
      `select product.id as "productId", json_build_object('company-tax-id', company.tax_id, 'company-name', company.name,
         'contract-number', contract.contract_number, 'sub-contract', contract.sub_contract) as values
       from company join product on product.company_id = $1 and product.id = any($2::uuid[])
       left join contract_plan on contract_plan.company_id = $1 and contract_plan.active_product_id = product.id
       left join contract on contract.company_id = $1 and contract.id = contract_plan.contract_id
       where company.id = $1`,
      [companyId, moved.map(({ destinationProductId }) => destinationProductId)],
    )
    const byProduct = new Map(destinations.map(({ productId, values }) => [productId, values]))
    for (const { id, destinationProductId } of moved) found.set(id, byProduct.get(destinationProductId ?? '') ?? {})
  }
  return found
}

/** The values of a contract for the lines that a file has once; null when there is none. */
export async function readContractValues(
  sql: Sql,
  companyId: string,
  contractId: string,
): Promise<SourceValues | null> {
  const rows = await sql.query<{ contract: Values }>(
    `select ${contractValues} as contract from contract join company on company.id = contract.company_id
     join carrier on carrier.id = contract.carrier_id where contract.company_id = $1 and contract.id = $2`,
    [companyId, contractId],
  )
  return rows[0] === undefined ? null : under('contract', rows[0].contract)
}

const current = { person: 'person', registration: 'registration', address: 'address', bank: 'bank' } as const
const former = { person: 'former', registration: 'former', address: null, bank: null } as const
const changed = {
  person: 'changed',
  registration: 'changed',
  address: 'changed-address',
  bank: 'changed-bank',
} as const

/** A side of a plan change is an inclusion, or an exclusion, for the carrier that reads it. */
function sideValues({ side, effectiveDate, benefit }: MovementRow): Values {
  const day = effectiveDate ?? ''
  if (side === 'joining') return { kind: 'inclusion', 'start-date': day }
  const dayBefore = day === '' ? null : addDays(day, -1)
  return {
    kind: 'exclusion',
    'end-date': benefit['end-date'] ?? dayBefore,
    'start-date': null,
    'exclusion-reason': 'other',
    reason: 'Mudança para outra operadora',
  }
}

function valuesOf(row: MovementRow): SourceValues {
  const { data, alterationType, side } = row
  const { kind } = row
  const changes: Readonly<Record<MovementKind, Values>> = {
    inclusion: data as Values,
    exclusion: {},
    alteration: (data['registration'] ?? {}) as Values,
  }
  const registered = row.registered ?? {}
  const isAlteration = kind === 'alteration' && side === null
  const destination = side === 'leaving' ? row.plan : (row.destination ?? row.plan)
  const isPlanChange = isAlteration && row.destination !== null
  return {
    ...registrationValues({ ...registered, ...changes[kind] }, current),
    ...(isAlteration ? registrationValues(registered, former) : {}),
    ...(isAlteration ? registrationValues(changes.alteration, changed) : {}),
    ...under('movement', {
      ...row.movement,
      ...movementValues(row),
      ...(side === null ? {} : sideValues(row)),
      ...(isAlteration ? { 'alteration-type': alterationType } : {}),
    }),
    ...under('person', { relationship: row.relationship ?? 'primary' }),
    ...under('dependent', {
      name: row.beneficiaryType === 'dependent' ? (changes[kind]['name'] ?? registered['name'] ?? null) : null,
    }),
    ...under('primary', row.primary),
    ...under('contract', row.contract),
    ...under('plan', destination),
    ...(isPlanChange ? { ...under('former-plan', row.plan), ...under('changed-plan', destination) } : {}),
    // The new carrier knows nothing of the former benefit.
    ...(side === 'joining' ? {} : under('benefit', row.benefit)),
  }
}

/** Its dates and reasons. */
function movementValues(row: MovementRow): Values {
  const { id, kind, alterationKind, beneficiaryType, data, startDate, effectiveDate } = row
  const shared = { 'enrollment-id': id, 'beneficiary-type': beneficiaryType }
  switch (kind) {
    case 'inclusion':
      return { ...shared, kind, 'start-date': startDate }
    case 'exclusion': {
      const details = data['exclusion-details'] as Partial<ExclusionDetails>
      const continuation = FIELDS_OF_REASONS.map((field) => [field, details[field] ?? null])
      return {
        ...shared,
        kind,
        'end-date': effectiveDate,
        'exclusion-reason': details['exclusion-reason'] ?? null,
        reason: details['exclusion-reason-details'] ?? null,
        'extension-plan': details['extension-plan'] ?? null,
        ...(Object.fromEntries(continuation) as Values),
        'continuation-ground': (details.contributed ?? null) === null ? null : (details['exclusion-reason'] ?? null),
      }
    }
    case 'alteration': {
      const sent = (data['alteration-data'] ?? {}) as Values
      return {
        ...shared,
        kind: alterationKind ?? kind,
        'start-date': effectiveDate,
        reason: sent['reason'] ?? null,
        'second-card-reason': alterationKind === 'second-card' ? (sent['reason'] ?? null) : null,
        'sub-contract': sent['sub-contract'] ?? null,
      }
    }
    default:
      return kind satisfies never
  }
}

/** @param subjectOf the subject of the sources for that of registration data; null: they have none. */
function registrationValues(
  data: Values,
  subjectOf: Readonly<Record<keyof typeof REGISTRATION, string | null>>,
): Record<string, string> {
  const values = Object.entries(subjectOf).map(([name, subject]) => {
    if (subject === null) return {}
    const fields = Object.keys(REGISTRATION[name as keyof typeof REGISTRATION])
    return under(subject, Object.fromEntries(fields.map((field) => [field, data[keyOf(name, field)] ?? null])))
  })
  return Object.assign({}, ...values) as Record<string, string>
}

/** The key of registration data. */
function keyOf(subject: string, field: string): string {
  if (field === 'ibge-code') return 'city-ibge-code'
  return subject === 'address' || subject === 'bank' ? `${subject}-${field}` : field
}

/** The values that are there, under the names `subject.name`. */
function under(subject: string, values: Values): Record<string, string> {
  const found = Object.entries(values).filter(([, value]) => value !== null && value !== '')
  return Object.fromEntries(found.map(([name, value]) => [`${subject}.${name}`, String(value)]))
}
