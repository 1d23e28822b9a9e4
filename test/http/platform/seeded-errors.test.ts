import { expect, test } from 'vitest'
import {
  INVOICE_ERRORS,
  premiums,
  ROSTER_ERRORS,
  type SeededError,
  simulateInvoice,
  simulateRoster,
} from '#apps/cli/carrier-simulator/carrier-file.ts'
import { readViolations } from '../../crash/invariants.ts'
import { pricesOf } from '../../data/prices.ts'
import { csv, discrepanciesOf, reconcile, repeat, upload } from '../../world/carrier-file.ts'
import { cover, rosterRow } from '../../world/covered.ts'
import { putBands } from '../../world/price.ts'
import { openShipper } from '../../world/shipment.ts'
import { type Json, useTestApp } from '../../world/test-app.ts'

/* Files of 10,000 people whom no statistics know yet. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const sorted = (list: readonly (readonly unknown[])[]) => list.map((one) => JSON.stringify(one)).toSorted()

/** Expects that the errors of a file are its discrepancies, that there are no others, and that each line counts once. */
async function expectErrors(file: Json, lines: number, errors: readonly SeededError[]): Promise<Json> {
  expect(file).toMatchObject({ status: 'read', lines, 'refused-lines': 0 })
  const { 'repaired-tax-id': _, ...counts } = file.matches
  expect(Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(lines)
  const reconciliation = await reconcile(testApp, file['file-id'])
  expect(reconciliation).toMatchObject({ status: 'open', 'as-of': '2026-11-20', lines })
  const id = reconciliation['reconciliation-id']
  const found = await discrepanciesOf(testApp, id)
  // When a benefit is charged twice, both lines are the error.
  const lineOf = (one: { class: string; line: number | null }) => (one.class === 'duplicate-charge' ? null : one.line)
  expect(
    sorted(found.map((one) => [one.class, one['benefit-id'], lineOf({ ...one, line: one['line-number'] })] as const)),
  ).toEqual(
    sorted(
      errors.map((error) => {
        const line = error['line-number'] === null ? null : error['line-number'] + 1
        return [error.class, error['benefit-id'], lineOf({ class: error.class, line })]
      }),
    ),
  )
  const again = await repeat(testApp, id)
  expect(again).toEqual({ ...reconciliation, 'computed-at': again['computed-at'] })
  expect(await discrepanciesOf(testApp, id)).toEqual(found)
  return reconciliation
}

test('the 50 errors that a carrier made in a roster and in an invoice are the discrepancies, and there are no others', async () => {
  const shipper = await openShipper(testApp, { 'age-on': 'first-day-of-reference-month', proration: 'none' })
  await putBands(testApp, shipper.contractId, { prices: pricesOf('age-band-10', premiums) })
  const covered = await cover(testApp, shipper, 10_000)

  const roster = simulateRoster(covered, { seed: 17, errors: 50, asOf: '2026-11-20' })
  expect(new Set(roster.errors.map((error) => error.class))).toEqual(new Set(ROSTER_ERRORS))
  const rosterFile = await upload(testApp, shipper, csv(roster.lines.map(rosterRow)))
  await expectErrors(rosterFile, roster.lines.length, roster.errors)

  const invoice = simulateInvoice(covered, { seed: 17, errors: 50, asOf: '2026-11-01' })
  expect(new Set(invoice.errors.map((error) => error.class))).toEqual(new Set(INVOICE_ERRORS))
  const rows = invoice.lines.map((line) => ({
    ...rosterRow(line),
    amount: (line.amount / 100).toFixed(2).replace('.', ','),
  }))
  const invoiceFile = await upload(testApp, { ...shipper, kind: 'invoice' }, csv(rows))
  const { 'carrier-total': total, 'expected-total': expected } = await expectErrors(
    invoiceFile,
    invoice.lines.length,
    invoice.errors,
  )
  const charged = simulateInvoice(covered, { seed: 17, errors: 0, asOf: '2026-11-01' }).lines
  const sum = (lines: readonly { readonly amount: number }[]) => lines.reduce((cents, { amount }) => cents + amount, 0)
  expect([total, expected]).toEqual([sum(invoice.lines), sum(charged)])
  expect(await readViolations(testApp.sql)).toEqual({})
})
