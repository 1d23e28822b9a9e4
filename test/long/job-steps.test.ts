import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendBlocks } from '#access/audit/append-block.ts'
import { verifyAudit } from '#access/audit/verify.ts'
import { processDueWork } from '#apps/worker/due-work.ts'
import type { Context } from '#platform/http/context.ts'
import { buildServer } from '#apps/http/server.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { dispatchEvents } from '#events/webhooks/dispatcher.ts'
import { readOpenWork, readViolations } from '../crash/invariants.ts'
import { expectOneRun } from '../crash/kill-points.ts'
import { type IdleTestApp, openIdleTestApp } from '../crash/steps.ts'
import { holder, newId, ndjson, path as importPath } from '../world/import.ts'
import { filePath, putInvoice } from '../world/invoice.ts'
import { makeEndpoint } from '../world/receiver.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  monday,
  nextCpf,
  premium,
  primary,
  sendUnchecked,
  until,
} from '../world/test-app.ts'
import { newSlot, pdf } from '../world/upload.ts'

/*
 * Each job of the service, killed once after each of its statements, commits and calls of the storage, then run twice: the result is that
 * of one run. The steps of inclusions and exclusions are in test/crash/work-steps.test.ts and exclusion-steps.test.ts, what deletes is in
 * deletion-steps.test.ts.
 */

const later = '2027-06-01'
const signal = new AbortController().signal

let idle: IdleTestApp
let now: Context
/** A process whose business date is half a year later. */
let clock: Context
let company: Company
let partner: Client

beforeAll(async () => {
  idle = await openIdleTestApp()
  const { dataDir } = idle.testApp
  const variables = { VIGENCIA_DATA_DIR: dataDir, VIGENCIA_RATE_LIMITS: 'off', VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' }
  now = await idle.context(variables)
  clock = await idle.context({ ...variables, VIGENCIA_BUSINESS_DATE: later })
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
})

afterAll(() => idle.close())

const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)

/** Includes and processes these members. */
async function include(
  members: readonly Json[],
  at = company,
  by = partner,
  query = '?resolution=approve',
): Promise<void> {
  expectOk(await by.post(`/v1/enrollment/inclusion${query}`, { 'company-tax-id': at.taxId, members }))
  await processAll()
}

async function processAll(): Promise<void> {
  const worker = startWorker(now)
  await until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )
  await worker.stop()
}

/** The ids of the enrollments of a request. */
async function enrollmentsOf(by: Client, requestId: string): Promise<string[]> {
  const { body } = expectOk(await by.get(`/v1/request/${requestId}`))
  const members = Object.values<Json>(body['status-by-tax-id'])
  return members.flatMap((parts) => Object.values<Json>(parts).map((part) => part['enrollment-id']))
}

async function complete(ids: readonly string[], more: Json): Promise<void> {
  for (const id of ids) {
    const body = { status: 'completed', ...more }
    expectOk(await idle.testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body))
  }
}

test('what is due: scheduled movements, plan changes, ends of families, overdue invoices', async () => {
  const makeDue = async () => {
    const at = await idle.testApp.company()
    const by = await idle.testApp.partner(at.taxId)
    const [one, other] = [primary(), primary()]
    const child = dependent(one['tax-id'])
    await include([one, child, other], at, by)
    const scheduled = {
      products: inProduct('life-insurance', life, 'on-admission-date'),
      'admission-date': '2026-12-01',
    }
    await include([primary(scheduled)], at, by, '')
    const change = { 'alteration-data': { 'new-product-id': at.products[premium] } }
    const changed = expectOk(await by.post(`/v1/enrollment/alteration/${one['tax-id']}`, change)).body['request-id']
    await complete(await enrollmentsOf(by, changed), { 'start-date': '2026-12-15' })
    const details = { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' } }
    const leaving = `/v1/enrollment/exclusion/${other['tax-id']}/product/${at.products[health]}`
    expectOk(await by.post(`${leaving}?resolution=approve`, details))
    await putInvoice(idle.testApp, at)
    return at.id
  }
  await expectOneRun(
    ask,
    clock,
    {
      prepare: makeDue,
      run: (context) => processDueWork(context, signal),
      read: async (companyId) => ({
        benefits: await ask(
          `select status, type, end_date is not null as ends, count(*)::int from benefit where company_id = $1
           group by 1, 2, 3 order by 1, 2, 3`,
          [companyId],
        ),
        steps: await ask(
          `select e.status, count(h.step)::int from enrollment e
           left join enrollment_history h on h.company_id = e.company_id and h.enrollment_id = e.id
           where e.company_id = $1 group by e.enrollment_type, e.status order by e.enrollment_type, e.status`,
          [companyId],
        ),
        events: await ask('select type, count(*)::int from event where company_id = $1 group by 1 order by 1', [
          companyId,
        ]),
        audit: await ask(
          `select action, count(*)::int from audit where company_id = $1 and actor = 'clock' group by 1 order by 1`,
          [companyId],
        ),
        violations: await readViolations(ask, later),
      }),
    },
    20,
  )
})

test('events: fanned out and delivered', async () => {
  const makeEvents = async () => {
    const at = await idle.testApp.company()
    const by = await idle.testApp.partner(at.taxId)
    await makeEndpoint(by, 'https://webhooks.example/hook')
    for (let n = 0; n < 3; n += 1) await putInvoice(idle.testApp, at)
    return { companyId: at.id, sent: new Set<string>(), hours: 0 }
  }
  await expectOneRun(
    ask,
    now,
    {
      prepare: makeEvents,
      run: async (context, given, isKilled) => {
        // The lease of a process that was killed is over.
        given.hours += 1
        const at = new Date(Date.now() + given.hours * 3_600_000)
        const stopping = new AbortController()
        const sender = {
          send: async (_url: string, headers: Record<string, string>) => {
            given.sent.add(headers['webhook-id'] ?? '')
            return { status: 204, error: null }
          },
          close: () => {},
        }
        const wait = () => pause(10)
        const dispatching = dispatchEvents(context, { notifications: 0, wait }, stopping.signal, {
          sender,
          now: () => at,
        })
        const pending = () =>
          ask<{ open: number }>(
            `select ((select count(*) from event_batch) + (select count(*) from webhook_fan_out)
               + (select count(*) from webhook_delivery where status = 'pending'))::int as open`,
          )
        await until(async () => isKilled() || (await pending())[0]?.open === 0, Boolean)
        stopping.abort()
        await dispatching
      },
      read: async ({ companyId, sent }) => ({
        sent: sent.size,
        deliveries: await ask(
          `select status, attempt, count(*)::int, count(distinct event_id)::int as events from webhook_delivery
           where company_id = $1 and leased_until is null group by 1, 2`,
          [companyId],
        ),
      }),
    },
    6,
  )
})

test('the audit: each row is in one block of the chain', async () => {
  await expectOneRun(
    ask,
    now,
    {
      prepare: async () => {
        for (let n = 0; n < 3; n += 1) await idle.testApp.company()
      },
      run: (context) => appendBlocks(context, signal),
      read: async () => {
        const { intact, pending, findings } = await now.database.snapshot((sql) => verifyAudit(sql, now.auditKey, null))
        return { intact, pending, findings }
      },
    },
    6,
  )
})

/** Serves the API on the context while the work runs. */
async function withServer(context: Context, work: (url: string) => Promise<unknown>): Promise<void> {
  const app = await buildServer(context)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    await work(url)
  } finally {
    await app.close()
  }
}

const operatorToken = () => idle.testApp.operator.token
// What a process that was killed sends is not read by anybody.
const ignoreKilled = async (isKilled: () => boolean, call: Promise<{ status: number; text: string }>) => {
  const response = await call
  if (!isKilled() && response.status !== 200) throw new Error(`${response.status} ${response.text}`)
}

test('an import: what it counts is stored, and the same file again completes it', async () => {
  const lines = 900
  const makeFile = () => {
    const cpfs = Array.from({ length: lines }, () => nextCpf())
    return Promise.resolve({ cpfs, body: ndjson(cpfs.map((cpf) => holder(company, { 'tax-id': cpf }))) })
  }
  const wrong: unknown[] = []
  await expectOneRun(
    ask,
    now,
    {
      prepare: makeFile,
      run: (context, { cpfs, body }, isKilled) =>
        withServer(context, async (url) => {
          const id = newId()
          const headers = { 'content-type': 'application/x-ndjson' }
          const before = await stored(cpfs)
          const call = sendUnchecked(`${url}${importPath}?import-id=${id}`, 'POST', {
            token: operatorToken(),
            body,
            headers,
          })
          await ignoreKilled(isKilled, call)
          const { body: shown } = await idle.testApp.operator.get(`${importPath}/${id}`)
          if (shown.status === 'running') wrong.push(shown)
          if (before === 0 && shown.accepted !== undefined && shown.accepted !== (await stored(cpfs))) wrong.push(shown)
        }),
      read: async ({ cpfs }) => ({ stored: await stored(cpfs) }),
    },
    10,
  )
  expect(wrong).toEqual([])
})

const stored = async (cpfs: readonly string[]): Promise<number> => {
  const [row] = await ask<{ count: number }>(
    `select count(*)::int as count from member m join benefit b on b.company_id = m.company_id and b.member_id = m.id
     where m.tax_id = any($1)`,
    [cpfs],
  )
  return row?.count ?? 0
}

test('a batch of decisions of two companies: each is made once', async () => {
  const makeOpen = async () => {
    const other = await idle.testApp.company()
    const both = await idle.testApp.partner(company.taxId, other.taxId)
    const ids: string[] = []
    for (const at of [company, other]) {
      const mother = primary()
      const members = [mother, dependent(mother['tax-id'])]
      const response = await both.post('/v1/enrollment/inclusion', { 'company-tax-id': at.taxId, members })
      await processAll()
      ids.push(...(await enrollmentsOf(both, expectOk(response).body['request-id'])))
    }
    return ids
  }
  await expectOneRun(
    ask,
    now,
    {
      prepare: makeOpen,
      run: (context, ids, isKilled) =>
        withServer(context, async (url) => {
          const body = { 'enrollment-ids': ids, status: 'completed' }
          const call = sendUnchecked(`${url}/operator/v1/enrollment/transition`, 'POST', {
            token: operatorToken(),
            body,
          })
          await ignoreKilled(isKilled, call)
        }),
      read: (ids) =>
        ask(
          `select e.status, count(distinct e.id)::int as enrollments, count(h.step)::int as steps,
             (select count(*)::int from event v where v.type = 'enrollment.completed' and v.data->>'enrollment-id' = any($2)) as events,
             (select count(*)::int from audit a where a.target = any($2)) as audit
           from enrollment e join enrollment_history h on h.company_id = e.company_id and h.enrollment_id = e.id
           where e.id = any($1::uuid[]) group by 1`,
          [ids, ids],
        ),
    },
    10,
  )
})

test('uploads of a document and of a file of an invoice: the whole file, or none and it can be sent again', async () => {
  const makeSlots = async () => ({
    slot: await newSlot(partner),
    path: filePath(await putInvoice(idle.testApp, company), newId()),
  })
  await expectOneRun(
    ask,
    now,
    {
      prepare: makeSlots,
      run: (context, { slot, path }, isKilled) =>
        withServer(context, async (url) => {
          const { pathname, search } = new URL(slot.url)
          const headers = { 'content-type': 'application/pdf' }
          const uploaded = await sendUnchecked(url + pathname + search, 'PUT', { body: pdf, headers })
          if (!isKilled() && uploaded.status !== 200 && uploaded.status !== 410) throw new Error(uploaded.text)
          await ignoreKilled(isKilled, sendUnchecked(url + path, 'PUT', { token: operatorToken(), body: pdf, headers }))
        }),
      read: async ({ slot, path }) => {
        const [document] = await ask<{ storage_key: string; size: number }>(
          'select storage_key, size from document where id = $1',
          [slot.id],
        )
        const invoice = decodeURIComponent(path.split('/')[4] ?? '')
        const files = await ask<{ storage_key: string; size: number }>(
          'select storage_key, size from invoice_file where invoice_id = $1',
          [invoice],
        )
        const found = [document, ...files].map(async (file) => {
          if (file === undefined) return null
          const { stream, size } = await now.storage.read(file.storage_key)
          stream.destroy()
          return [file.size, size]
        })
        return Promise.all(found)
      },
    },
    12,
  )
})
