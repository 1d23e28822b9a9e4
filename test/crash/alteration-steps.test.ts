import { expect, test } from 'vitest'
import { dental, expectOk, health, type Json, monday, nextCpf, premium, primary } from '../world/test-app.ts'
import { batchesIn, inBoth } from './batch-steps.ts'
import { useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { isLong } from '../scale.ts'

/* The steps of a worker that make the alterations of a batch: run by the test itself, in an app without a worker. */

const idle = useIdleTestApp()
const batches = batchesIn(idle)
const { ask } = idle
const { step, request, partsOf } = batches

/** Primaries in two products; their CPFs. */
async function people(count: number): Promise<string[]> {
  const members = Array.from({ length: count }, () => primary({ products: inBoth }))
  await batches.include(members)
  return members.map((one) => one['tax-id'])
}

const changesPlan = () => ({ 'new-product-id': batches.company.products[premium], phone: '11987654321' })

/** Accepts a batch. @returns the request's id. */
async function accept(cpfs: readonly string[], data: () => Json = changesPlan, query = ''): Promise<string> {
  const members = cpfs.map((cpf) => ({ 'tax-id': cpf, 'alteration-data': data() }))
  return batches.accept('alteration', members, query)
}

test.runIf(isLong).each(['', '?resolution=approve', '?resolution=reject'])(
  'a step that fails after any of its statements leaves nothing, and the next run completes it (%s)',
  async (query) => {
    const id = await accept(await people(2), changesPlan, query)
    expect(await batches.runFailing(id)).toBeGreaterThan(5)
    await idle.withWorker(() => idle.nothingOpen())
    const shown = await request(id)
    expect(shown.status).toBe('completed')
    const status = { '': 'created', '?resolution=approve': 'completed', '?resolution=reject': 'rejected' }[query] ?? ''
    expect(shown['enrollment-summary']).toEqual({ [status]: 4 })
    expect(await readViolations(ask)).toEqual({})
  },
)

test('one step run twice at once has the result of one run', async () => {
  const id = await accept(await people(1), changesPlan, '?resolution=approve')
  const other = await idle.anotherContext()
  expect(await Promise.all([step(idle.context, id), step(other, id)])).toEqual(['done', 'done'])
  await idle.withWorker(() => idle.nothingOpen())
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
    batches.partner.post(`/v1/enrollment/exclusion/${who}/${target}${query}`, { 'exclusion-details': details })
  expectOk(await exclude(busy, `product/${batches.company.products[health]}`, ''))
  expectOk(await exclude(ended, `product/${batches.company.products[dental]}`))
  expectOk(await exclude(gone, `company/${batches.company.taxId}`))
  await ask('update member set tax_id = $2 where tax_id = $1', [free, cpf])
  await idle.withWorker(() => idle.nothingOpen())
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
  await expect(step(idle.context, second)).rejects.toThrow(expect.objectContaining({ name: 'EarlierRequestError' }))
  await idle.withWorker(() => idle.nothingOpen())
  expect([(await request(first)).status, (await request(second)).status]).toEqual(['completed', 'failed'])
  expect(await readViolations(ask)).toEqual({})
})
