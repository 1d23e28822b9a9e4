// Rows of a book put straight into the tables: for what a list must show whatever way led there.
import { v7 as uuidv7 } from 'uuid'
import { type Company, health, type TestApp } from './test-app.ts'

export interface Person {
  readonly id?: string
  readonly cpf: string
  readonly name?: string
  readonly costCenter?: string
  readonly employeeId?: string
  readonly made?: string
  readonly updated?: string
}

/** A member row; returns its id. */
export async function insertMember(testApp: TestApp, company: Company, person: Person): Promise<string> {
  const { id = uuidv7(), cpf, name = 'Ana "Ñ" \\ Lima', made = '2026-01-01', updated = made } = person
  await testApp.sql(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, cost_center,
       employee_id, created_at, updated_at)
     values ($1, $2, $3, $4, 'Rita Lima', '1990-05-17', 'female', 'married', $5, $6, $7, $8)`,
    [company.id, id, cpf, name, person.costCenter ?? null, person.employeeId ?? null, made, updated],
  )
  return id
}

/** A benefit row; returns its id. */
export async function insertBenefit(
  testApp: TestApp,
  company: Company,
  memberId: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const row = {
    id: uuidv7(),
    product: health,
    type: 'primary',
    primary_member_id: null,
    dependent_type: null,
    status: 'active',
    start_date: '2026-02-01',
    end_date: null,
    card_number: null,
    ...more,
  }
  await testApp.sql(
    `insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
       end_date, card_number, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now(), now())`,
    [
      company.id,
      row.id,
      memberId,
      company.products[row.product],
      row.type,
      row.primary_member_id,
      row.dependent_type,
      row.status,
      row.start_date,
      row.end_date,
      row.card_number,
    ],
  )
  return row.id
}

/** Inserts a member with an active benefit; returns the member's id. */
export async function insertCovered(testApp: TestApp, company: Company, person: Person): Promise<string> {
  const id = await insertMember(testApp, company, person)
  await insertBenefit(testApp, company, id)
  return id
}
