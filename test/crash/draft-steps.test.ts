import { beforeAll, expect, test } from 'vitest'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { confirmDraft } from '#movements/drafts/confirm.ts'
import { sendDraft } from '#movements/drafts/send.ts'
import { expireDrafts } from '#movements/drafts/expire.ts'
import { processDraft } from '#movements/drafts/process.ts'
import { type ApiResponse, type Client, expectOk, type Json, primary } from '../world/test-app.ts'
import { upload } from '../world/upload.ts'
import { batchesIn } from './batch-steps.ts'
import { countRows, failAfterEach } from './fail-after-each.ts'
import { useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { expectOneRun } from './kill-points.ts'

/* The steps that make requests of movement drafts, and those that end drafts: run by the test itself, in an app without a worker. */

const idle = useIdleTestApp()
const batches = batchesIn(idle)
const { ask } = idle
let analyst: Client

beforeAll(async () => {
  analyst = await idle.testApp.operatorOf('analyst')
})

const all = { classes: ['correction'] }
const tables = ['request', 'request_intake', 'movement_item', 'work', 'event', 'audit_pending', 'audit', 'document']
const pathOf = (draft: Json, api = '/operator/v1') => `${api}/movement-draft/${draft['draft-id']}`
const confirm = (draft: Json, body: Json = all, client = analyst, api = '/operator/v1'): Promise<ApiResponse> =>
  client.post(`${pathOf(draft, api)}/confirm`, body)
const shown = async (draft: Json): Promise<Json> => expectOk(await analyst.get(pathOf(draft))).body.result
const itemsOf = async (draft: Json): Promise<Json[]> => expectOk(await analyst.get(`${pathOf(draft)}/item`)).body.result

const actorOf = (kind: ClientActor['kind'], { clientId }: Client): ClientActor => ({
  kind,
  clientId,
  origin: { address: '127.0.0.1', traceId: 'x' },
})

/** A draft that corrects the phones of so many new people. */
async function drafted(people: number): Promise<Json> {
  const members = Array.from({ length: people }, () => primary())
  await batches.include(members)
  const body = {
    'company-tax-id': batches.company.taxId,
    movement: 'alteration',
    members: members.map((one) => ({ 'tax-id': one['tax-id'], 'alteration-data': { phone: '11912345678' } })),
  }
  return expectOk(await batches.partner.post('/v1/movement-draft', body)).body.result
}

const step = (on: Context, draft: Json): Promise<Progress> =>
  write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
    processDraft(on, tx, batches.company.id, draft['draft-id']),
  )
const rows = async (draft: Json) => [await countRows(ask, tables), await shown(draft), await itemsOf(draft)]
const finish = () => idle.withWorker(() => idle.nothingOpen())

test('a step that fails after any of its statements leaves nothing; the next run requests each item once', async () => {
  const draft = await drafted(3)
  expect((await confirm(draft)).status).toBe(202)
  const { result, failed } = await failAfterEach(
    idle.context,
    () => rows(draft),
    (on) => step(on, draft),
  )
  expect([result, failed > 8]).toEqual(['done', true])
  const after = await rows(draft)
  expect(await step(idle.context, draft)).toBe('done')
  expect(await rows(draft)).toEqual(after)
  await finish()
  expect((await shown(draft))['request-ids']).toHaveLength(1)
  expect(await readViolations(ask)).toEqual({})
})

test('a draft that fails after any of its statements is not there, and its document can be used', async () => {
  const member = primary()
  await batches.include([member])
  const documents = [{ 'document-id': await upload(batches.partner), 'document-type': 'proof-of-residency' }]
  const members = [{ 'tax-id': member['tax-id'], 'alteration-data': { 'address-number': '88', documents } }]
  const body = Buffer.from(JSON.stringify({ 'company-tax-id': batches.company.taxId, movement: 'alteration', members }))
  const sent = { body, dryRun: false, language: 'en' as const, saveResponse: async () => {} }
  const { failed, result } = await failAfterEach(
    idle.context,
    () => countRows(ask, [...tables, 'movement_draft', 'movement_draft_item']),
    (on) => sendDraft(on, actorOf('partner', batches.partner), sent),
  )
  expect(failed).toBeGreaterThan(4)
  const { result: draft } = JSON.parse(`{${result.fields.join()}}`)
  expectOk(await analyst.post(`${pathOf(draft)}/discard`, { reason: 'Não vale mais' }))
  expect(await readViolations(ask)).toEqual({})
})

test('a confirmation and its step in a process that is killed after any of its operations have the result of one run', async () => {
  const selection = { classes: null, items: [], except: [] }
  const confirmation = { selection, all: {}, own: new Map(), guard: null, saveResponse: async () => {} }
  await expectOneRun(
    ask,
    idle.context,
    {
      prepare: () => drafted(1),
      async run(on, draft) {
        await confirmDraft(on, actorOf('operator', analyst), draft['draft-id'], confirmation).catch(
          (error: unknown) => {
            // It was confirmed by the run that was killed.
            if (!(error instanceof ApiError) || !['nothing-selected', 'movement-draft-status'].includes(error.code))
              throw error
          },
        )
        await step(on, draft)
        await finish()
      },
      async read(draft) {
        const { status, 'request-ids': requests } = await shown(draft)
        return [status, requests.length, (await itemsOf(draft)).map((item) => item.status)]
      },
    },
    10,
  )
})

test('one step run twice at once has the result of one run', async () => {
  const draft = await drafted(2)
  await confirm(draft)
  const other = await idle.anotherContext()
  await Promise.all([step(idle.context, draft), step(other, draft)])
  await finish()
  expect((await shown(draft))['request-ids']).toHaveLength(1)
  expect(await readViolations(ask)).toEqual({})
})

test('two confirmations of one item request it once, and one beside a discard has one outcome', async () => {
  const draft = await drafted(4)
  const admin = await idle.testApp.operatorOf('admin')
  const items = { items: [{ number: 1 }, { number: 2 }] }
  const confirmed = await Promise.all([confirm(draft, items), confirm(draft, items, admin)])
  expect(confirmed.map(({ status }) => status).toSorted()).toEqual([202, 400])
  const rest = { items: [{ number: 3 }, { number: 4 }] }
  const [kept, dropped] = await Promise.all([
    confirm(draft, rest),
    admin.post(`${pathOf(draft)}/discard`, { ...rest, reason: 'Não vale mais' }),
  ])
  expect([kept.status, dropped.status].toSorted((a, b) => a - b)).toEqual(kept.status === 202 ? [202, 400] : [200, 400])
  await finish()
  const items34 = (await itemsOf(draft)).map((item) => item.status)
  expect(items34.slice(0, 2)).toEqual(['requested', 'requested'])
  expect(new Set(items34.slice(2)).size).toBe(1)
  expect(await readViolations(ask)).toEqual({})
})

test('whoever confirmed and may not any more requests nothing: the items wait again, and another one confirms them', async () => {
  const [ofRole, ofRevoked] = [await drafted(1), await drafted(1)]
  const leaver = await idle.testApp.operatorOf('analyst')
  const partner = await idle.testApp.partner(batches.company.taxId)
  expect((await confirm(ofRole, all, leaver)).status).toBe(202)
  expect((await confirm(ofRevoked, all, partner, '/v1')).status).toBe(202)
  await ask(`update client set role = 'auditor' where id = $1`, [leaver.clientId])
  await ask('delete from entitlement where client_id = $1', [partner.clientId])
  await finish()
  expect(await shown(ofRole)).toMatchObject({ status: 'open', 'broken-reason': 'role-not-allowed', 'request-ids': [] })
  expect(await shown(ofRevoked)).toMatchObject({ status: 'open', 'broken-reason': 'not-entitled', 'request-ids': [] })
  expect((await itemsOf(ofRole)).map(({ status, approval }) => [status, approval])).toEqual([['proposed', null]])
  for (const draft of [ofRole, ofRevoked]) expect((await confirm(draft)).status).toBe(202)
  await finish()
  for (const draft of [ofRole, ofRevoked]) {
    expect(await shown(draft)).toMatchObject({ status: 'closed', 'closed-because': 'done', 'broken-reason': null })
  }
  expect(await readViolations(ask)).toEqual({})
})

test('a draft is expired after its last day, 30 days after it was last confirmed, with one event', async () => {
  const [left, parted] = [await drafted(1), await drafted(2)]
  expect(left['expires-on']).toBe('2026-12-23')
  const later = async (day: string) => {
    const context = await idle.anotherContext()
    return { ...context, today: () => day }
  }
  await confirm(parted, { items: [{ number: 1 }] })
  await finish()
  await ask(`update movement_draft set expires_on = '2026-12-30' where id = $1`, [parted['draft-id']])
  expect(await expireDrafts(await later('2026-12-23'), new AbortController().signal)).toBe(0)
  const { result } = await failAfterEach(
    await later('2026-12-24'),
    () => rows(left),
    (on) => expireDrafts(on, new AbortController().signal),
  )
  expect(result).toBe(1)
  expect(await shown(left)).toMatchObject({ status: 'closed', 'closed-because': 'expired', approval: null })
  expect((await itemsOf(left)).map((item) => item.status)).toEqual(['expired'])
  expect((await shown(parted)).status).toBe('open')
  expect(await expireDrafts(await later('2026-12-31'), new AbortController().signal)).toBe(1)
  expect(await shown(parted)).toMatchObject({ status: 'closed', 'closed-because': 'done' })
  const events = await ask(`select type, data from event where data->>'draft-id' = $1 order by id`, [left['draft-id']])
  expect(events.map(({ type, data }: Json) => [type, data['closed-because'] ?? null])).toEqual([
    ['movement-draft.opened', null],
    ['movement-draft.closed', 'expired'],
  ])
  const late = await confirm(left)
  expect([late.status, late.body.code]).toEqual([409, 'movement-draft-status'])
})

test('an exclusion of families of more people than a request takes divides none', async () => {
  const draft = await drafted(5)
  await ask(
    `update movement_draft_item set family = '00000000-0000-4000-8000-000000000001' where draft_id = $1 and number in (1, 4)`,
    [draft['draft-id']],
  )
  await confirm(draft)
  const made: (readonly number[])[] = []
  for (let progress: Progress = 'more'; progress === 'more';) {
    const before = new Set(
      (await itemsOf(draft)).filter((item) => item['request-id'] !== null).map((item) => item.number),
    )
    progress = await write(idle.context, { kind: 'service' }, { may: 'service' }, (tx) =>
      processDraft(idle.context, tx, batches.company.id, draft['draft-id'], 2),
    )
    const items = (await itemsOf(draft)).filter((item) => item['request-id'] !== null && !before.has(item.number))
    made.push(items.map((item) => item.number))
  }
  expect(made.flat().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
  expect(made).toContainEqual([1, 4])
  expect(made.every((numbers) => numbers.length <= 2)).toBe(true)
  await finish()
  expect((await shown(draft))['request-ids']).toHaveLength(made.length)
  expect(await readViolations(ask)).toEqual({})
})
