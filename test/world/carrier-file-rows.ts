// Rows of carriers' files put straight into the tables: for what follows from a file whatever its layout was.
import { randomBytes, randomUUID } from 'node:crypto'
import { type Company, expectOk, type TestApp } from './test-app.ts'

export interface FileLine {
  readonly amount: number
  readonly benefitId?: string | null
  readonly name?: string | null
  readonly entryType?: string
  readonly employeeAmount?: number | null
}

/** A file of a contract that was read. */
export async function insertCarrierFile(
  testApp: TestApp,
  company: Company,
  contractId: string,
  {
    month,
    kind = 'invoice',
    lines,
  }: { readonly month: string; readonly kind?: string; readonly lines: readonly FileLine[] },
): Promise<string> {
  const id = randomUUID()
  await testApp.sql(
    `insert into carrier_file (company_id, id, contract_id, kind, reference_month, layout_id, layout_version, sha256, size, status, lines,
       refused_lines, other_lines, computed_total, created_by, created_at, read_at)
     values ($1, $2, $3, $4, $5, 'generic-csv-invoice', 1, $6, 1, 'read', $7, 0, 0, 0, 'test', now(), now())`,
    [company.id, id, contractId, kind, month, randomBytes(32), lines.length],
  )
  for (const [
    index,
    { amount, benefitId = null, name = null, entryType = null, employeeAmount = null },
  ] of lines.entries()) {
    await testApp.sql(
      `insert into carrier_line (company_id, file_id, line_number, name, amount, employee_amount, entry_type, benefit_id, matched_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        company.id,
        id,
        index + 1,
        name,
        amount,
        employeeAmount,
        entryType,
        benefitId,
        benefitId === null ? null : 'hand',
      ],
    )
  }
  return id
}

/** Closes a month without its checklist. */
export async function closeMonth({ operator }: TestApp, { taxId }: Company, month: string): Promise<void> {
  const body = { 'company-tax-id': taxId, 'reference-month': month, reason: 'Sem conferência' }
  expectOk(await operator.post('/operator/v1/closing', body))
}

/** Opens the month of a company that was closed last. */
export async function reopenMonth({ operator }: TestApp, { taxId }: Company): Promise<void> {
  const [closing] = expectOk(await operator.get(`/operator/v1/closing?company-tax-id=${taxId}`)).body.result
  expectOk(await operator.post(`/operator/v1/closing/${closing['closing-id']}/reopen`, { reason: 'Fatura reemitida' }))
}
