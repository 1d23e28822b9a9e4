// People with cards whom a carrier covers, and the lines that its files have of them.
import type { CoveredBenefit } from '#apps/cli/carrier-simulator/carrier-file.ts'
import { holder, ndjson, sendImport } from './import.ts'
import type { Shipper } from './shipment.ts'
import { expectOk, type Json, type TestApp } from './test-app.ts'

/** Imports primaries with cards, active since 2026. @returns what a carrier has of them. */
export async function cover(
  testApp: TestApp,
  { company }: Pick<Shipper, 'company'>,
  count: number,
  more: (index: number) => Json = () => ({}),
): Promise<CoveredBenefit[]> {
  const members = Array.from({ length: count }, (_, index): Json =>
    holder(company, {
      name: `Pessoa Número ${String(index).padStart(4, '0')}`,
      'employee-id': `M-${index + 1}`,
      'date-of-birth': `19${60 + (index % 40)}-0${1 + (index % 9)}-1${index % 10}`,
      'start-date': '2026-01-01',
      'card-number': `9000 ${index + 1}`,
      ...more(index),
    }),
  )
  expectOk(await sendImport(testApp.operator, ndjson(members)))
  const rows = await testApp.sql<{ id: string; taxId: string }>(
    `select benefit.id, member.tax_id as "taxId" from benefit
     join member on member.company_id = benefit.company_id and member.id = benefit.member_id where benefit.company_id = $1`,
    [company.id],
  )
  const ids = new Map(rows.map(({ id, taxId }) => [taxId, id]))
  return members.map((member) => ({
    benefitId: ids.get(member['tax-id']) ?? '',
    cardNumber: member['card-number'] ?? '',
    taxId: member['tax-id'],
    name: member.name,
    dateOfBirth: member['date-of-birth'],
    relationship: 'primary',
    planCode: 'AE1230',
    startDate: member['start-date'],
  }))
}

/** A line of a roster in the generic CSV. */
export const rosterRow = ({
  cardNumber,
  taxId,
  name,
  dateOfBirth,
  relationship,
  planCode,
  startDate,
  endDate,
}: CoveredBenefit & { endDate?: string | null }) => ({
  'card-number': cardNumber,
  'tax-id': taxId,
  name,
  'date-of-birth': dateOfBirth,
  relationship,
  'carrier-plan-code': planCode,
  'start-date': startDate,
  'end-date': endDate ?? '',
})
