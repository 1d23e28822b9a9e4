import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import { processDueWork } from '#apps/worker/due-work.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { createContinuation, type Family, makeFamily } from '../world/continuation.ts'
import { type Client, type Company, expectOk } from '../world/test-app.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, withInjectedErrors } from './steps.ts'
import { isLong } from '../scale.ts'

/* The work of the clock on continuations: an offer without an answer, a term that starts, is reported and ends. */

const signal = new AbortController().signal
const [starts, reported, ended] = ['2026-12-01', '2027-05-01', '2027-06-01']
let idle: IdleTestApp
let company: Company
let partner: Client

beforeAll(async () => {
  idle = await openIdleTestApp()
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
})

afterAll(() => idle.close())

const on = (day: string): Promise<Context> => idle.context({ VIGENCIA_BUSINESS_DATE: day })

interface Case {
  readonly offered: string
  readonly accepted: string
  readonly families: readonly [Family, Family]
}

/** One that nobody answers, and one of 6 months that was accepted. */
async function makeCase(including: Context): Promise<Case> {
  const worker = startWorker(including)
  const families = [
    await makeFamily(idle.testApp, company, partner),
    await makeFamily(idle.testApp, company, partner),
  ] as const
  await worker.stop()
  const notice = { 'notice-date': '2026-11-23', 'contribution-months': 12 }
  const offered = await createContinuation(idle.testApp, families[0], notice)
  const accepted = await createContinuation(idle.testApp, families[1], notice)
  const answer = { option: 'accepted', 'option-date': '2026-11-23' }
  const path = `/operator/v1/continuation/${accepted['continuation-id']}/option`
  expectOk(await idle.testApp.operator.post(path, answer))
  return { offered: offered['continuation-id'], accepted: accepted['continuation-id'], families }
}

/** Everything that the clock did: each once. */
async function expectDoneOnce({ offered, accepted, families }: Case): Promise<void> {
  const ids = [offered, accepted]
  const benefits = families.map(({ benefitId }) => benefitId)
  const { sql } = idle.testApp
  const found = {
    statuses: await sql('select status, end_reason from continuation where id = any($1) order by created_at', [ids]),
    drafts: await sql(
      `select end_date::text from draft_exclusion where benefit_id = any($1) and status = 'open' order by end_date`,
      [benefits],
    ),
    endings: await sql(
      `select count(*)::int as count from event where type = 'benefit.ending' and data->>'benefit-id' = any($1)`,
      [benefits],
    ),
    audit: await sql(
      `select action, count(*)::int as count from audit where target = any($1) and actor = 'clock' group by action order by action`,
      [ids],
    ),
  }
  const once = (action: string) => ({ action, count: 1 })
  expect(found).toEqual({
    statuses: [
      { status: 'expired', end_reason: null },
      { status: 'ended', end_reason: 'term' },
    ],
    drafts: [{ end_date: '2026-12-23' }, { end_date: '2027-05-31' }],
    endings: [{ count: 1 }],
    audit: [once('continuation.activated'), once('continuation.ended'), once('continuation.expired')],
  })
  expect(await readViolations(idle.testApp.sql)).toEqual({})
}

test('two processes at once do everything once', async () => {
  const one = await makeCase(await idle.context())
  for (const day of [starts, reported, ended]) {
    const clocks = [await on(day), await on(day)]
    await Promise.all([...clocks, ...clocks].map((context) => processDueWork(context, signal)))
  }
  await expectDoneOnce(one)
})

test.runIf(isLong)('a run that fails after any statement is completed by the next one', async () => {
  const including = await idle.context()
  const days = [await on(starts), await on(reported), await on(ended)]
  let failed = 0
  for (const [index, context] of days.entries()) {
    const injection = withInjectedErrors(context)
    for (let after = 1, isOver = false; !isOver; after += 3) {
      const one = await makeCase(including)
      for (const earlier of days.slice(0, index)) await processDueWork(earlier, signal)
      injection.arm(after)
      const error = await processDueWork(injection.context, signal).catch((cause: unknown) => cause)
      isOver = injection.fired === 0
      if (!isOver) expect(error).toBeInstanceOf(InjectedError)
      if (!isOver) failed += 1
      injection.disarm()
      for (const later of days.slice(index)) await processDueWork(later, signal)
      await expectDoneOnce(one)
    }
  }
  expect(failed).toBeGreaterThan(days.length)
})
