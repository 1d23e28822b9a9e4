import { expect, test } from 'vitest'
import { dental, dependent, expectOk, health, monday, primary } from '../world/test-app.ts'
import { batchesIn, inBoth } from './batch-steps.ts'
import { useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { isLong } from '../scale.ts'

/* The steps of a worker that make the exclusions of a batch: run by the test itself, in an app without a worker. */

const idle = useIdleTestApp()
const batches = batchesIn(idle)
const { ask } = idle
const { step, request, partsOf } = batches

/** Families of a mother and two children in two products; the CPFs of each. */
async function families(count: number): Promise<string[][]> {
  const members = Array.from({ length: count }, () => {
    const mother = primary({ products: inBoth })
    return [mother, ...[1, 2].map(() => dependent(mother['tax-id'], { products: inBoth }))]
  })
  await batches.include(members.flat())
  return members.map((family) => family.map((one) => one['tax-id']))
}

const details = { 'end-date': monday, 'exclusion-reason': 'dismissal' }

/** Accepts a batch that excludes everything that these people have. @returns the request's id. */
async function accept(cpfs: readonly string[], query = ''): Promise<string> {
  const members = cpfs.map((cpf) => ({ 'tax-id': cpf, 'exclusion-details': details }))
  return batches.accept('exclusion', members, query)
}

test.runIf(isLong).each(['', '?resolution=approve', '?resolution=reject'])(
  'a step that fails after any of its statements leaves nothing, and the next run completes it (%s)',
  async (query) => {
    const [family = []] = await families(1)
    const id = await accept([family[0] ?? '', family[1] ?? ''], query)
    expect(await batches.runFailing(id)).toBeGreaterThan(5)
    await idle.withWorker(() => idle.nothingOpen())
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
  const other = await idle.anotherContext()
  expect(await Promise.all([step(idle.context, id), step(other, id)])).toEqual(['done', 'done'])
  await idle.withWorker(() => idle.nothingOpen())
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
  expect(await step(idle.context, id)).toBe('more')
  expect(await readViolations(ask)).toEqual({})
  await idle.withWorker(() => idle.nothingOpen())
  expect(await request(id)).toMatchObject({ status: 'completed', 'enrollment-summary': { completed: 540 } })
})

test('what changed since the acceptance is a failure of the request: of a whole entry, or of what has ended', async () => {
  const [one = [], two = [], three = []] = await families(3)
  const [busy = '', ended = '', free = ''] = [one[0], two[0], three[0]]
  const id = await accept([busy, ended, free])
  const exclude = (cpf: string, query = '') =>
    batches.partner.post(`/v1/enrollment/exclusion/${cpf}/product/${batches.company.products[dental]}${query}`, {
      'exclusion-details': details,
    })
  expectOk(await exclude(busy))
  expectOk(await exclude(ended, '?resolution=approve'))
  // A child of the third family leaves by itself: only that part fails.
  expectOk(
    await batches.partner.post(`/v1/enrollment/exclusion/${three[1]}/dependent-of/${free}`, {
      'exclusion-details': details,
    }),
  )
  expect(Object.keys((await request(id))['status-by-tax-id'])).toHaveLength(9)
  await idle.withWorker(() => idle.nothingOpen())
  const shown = await request(id)
  expect(shown).toMatchObject({ status: 'partial-failure', 'enrollment-summary': { created: 7 } })
  const ongoing = { [health]: ['ongoing-enrollment'], [dental]: ['ongoing-enrollment'] }
  for (const cpf of one) expect(await partsOf(id, cpf)).toEqual(ongoing)
  for (const cpf of two)
    expect(await partsOf(id, cpf)).toEqual({ [health]: 'enrollment-created', [dental]: ['no-active-benefit'] })
  expect(await partsOf(id, three[1] ?? '')).toEqual(ongoing)
  expect(await partsOf(id, three[2] ?? '')).toEqual({ [health]: 'enrollment-created', [dental]: 'enrollment-created' })
  expect(await readViolations(ask)).toEqual({})
})

test('of two batches with one person the one that was accepted first excludes', async () => {
  const [[mother = ''] = []] = await families(1)
  const [first, second] = [await accept([mother]), await accept([mother])]
  await expect(step(idle.context, second)).rejects.toThrow(expect.objectContaining({ name: 'EarlierRequestError' }))
  await idle.withWorker(() => idle.nothingOpen())
  expect([(await request(first)).status, (await request(second)).status]).toEqual(['completed', 'failed'])
  expect(await readViolations(ask)).toEqual({})
})
