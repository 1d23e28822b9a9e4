import { randomUUID } from 'node:crypto'
import { bands } from '../data/prices.ts'
import { csv } from '../world/carrier-file.ts'
import { payrollProfile } from '../world/payroll.ts'
import { dental, expectOk, type Json, until } from '../world/test-app.ts'
import { createContract, importFile, type LoadTarget, type Stored } from './mixed-load.ts'

/* The invoices of one contract: an operator sends and compares them, claims, closes the months and exports their payroll. */

/** A month that is closed, with its invoice. */
export interface StoredMonth {
  readonly month: string
  readonly contractId: string
  readonly fileId: string
  readonly reconciliationId: string
  readonly claimId: string
  /** With that of somebody who is unknown, which is claimed. */
  readonly lines: number
}

const people = 150

/** The steps of so many months, one after the other; a call whose response was lost may have done its work. */
export function moneySteps(target: LoadTarget, stored: Stored, count: number): (() => Promise<unknown>)[] {
  const { client, tenant } = target
  const send = (method: string, url: string, body?: Json) =>
    client.send('operator', method, `/operator/v1/${url}`, body === undefined ? {} : { body })
  const read = async (url: string): Promise<Json> => expectOk(await send('GET', url)).body.result
  let contractId = ''
  let taxIds: readonly string[] = []
  const prepare = async () => {
    contractId = await createContract(target, {
      'contract-number': '900002',
      'carrier-name': 'Odonto Brisa',
      plans: [{ 'product-id': tenant.productIds[dental], 'carrier-plan-code': 'OD1' }],
      'age-on': 'birthday-month',
      proration: 'none',
    })
    const valid = { 'contract-id': contractId, 'valid-from': '2025-01-01' }
    const table = { ...valid, kind: 'age-band-10', prices: bands }
    expectOk(await send('PUT', `price-table/${randomUUID()}`, table))
    const share = { 'basis-points': 5_000 }
    const rule = { ...valid, 'primary-employee-share': share, 'dependent-employee-share': share }
    expectOk(await send('PUT', `contribution-rule/${randomUUID()}`, rule))
    expectOk(await send('PUT', `company/${tenant.companyTaxId}/payroll-profile`, payrollProfile))
    taxIds = await importFile(target, stored, people)
  }
  const steps = Array.from({ length: count }, (_, index) => {
    const month = `2026-0${index + 1}`
    const ofMonth = { 'company-tax-id': tenant.companyTaxId, 'reference-month': month }
    let fileId = ''
    let reconciliationId = ''
    let claimId = ''
    return [
      async () => {
        const query = `contract-id=${contractId}&kind=invoice&reference-month=${month}&layout-id=generic-csv-invoice`
        const rows = taxIds.map((taxId) => ({ 'tax-id': taxId, amount: '123,45' }))
        const body = Buffer.from(csv([...rows, { 'tax-id': '52998224725', amount: '123,45' }]))
        const headers = { 'content-type': 'text/csv' }
        const sent = await client.send('operator', 'POST', `/operator/v1/carrier-file?${query}`, { body, headers })
        fileId = expectOk(sent).body.result['file-id']
        const isRead = ({ status }: Json) => status !== 'reading'
        await until(() => read(`carrier-file/${fileId}`), isRead)
      },
      async () => {
        const made = await send('POST', 'reconciliation', { 'carrier-file-id': fileId })
        reconciliationId = expectOk(made).body.result['reconciliation-id']
        const isComputed = ({ status }: Json) => status !== 'computing'
        await until(() => read(`reconciliation/${reconciliationId}`), isComputed)
      },
      async () => {
        const [unknown] = await read(`reconciliation/${reconciliationId}/discrepancy?class=charged-unknown`)
        const body = { 'reconciliation-id': reconciliationId, 'discrepancy-ids': [unknown['discrepancy-id']] }
        const made = await send('POST', 'claim', body)
        const [claim] =
          made.status === 400 ? await read(`claim?contract-id=${contractId}&reference-month=${month}`) : []
        claimId = claim?.['claim-id'] ?? expectOk(made).body.result['claim-id']
      },
      async () => {
        const moved = await send('POST', `claim/${claimId}/status`, { status: 'sent' })
        if (moved.status !== 409 || (await read(`claim/${claimId}`)).status !== 'sent') expectOk(moved)
      },
      async () => {
        const closed = await send('POST', 'closing', { ...ofMonth, reason: 'Prazo' })
        if (closed.body.code !== 'month-closed') expectOk(closed)
      },
      async () => {
        const exported = await send('POST', 'payroll-export', ofMonth)
        if (exported.body.code !== 'nothing-to-export') expectOk(exported)
        stored.months.push({ month, contractId, fileId, reconciliationId, claimId, lines: people + 1 })
      },
    ]
  })
  return [prepare, ...steps.flat()]
}
