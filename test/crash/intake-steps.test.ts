import { beforeAll, describe, expect, test } from 'vitest'
import type { ClientActor } from '#platform/core/actor.ts'
import { answerEnrollment } from '#movements/answer/answer.ts'
import { acceptBatch } from '#movements/batch/accept.ts'
import { confirmDraft } from '#movements/draft-exclusions/draft-exclusion.ts'
import { exclusion } from '#movements/exclude/batch-queries.ts'
import { addEvidence } from '#movements/intake/add-evidence.ts'
import type { Context } from '#platform/http/context.ts'
import { openDrafts } from '../world/draft.ts'
import { whileLocked } from '../world/locked-table.ts'
import { type Client, type Company, expectOk, health, type Json, monday, primary } from '../world/test-app.ts'
import { upload } from '../world/upload.ts'
import { checksumsOf, failAfterEach } from './fail-after-each.ts'
import { useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { killAfter } from './kill-points.ts'

/* What operators request, with its intake and evidence, while statements fail and processes die: all of it is stored, or nothing. */

const idle = useIdleTestApp()
const { ask } = idle
let company: Company
let partner: Client
beforeAll(async () => {
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
})

const origin = { address: '127.0.0.1', traceId: 'x' }
const actorOf = ({ clientId }: Client): ClientActor => ({ kind: 'operator', clientId, origin })
const operator = () => actorOf(idle.testApp.operator)
const evidence = (client = idle.testApp.operator) => upload(client, undefined, '/operator/v1')
const tables = [
  'request',
  'request_intake',
  'movement_item',
  'document',
  'audit_pending',
  'audit',
  'work',
  'enrollment',
]
const stored = () => checksumsOf(ask, tables)
const saveResponse = async () => {}

const intakeOf = (documents: readonly string[]): Json => ({
  medium: 'email',
  'received-at': '2026-11-20T18:40:00-03:00',
  'requester-name': 'Paula Andrade',
  documents,
})

/** People with a benefit. */
async function covered(count: number): Promise<string[]> {
  const members = Array.from({ length: count }, () => primary())
  const body = { 'company-tax-id': company.taxId, members }
  expectOk(await partner.post('/v1/enrollment/inclusion?resolution=approve', body))
  await idle.withWorker(() => idle.nothingOpen())
  return members.map((member) => member['tax-id'])
}

const batchOf = (cpf: string, documents: readonly string[]) => ({
  body: Buffer.from(
    JSON.stringify({
      'company-tax-id': company.taxId,
      intake: intakeOf(documents),
      members: [{ 'tax-id': cpf, 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal' } }],
    }),
  ),
  dryRun: false,
  lenient: false,
  resolution: null,
  language: 'en' as const,
  saveResponse,
})

/** An operator excludes somebody. */
const request = (on: Context, actor: ClientActor, cpf: string, documents: readonly string[]) =>
  acceptBatch(exclusion, on, actor, batchOf(cpf, documents))

async function accepted(documents: readonly string[]): Promise<string> {
  const [cpf = ''] = await covered(1)
  const { fields } = await request(idle.context, operator(), cpf, documents)
  return JSON.parse(`{${fields.join()}}`)['request-id']
}

const evidenceOf = async (requestId: string): Promise<string[]> =>
  (await ask<{ documents: string[] }>('select documents from request_intake where request_id = $1', [requestId]))[0]
    ?.documents ?? []

async function settled(): Promise<void> {
  await idle.withWorker(() => idle.nothingOpen())
  expect(await readViolations(ask)).toEqual({})
}

/** Kills the act after each of its operations until it ends; then what it stored is there once, and before it nothing was. */
async function killEach(act: (on: Context) => Promise<unknown>): Promise<number> {
  const before = await stored()
  for (let at = 1; ; at += 1) {
    const point = killAfter(idle.context, at)
    try {
      await act(point.context)
    } catch (error) {
      if (!point.killed) throw error
    }
    if (!point.killed) return at - 1
    // A commit may have been the last thing it did.
    if (JSON.stringify(await stored()) !== JSON.stringify(before)) return at
  }
}

describe('a batch of an operator', () => {
  test('that fails after any of its statements leaves nothing, and the evidence can be used', async () => {
    const [cpf = ''] = await covered(1)
    const documents = [await evidence(), await evidence()]
    const { failed } = await failAfterEach(idle.context, stored, (on) => request(on, operator(), cpf, documents))
    expect(failed).toBeGreaterThan(5)
    const [row] = await ask<{ id: string }>('select request_id as id from request_intake where documents = $1', [
      documents,
    ])
    expect(row).toBeDefined()
    await settled()
  })

  test('of a process that is killed is stored with all or not at all', async () => {
    const [cpf = ''] = await covered(1)
    const documents = [await evidence()]
    expect(await killEach((on) => request(on, operator(), cpf, documents))).toBeGreaterThan(5)
    expect(await ask('select from request_intake where documents = $1', [documents])).toHaveLength(1)
    await settled()
  })

  test('of an operator who is revoked meanwhile stores nothing', async () => {
    const [cpf = ''] = await covered(1)
    const analyst = await idle.testApp.operatorOf('analyst')
    const documents = [await evidence(analyst)]
    const revoke = `update client set revoked_at = now() where id = '${analyst.clientId}'`
    const before = await stored()
    const [outcome] = await whileLocked(idle.testApp, revoke, [
      () => request(idle.context, actorOf(analyst), cpf, documents).catch((error: unknown) => error),
    ])
    expect(outcome).toMatchObject({ code: 'client-revoked' })
    expect(await stored()).toEqual(before)
  })

  test('with evidence that another one uses at once: one of them is refused', async () => {
    const [one = '', other = ''] = await covered(2)
    const documents = [await evidence()]
    const outcomes = await Promise.allSettled(
      [one, other].map(async (cpf, index) =>
        request(index === 0 ? idle.context : await idle.anotherContext(), operator(), cpf, documents),
      ),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({
      code: 'invalid-body',
      extra: { details: [{ field: 'intake.documents', code: 'invalid' }] },
    })
    expect(await ask('select from request_intake where documents = $1', [documents])).toHaveLength(1)
    await settled()
  })
})

describe('adding evidence', () => {
  test('that fails after any statement, or is killed, adds all documents or none', async () => {
    const id = await accepted([await evidence()])
    const [first, second, third] = [await evidence(), await evidence(), await evidence()]
    const { failed } = await failAfterEach(idle.context, stored, (on) =>
      addEvidence(on, operator(), id, [first], saveResponse),
    )
    expect(failed).toBeGreaterThanOrEqual(3)
    await killEach((on) => addEvidence(on, operator(), id, [second, third], saveResponse))
    expect((await evidenceOf(id)).slice(1)).toEqual([first, second, third])
    await settled()
  })

  test('of one document to two requests at once: one gets it', async () => {
    const ids = [await accepted([]), await accepted([])]
    const document = await evidence()
    const outcomes = await Promise.allSettled(
      ids.map((id) => addEvidence(idle.context, operator(), id, [document], saveResponse)),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect([...(await evidenceOf(ids[0] ?? '')), ...(await evidenceOf(ids[1] ?? ''))]).toEqual([document])
    await settled()
  })

  test('of twenty documents at once by two operators never makes more than twenty', async () => {
    const id = await accepted([])
    const some = () => Promise.all(Array.from({ length: 12 }, () => evidence()))
    const [one, other] = [await some(), await some()]
    const outcomes = await Promise.allSettled(
      [one, other].map((documents) => addEvidence(idle.context, operator(), id, documents, saveResponse)),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await evidenceOf(id)).toHaveLength(12)
    await settled()
  })
})

test('an answer of an operator that fails after any statement, or is killed, changes nothing', async () => {
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  const { 'request-id': requestId } = expectOk(await partner.post('/v1/enrollment/inclusion', body)).body
  await idle.withWorker(() => idle.nothingOpen())
  const shown = expectOk(await partner.get(`/v1/request/${requestId}`)).body
  const [parts] = Object.values<Json>(shown['status-by-tax-id'])
  const enrollmentId = parts[health]['enrollment-id']
  const pend = () =>
    idle.testApp.operator.post(`/operator/v1/enrollment/${enrollmentId}/transition`, {
      status: 'pending-correction',
      reason: 'Cargo',
    })
  const answer = (document: string) => (on: Context) =>
    answerEnrollment(on, operator(), {
      companyId: company.id,
      enrollmentId,
      answer: {
        documents: [{ 'document-id': document, 'document-type': 'other' }],
        data: { 'job-title': 'Auxiliar' },
        comment: null,
      },
      saveResponse,
    })
  const all = () => checksumsOf(ask, [...tables, 'enrollment_history', 'event', 'member'])
  expectOk(await pend())
  expect((await failAfterEach(idle.context, all, answer(await evidence()))).failed).toBeGreaterThan(5)
  expectOk(await pend())
  await killEach(answer(await evidence()))
  const [row] = await ask<{ status: string }>('select status from enrollment where id = $1', [enrollmentId])
  expect(row?.status).toBe('created')
  await settled()
})

test('a draft of an exclusion that is confirmed twice at once is one request', async () => {
  const [path = ''] = await idle.withWorker(() => openDrafts(idle.testApp, company, 1))
  const id = path.split('/').at(-1) ?? ''
  const other = await idle.anotherContext()
  const outcomes = await Promise.allSettled([idle.context, other].map((on) => confirmDraft(on, operator(), id)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const requests = await ask(
    `select request_intake.medium, request_intake.request_id = draft_exclusion.request_id as "isOfDraft" from draft_exclusion
     join enrollment on enrollment.benefit_id = draft_exclusion.benefit_id and enrollment.enrollment_type = 'exclusion'
     join request_intake on request_intake.request_id = enrollment.request_id where draft_exclusion.id = $1`,
    [id],
  )
  expect(requests).toEqual([{ medium: 'draft', isOfDraft: true }])
  await settled()
})
