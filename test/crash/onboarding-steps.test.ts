import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Context } from '#platform/http/context.ts'
import { approveSubmission } from '#movements/onboarding/approve.ts'
import type { BatchResult } from '#movements/batch/accept.ts'
import { expireInvitations, returnSubmission } from '#movements/onboarding/invitations.ts'
import { openLink, startLinkSession } from '#movements/onboarding/link.ts'
import { removeFile, submit } from '#movements/onboarding/submission.ts'
import { openFailures } from '#access/auth/failures.ts'
import {
  childOf,
  factorOf,
  invitationBody,
  invitationPath,
  invited,
  type Link,
  openPage,
  submissionOf,
} from '../world/onboarding.ts'
import { type Client, type Company, expectOk, type Json } from '../world/test-app.ts'
import { checksumsOf, failAfterEach } from './fail-after-each.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, withInjectedErrors } from './steps.ts'
import { isLong } from '../scale.ts'

/* An employee sends the data and the HR approves them while statements fail, and while several do it at once: nothing is half done. */

let idle: IdleTestApp
let context: Context
let company: Company
let hr: Client
const origin = { address: '127.0.0.1', traceId: 'x' }
const partner = (): ClientActor => ({ kind: 'partner', clientId: hr.clientId, origin })

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context({ VIGENCIA_ONBOARDING: 'on', VIGENCIA_DATA_DIR: idle.testApp.dataDir })
  company = await idle.testApp.company()
  hr = await idle.testApp.partner(company.taxId)
})
afterAll(() => idle.close())

const tables = [
  'onboarding_invitation',
  'onboarding_document',
  'document',
  'orphan_file',
  'request',
  'movement_item',
  'work',
  'audit',
]

/** What a failed act leaves as it was; no rule is broken. */
const stored = async () => [await checksumsOf(idle.testApp.sql, tables), await readViolations(idle.testApp.sql)]

/** How often the act failed: after each of its statements. */
const failing = async (act: (on: Context) => Promise<unknown>) => (await failAfterEach(context, stored, act)).failed

/** A call of the page. */
const callOf = (headers: Record<string, string>): FastifyRequest =>
  ({
    headers,
    id: 'x',
    clientAddress: '127.0.0.1',
    method: 'POST',
    databaseClient: { id: '' },
  }) as unknown as FastifyRequest

/** An employee who has uploaded two documents. */
async function ready(): Promise<{ link: Link; call: FastifyRequest; submission: Json; unused: string }> {
  const link = await invited(hr, invitationBody(company))
  const page = await openPage(idle.testApp, link)
  const [used, unused] = [await page.upload(), await page.upload()]
  const documents = [{ 'document-id': used, 'document-type': 'other' }]
  const submission = submissionOf(link, { dependents: [childOf(company, { documents })] })
  return { link, call: callOf(page.headers), submission, unused }
}

const reviewed = async ({ id }: Link) => {
  const { result } = expectOk(await hr.get(`${invitationPath}/${id}`)).body
  return { submittedAt: result['submitted-at'], saveResponse: async () => {}, language: 'en' as const }
}

const requests = () => idle.testApp.sql('select id from request where company_id = $1', [company.id])

test.runIf(isLong)(
  'a session, a submission, its return and its approval are whole, whichever statement fails',
  async () => {
    const { link, call, submission, unused } = await ready()
    const begin = callOf({ 'onboarding-token': link.token })
    const failures = openFailures(context.database, context.failureKey)
    expect(await failing((on) => startLinkSession(on, begin, failures, factorOf(link)))).toBeGreaterThan(2)
    // The session before has ended.
    const page = await openPage(idle.testApp, link)
    Object.assign(call.headers, page.headers)
    const opened = await openLink(context, call)
    expect(await failing((on) => submit(on, call, opened, submission))).toBeGreaterThan(3)
    const message = { message: 'Nome', saveResponse: async () => {} }
    expect(await failing((on) => returnSubmission(on, partner(), link.id, message))).toBeGreaterThan(2)
    expect(await failing((on) => removeFile(on, call, opened, unused))).toBeGreaterThan(3)
    await submit(context, call, opened, submission)
    const approval = await reviewed(link)
    const before = (await requests()).length
    expect(await failing((on) => approveSubmission(on, partner(), link.id, approval))).toBeGreaterThan(8)
    expect((await requests()).length).toBe(before + 1)
  },
)

test('of submissions and approvals at once one counts, and they have one inclusion', async () => {
  const { link, call, submission } = await ready()
  const opened = await openLink(context, call)
  const other = await idle.context({ VIGENCIA_ONBOARDING: 'on' })
  const both = [context, other, context, other]
  await Promise.all(both.map((on) => submit(on, call, opened, submission)))
  const approval = await reviewed(link)
  const before = (await requests()).length
  const made = await Promise.all(both.map((on) => approveSubmission(on, partner(), link.id, approval)))
  expect(new Set(made.map(({ fields }) => fields.join())).size).toBe(1)
  expect((await requests()).length).toBe(before + 1)
  const actions = await idle.testApp.sql('select action from audit where target = $1', [link.id])
  const count = (action: string) => actions.filter((row) => row['action'] === action).length
  expect([count('onboarding.submitted'), count('onboarding.approved')]).toEqual([1, 1])
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})

test('an approval beside another one, which has taken the files, gets its inclusion', async () => {
  const { link, call, submission } = await ready()
  await submit(context, call, await openLink(context, call), submission)
  const approval = await reviewed(link)
  let first: Promise<BatchResult> | undefined
  const { database } = context
  const query: typeof database.query = async (text, values) => {
    if (text.includes('onboarding_document')) await (first ??= approveSubmission(context, partner(), link.id, approval))
    return database.query(text, values)
  }
  const second = await approveSubmission({ ...context, database: { ...database, query } }, partner(), link.id, approval)
  expect(second).toEqual(await first)
  expect(second).toMatchObject({ isAccepted: true })
})

test.runIf(isLong)('the end of invitations by their time is whole, whichever statement fails', async () => {
  const { link } = await ready()
  await idle.testApp.sql(
    `update onboarding_invitation set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days',
       delete_after = delete_after - interval '31 days' where id = $1`,
    [link.id],
  )
  const { signal } = new AbortController()
  const injection = withInjectedErrors(context)
  let failed = 0
  for (let after = 1; ; after += 1) {
    injection.arm(after)
    const error = await expireInvitations(injection.context, signal).catch((cause: unknown) => cause)
    if (error === undefined) break
    expect(error).toBeInstanceOf(InjectedError)
    expect(await readViolations(idle.testApp.sql)).toEqual({})
    failed += 1
  }
  expect(failed).toBeGreaterThan(2)
  const left = await idle.testApp.sql(
    `select (select count(*)::int from onboarding_invitation where id = $1) as invitations,
       (select count(*)::int from onboarding_document where invitation_id = $1) as files`,
    [link.id],
  )
  expect(left).toEqual([{ invitations: 0, files: 0 }])
  const actions = await idle.testApp.sql(`select action from audit where target = $1 and actor = 'clock' order by id`, [
    link.id,
  ])
  expect(actions).toEqual([{ action: 'onboarding.expired' }, { action: 'onboarding.deleted' }])
})
