import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import { movingDependents } from '#coverage/benefits/moving-dependents.ts'
import { sideIn } from '#registry/contracts/sides.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'
import { registrationJson } from '#coverage/members/write.ts'
import { type JoinedContract, movementRecord, type StoredMovement, under, type Values } from './movement-values.ts'
import type { MovementRecord, SourceValues } from '#registry/layouts/types.ts'

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
   where primary_benefit.company_id = $1 and primary_benefit.member_id = primary_member.id
     and primary_benefit.product_id = enrollment.product_id and primary_benefit.type = 'primary'
   order by primary_benefit.status = 'pending', primary_benefit.start_date desc, primary_benefit.id limit 1),
  (select case when open_movement.status = 'carrier-processing' then 'sent' end from open_movement
   where open_movement.company_id = $1 and open_movement.member_id = primary_member.id
     and open_movement.product_id = enrollment.product_id and open_movement.member_type = 'primary'
     and ${hasRule('open_movement.enrollment_type', 'createsBenefit')}
   order by open_movement.status = 'carrier-processing' desc limit 1),
  'pending')`

const primaryCard = `(select primary_benefit.card_number from benefit primary_benefit
  where primary_benefit.company_id = $1 and primary_benefit.member_id = primary_member.id
    and primary_benefit.product_id = enrollment.product_id and primary_benefit.type = 'primary'
  order by primary_benefit.start_date desc, primary_benefit.id limit 1)`

/**
 * SQL: the former benefits of the dependents who are in the lines of a side: those given of a closed shipment, those that were transferred, or those
 * that will be.
 */
const dependentIds = (contract: string) => `(select coalesce(
    given.dependents,
    (select leaving_movement.dependent_benefit_ids from leaving_movement where leaving_movement.company_id = $1
       and leaving_movement.enrollment_id = enrollment.id and sided.side = 'leaving'),
    array(select dependent_benefit.id from benefit altered cross join lateral (
        select dependent_benefit.id from ${movingDependents('altered', 'enrollment.effective_date')}) dependent_benefit
      where altered.company_id = $1 and altered.id = enrollment.benefit_id))
  from (select ${sideIn('enrollment', contract, '$1')} as side) sided where sided.side is not null)::uuid[]`

/** Where movements are read for. */
interface OfShipment {
  /** Another than theirs where changes of company come to. */
  readonly companyId: string
  readonly contractId: string
  /** For a closed shipment: the former benefits of the dependents in its lines, by movement. */
  readonly dependents?: ReadonlyMap<string, readonly string[]>
}

/**
 * The movements of a company as layouts read them: families together in the order of their first movement, primaries first.
 * @param shipment null: each of its own contract. A change of company, or of plan to another contract, is an inclusion there, and an exclusion here.
 */
export async function readMovementRecords(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
  shipment: OfShipment | null = null,
): Promise<MovementRecord[]> {
  return (await readStoredMovements(sql, companyId, enrollmentIds, shipment)).map(movementRecord)
}

/** The same, not yet parsed. */
export async function readStoredMovements(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
  shipment: OfShipment | null,
): Promise<StoredMovement[]> {
  const { contractId = null, dependents: inLines = new Map<string, readonly string[]>() } = shipment ?? {}
  const given = Records.of([...inLines].map(([id, dependents]) => ({ id, dependents })))
  const rows = await sql.query<Row>(
    `select row_to_json(stored)::text as row, id, "destinationCompanyId", "destinationProductId" from (
     select enrollment.id, coalesce(enrollment.primary_member_id, enrollment.member_id) as "familyId", benefit.id as "benefitId",
       enrollment.enrollment_type as kind, enrollment.alteration_kind as "alterationKind", person.type as "beneficiaryType", person.data,
       case when enrollment.destination_company_id is null then 'registration'
         when enrollment.destination_company_id = enrollment.company_id then 'plan' else 'company' end as "alterationType",
       enrollment.destination_company_id as "destinationCompanyId", enrollment.destination_product_id as "destinationProductId",
       case when member.id is not null then ${registrationJson('member')} end as registered,
       benefit.dependent_type as relationship, coalesce(benefit.start_date, enrollment.start_date) as "startDate",
       case when person.follows then greatest(enrollment.effective_date, benefit.start_date) else enrollment.effective_date end as "effectiveDate", ${sideIn('enrollment', '$3::uuid', '$1')} as side,
       json_build_object('reference', enrollment.reference, 'carrier-protocol', enrollment.carrier_protocol,
         'created-at', (enrollment.created_at at time zone 'America/Sao_Paulo')::date) as movement,
       json_build_object('name', primary_member.name, 'tax-id', primary_member.tax_id,
         'date-of-birth', primary_member.date_of_birth, 'employee-id', primary_member.employee_id,
         'cost-center', primary_member.cost_center, 'card-number', ${primaryCard},
         'status', case when person.type = 'dependent' then ${primaryStatus} end) as "primary",
       ${contractValues} as contract, ${planValues('product', 'contract_plan')} as plan,
       case when new_product.id is not null then ${planValues('new_product', 'new_plan')} end as destination,
       json_build_object('card-number', benefit.card_number, 'start-date', benefit.start_date, 'end-date', benefit.end_date) as benefit
     from enrollment
     left join jsonb_to_recordset($4::jsonb) as given(id uuid, dependents uuid[]) on given.id = enrollment.id
     cross join lateral (
       select enrollment.member_id, enrollment.benefit_id, enrollment.member_type as type, enrollment.data, false as follows
       union all
       select moving.member_id, moving.id, moving.type, '{}', true from benefit moving
       where moving.company_id = $1 and moving.id = any(${dependentIds('$3::uuid')})) person
     join company on company.id = $1
     join product on product.company_id = $1 and product.id = enrollment.product_id
     left join member on member.company_id = $1 and member.id = person.member_id
     left join member primary_member on primary_member.company_id = $1
       and primary_member.id = coalesce(enrollment.primary_member_id, enrollment.member_id)
     left join benefit on benefit.company_id = $1 and benefit.id = person.benefit_id
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
       coalesce(enrollment.primary_member_id, enrollment.member_id), enrollment.member_type desc, enrollment.created_at, enrollment.id, person.follows, person.benefit_id) stored`,
    [companyId, enrollmentIds, contractId, given],
  )
  const destinations = await readDestinations(sql, companyId, rows)
  const joined = shipment === null || shipment.companyId === companyId ? null : await readJoined(sql, shipment, rows)
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([own, ...dependents]) => {
    if (own === undefined) return []
    const { row, destinationCompanyId, destinationProductId } = own
    const destination = destinations.get(`${destinationCompanyId} ${destinationProductId}`) ?? null
    const joins = joined?.get(destinationProductId ?? '') ?? null
    return [{ row, dependents: dependents.map((dependent) => dependent.row), destination, joins }]
  })
}

interface Row {
  readonly id: string
  readonly row: string
  readonly destinationCompanyId: string | null
  readonly destinationProductId: string | null
}

/**
 * Where changes of company go to, by company and product: the company, and the active contract of the product. Each is of its own company, so there
 * is one statement for each of these.
 */
async function readDestinations(
  sql: Sql,
  companyId: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Values>> {
  const found = new Map<string, Values>()
  const changes = rows.filter(({ destinationCompanyId: to }) => to !== null && to !== companyId)
  for (const [destination, moved] of Map.groupBy(changes, ({ destinationCompanyId }) => destinationCompanyId)) {
    const products = [...new Set(moved.map(({ destinationProductId }) => destinationProductId))]
    const destinations = await sql.query<{ productId: string; values: Values }>(
      `select product.id as "productId", json_build_object('company-tax-id', company.tax_id, 'company-name', company.name,
         'contract-number', contract.contract_number, 'sub-contract', contract.sub_contract) as values
       from company join product on product.company_id = $1 and product.id = any($2::uuid[])
       left join contract_plan on contract_plan.company_id = $1 and contract_plan.active_product_id = product.id
       left join contract on contract.company_id = $1 and contract.id = contract_plan.contract_id
       where company.id = $1`,
      [destination, products],
    )
    for (const { productId, values } of destinations) found.set(`${destination} ${productId}`, values)
  }
  return found
}

/** The contract that changes of company join, with its plan, by the product of the destination. */
async function readJoined(
  sql: Sql,
  { companyId, contractId }: OfShipment,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, JoinedContract>> {
  const products = [...new Set(rows.map(({ destinationProductId }) => destinationProductId))]
  const found = await sql.query<JoinedContract & { productId: string }>(
    `select product.id as "productId", ${contractValues} as contract, ${planValues('product', 'contract_plan')} as plan
     from contract join company on company.id = $1 join carrier on carrier.id = contract.carrier_id
     join product on product.company_id = $1 and product.id = any($3::uuid[])
     left join contract_plan on contract_plan.company_id = $1 and contract_plan.contract_id = $2 and contract_plan.product_id = product.id
     where contract.company_id = $1 and contract.id = $2`,
    [companyId, contractId, products],
  )
  return new Map(found.map(({ productId, ...joined }) => [productId, joined]))
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
