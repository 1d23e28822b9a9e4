import { randomUUID } from 'node:crypto'
import { bands } from '../../data/prices.ts'
import { discrepanciesOf } from '../carrier-file.ts'
import { filePath, invoiceBody } from '../invoice.ts'
import { calendar } from '../contract.ts'
import { payrollOfMonth, payrollProfile } from '../payroll.ts'
import { pricedContract, putBands } from '../price.ts'
import { insertCovered } from '../roster.ts'
import { expectOk, type Json, nextCpf } from '../test-app.ts'
import { pdf } from '../upload.ts'
import { compareInvoice, known, workedEntries, workedPeople } from '../worked-invoice.ts'
import { admin, analyst, carrierRoles, chapter, finance, moneyRoles, reads, roles, type World, write } from './call.ts'

async function prepareInvoices({ company, operator }: World) {
  const [invoice, file] = ['fatura-do-mundo', '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21']
  expectOk(await operator.put(`/operator/v1/invoice/${invoice}`, invoiceBody(company)))
  const type = { 'content-type': 'application/pdf' }
  const query = filePath(invoice, file).split('?')[1] ?? ''
  expectOk(await operator.put(filePath(invoice, file), pdf, type))
  return { company, invoice, file: [invoice, file], bytes: { query, body: pdf, headers: type } }
}

export const invoices = chapter(prepareInvoices, {
  ...reads(moneyRoles, 'listAllInvoices', 'readAnyInvoice', 'downloadAnyInvoice'),
  ...reads(roles, 'readInvoiceStatistics', 'readDiscrepancyTrend'),
  putInvoice: write(finance, 'invoice.created', ({ company }) => ({
    path: ['outra-fatura'],
    body: invoiceBody(company),
  })),
  putInvoiceFile: write(finance, 'invoice-file.created', ({ invoice, bytes }) => ({
    path: [invoice, randomUUID()],
    ...bytes,
  })),
  markInvoiceFile: write(finance, 'invoice-file.paid', ({ file }) => [
    { path: file, body: { status: 'paid' } },
    { path: file, body: { status: 'pending' }, audit: 'invoice-file.pending' },
  ]),
  deleteInvoiceFile: write(finance, 'invoice-file.deleted', ({ file }) => ({ path: file })),
  deleteInvoice: write(finance, 'invoice.deleted', ({ invoice }) => ({ path: [invoice] })),
})

async function preparePrices({ testApp, operator }: World) {
  const calendared = { calendar: calendar(18) }
  const { 'contract-id': contractId } = await pricedContract(testApp, await testApp.company(), calendared)
  const { 'price-table-id': tableId } = await putBands(testApp, contractId)
  const valid = { 'contract-id': contractId, 'valid-from': '2026-01-01' }
  const share = { amount: 5000 }
  const rule = { ...valid, 'primary-employee-share': share, 'dependent-employee-share': share }
  const ruleId = randomUUID()
  expectOk(await operator.put(`/operator/v1/contribution-rule/${ruleId}`, rule))
  const table = { ...valid, kind: 'age-band-10', prices: bands }
  const { 'reference-month': month } = expectOk(await operator.get(`/operator/v1/contract/${contractId}/forecast`)).body
    .result
  return {
    tableId: [tableId],
    table,
    ruleId: [ruleId],
    rule,
    contract: [contractId],
    forecast: { 'reference-month': month },
  }
}

/** Prices and contributions. */
export const prices = chapter(preparePrices, {
  ...reads(roles, 'listPriceTables', 'readPriceTable', 'listContributionRules', 'readContributionRule'),
  ...reads(roles, 'readExpectedInvoice', 'listCompanyCosts', 'listCharges'),
  ...reads(finance, 'listTaxFigures'),
  ...reads(roles, 'readForecast', 'readCompanyForecast', 'listMoneyAtRisk'),
  freezeForecast: write(carrierRoles, 'forecast.frozen', ({ contract, forecast }) => ({
    path: contract,
    body: forecast,
  })),
  putPriceTable: write(finance, 'price-table.replaced', ({ tableId, table }) => [
    { path: tableId, body: table },
    { path: [randomUUID()], body: { ...table, 'valid-from': '2026-03-01' }, audit: 'price-table.created' },
  ]),
  adjustPriceTable: write(finance, 'price-table.created', ({ tableId }) => ({
    path: tableId,
    body: { 'valid-from': '2027-01-01', 'basis-points': 500 },
  })),
  deletePriceTable: write(finance, 'price-table.deleted', ({ tableId }) => ({ path: tableId })),
  putContributionRule: write(finance, 'contribution-rule.replaced', ({ ruleId, rule }) => [
    { path: ruleId, body: rule },
    { path: [randomUUID()], body: { ...rule, 'valid-from': '2026-03-01' }, audit: 'contribution-rule.created' },
  ]),
  deleteContributionRule: write(finance, 'contribution-rule.deleted', ({ ruleId }) => ({ path: ruleId })),
})

async function preparePayroll({ testApp, operator }: World) {
  const { company, body } = await payrollOfMonth(testApp)
  const ahead = await testApp.company()
  const member = await insertCovered(testApp, ahead, { cpf: nextCpf() })
  const profile = { ...payrollProfile, basis: 'effective-date', 'first-month': '2026-11' }
  expectOk(await operator.put(`/operator/v1/company/${ahead.taxId}/payroll-profile`, profile))
  return { company: [company.taxId], body, member: [member], leave: { 'first-day': '2026-11-01' } }
}

export const payroll = chapter(preparePayroll, {
  ...reads(moneyRoles, 'previewPayroll', 'readPayrollProfile', 'listPayrollExports'),
  ...reads(moneyRoles, 'listDeductions', 'listPayrollPeriods'),
  ...reads(moneyRoles, 'readFinalBalance'),
  ...reads(roles, 'listUnpaidLeaves'),
  ...reads(finance, 'readPayrollExportFile'),
  createPayrollExport: write(finance, 'payroll-export.created', ({ body }) => ({ body })),
  putPayrollProfile: write(finance, 'payroll-profile.replaced', ({ company }) => ({
    path: company,
    body: payrollProfile,
  })),
  deletePayrollProfile: write(finance, 'payroll-profile.deleted', ({ company }) => ({ path: company })),
  putUnpaidLeave: write(analyst, 'unpaid-leave.set', ({ member, leave }) => ({ path: member, body: leave })),
  deleteUnpaidLeave: write(analyst, 'unpaid-leave.deleted', ({ member, leave }) => ({
    path: member,
    query: `first-day=${leave['first-day']}`,
  })),
})

/** An invoice that was compared, two drafts of claims of it, and a month that is closed. */
async function prepareClaims({ testApp, operator }: World) {
  const employer = await known(testApp, workedPeople)
  const compared = await compareInvoice(testApp, employer, '2026-11', workedEntries)
  const id = compared['reconciliation-id']
  const found = await discrepanciesOf(testApp, id)
  const claimable = found.filter(
    ({ class: name, amount }) => amount > 0 && name !== 'total-differs' && name !== 'price-missing',
  )
  const [first, second, third] = claimable.map((one) => {
    return { 'reconciliation-id': id, 'discrepancy-ids': [one['discrepancy-id']] }
  })
  const claim = async (body: Json): Promise<string[]> => {
    return [expectOk(await operator.post('/operator/v1/claim', body)).body.result['claim-id']]
  }
  const month = { 'company-tax-id': employer.company.taxId, 'reference-month': '2026-11', reason: 'Prazo da folha' }
  const other = { ...month, 'reference-month': '2026-10' }
  const { result: closing } = expectOk(await operator.post('/operator/v1/closing', other)).body
  return { moved: await claim(first), draft: await claim(second), third, month, closing: [closing['closing-id']] }
}

/** Claims and closings. */
export const claims = chapter(prepareClaims, {
  ...reads(roles, 'listClaims', 'readClaim', 'exportClaim'),
  moveClaim: write(finance, 'claim.sent', ({ moved }) => [
    { path: moved, body: { status: 'sent' } },
    { path: moved, body: { status: 'accepted' }, audit: 'claim.accepted' },
    { path: moved, body: { status: 'refused' }, audit: 'claim.refused' },
  ]),
  createClaim: write(finance, 'claim.created', ({ third }) => ({ body: third })),
  deleteClaim: write(finance, 'claim.deleted', ({ draft }) => ({ path: draft })),
  ...reads(roles, 'listClosings', 'readClosingChecklist', 'readClosing'),
  closeMonth: write(finance, 'closing.closed', ({ month }) => ({ body: month })),
  reopenMonth: write(admin, 'closing.reopened', ({ closing }) => ({
    path: closing,
    body: { reason: 'Fatura reemitida' },
  })),
})
