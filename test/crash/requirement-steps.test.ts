import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClientActor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { answerEnrollment } from '#movements/answer/answer.ts'
import { processItems } from '#movements/kinds.ts'
import { waiveRequirement } from '#movements/queue/waive.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { whileLocked } from '../world/locked-table.ts'
import { type Client, type Company, expectOk, health, type Json, primary } from '../world/test-app.ts'
import { upload } from '../world/upload.ts'
import { failAfterEach } from './fail-after-each.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, openIdleTestApp } from './steps.ts'
import { isLong } from '../scale.ts'

/* Movements that wait for documents, while statements fail and an answer and a waiver come at once: nothing is half done, no document is lost. */

let idle: IdleTestApp
let context: Context
let company: Company
let partner: Client
let companyId: string

const origin = { address: '127.0.0.1', traceId: 'x' }
const operator = (): ClientActor => ({ kind: 'operator', clientId: idle.testApp.operator.clientId, origin })
const ofPartner = (): ClientActor => ({ kind: 'partner', clientId: partner.clientId, origin })
const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context()
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
  const [row] = await ask<{ id: string }>('select id from company where tax_id = $1', [company.taxId])
  companyId = row?.id ?? ''
  const require = [
    { 'any-of': ['proof-of-residency'], message: 'Comprovante' },
    { 'any-of': ['work-card'], message: 'CTPS' },
  ]
  expectOk(await idle.testApp.operator.put(`/operator/v1/requirement-rule/${randomUUID()}`, { name: 'Todos', require }))
})
afterAll(() => idle.close())

async function accept(): Promise<string> {
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  return expectOk(await partner.post('/v1/enrollment/inclusion', body)).body['request-id']
}

/** An enrollment that waits for two documents. */
async function pending(): Promise<string> {
  const requestId = await accept()
  const worker = startWorker(context)
  try {
    const request = await idle.testApp.finished(partner, requestId)
    const [products] = Object.values<Json>(request['status-by-tax-id'])
    return products?.[health]['enrollment-id']
  } finally {
    await worker.stop()
  }
}

interface State {
  readonly status: string
  readonly items: readonly number[]
  readonly steps: readonly string[]
}

async function stateOf(id: string): Promise<State | undefined> {
  const [row] = await ask<{ state: State }>(
    `select json_build_object('status', enrollment.status,
       'items', coalesce((select json_agg(item->'requirement') from jsonb_array_elements(pending_items) item), '[]'),
       'steps', (select json_agg(actor || ' ' || enrollment_history.status order by step) from enrollment_history
         where enrollment_history.enrollment_id = enrollment.id)) as state from enrollment where id = $1`,
    [id],
  )
  return row?.state
}

/** What a failed act leaves as it was; no rule is broken. */
async function stored(): Promise<unknown> {
  const tables = ['enrollment', 'enrollment_history', 'enrollment_note', 'movement_item', 'event', 'audit', 'work']
  const used = `(select count(*)::int from document where request_id is not null) as used`
  const [row] = await ask(
    `select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join()}, ${used}`,
  )
  return [row, await readViolations(ask)]
}

/** How often the act failed: after each of its statements. */
const failing = async (act: (on: Context) => Promise<unknown>) => (await failAfterEach(context, stored, act)).failed

const waive = (id: string, requirement: number) => (on: Context) =>
  waiveRequirement(on, operator(), { companyId, enrollmentId: id, requirement, reason: 'A operadora dispensou' })

async function answer(id: string, ...types: string[]) {
  const documents: { 'document-id': string; 'document-type': 'work-card' }[] = []
  for (const type of types)
    documents.push({ 'document-id': await upload(partner), 'document-type': type as 'work-card' })
  const call = {
    companyId,
    enrollmentId: id,
    answer: { documents, data: {}, comment: null },
    saveResponse: async () => {},
  }
  return (on: Context) => answerEnrollment(on, ofPartner(), call)
}

test.runIf(isLong)(
  'a step that fails after any of its statements leaves no movement without what it waits for',
  async () => {
    const requestId = await accept()
    const step = (on: Context) =>
      write(on, { kind: 'service' }, { may: 'service' }, (tx) => processItems(on, tx, companyId, requestId))
    expect(await failing(step)).toBeGreaterThan(8)
    const [row] = await ask<{ id: string }>('select id from enrollment where request_id = $1', [requestId])
    expect(await stateOf(row?.id ?? '')).toEqual({
      status: 'pending-documents',
      items: [1, 2],
      steps: ['service pending-documents'],
    })
  },
)

test.runIf(isLong)(
  'an answer that fails after any of its statements leaves the movement waiting and the document unused',
  async () => {
    const id = await pending()
    expect(await failing(await answer(id, 'work-card'))).toBeGreaterThan(4)
    expect(await stateOf(id)).toMatchObject({ status: 'pending-documents', items: [1] })
    expect(await failing(await answer(id, 'proof-of-residency'))).toBeGreaterThan(4)
    expect(await stateOf(id)).toEqual({
      status: 'created',
      items: [],
      steps: ['service pending-documents', 'service created'],
    })
  },
)

test.runIf(isLong)('a waiver that fails after any of its statements leaves the document asked for', async () => {
  const id = await pending()
  expect(await failing(waive(id, 1))).toBeGreaterThan(4)
  expect(await stateOf(id)).toMatchObject({ status: 'pending-documents', items: [2] })
  expect(await failing(waive(id, 2))).toBeGreaterThan(4)
  expect(await stateOf(id)).toMatchObject({
    status: 'created',
    steps: ['service pending-documents', 'operator created'],
  })
})

const outcomeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error: unknown) => String((error as { code?: string }).code),
  )

test('an answer and a waiver at once of different documents both count: the movement waits for neither', async () => {
  const id = await pending()
  const answered = await answer(id, 'work-card')
  const outcomes = await whileLocked(idle.testApp, 'select from benefit for update', [
    () => outcomeOf(answered(context)),
    () => outcomeOf(waive(id, 1)(context)),
  ])
  expect(outcomes).toEqual(['done', 'done'])
  expect(await stateOf(id)).toMatchObject({ status: 'created', items: [] })
  expect(await readViolations(ask)).toEqual({})
})

test('of an answer and a waiver at once of the last document one wins, and the other is told', async () => {
  const id = await pending()
  await waive(id, 1)(context)
  const answered = await answer(id, 'work-card')
  const outcomes = await whileLocked(idle.testApp, 'select from benefit for update', [
    () => outcomeOf(answered(context)),
    () => outcomeOf(waive(id, 2)(context)),
  ])
  expect(outcomes.toSorted()).toEqual(['done', 'enrollment-not-pending'])
  const state = await stateOf(id)
  expect([state?.status, state?.items, state?.steps.length]).toEqual(['created', [], 2])
  expect(await readViolations(ask)).toEqual({})
})

test('of a waiver and an answer at once of one of two documents the other is still waited for', async () => {
  const id = await pending()
  const answered = await answer(id, 'work-card')
  const outcomes = await whileLocked(idle.testApp, 'select from benefit for update', [
    () => outcomeOf(answered(context)),
    () => outcomeOf(waive(id, 2)(context)),
  ])
  // The answer after the waiver brings a document that nothing waits for any more: it is kept.
  expect(outcomes[0]).toBe('done')
  expect(['done', 'requirement-not-found']).toContain(outcomes[1])
  expect(await stateOf(id)).toMatchObject({ status: 'pending-documents', items: [1] })
  expect(await readViolations(ask)).toEqual({})
})
