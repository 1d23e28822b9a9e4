import { transact } from '#platform/core/transaction.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openScratch } from '../../access/auth/scratch-database.ts'

let scratch: Awaited<ReturnType<typeof openScratch>>
beforeAll(async () => {
  scratch = await openScratch()
  await scratch.database.query('create table note (text text)')
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => scratch.close())

const notes = async () =>
  (await scratch.database.query<{ text: string }>('select text from note')).map(({ text }) => text)

test('a transaction of more than 45 seconds is rolled back: its timestamps would be too old for updated-since', async () => {
  const real = performance.now.bind(performance)
  let elapsed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => real() + elapsed)
  const write = (text: string, ms: number) =>
    scratch.database[transact](async (sql) => {
      await sql.execute('insert into note values ($1)', [text])
      elapsed += ms
    })
  await write('in time', 44_000)
  await expect(write('too late', 46_000)).rejects.toMatchObject({ statusCode: 503 })
  expect(await notes()).toEqual(['in time'])
})
