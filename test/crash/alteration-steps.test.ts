import { write } from '../../src/core/write.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker } from '../../src/worker.ts'
import type { Context } from '../../src/http/context.ts'
import { processItems } from '../../src/movements/kinds.ts'
import type { Progress } from '../../src/movements/batch/process.ts'
import {
  type Client,
  type Company,
  dental,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  nextCpf,
  premium,
  primary,
  until,
} from '../http/test-app.ts'
import { readOpenWork, readViolations } from './invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, withInjectedErrors } from './steps.ts'

/* The steps of a worker that make the alterations of a batch: run by the test itself, in an app without a worker. */

let idle: IdleTestApp
let context: Context
let company: Company
let partner: Client

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context()
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
})

afterAll(() => idle.close())

const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)
const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }

async function withWorker(act: () => Promise<unknown>): Promise<void> {
  const worker = startWorker(context)
  try {
    await act()
  } finally {
    await worker.stop()
  }
}

const nothingOpen = () =>
  until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )

/** Primaries in two products; their CPFs. */
async function people(count: number): Promise<string[]> {
  const members = Array.from({ length: count }, () => primary({ products: inBoth }))
  const body = { 'company-tax-id': company.taxId, members }
  expectOk(await partner.post('/v1/enrollment/inclusion?resolution=approve', body))
  await withWorker(nothingOpen)
  return members.map((one) => one['tax-id'])
}

const changesPlan = () => ({ 'new-product-id': company.products[premium], phone: '11987654321' })

/** Accepts a batch. @returns the request's id. */
async function accept(cpfs: readonly string[], data: () => Json = changesPlan, query = ''): Promise<string> {
  const members = cpfs.map((cpf) => ({ 'tax-id': cpf, 'alteration-data': data() }))
  const response = await partner.post(`/v1/enrollment/alteration${query}`, { 'company-tax-id': company.taxId, members })
  return expectOk(response).body['request-id']
}

const step = (on: Context, requestId: string): Promise<Progress> =>
  write(on, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
    processItems(on, tx, company.id, requestId),
  )

const request = async (id: string): Promise<Json> => expectOk(await partner.get(`/v1/request/${id}`)).body

/** Counts everything that a step may write. */
async function countRows(): Promise<unknown> {
  const tables = ['benefit', 'enrollment', 'enrollment_history', 'event', 'movement_item', 'audit_pending', 'audit']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await ask(
    `select ${counts.join(', ')}, (select json_agg(r.status order by r.id) from request r) as requests`,
  )
  return row
}

test.each(['', '?resolution=approve', '?resolution=reject'])(
  'a step that fails after any of its statements leaves nothing, and the next run completes it (%s)',
  async (query) => {
    const injection = withInjectedErrors(context)
    const id = await accept(await people(2), changesPlan, query)
    let failed = 0
    for (let progress: Progress = 'more'; progress === 'more';) {
      const before = await countRows()
      for (let after = 1; ; after += 1) {
        injection.arm(after)
        const result = await step(injection.context, id).catch((error: unknown) => error)
        if (!(result instanceof InjectedError)) {
          progress = result as Progress
          break
        }
        failed += 1
        expect(await countRows()).toEqual(before)
      }
      expect(['more', 'done']).toContain(progress)
    }
    expect(failed).toBeGreaterThan(5)
    const done = await countRows()
    expect(await step(context, id)).toBe('done')
    expect(await countRows()).toEqual(done)
    await withWorker(nothingOpen)
    const shown = await request(id)
    expect(shown.status).toBe('completed')
    const status = { '': 'created', '?resolution=approve': 'completed', '?resolution=reject': 'rejected' }[query] ?? ''
    expect(shown['enrollment-summary']).toEqual({ [status]: 4 })
    expect(await readViolations(ask)).toEqual({})
  },
)

test('one step run twice at once has the result of one run', async () => {
  const id = await accept(await people(1), changesPlan, '?resolution=approve')
  const other = await idle.context()
  expect(await Promise.all([step(context, id), step(other, id)])).toEqual(['done', 'done'])
  await withWorker(nothingOpen)
  expect(await request(id)).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 2 } })
  expect(await readViolations(ask)).toEqual({})
})

test('what changed since the acceptance is a failure of the request: of a whole entry, or of what has ended', async () => {
  const [busy = '', ended = '', gone = '', free = '', taken = ''] = await people(5)
  const cpf = nextCpf()
  const id = await accept([busy, free])
  const data = await accept([ended, gone], () => ({ phone: '11912345678' }))
  const corrected = await accept([taken], () => ({ 'tax-id': cpf }))
  const details = { 'end-date': monday, 'exclusion-reason': 'dismissal' }
  const exclude = (who: string, target: string, query = '?resolution=approve') =>
    partner.post(`/v1/enrollment/exclusion/${who}/${target}${query}`, { 'exclusion-details': details })
  expectOk(await exclude(busy, `product/${company.products[health]}`, ''))
  expectOk(await exclude(ended, `product/${company.products[dental]}`))
  expectOk(await exclude(gone, `company/${company.taxId}`))
  await ask('update member set tax_id = $2 where tax_id = $1', [free, cpf])
  await withWorker(nothingOpen)
  const partsOf = async (requestId: string, who: string) =>
    Object.fromEntries(
      Object.entries<Json>((await request(requestId))['status-by-tax-id'][who]).map(([name, part]) => [
        name,
        part.offenses ?? part.status,
      ]),
    )
  expect((await request(id)).status).toBe('partial-failure')
  expect(await partsOf(id, busy)).toEqual({ [premium]: ['ongoing-enrollment'], [dental]: ['ongoing-enrollment'] })
  expect(await partsOf(data, ended)).toEqual({ [health]: 'enrollment-created', [dental]: ['no-active-benefit'] })
  expect(await partsOf(data, gone)).toEqual({ [health]: ['no-active-benefit'], [dental]: ['no-active-benefit'] })
  expect((await request(corrected)).status).toBe('failed')
  expect(await partsOf(corrected, taken)).toEqual({
    [health]: ['invalid-alteration-data'],
    [dental]: ['invalid-alteration-data'],
  })
  expect(await readViolations(ask)).toEqual({})
})

test('of two batches that move one person the one that was accepted first moves it', async () => {
  const [one = ''] = await people(1)
  const [first, second] = [await accept([one]), await accept([one])]
  await expect(step(context, second)).rejects.toThrow(expect.objectContaining({ name: 'EarlierRequestError' }))
  await withWorker(nothingOpen)
  expect([(await request(first)).status, (await request(second)).status]).toEqual(['completed', 'failed'])
  expect(await readViolations(ask)).toEqual({})
})
