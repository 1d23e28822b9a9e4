import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClaim, deleteClaim, moveClaim } from '#money/claims/write.ts'
import { closeMonth, reopenMonth } from '#money/closings/write.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { repeatReconciliation } from '#exchange/reconciliations/reconcile.ts'
import { processReconciliation } from '#exchange/reconciliations/process.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { discrepanciesOf, reconciliationPath } from '../world/carrier-file.ts'
import { whileLocked } from '../world/locked-table.ts'
import { expectOk, type Json, until } from '../world/test-app.ts'
import { type Known, known, sendInvoice, workedEntries, workedPeople } from '../world/worked-invoice.ts'
import { isLong } from '../scale.ts'
import { checksumsOf, failAfterEach } from './fail-after-each.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, openIdleTestApp } from './steps.ts'

/* An invoice is compared, claimed and closed while statements fail, and while two close at once: nothing is half done. */

let idle: IdleTestApp
let context: Context
const origin = { address: '127.0.0.1', traceId: 'x' }
const operator = (): ClientActor => ({ kind: 'operator', clientId: idle.testApp.operator.clientId, origin })

beforeAll(async () => {
  idle = await openIdleTestApp()
  // It reads what the app stored.
  context = await idle.context({ VIGENCIA_DATA_DIR: idle.testApp.dataDir })
})
afterAll(() => idle.close())

const tables = [
  'reconciliation',
  'discrepancy',
  'claim',
  'claim_line',
  'closing',
  'closing_charge',
  'closing_expected',
  'audit',
  'work',
]

/** What a failed act leaves as it was; no rule is broken. */
const stored = async () => [await checksumsOf(idle.testApp.sql, tables), await readViolations(idle.testApp.sql)]

const failing = <Result>(act: (on: Context) => Promise<Result>) => failAfterEach(context, stored, act)

/** An invoice that has been read and waits to be compared. @returns the company and the reconciliation. */
async function waiting(): Promise<{ readonly one: Known; readonly id: string }> {
  const one = await known(idle.testApp, workedPeople)
  const worker = startWorker(context)
  let file: Json
  try {
    file = await sendInvoice(idle.testApp, one, '2026-11', workedEntries)
  } finally {
    await worker.stop()
  }
  const body = { 'carrier-file-id': file['file-id'] }
  const made = expectOk(await idle.testApp.operator.post(reconciliationPath, body)).body.result
  return { one, id: made['reconciliation-id'] }
}

const compare =
  ({ company }: Known, id: string) =>
  (on: Context) =>
    write(on, { kind: 'service' }, { may: 'service' }, (tx) => processReconciliation(on, tx, company.id, id))

/** What the worker does after a step. */
const endWork = () => idle.testApp.sql(`delete from work where kind = 'reconciliation'`)

test.runIf(isLong)(
  'a comparison, a claim, a closing and a reopening are whole, whichever statement fails',
  async () => {
    const { one, id } = await waiting()
    const { failed: compareFailures } = await failing(compare(one, id))
    expect(compareFailures).toBeGreaterThan(10)
    await endWork()
    const found = await discrepanciesOf(idle.testApp, id)
    expect(found).toHaveLength(4)
    const [unknown] = found.filter((each: Json) => each.class === 'charged-unknown')
    const claim = (on: Context) =>
      createClaim(on, operator(), { 'reconciliation-id': id, 'discrepancy-ids': [unknown['discrepancy-id']] })
    const { result: draft } = await failing(claim)
    await failing((on) => deleteClaim(on, operator(), draft))
    const { result: claimId } = await failing(claim)
    await failing((on) => moveClaim(on, operator(), claimId, { status: 'sent' }))
    await failing((on) => moveClaim(on, operator(), claimId, { status: 'refused' }))
    const close = (on: Context) =>
      closeMonth(on, operator(), { 'company-tax-id': one.company.taxId, 'reference-month': '2026-11', reason: 'Prazo' })
    const { result: closingId, failed: failures } = await failing(close)
    expect(failures).toBeGreaterThan(5)
    await failing((on) => reopenMonth(on, operator(), closingId, 'Fatura reemitida'))
    expect((await failing(close)).result).toBe(closingId)
  },
)

test('of closings at once one closes; a claim that came before is in it, one after it is refused', async () => {
  const { one, id } = await waiting()
  await compare(one, id)(context)
  await endWork()
  const other = await idle.context()
  const ids = (await discrepanciesOf(idle.testApp, id)).flatMap((each: Json) =>
    each.amount > 0 ? [each['discrepancy-id']] : [],
  )
  const codes = await Promise.all([
    ...[context, other, context, other].map((on) =>
      outcome(
        closeMonth(on, operator(), { 'company-tax-id': one.company.taxId, 'reference-month': '2026-11', reason: 'x' }),
      ),
    ),
    ...ids.map((each) =>
      outcome(createClaim(other, operator(), { 'reconciliation-id': id, 'discrepancy-ids': [each] })),
    ),
  ])
  const closings = codes.slice(0, 4)
  expect(closings.filter((code) => code === 'done')).toHaveLength(1)
  expect(closings.filter((code) => code === 'month-closed')).toHaveLength(3)
  const claims = codes.slice(4)
  expect(claims.every((code) => code === 'done' || code === 'reconciliation-status')).toBe(true)
  const [row] = await idle.testApp.sql<{ count: number }>(
    `select count(*)::int as count from discrepancy where reconciliation_id = $1 and status = 'claimed'`,
    [id],
  )
  expect(row?.count).toBe(claims.filter((code) => code === 'done').length)
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})

/** A month that is closed while an act has done half of its work. @param lock what the act waits for. @returns the code of the closing, and its open items. */
async function closedDuring(
  { company }: Known,
  lock: string,
  act: () => Promise<unknown>,
): Promise<[string, string[]]> {
  const { sql } = idle.testApp
  let closing = Promise.resolve('')
  await whileLocked(idle.testApp, lock, [act], async () => {
    closing = outcome(
      closeMonth(context, operator(), {
        'company-tax-id': company.taxId,
        'reference-month': '2026-11',
        reason: 'Prazo',
      }),
    )
    const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(
      async () => (await sql<{ n: number }>(waiting))[0]?.n,
      (n) => n === 2,
    )
  })
  const code = await closing
  const [row] = await sql<{ items: string[] }>(
    `select acts -> -1 -> 'open-items' as items from closing join company on company.id = closing.company_id
     where company.tax_id = $1 and closing.status = 'closed'`,
    [company.taxId],
  )
  return [code, row?.items ?? []]
}

test('a month is not closed over a comparison that is being repeated: closing waits, and is refused', async () => {
  const { one, id } = await waiting()
  await compare(one, id)(context)
  await endWork()
  const repeat = () => repeatReconciliation(context, operator(), id)
  expect(await closedDuring(one, 'lock table work in share mode', repeat)).toEqual(['reconciliation-status', []])
  await compare(one, id)(context)
  await endWork()
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})

test('a month that is closed while something is claimed, or a claim is refused, waits and finds it', async () => {
  const claimed = await waiting()
  await compare(claimed.one, claimed.id)(context)
  await endWork()
  const [found] = (await discrepanciesOf(idle.testApp, claimed.id)).filter((each: Json) => each.amount > 0)
  const rows = (id: string) => `select from discrepancy where reconciliation_id = '${id}' for update`
  const claim = () =>
    createClaim(context, operator(), { 'reconciliation-id': claimed.id, 'discrepancy-ids': [found['discrepancy-id']] })
  expect(await closedDuring(claimed.one, rows(claimed.id), claim)).toEqual(['done', expect.arrayContaining(['claims'])])

  const refused = await waiting()
  await compare(refused.one, refused.id)(context)
  await endWork()
  const all = await discrepanciesOf(idle.testApp, refused.id)
  const first: string = all.find((each: Json) => each.amount > 0)?.['discrepancy-id']
  const claimId = await createClaim(context, operator(), {
    'reconciliation-id': refused.id,
    'discrepancy-ids': [first],
  })
  await moveClaim(context, operator(), claimId, { status: 'sent' })
  const rest = all.map((each: Json) => each['discrepancy-id']).filter((each: string) => each !== first)
  expectOk(
    await idle.testApp.operator.post(`${reconciliationPath}/${refused.id}/discrepancy`, {
      'discrepancy-ids': rest,
      status: 'accepted',
    }),
  )
  const refuse = () => moveClaim(context, operator(), claimId, { status: 'refused' })
  expect(await closedDuring(refused.one, rows(refused.id), refuse)).toEqual([
    'done',
    expect.arrayContaining(['invoice']),
  ])
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})

const outcome = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error: unknown) => (error as { readonly code: string }).code,
  )
