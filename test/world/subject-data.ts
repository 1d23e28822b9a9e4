import { randomUUID } from 'node:crypto'
import { insertCarrierFile } from './carrier-file-rows.ts'
import { download, unzip } from './invoice.ts'
import { insertExport } from './payroll.ts'
import { type Company, expectOk, health, type Json, type TestApp, until } from './test-app.ts'

export const subjectPath = '/operator/v1/subject-request'

/** The copy of the data of a CPF: the bytes of each file by its name. */
export async function copyOf(testApp: TestApp, taxId: string): Promise<Map<string, Buffer>> {
  const { operator } = testApp
  const { result } = expectOk(await operator.post(subjectPath, { 'tax-id': taxId, kind: 'access' })).body
  const path = `${subjectPath}/${result['subject-request-id']}`
  expectOk(await operator.post(`${path}/file`))
  await until(
    async () => expectOk(await operator.get(path)).body.result.file,
    ({ status }: Json) => status === 'ready',
  )
  const zip = await download(testApp, operator, `${path}/file`)
  return new Map(unzip(zip.bytes).map(({ name, bytes }) => [name, bytes]))
}

/** Rows of the person in the tables that few movements reach: what carriers and payroll have of the benefit. */
export async function insertRareRows(
  testApp: TestApp,
  company: Company,
  contractId: string,
  {
    memberId,
    benefitId,
    enrollmentId,
    taxId,
  }: Readonly<Record<'memberId' | 'benefitId' | 'enrollmentId' | 'taxId', string>>,
): Promise<void> {
  const fileOf = (kind: 'invoice' | 'coparticipation', amount: number) =>
    insertCarrierFile(testApp, company, contractId, {
      month: '2026-10',
      kind,
      lines: [{ amount, employeeAmount: 5_100, benefitId }],
    })
  const [invoice] = [await fileOf('invoice', 25_000), await fileOf('coparticipation', 7_700)]
  const [reconciliation, discrepancy, claim, closing, draft, forecast] = Array.from({ length: 6 }, () => randomUUID())
  const [client] = await testApp.sql('select min(id) as id from client')
  const statements: [string, unknown[]][] = [
    [`insert into member_cost_center values ($1, $2, now(), 'CC-ANTIGO')`, [memberId]],
    [`insert into member_removal values ($1, $2, now())`, [taxId]],
    [
      `insert into benefit_correction (company_id, benefit_id, id, field, old_value, new_value, reason, author, created_at)
       values ($1, $2, $3, 'card-number', '1', '2', 'Carteirinha trocada', 'x', now())`,
      [benefitId, randomUUID()],
    ],
    [`insert into benefit_ending values ($1, $2, 'age-limit', '2030-01-31', now())`, [benefitId]],
    [
      `insert into draft_exclusion (company_id, id, benefit_id, cause, exclusion_reason, end_date, status, created_at, updated_at)
       values ($1, $3, $2, 'age-limit', 'loss-of-dependent-status', '2030-01-31', 'open', now(), now())`,
      [benefitId, randomUUID()],
    ],
    [
      `insert into movement_draft (company_id, id, source, movement, created_by, status, expires_on, created_at)
       values ($1, $2, 'batch', 'alteration', $3, 'open', '2026-12-31', now())`,
      [draft, client?.['id']],
    ],
    [
      `insert into movement_draft_item (company_id, draft_id, number, class, movement, status, approval, tax_id, member_id, family, entry, differences)
       values ($1, $2, 1, 'correction', 'alteration', 'approval', 'broker', $3, $4::uuid, $4::uuid::text, '{"alteration-data": {"phone": "11912345678"}}',
         '[{"field": "phone", "here": null, "stated": "11912345678"}]')`,
      [draft, taxId, memberId],
    ],
    [
      `insert into continuation (company_id, id, benefit_id, ground, contribution_months, leaving_date, status, without_end, created_at, updated_at)
       values ($1, $3, $2, 'dismissal', 41, '2026-11-30', 'notice-pending', false, now(), now())`,
      [benefitId, randomUUID()],
    ],
    [
      `insert into onboarding_invitation (company_id, id, created_by, token_hash, status, name, tax_id, date_of_birth, products, created_at,
         expires_at, delete_after, updated_at)
       values ($1, $3, $4, sha256('x'), 'sent', 'Helena', $2, '1990-05-17', '[{}]', now(), now() + interval '1 day',
         now() + interval '30 days', now())`,
      [taxId, randomUUID(), client?.['id']],
    ],
    [`insert into deadline_event values ($1, $2, 'inclusion-window', '2026-12-02')`, [enrollmentId]],
    [
      `insert into reconciliation (company_id, id, contract_id, kind, reference_month, carrier_file_id, as_of, status, created_by, created_at, computed_at)
       values ($1, $2, $3, 'invoice', '2026-10', $4, '2026-10-31', 'open', 'x', now(), now())`,
      [reconciliation, contractId, invoice],
    ],
    [
      `insert into discrepancy (company_id, id, reconciliation_id, class, benefit_id, amount, status, note, created_at, updated_at)
       values ($1, $2, $3, 'charged-after-end', $4, 25000, 'open', 'Cobrada depois do fim', now(), now())`,
      [discrepancy, reconciliation, benefitId],
    ],
    [
      `insert into claim (company_id, id, contract_id, reconciliation_id, reference_month, status, created_by, created_at, updated_at)
       values ($1, $2, $3, $4, '2026-10', 'draft', 'x', now(), now())`,
      [claim, contractId, reconciliation],
    ],
    [
      `insert into claim_line (company_id, claim_id, discrepancy_id, amount) values ($1, $2, $3, 25000)`,
      [claim, discrepancy],
    ],
    [
      `insert into closing (company_id, id, reference_month, status, acts, created_at, updated_at) values ($1, $2, '2026-10', 'open', '[{}]', now(), now())`,
      [closing],
    ],
    [
      `insert into closing_expected values ($1, $2, $3, $4, $5, '{"expected": 25000}')`,
      [closing, contractId, benefitId, memberId],
    ],
    [
      `insert into closing_charge (company_id, closing_id, number, contract_id, source, amount, share, is_unmatched, member_id, member_type,
         employee_member_id, product_id, entry_period) values ($1, $2, 1, $3, 'premium', 25000, 5100, false, $4, 'primary', $4, $5, '2026-10')`,
      [closing, contractId, memberId, company.products[health]],
    ],
    [
      `insert into forecast (company_id, id, contract_id, reference_month, as_of, without_price, frozen_at)
       values ($1, $2, $3, '2026-10', '2026-09-20', 0, now())`,
      [forecast, contractId],
    ],
    [`insert into forecast_line values ($1, $2, $3, 25000, 25000, 0, 0, 0, '{}', '{}', 0)`, [forecast, benefitId]],
  ]
  for (const [text, values] of statements) await testApp.sql(text, [company.id, ...values])
  await insertExport(testApp, company, memberId)
  await testApp.sql(`insert into unpaid_leave values ($1, $2, '2026-10-05', '2026-10-09', now())`, [
    company.id,
    memberId,
  ])
}
