import { premiums } from '#apps/cli/carrier-simulator/carrier-file.ts'
import { cnpjAt, health, primary } from '../data/people.ts'
import { pricesOf } from '../data/prices.ts'
import { payrollProfile } from '../world/payroll.ts'
import { companyBody } from '../world/test-app.ts'
import { type Json, makeFamily, type Run } from './sequence.ts'
import type { Actor } from './request.ts'
import { uuidOf } from './generate.ts'

const month = '2026-10'

interface Employer {
  readonly taxId: string
  readonly contractId: string
  readonly hr: Actor
}

/** A company with a contract, and a client of its own. */
async function makeEmployer(run: Run, more: Json = {}): Promise<Employer> {
  const taxId = cnpjAt(run.rng.between(1_000, 1_000_000_000))
  const { result } = await run.send('putCompany', { path: [taxId], body: companyBody })
  const product = (result.products as Json[]).find((one) => one['product-name'] === health)
  const contract = {
    'company-tax-id': taxId,
    'carrier-name': product['carrier-name'],
    'contract-number': '900001',
    plans: [{ 'product-id': product['product-id'], 'carrier-plan-code': 'AE1230' }],
    'age-on': 'birthday-month',
    proration: 'none',
  }
  const made = await run.send('createContract', { body: { ...contract, ...more } })
  const client = await run.send('createClient', { body: { name: 'Folha', 'company-tax-ids': [taxId] } })
  const { 'access-token': token } = await run.send('authenticate', { body: client })
  const hr: Actor = { name: 'HR_TOKEN', api: 'partner', token, companyTaxIds: [taxId] }
  return { taxId, contractId: made.result['contract-id'], hr }
}

async function price(run: Run, { contractId, taxId }: Employer): Promise<void> {
  const valid = { 'contract-id': contractId, 'valid-from': '2026-01-01' }
  const prices = pricesOf('age-band-10', premiums)
  await run.send('putPriceTable', { path: [uuidOf(run.rng)], body: { ...valid, kind: 'age-band-10', prices } })
  const share = { 'basis-points': 2_000 }
  const shares = { 'primary-employee-share': share, 'dependent-employee-share': share }
  await run.send('putContributionRule', { path: [uuidOf(run.rng)], body: { ...valid, ...shares } })
  await run.send('putPayrollProfile', { path: [taxId], body: payrollProfile })
}

/** A file of the carrier, read and compared. @returns the discrepancies. */
async function compare(
  run: Run,
  { contractId }: Employer,
  kind: 'roster' | 'invoice',
  text: string,
): Promise<{ readonly fileId: string; readonly reconciliationId: string; readonly discrepancies: Json[] }> {
  const query = { 'contract-id': contractId, kind, 'reference-month': month, 'layout-id': `generic-csv-${kind}` }
  const sent = { query, body: Buffer.from(text), headers: { 'content-type': 'text/csv' } }
  const fileId: string = (await run.send('uploadCarrierFile', sent)).result['file-id']
  await run.until('readCarrierFile', { path: [fileId] }, ({ result }) => result.status === 'read')
  const { result: made } = await run.send('createReconciliation', { body: { 'carrier-file-id': fileId } })
  const path = [made['reconciliation-id']]
  await run.until('readReconciliation', { path }, ({ result }) => result.status !== 'computing')
  const { result } = await run.send('listDiscrepancies', { path })
  return { fileId, reconciliationId: made['reconciliation-id'], discrepancies: result }
}

/** An invoice with somebody who is unknown, who is claimed; then the month is closed, and payroll gets it. */
export async function payMonth(run: Run): Promise<void> {
  const employer = await makeEmployer(run)
  await price(run, employer)
  const { cpf, child, benefitId } = await makeFamily(run, employer.taxId, employer.hr)
  const rows = [cpf, child, run.cpf(), run.cpf()].map((taxId) => `${taxId};123,45;50,00`)
  const text = ['tax-id;amount;employee-amount', ...rows, ''].join('\n')
  const { fileId, reconciliationId, discrepancies } = await compare(run, employer, 'invoice', text)
  const [unknown] = discrepancies.filter((one) => one.class === 'charged-unknown')
  const claimed = { 'reconciliation-id': reconciliationId, 'discrepancy-ids': [unknown?.['discrepancy-id']] }
  const { result: claim } = await run.send('createClaim', { body: claimed })
  const path = [claim['claim-id']]
  await run.send('readClaim', { path })
  await run.send('exportClaim', { path })
  await run.send('moveClaim', { path, body: { status: 'sent', 'carrier-protocol': '2026-778812' } })
  const { result: lines } = await run.send('listCarrierLines', { path: [fileId], query: { match: 'unmatched' } })
  const linked = { path: [fileId, lines.at(-1)['line-number']], body: { 'benefit-id': benefitId } }
  await run.send('linkCarrierLine', linked)
  const ofMonth = { 'company-tax-id': employer.taxId, 'reference-month': month }
  await run.send('closeMonth', { body: { ...ofMonth, reason: 'Prazo' } })
  const { result } = await run.send('createPayrollExport', { body: ofMonth })
  await run.send('readPayrollExportFile', { path: [result['payroll-export-id']] })
  await run.send('listTaxFigures', { path: [employer.taxId], query: { year: '2026' } })
}

/** What a carrier's list has otherwise is taken over. */
export async function correctRoster(run: Run): Promise<void> {
  const employer = await makeEmployer(run)
  const { cpf } = await makeFamily(run, employer.taxId, employer.hr)
  const row = `C-${run.rng.between(1, 1_000_000)};${cpf};Helena Brandão Souza;1990-05-17;primary;AE1230;2025-02-01`
  const heading = 'card-number;tax-id;name;date-of-birth;relationship;carrier-plan-code;start-date'
  const { discrepancies } = await compare(run, employer, 'roster', `${heading}\n${row}\n`)
  const card = discrepancies.find((one) => one.class === 'card-number-missing-here')
  await run.send('correctDiscrepancy', { path: [card?.['discrepancy-id']], body: {} })
}

/** A shipment by e-mail, which is opened again, and one by a connector that refuses it. */
export async function ship(run: Run): Promise<void> {
  for (const channel of ['email', 'connector'] as const) {
    const employer = await makeEmployer(run, { channel })
    const connector = { url: run.world.webhookUrls.valid.find((url) => url.endsWith('/refuse')) }
    const email = { to: ['mesa@aurora.example'], subject: 'Remessa {shipment-number}', text: 'Segue' }
    const settings = channel === 'email' ? { email } : { connector }
    await run.send('putContractChannel', { path: [employer.contractId], body: settings })
    const member = primary({ 'tax-id': run.cpf() })
    const batch = { 'company-tax-id': employer.taxId, members: [member] }
    const by = { actor: employer.hr }
    const { 'request-id': requestId } = await run.send('includeMembers', { ...by, body: batch })
    const isDone = ({ status }: Json) => status !== 'processing'
    await run.until('readRequest', { ...by, path: [requestId] }, isDone)
    const query = { 'contract-id': employer.contractId }
    const list = await run.until('listShipments', { query }, ({ result }) => result.length > 0)
    const path = [list.result[0]['shipment-id']]
    await run.send('closeShipment', { path })
    if (channel === 'email') {
      await run.send('readShipmentEmail', { path })
      await run.send('reopenShipment', { path })
    } else {
      await run.send('deliverShipment', { path })
      const hasFailed = ({ result }: Json) => result.some((one: Json) => one.status === 'failed')
      await run.until('listShipmentDeliveries', { path }, hasFailed)
      await run.send('stopShipmentDelivery', { path })
    }
  }
}

const layout = {
  name: 'Operadora Aurora: movimentação',
  direction: 'movement',
  definition: {
    format: 'fixed-width',
    encoding: 'iso-8859-1',
    'record-length': 40,
    records: [{ name: 'primary', columns: [{ at: 1, length: 35, source: 'person.name', overflow: 'truncate' }] }],
  },
}

/** A layout, its next version, and the lines that it makes of a movement. */
export async function editLayout(run: Run): Promise<void> {
  const { result } = await run.send('createLayout', { body: layout })
  const path = [result['layout-id']]
  await run.send('putLayout', { path, body: { ...layout, source: 'Manual, versão 2' } })
  const query = { 'company-tax-id': run.companyTaxId, 'items-per-page': '1' }
  const { result: movements } = await run.send('listEnrollmentQueue', { query })
  await run.send('previewLayout', { path, body: { 'enrollment-ids': [movements[0]?.id] } })
}

/** The payment slip of an invoice is paid. */
export async function payInvoice(run: Run): Promise<void> {
  const id = `fatura ${run.rng.between(1_000, 1_000_000)}/2026`
  const { result: contracts } = await run.send('listContracts', { query: { 'company-tax-id': run.companyTaxId } })
  const invoice = {
    'company-tax-id': run.companyTaxId,
    'carrier-name': contracts[0]?.['carrier-name'],
    amount: 12_345,
    'due-date': '2026-12-10',
    'reference-period-start': '2026-11-01',
    'reference-period-end': '2026-11-30',
  }
  await run.send('putInvoice', { path: [id], body: invoice })
  const file = [id, uuidOf(run.rng)]
  await run.send('putInvoiceFile', {
    path: file,
    query: { name: 'boleto.pdf', type: 'payment-slip', 'payment-slip-due-date': '2026-12-10' },
    headers: { 'content-type': 'application/pdf' },
    body: Buffer.from('%PDF-1.7\n%%EOF\n'),
  })
  await run.send('markInvoiceFile', { path: file, body: { status: 'paid' } })
}
