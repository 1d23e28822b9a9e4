/* A contract with its people and their invoices, for benches of money. */
import { randomUUID } from 'node:crypto'
import { type CoveredBenefit, premiums, simulateInvoice } from '#apps/cli/carrier-simulator/carrier-file.ts'
import { openMovements } from '#coverage/enrollments/open-movement.ts'
import { cpfAt } from '../test/data/people.ts'
import { pricesOf } from '../test/data/prices.ts'
import { call, connected, makePartner, operator, type Program, signIn } from './bench.ts'

type Json = Record<string, unknown>

export interface BenchContract {
  readonly service: Program
  readonly admin: { readonly authorization: string }
  readonly contractId: string
  readonly covered: readonly CoveredBenefit[]
}

/** People with cards, whom a contract covers. */
async function cover(
  databaseUrl: string,
  {
    companyTaxId,
    productId,
    count,
  }: { readonly companyTaxId: string; readonly productId: string; readonly count: number },
): Promise<CoveredBenefit[]> {
  const people = Array.from({ length: count }, (_, n): CoveredBenefit => ({
    benefitId: randomUUID(),
    cardNumber: `9000${n}`,
    taxId: cpfAt(n + 1),
    name: `Pessoa Número ${n}`,
    dateOfBirth: new Date(Date.UTC(1960, 0, 1 + (n % 20_000))).toISOString().slice(0, 10),
    relationship: 'primary',
    planCode: 'AE1230',
    startDate: '2024-01-01',
  }))
  const client = await connected(databaseUrl)
  await client.query(
    `with person as (
       select company.id as company_id, gen_random_uuid() as member_id, sent.* from company, json_to_recordset($2::json) as sent("benefitId" uuid,
         "cardNumber" text, "taxId" text, name text, "dateOfBirth" date, "startDate" date) where company.tax_id = $1
     ), member as (
       insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, created_at, updated_at)
       select company_id, member_id, "taxId", name, 'Rita Lima', "dateOfBirth", 'female', 'married', now(), now() from person
     )
     insert into benefit (company_id, id, member_id, product_id, type, status, start_date, card_number, created_at, updated_at)
     select company_id, "benefitId", member_id, $3, 'primary', 'active', "startDate", "cardNumber", now(), now() from person`,
    [companyTaxId, JSON.stringify(people), productId],
  )
  await client.end()
  return people
}

/** Stores invoices of months without errors, read and compared. */
export async function storeInvoices(
  databaseUrl: string,
  { contractId, covered }: BenchContract,
  months: readonly string[],
) {
  const client = await connected(databaseUrl)
  for (const month of months) {
    const { lines: charged } = simulateInvoice(covered, { seed: 17, errors: 0, asOf: `${month}-01` })
    const rows = charged.map(({ benefitId, amount }, index) => ({ benefitId, amount, number: index + 1 }))
    const file = randomUUID()
    await client.query(
      `with file as (
         insert into carrier_file (company_id, id, contract_id, kind, reference_month, layout_id, layout_version, sha256, size, status, lines,
           refused_lines, other_lines, computed_total, created_by, created_at, read_at)
         select company_id, $2, id, 'invoice', $3, 'generic-csv-invoice', 1, sha256($6::bytea), 1, 'read', $4, 0, 0, 0, 'bench', now(), now()
         from contract where id = $1 returning company_id, id, contract_id
       ), compared as (
         insert into reconciliation (company_id, id, contract_id, kind, reference_month, carrier_file_id, as_of, status, created_by, created_at, computed_at)
         select company_id, gen_random_uuid(), contract_id, 'invoice', $3, id, now()::date, 'open', 'bench', now(), now() from file
       )
       insert into carrier_line (company_id, file_id, line_number, amount, benefit_id, matched_by)
       select file.company_id, file.id, sent.number, sent.amount, sent."benefitId", 'card-number'
       from file, json_to_recordset($5::json) as sent("benefitId" uuid, amount bigint, number integer)`,
      [contractId, file, month, rows.length, JSON.stringify(rows), Buffer.from(month)],
    )
  }
  await client.query('analyze carrier_line')
  await client.end()
}

/** Stores an open exclusion of each of the people. */
export async function storeOpenExclusions(databaseUrl: string, { contractId, covered }: BenchContract): Promise<void> {
  const client = await connected(databaseUrl)
  await client.query(
    `with made as (
       insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
       select company_id, gen_random_uuid(), (select id from client where api = 'partner' limit 1), 'exclusion', 'completed', now(), now()
       from contract where id = $1 returning company_id, id
     ), ended as (
       select made.id as request_id, benefit.*, row_number() over () as n from made
       join benefit on benefit.company_id = made.company_id and benefit.id = any($2::uuid[])
     )
     insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type, product_id, product_name,
       benefit_id, data, initial_status, effective_date, created_at, updated_at)
     select ended.company_id, gen_random_uuid(), ended.request_id, 'exclusion', 'created', ended.member_id, member.tax_id, ended.type, ended.product_id,
       'Saúde', ended.id, '{}', 'created', date '2026-10-01' + (n % 90)::int, now() + n * interval '1 millisecond', now()
     from ended join member on member.company_id = ended.company_id and member.id = ended.member_id`,
    [contractId, covered.map(({ benefitId }) => benefitId)],
  )
  await client.query(openMovements(`enrollment_type = 'exclusion'`))
  await client.query('analyze enrollment, open_movement')
  await client.end()
}

/** A company with one contract, whose prices can be calculated, and people. @param more of the contract. */
export async function openContract(service: Program, databaseUrl: string, count: number, more: Json = {}) {
  const { url } = service
  const partner = await makePartner(url, 1)
  const admin = await signIn(url, operator.id, operator.secret)
  const [companyTaxId = ''] = partner.companyTaxIds
  const { products } = (await call(url, 'GET', `/operator/v1/company/${companyTaxId}`, admin))['result'] as {
    products: { readonly 'product-id': string; readonly 'carrier-name': string }[]
  }
  const [product = { 'product-id': '', 'carrier-name': '' }] = products
  const made = await call(url, 'POST', '/operator/v1/contract', admin, {
    'company-tax-id': companyTaxId,
    'carrier-name': product['carrier-name'],
    'contract-number': '900001',
    plans: [{ 'product-id': product['product-id'], 'carrier-plan-code': 'AE1230' }],
    'age-on': 'first-day-of-reference-month',
    proration: 'none',
    ...more,
  })
  const contractId = String((made['result'] as Json)['contract-id'])
  await call(url, 'PUT', `/operator/v1/price-table/${randomUUID()}`, admin, {
    'contract-id': contractId,
    'valid-from': '2024-01-01',
    kind: 'age-band-10',
    prices: pricesOf('age-band-10', premiums),
  })
  const covered = await cover(databaseUrl, { companyTaxId, productId: product['product-id'], count })
  return { contract: { service, admin, contractId, covered }, companyTaxId, partner }
}
