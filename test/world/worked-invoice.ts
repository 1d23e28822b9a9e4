import { expect } from 'vitest'
import { bradescoInvoice, type InvoiceEntry } from './bradesco.ts'
import { reconcile, upload } from './carrier-file.ts'
import { insertPriced, type PricedPerson, pricedContract, putBands } from './price.ts'
import type { Company, Json, TestApp } from './test-app.ts'

/* An invoice of 2,416.90 where 1,636.43 is expected, as the design has it. */

export interface Known {
  readonly company: Company
  readonly contract: Json
  /** By the name of the person. */
  readonly benefits: Readonly<Record<string, string>>
}

/** A contract with these people, whom the carrier knows by a certificate: 1, 2 and so on. */
export async function known(
  testApp: TestApp,
  persons: Readonly<Record<string, PricedPerson>>,
  more: Json = {},
): Promise<Known> {
  const company = await testApp.company()
  const contract = await pricedContract(testApp, company, more)
  await putBands(testApp, contract['contract-id'])
  const benefits: Record<string, string> = {}
  for (const [index, [name, person]] of Object.entries(persons).entries()) {
    const { benefitId } = await insertPriced(testApp, company, { name, ...person })
    await testApp.sql(
      `update benefit set carrier_certificate = $3, carrier_dependent_code = '00' where company_id = $1 and id = $2`,
      [company.id, benefitId, String(index + 1)],
    )
    benefits[name] = benefitId
  }
  return { company, contract, benefits }
}

/** Sends the invoice of a month. @returns the file, once it has been read. */
export async function sendInvoice(
  testApp: TestApp,
  { contract }: Pick<Known, 'contract'>,
  month: string,
  entries: readonly InvoiceEntry[],
  trailer?: number,
): Promise<Json> {
  const options = { contractId: contract['contract-id'], month, layout: 'bradesco-invoice', kind: 'invoice' } as const
  const bytes = bradescoInvoice('900001', month.replace('-', ''), entries, trailer)
  const file = await upload(testApp, { ...options, type: 'text/plain' }, bytes)
  expect(file).toMatchObject({ status: 'read', 'refused-lines': 0 })
  return file
}

/** The same, compared. */
export async function compareInvoice(
  testApp: TestApp,
  one: Known,
  month: string,
  entries: readonly InvoiceEntry[],
  trailer?: number,
): Promise<Json> {
  const file = await sendInvoice(testApp, one, month, entries, trailer)
  return reconcile(testApp, file['file-id'])
}

const ended = (day: string, start = '2020-01-01') => ({ status: 'inactive', start_date: start, end_date: day })
export const child = '2015-05-05'

export const workedPeople = {
  A: { born: child },
  B: { born: child, benefit: ended('2026-10-15') },
  C: { born: child },
  // Covered in October only.
  D: { born: '2006-03-03', benefit: ended('2026-10-31', '2026-10-01') },
  E: { born: child, benefit: ended('2026-09-30') },
  G: { born: '1987-11-18' },
}

export const workedEntries: readonly InvoiceEntry[] = [
  { certificate: '1', name: 'A', amount: 41_235 },
  { certificate: '2', name: 'B', amount: 41_235 },
  { certificate: '4', name: 'D', amount: 48_245, type: 'IR', period: '102026' },
  { certificate: '5', name: 'E', amount: -41_235, type: 'CR', period: '102026' },
  { certificate: '99', name: 'FULANO DE TAL', amount: 70_631 },
  { certificate: '6', name: 'G', amount: 81_579 },
]
