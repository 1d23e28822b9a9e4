import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportPayroll } from '#money/payroll/export.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Context } from '#platform/http/context.ts'
import { payrollOfMonth, payrollProfile, pricedPayroll } from '../world/payroll.ts'
import { type Company, expectOk } from '../world/test-app.ts'
import { checksumsOf, failAfterEach } from './fail-after-each.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, openIdleTestApp } from './steps.ts'

/* An export for payroll while each of its statements fails in turn: there is none, or the whole one, and a run that is repeated is one export. */

const month = '2026-10'
let idle: IdleTestApp
let context: Context
const operator = (): ClientActor => ({
  kind: 'operator',
  clientId: idle.testApp.operator.clientId,
  origin: { address: '127.0.0.1', traceId: 'x' },
})

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context()
})
afterAll(() => idle.close())

/** What a failed export leaves as it was; no rule is broken. */
const stored = async () => [
  await checksumsOf(idle.testApp.sql, ['payroll_export', 'payroll_export_line', 'closing', 'audit']),
  await readViolations(idle.testApp.sql),
]

const exportsOf = (companyId: string) =>
  idle.testApp.sql(
    `select reference_month, number, run_id, sum(amount)::int as amount, count(*)::int as lines
     from payroll_export join payroll_export_line on export_id = payroll_export.id
     where payroll_export.company_id = $1 group by payroll_export.company_id, payroll_export.id order by 1, 2`,
    [companyId],
  )

/** Exports a month twice as the same run, while statements fail. */
async function exportTwice(company: Company, amount: number): Promise<void> {
  const body = { 'company-tax-id': company.taxId, 'reference-month': month, 'run-id': 'folha' }
  const act = (on: Context) => exportPayroll(on, operator(), body)
  const { result, failed } = await failAfterEach(context, stored, act)
  expect([result.amount + result['bill-amount'], failed > 5]).toEqual([amount, true])
  expect((await failAfterEach(context, stored, act)).result).toEqual(result)
}

test('of a month of cover', async () => {
  const { company } = await pricedPayroll(idle.testApp)
  const profile = { ...payrollProfile, basis: 'effective-date', 'first-month': month }
  expectOk(await idle.testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, profile))
  // 30 % of 455.16 and of 262.08, and 60 % of 218.40.
  const amount = 13_655 + 7_862 + 13_104
  await exportTwice(company, amount)
  expect(await exportsOf(company.id)).toEqual([
    { reference_month: month, number: 1, run_id: 'folha', amount, lines: 3 },
  ])
})

test('of a closed month', async () => {
  const { company } = await payrollOfMonth(idle.testApp)
  await exportTwice(company, 5_000)
  expect(await exportsOf(company.id)).toEqual([
    { reference_month: month, number: 1, run_id: 'folha', amount: 5_000, lines: 1 },
  ])
})
