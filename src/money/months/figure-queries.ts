import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { ChargedPerson, SharedCharge } from '../rules/cost.ts'

/* The figures of a month while it is closed. */

export interface ClosingKey {
  readonly companyId: string
  readonly id: string
}

/** What is expected of a person, in wire keys without the name and the number. */
interface StoredExpected {
  readonly contractId: string
  readonly benefitId: string
  readonly memberId: string
  readonly line: object
}

export async function insertExpected(
  sql: Sql,
  { companyId, id }: ClosingKey,
  lines: readonly StoredExpected[],
): Promise<void> {
  await sql.execute(
    `insert into closing_expected (company_id, closing_id, contract_id, benefit_id, member_id, line)
     select $1, $2, "contractId", "benefitId", "memberId", line
     from json_to_recordset($3::json) as sent("contractId" uuid, "benefitId" uuid, "memberId" uuid, line jsonb)`,
    [companyId, id, Records.of(lines)],
  )
}

/** The statement of what was expected of a contract: one line in wire keys a row. */
export function storedExpected({ companyId, id }: ClosingKey, contractId: string) {
  return {
    text: `select (closing_expected.line || jsonb_build_object('member-name', member.name, 'employee-id', member.employee_id))::text as item
      from closing_expected
      join member on member.company_id = closing_expected.company_id and member.id = closing_expected.member_id
      where closing_expected.company_id = $1 and closing_expected.closing_id = $2 and closing_expected.contract_id = $3
      order by closing_expected.benefit_id`,
    values: [companyId, id, contractId],
  }
}

/** @param first the number of the first one. */
export async function insertCharges(
  sql: Sql,
  { companyId, id }: ClosingKey,
  charges: readonly SharedCharge[],
  first: number,
): Promise<void> {
  const rows = charges.map(({ person, share, ...charge }, index) => ({
    ...charge,
    ...person,
    number: first + index,
    share: typeof share === 'number' ? share : null,
    missingShare: typeof share === 'string' ? share : null,
  }))
  await sql.execute(
    `insert into closing_charge (company_id, closing_id, number, contract_id, source, entry_period, amount, employee_amount, share, missing_share, is_unmatched,
       benefit_id, member_id, member_type, employee_member_id, cost_center, product_id)
     select $1, $2, number, "contractId", source, period, amount, "employeeAmount", share, "missingShare", "isUnmatched", "benefitId", "memberId", type,
       "employeeMemberId", "costCenter", "productId"
     from json_to_recordset($3::json) as sent(number integer, "contractId" uuid, source text, period text, amount bigint, "employeeAmount" bigint,
       share bigint, "missingShare" text, "isUnmatched" boolean, "benefitId" uuid, "memberId" uuid, type text, "employeeMemberId" uuid, "costCenter" text,
       "productId" uuid)`,
    [companyId, id, Records.of(rows)],
  )
}

type ChargeRow = Omit<SharedCharge, 'person'> & Omit<ChargedPerson, 'memberId'> & { readonly memberId: string | null }

/** The charges of a closed month, as they were. @param benefitIds only these; null: all. */
export async function readStoredCharges(
  sql: Sql,
  { companyId, id }: ClosingKey,
  benefitIds: readonly string[] | null = null,
): Promise<SharedCharge[]> {
  const rows = await sql.queryPlanned<ChargeRow>(
    `select contract_id as "contractId", source, entry_period as period, amount, employee_amount as "employeeAmount", is_unmatched as "isUnmatched",
       coalesce(to_jsonb(share), to_jsonb(missing_share)) as share, closing_charge.benefit_id as "benefitId",
       closing_charge.member_id as "memberId", member.name, member_type as type,
       employee_member_id as "employeeMemberId", employee.name as "employeeName", employee.employee_id as "employeeId",
       employee.details->>'job-title' as "jobTitle", closing_charge.cost_center as "costCenter", product_id as "productId",
       product.name as "productName", product.product_type as "productType"
     from closing_charge
     left join member on member.company_id = $1 and member.id = closing_charge.member_id
     left join member employee on employee.company_id = $1 and employee.id = closing_charge.employee_member_id
     left join product on product.company_id = $1 and product.id = closing_charge.product_id
     where closing_charge.company_id = $1 and closing_id = $2 and ($3::uuid[] is null or closing_charge.benefit_id = any($3)) order by number`,
    [companyId, id, benefitIds],
  )
  return rows.map(
    ({ contractId, source, period, amount, employeeAmount, isUnmatched, share, memberId, ...person }) => ({
      contractId,
      source,
      period,
      amount,
      employeeAmount,
      isUnmatched,
      share,
      person: memberId === null ? null : { memberId, ...person },
    }),
  )
}

/** Deletes the figures of a month that is opened again. @returns the ids of the members in them who have no benefit of their own. */
export async function deleteFigures(sql: Sql, { companyId, id }: ClosingKey): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `with expected as (
       delete from closing_expected where company_id = $1 and closing_id = $2 returning member_id
     ), charge as (
       delete from closing_charge where company_id = $1 and closing_id = $2 returning member_id, employee_member_id
     )
     select person.id from (
       select member_id as id from expected
       union select member_id from charge
       union select employee_member_id from charge
     ) as person
     where person.id is not null and not exists (select 1 from benefit where company_id = $1 and member_id = person.id)`,
    [companyId, id],
  )
  return rows.map((row) => row.id)
}
