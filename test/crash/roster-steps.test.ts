import { readdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { rosterFileStep } from '#movements/rosters/read.ts'
import { receiveList } from '#movements/rosters/receive.ts'
import { confirmDraft } from '#movements/drafts/confirm.ts'
import { processDraft } from '#movements/drafts/process.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { type Client, type Company, expectOk, type Json } from '../world/test-app.ts'
import { child, covered, employee, itemsOf, openSync, putList } from '../world/rosters.ts'
import { checksumsOf, failAfterEach } from './fail-after-each.ts'
import { useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { expectOneRun, killAtEachPoint } from './kill-points.ts'

/* The steps that read a list of people, compare it and make its draft: run by the test itself, in an app without a worker. */

const idle = useIdleTestApp()
const { ask } = idle
let company: Company
let payroll: Client
beforeAll(async () => {
  await newCompany()
})

async function newCompany(): Promise<void> {
  company = await idle.testApp.company()
  payroll = await idle.testApp.partner(company.taxId)
}

const everybody = {
  states: ['people', 'dependents', 'products'],
  'accept-doubts': ['too-few-people', 'no-dependents'],
}
const linesOf = (rows: readonly Json[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const noWait = { 'content-type': 'application/x-ndjson' }

/** A company with people, and a list of which one is missing, one is new, one has another phone and one another job. */
async function scene(): Promise<{ readonly here: Json[]; readonly list: Json[] }> {
  await newCompany()
  const here = Array.from({ length: 6 }, (_, n) => employee(n, { phone: '11987654321', 'job-title': 'Analista' }))
  const kid = child(here[1] ?? {})
  await covered(idle.testApp, company, [...here, kid])
  const [, second, third, fourth, ...others] = here
  return {
    here: [...here, kid],
    list: [
      second ?? {},
      kid,
      { ...third, phone: '11912345678' },
      { ...fourth, 'job-title': 'Gerente' },
      ...others,
      employee(50),
    ],
  }
}

async function sent(list: readonly Json[], more: Json = {}): Promise<Json> {
  const sync = await openSync(payroll, company, { ...everybody, ...more })
  expectOk(await putList(payroll, sync, linesOf(list), '/v1', noWait))
  return sync
}

const signal = () => new AbortController().signal

/** A step of the work of a list, as a worker does it. */
async function step(on: Context, sync: Json): Promise<Progress> {
  let progress: Progress = 'done'
  await rosterFileStep(on, { companyId: company.id, targetId: sync['roster-sync-id'] }, signal(), async (store) => {
    await write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, async (tx) => {
      progress = await store(tx)
      if (progress === 'done') await tx.execute(`delete from work where target_id = $1`, [sync['roster-sync-id']])
    })
  })
  return progress
}

async function runAll(on: Context, sync: Json): Promise<number> {
  let steps = 1
  while ((await step(on, sync)) === 'more') steps += 1
  return steps
}

const shown = async (sync: Json): Promise<Json> =>
  expectOk(await payroll.get(`/v1/roster-sync/${sync['roster-sync-id']}`)).body.result

/** What a draft says, without what differs by run. */
const sayings = async (sync: Json): Promise<string[]> =>
  (await itemsOf(payroll, await shown(sync)))
    .map((item) => `${item.class} ${item.status} ${item.name} ${JSON.stringify(item.differences)} ${item.needs.join()}`)
    .toSorted()

const tables = [
  'roster_sync',
  'roster_line',
  'roster_person',
  'roster_item',
  'movement_draft',
  'movement_draft_item',
  'work',
  'event',
  'audit_pending',
  'request',
]

test('each step that fails after any of its statements leaves nothing, and the draft is made once', async () => {
  const { list } = await scene()
  const sync = await sent(list)
  let failures = 0
  let steps = 0
  for (let progress: Progress = 'more'; progress === 'more'; steps += 1) {
    const { result, failed } = await failAfterEach(
      idle.context,
      () => checksumsOf(ask, tables),
      (on) => step(on, sync),
    )
    progress = result
    failures += failed
  }
  expect([steps, failures > 25]).toEqual([4, true])
  const after = await checksumsOf(ask, tables)
  expect(await step(idle.context, sync)).toBe('done')
  expect(await checksumsOf(ask, tables)).toEqual(after)
  expect(await shown(sync)).toMatchObject({ status: 'compared', unchanged: 4, doubts: [] })
  expect((await sayings(sync)).map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
    'company-data proposed',
    'correction proposed',
    'exclusion proposed',
    'inclusion proposed',
  ])
  expect(await readViolations(ask)).toEqual({})
})

test('a list read and compared in a process that is killed after any of its operations has the result of one run', async () => {
  await expectOneRun(
    ask,
    idle.context,
    {
      async prepare() {
        const { list } = await scene()
        return sent(list)
      },
      run: runAll,
      async read(sync) {
        const { status, lines, unchanged, doubts } = await shown(sync)
        const draft = await sayings(sync)
        return [status, lines, unchanged, doubts, draft.map((one) => one.split(' ', 2).join(' '))]
      },
    },
    20,
  )
})

test('the database loses its unlogged tables after any step: the draft is the same', async () => {
  const { list } = await scene()
  const first = await sent(list)
  const steps = await runAll(idle.context, first)
  const expected = await sayings(first)
  for (let at = 1; at < steps; at += 1) {
    const sync = await sent(list)
    for (let done = 0; done < at; done += 1) expect(await step(idle.context, sync)).toBe('more')
    await ask('truncate roster_line, roster_person, roster_item')
    await runAll(idle.context, sync)
    expect([at, await sayings(sync)]).toEqual([at, expected])
  }
  expect(await readViolations(ask)).toEqual({})
})

test('two workers on one list do each step once', async () => {
  const { list } = await scene()
  const sync = await sent(list)
  const other = await idle.anotherContext()
  for (let n = 0; n < 5; n += 1) await Promise.all([step(idle.context, sync), step(other, sync)])
  expect((await shown(sync)).status).toBe('compared')
  expect(await sayings(sync)).toHaveLength(4)
  const [row] = await ask(`select count(*)::int from event where data->>'roster-sync-id' = $1`, [
    sync['roster-sync-id'],
  ])
  expect(row).toEqual({ count: 1 })
  expect(await readViolations(ask)).toEqual({})
})

test('a cancellation beside any step has one outcome', async () => {
  const { list } = await scene()
  for (let at = 0; at < 4; at += 1) {
    const sync = await sent(list)
    for (let done = 0; done < at; done += 1) await step(idle.context, sync)
    const [cancelled] = await Promise.all([
      payroll.post(`/v1/roster-sync/${sync['roster-sync-id']}/cancel`),
      step(idle.context, sync),
    ])
    await runAll(idle.context, sync)
    const { status, 'draft-id': draft } = await shown(sync)
    expect([at, status, draft === null]).toEqual([
      at,
      ...(cancelled.status === 200 ? ['cancelled', true] : ['compared', false]),
    ])
  }
  expect(await readViolations(ask)).toEqual({})
})

test('whoever may not send the list any more while it is compared gets no draft', async () => {
  const { list } = await scene()
  for (let at = 1; at < 4; at += 1) {
    const leaver = await idle.testApp.partner(company.taxId)
    const sync = await openSync(leaver, company, everybody)
    expectOk(await putList(leaver, sync, linesOf(list), '/v1', noWait))
    for (let done = 0; done < at; done += 1) await step(idle.context, sync)
    await ask('delete from entitlement where client_id = $1', [leaver.clientId])
    await runAll(idle.context, sync)
    expect([at, await shown(sync)]).toMatchObject([
      at,
      { status: 'failed', 'draft-id': null, problems: [{ problem: 'not-entitled' }] },
    ])
  }
  expect(await readViolations(ask)).toEqual({})
})

const actorOf = ({ clientId }: Client): ClientActor => ({
  kind: 'partner',
  clientId,
  origin: { address: '127.0.0.1', traceId: 'x' },
})

const uploadOf = (list: string): IncomingMessage =>
  Object.assign(Readable.from([Buffer.from(list)]), { headers: noWait, complete: true }) as unknown as IncomingMessage

test('an upload in a process that is killed after any of its operations is taken once, and leaves no file that nothing knows', async () => {
  await expectOneRun(
    ask,
    idle.context,
    {
      async prepare() {
        await newCompany()
        return openSync(payroll, company, everybody)
      },
      run: (on, sync) =>
        receiveList(
          on,
          actorOf(payroll),
          uploadOf(linesOf([employee(1, { 'tax-id': '73620415862' })])),
          sync['roster-sync-id'],
          {
            fileName: null,
            sheet: null,
          },
        ),
      read: async (sync) => [
        (await shown(sync)).status,
        await ask('select kind from work where target_id = $1', [sync['roster-sync-id']]),
      ],
    },
    5,
  )
  const known = await ask(
    `select storage_key as key from roster_sync where storage_key is not null union select key from orphan_file`,
  )
  const stored = await readdir(join(idle.testApp.dataDir, 'files', 'roster'))
  expect(stored.filter((name) => !known.some((row: Json) => row['key'].endsWith(name)))).toEqual([])
})

const stepOfDraft = (on: Context, sync: Json): Promise<Progress> =>
  write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
    processDraft(on, tx, company.id, sync['roster-sync-id']),
  )

const decided = {
  'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'resignation' },
  'start-option': 'on-inclusion-date',
}
const confirm = (sync: Json, body: Json, client = payroll) =>
  client.post(`/v1/movement-draft/${sync['roster-sync-id']}/confirm`, { ...decided, ...body })
const everything = { classes: ['inclusion', 'exclusion', 'correction', 'company-data'] }

test('each step of the work of a confirmed list that fails after any of its statements leaves nothing, and requests all once', async () => {
  const { list, here } = await scene()
  const sync = await sent(list)
  await runAll(idle.context, sync)
  expectOk(await confirm(sync, everything))
  let failures = 0
  for (let progress: Progress = 'more'; progress === 'more';) {
    const run = await failAfterEach(
      idle.context,
      () => checksumsOf(ask, [...tables, 'member', 'movement_item', 'audit']),
      (on) => stepOfDraft(on, sync),
    )
    progress = run.result
    failures += run.failed
  }
  expect(failures).toBeGreaterThan(25)
  await idle.withWorker(() => idle.nothingOpen())
  const draft = expectOk(await payroll.get(`/v1/movement-draft/${sync['roster-sync-id']}`)).body.result
  expect(draft).toMatchObject({ status: 'closed', 'closed-because': 'done' })
  expect(draft['request-ids']).toHaveLength(3)
  const [row] = await ask(`select details->>'job-title' as title from member where company_id = $1 and tax_id = $2`, [
    company.id,
    here[3]?.['tax-id'],
  ])
  expect(row).toEqual({ title: 'Gerente' })
  expect(await readViolations(ask)).toEqual({})
})

test('a confirmation of a list in a process that is killed after any of its operations requests all once', async () => {
  const confirmation = {
    selection: { classes: everything.classes, items: [], except: [] },
    all: decided,
    own: new Map(),
    guard: null,
    saveResponse: async () => {},
  } as unknown as Parameters<typeof confirmDraft>[3]
  const { points, differences } = await killAtEachPoint(
    idle.context,
    {
      async prepare() {
        const { list } = await scene()
        const sync = await sent(list)
        await runAll(idle.context, sync)
        return sync
      },
      async run(on, sync) {
        await confirmDraft(on, actorOf(payroll), sync['roster-sync-id'], confirmation).catch((error: unknown) => {
          if (!(error instanceof ApiError) || !['nothing-selected', 'movement-draft-status'].includes(error.code))
            throw error
        })
        while ((await stepOfDraft(on, sync)) === 'more');
        await idle.withWorker(() => idle.nothingOpen())
      },
      read: async (sync) => [
        (await itemsOf(payroll, await shown(sync))).map((item) => `${item.class} ${item.status}`).toSorted(),
        await ask('select count(*)::int from request where draft_id = $1', [sync['roster-sync-id']]),
      ],
    },
    // Each run takes half of a second.
    4,
  )
  expect([points > 15, differences]).toEqual([true, []])
  expect(await readViolations(ask)).toEqual({})
})

test('what became of a person between the comparison and the confirmation is refused, and the others are requested', async () => {
  const { list, here } = await scene()
  const sync = await sent(list)
  await runAll(idle.context, sync)
  const [gone, , phoned] = here
  const newcomer = list.at(-1)
  const send = (path: string, members: Json[]) =>
    payroll.post(`/v1/enrollment/${path}`, { 'company-tax-id': company.taxId, members }).then(expectOk)
  await send('exclusion?resolution=approve', [
    {
      'tax-id': gone?.['tax-id'],
      'product-id': company.products[gone?.['product-name']],
      'exclusion-details': { 'end-date': '2026-11-20', 'exclusion-reason': 'resignation' },
    },
  ])
  await send('alteration?resolution=approve', [
    { 'tax-id': phoned?.['tax-id'], 'alteration-data': { phone: '11955554444' } },
  ])
  const { 'product-name': name, ...profile } = newcomer ?? {}
  await send('inclusion?resolution=approve', [
    { ...profile, products: { 'health-insurance': [{ name, 'start-option': 'on-inclusion-date' }] } },
  ])
  await idle.withWorker(() => idle.nothingOpen())
  expectOk(await confirm(sync, everything))
  await idle.withWorker(() => idle.nothingOpen())
  const items = (await itemsOf(payroll, await shown(sync))).map(
    (item) => `${item.class} ${item.status} ${item.offenses.join()}`,
  )
  expect(items.map((one) => one.split(' ').slice(0, 2).join(' ')).toSorted()).toEqual([
    'company-data requested',
    'correction refused',
    'exclusion refused',
    'inclusion refused',
  ])
  expect(items.every((one) => one.includes('requested') || one.trim().split(' ').length === 3)).toBe(true)
  expect(await readViolations(ask)).toEqual({})
})

test('two confirmations of one item of a list request it once; a confirmation beside a discard has one outcome', async () => {
  for (const other of ['confirm', 'discard'] as const) {
    const { list } = await scene()
    const sync = await sent(list)
    await runAll(idle.context, sync)
    const path = `/v1/movement-draft/${sync['roster-sync-id']}/${other}`
    const answers = await Promise.all([
      confirm(sync, { classes: ['correction'] }),
      payroll.post(path, other === 'confirm' ? { classes: ['correction'], ...decided } : { classes: ['correction'] }),
    ])
    expect(answers.map(({ status, body }) => [status < 300, body.code ?? null]).toSorted()).toEqual([
      [false, expect.any(String)],
      [true, null],
    ])
    await idle.withWorker(() => idle.nothingOpen())
    const [correction] = (await itemsOf(payroll, await shown(sync))).filter((item) => item.class === 'correction')
    const isConfirmed = (answers[0]?.status ?? 0) < 300 || other === 'confirm'
    expect([other, correction?.status]).toEqual([other, isConfirmed ? 'requested' : 'discarded'])
  }
  expect(await readViolations(ask)).toEqual({})
})

test('whoever lost the right after the confirmation of a list requests nothing, and another one can', async () => {
  const { list } = await scene()
  const sync = await sent(list)
  await runAll(idle.context, sync)
  const other = await idle.testApp.partner(company.taxId)
  expectOk(await confirm(sync, everything, other))
  await ask('delete from entitlement where client_id = $1', [other.clientId])
  await idle.withWorker(() => idle.nothingOpen())
  const draft = async () => expectOk(await payroll.get(`/v1/movement-draft/${sync['roster-sync-id']}`)).body.result
  expect(await draft()).toMatchObject({ status: 'open', 'broken-reason': 'not-entitled', 'request-ids': [] })
  expectOk(await confirm(sync, everything))
  await idle.withWorker(() => idle.nothingOpen())
  expect(await draft()).toMatchObject({ status: 'closed', 'closed-because': 'done' })
  expect(await readViolations(ask)).toEqual({})
})
