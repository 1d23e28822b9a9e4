import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { deleteExpiredSessions } from '#access/sessions/queries.ts'
import { deleteUnusedDocuments } from '#registry/documents/retention.ts'
import type { Context } from '#platform/http/context.ts'
import { deleteOldKeys } from '#platform/http/idempotency/queries.ts'
import { deleteOldCounts } from '#platform/http/limits/rate-limit-queries.ts'
import { deleteDispatched } from '#events/webhooks/fan-out-queries.ts'
import { expectOneRun } from '../crash/kill-points.ts'
import { type IdleTestApp, openIdleTestApp } from '../crash/steps.ts'
import { newId } from '../world/import.ts'
import { putInvoice } from '../world/invoice.ts'
import { type Client, type Company, expectOk } from '../world/test-app.ts'
import { newSlot, upload } from '../world/upload.ts'

/* The jobs that delete what is old, as in job-steps.test.ts. Their database has no movements: the events of those would be missing after. */

const signal = new AbortController().signal

let idle: IdleTestApp
let now: Context
let company: Company
let partner: Client

beforeAll(async () => {
  idle = await openIdleTestApp()
  now = await idle.context({ VIGENCIA_DATA_DIR: idle.testApp.dataDir, VIGENCIA_RATE_LIMITS: 'off' })
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
})

afterAll(() => idle.close())

const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)

test('documents and files that nothing refers to: deleted, with their bytes', async () => {
  const makeUnused = async () => {
    await upload(partner)
    await upload(partner)
    await newSlot(partner)
    await ask(
      `update document set created_at = created_at - interval '8 days', uploaded_at = uploaded_at - interval '8 days'`,
    )
  }
  const files = async () => (await readdir(join(idle.testApp.dataDir, 'files', 'document'))).length
  await expectOneRun(
    ask,
    now,
    {
      prepare: makeUnused,
      // What the failed deletion of a file postponed is due.
      run: async (context) => {
        await ask(`update orphan_file set delete_after = now() - interval '2 hours'`)
        await deleteUnusedDocuments(context, signal)
      },
      read: async () => ({
        files: await files(),
        left: await ask('select id::text from document union all select key from orphan_file'),
      }),
    },
    6,
  )
})

test('old keys, counts, sessions, events and deliveries: deleted', async () => {
  const makeOld = async () => {
    await putInvoice(idle.testApp, company)
    expectOk(await partner.post('/v1/enrollment/document-upload-url', undefined, { 'idempotency-key': newId() }))
    const { clientId, clientSecret } = idle.testApp.operator
    const body = { 'client-id': clientId, 'client-secret': clientSecret }
    expectOk(await idle.testApp.call('POST', '/operator/v1/session', { body }))
    await ask(`update idempotency_key set claimed_at = now() - interval '2 days'`)
    await ask(`update operator_session set created_at = now() - interval '3 days', expires_at = now() - interval '1 day',
      last_used_at = now() - interval '2 days'`)
    await ask(`insert into rate_limit_usage values ($1, 'reads', now() - interval '3 hours', 5)`, [partner.clientId])
  }
  await expectOneRun(
    ask,
    now,
    {
      prepare: makeOld,
      run: async ({ database }) => {
        while ((await deleteOldKeys(database, 1)) > 0);
        await deleteOldCounts(database)
        await deleteExpiredSessions(database, 60)
        while (await deleteDispatched(database, new Date(Date.now() + 1_000)));
      },
      read: () =>
        ask(
          `select (select count(*)::int from idempotency_key) as keys, (select coalesce(sum(bytes), 0)::int from stored_response_usage) as bytes,
             (select count(*)::int from operator_session) as sessions, (select count(*)::int from rate_limit_usage) as counts,
             (select count(*)::int from event) as events, (select count(*)::int from webhook_delivery) as deliveries`,
        ),
    },
    8,
  )
})
