import { beforeAll, expect } from 'vitest'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { processItems } from '#movements/kinds.ts'
import { type Client, type Company, dental, expectOk, health, inProduct, type Json } from '../world/test-app.ts'
import { countRows, failAfterEach } from './fail-after-each.ts'
import type { IdleFixture } from './idle-fixture.ts'

export const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

/** A company in an app without a worker, for tests that run the steps of its batches themselves. */
export interface BatchFixture {
  readonly company: Company
  readonly partner: Client
  /** Includes members, and waits until they are. */
  readonly include: (members: readonly Json[]) => Promise<void>
  /** Accepts a batch. @returns the request's id. */
  readonly accept: (kind: 'exclusion' | 'alteration', members: readonly Json[], query?: string) => Promise<string>
  readonly step: (on: Context, requestId: string) => Promise<Progress>
  /** Runs all steps of a request, each after it has failed after each of its statements; once more, the last one changes nothing. @returns how often they failed. */
  readonly runFailing: (requestId: string) => Promise<number>
  readonly request: (id: string) => Promise<Json>
  /** What became of the parts of a person in a request. */
  readonly partsOf: (id: string, taxId: string) => Promise<Json>
}

const tables = ['benefit', 'enrollment', 'enrollment_history', 'event', 'movement_item', 'audit_pending', 'audit']

/** Makes the company before the tests of a file. */
export function batchesIn(idle: IdleFixture): BatchFixture {
  let company: Company
  let partner: Client
  beforeAll(async () => {
    company = await idle.testApp.company()
    partner = await idle.testApp.partner(company.taxId)
  })
  const send = async (path: string, members: readonly Json[]): Promise<string> => {
    const body = { 'company-tax-id': company.taxId, members }
    return expectOk(await partner.post(`/v1/enrollment/${path}`, body)).body['request-id']
  }
  const step = (on: Context, requestId: string): Promise<Progress> =>
    write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
      processItems(on, tx, company.id, requestId),
    )
  const count = () => countRows(idle.ask, tables)
  const request = async (id: string): Promise<Json> => expectOk(await partner.get(`/v1/request/${id}`)).body
  return {
    get company() {
      return company
    },
    get partner() {
      return partner
    },
    async include(members) {
      await send('inclusion?resolution=approve', members)
      await idle.withWorker(() => idle.nothingOpen())
    },
    accept: (kind, members, query = '') => send(`${kind}${query}`, members),
    step,
    async runFailing(requestId) {
      let failed = 0
      for (let progress: Progress = 'more'; progress === 'more';) {
        const run = await failAfterEach(idle.context, count, (on) => step(on, requestId))
        progress = run.result
        failed += run.failed
      }
      const done = await count()
      expect(await step(idle.context, requestId)).toBe('done')
      expect(await count()).toEqual(done)
      return failed
    },
    request,
    async partsOf(id, taxId) {
      const parts = Object.entries<Json>((await request(id))['status-by-tax-id'][taxId])
      return Object.fromEntries(parts.map(([name, part]) => [name, part.offenses ?? part.status]))
    },
  }
}
