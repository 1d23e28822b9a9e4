import { write } from '../../src/core/write.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker } from '../../src/worker.ts'
import type { Context } from '../../src/http/context.ts'
import type { Progress } from '../../src/movements/batch/process.ts'
import { processItems } from '../../src/movements/kinds.ts'
import {
  type Client,
  type Company,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  primary,
  until,
} from '../http/test-app.ts'
import { readOpenWork, readViolations } from './invariants.ts'
import { type IdleTestApp, InjectedError, openIdleTestApp, withInjectedErrors } from './steps.ts'

/* The steps of a worker that make the exclusions of a batch: run by the test itself, in an app without a worker. */

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

/** Families of a mother and two children in two products; the CPFs of each. */
async function families(count: number, products: Json = inBoth): Promise<string[][]> {
  const members = Array.from({ length: count }, () => {
    const mother = primary({ products })
    return [mother, ...[1, 2].map(() => dependent(mother['tax-id'], { products }))]
  })
  const body = { 'company-tax-id': company.taxId, members: members.flat() }
  expectOk(await partner.post('/v1/enrollment/inclusion?resolution=approve', body))
  await withWorker(nothingOpen)
  return members.map((family) => family.map((one) => one['tax-id']))
}

const details = { 'end-date': monday, 'exclusion-reason': 'dismissal' }

/** Accepts a batch that excludes everything that these people have. @returns the request's id. */
async function accept(cpfs: readonly string[], query = ''): Promise<string> {
  const members = cpfs.map((cpf) => ({ 'tax-id': cpf, 'exclusion-details': details }))
  const response = await partner.post(`/v1/enrollment/exclusion${query}`, { 'company-tax-id': company.taxId, members })
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
    const [family = []] = await families(1)
    const id = await accept([family[0] ?? '', family[1] ?? ''], query)
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
    expect(shown['enrollment-summary']).toEqual({ [status]: 6 })
    expect(await readViolations(ask)).toEqual({})
  },
)

test('one step run twice at once has the result of one run', async () => {
  const [family = []] = await families(1)
  const id = await accept(family.slice(0, 1), '?resolution=approve')
  const other = await idle.context()
  expect(await Promise.all([step(context, id), step(other, id)])).toEqual(['done', 'done'])
  await withWorker(nothingOpen)
  expect(await request(id)).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 6 } })
  expect(await readViolations(ask)).toEqual({})
})

test('a batch of several steps keeps each family in one of them', async () => {
  const cpfs = await families(90)
  const id = await accept(
    cpfs.flatMap(([mother = '', child = '']) => [child, mother]).toReversed(),
    '?resolution=approve',
  )
  const staged = await ask<{ cpf: string; chunk: number }>(
    'select tax_id as cpf, chunk from movement_item where request_id = $1',
    [id],
  )
  const chunksOf = (family: string[]) => staged.filter(({ cpf }) => family.includes(cpf)).map(({ chunk }) => chunk)
  for (const family of cpfs) expect(new Set(chunksOf(family)).size).toBe(1)
  expect(await ask('select distinct chunk from movement_item')).toHaveLength(2)
  expect(await step(context, id)).toBe('more')
  expect(await readViolations(ask)).toEqual({})
  await withWorker(nothingOpen)
  expect(await request(id)).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 540 } })
})

test('what changed since the acceptance is a failure of the request: of a whole entry, or of what has ended', async () => {
  const [one = [], two = [], three = []] = await families(3)
  const [busy = '', ended = '', free = ''] = [one[0], two[0], three[0]]
  const id = await accept([busy, ended, free])
  const exclude = (cpf: string, query = '') =>
    partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[dental]}${query}`, {
      'exclusion-details': details,
    })
  expectOk(await exclude(busy))
  expectOk(await exclude(ended, '?resolution=approve'))
  // A child of the third family leaves by itself: only that part fails.
  expectOk(
    await partner.post(`/v1/enrollment/exclusion/${three[1]}/dependent-of/${free}`, { 'exclusion-details': details }),
  )
  expect(Object.keys((await request(id))['status-by-tax-id'])).toHaveLength(9)
  await withWorker(nothingOpen)
  const shown = await request(id)
  expect(shown).toMatchObject({ status: 'partial-failure', 'enrollment-summary': { created: 7 } })
  const partsOf = (cpf: string) =>
    Object.fromEntries(
      Object.entries<Json>(shown['status-by-tax-id'][cpf]).map(([name, part]) => [name, part.offenses ?? part.status]),
    )
  const ongoing = { [health]: ['ongoing-enrollment'], [dental]: ['ongoing-enrollment'] }
  for (const cpf of one) expect(partsOf(cpf)).toEqual(ongoing)
  for (const cpf of two)
    expect(partsOf(cpf)).toEqual({ [health]: 'enrollment-created', [dental]: ['no-active-benefit'] })
  expect(partsOf(three[1] ?? '')).toEqual(ongoing)
  expect(partsOf(three[2] ?? '')).toEqual({ [health]: 'enrollment-created', [dental]: 'enrollment-created' })
  expect(await readViolations(ask)).toEqual({})
})

test('of two batches with one person the one that was accepted first excludes', async () => {
  const [[mother = ''] = []] = await families(1)
  const [first, second] = [await accept([mother]), await accept([mother])]
  await expect(step(context, second)).rejects.toThrow(expect.objectContaining({ name: 'EarlierRequestError' }))
  await withWorker(nothingOpen)
  expect([(await request(first)).status, (await request(second)).status]).toEqual(['completed', 'failed'])
  expect(await readViolations(ask)).toEqual({})
})
