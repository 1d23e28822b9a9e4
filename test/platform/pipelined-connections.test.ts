import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, sqlState } from '../../src/platform/database.ts'
import { openScratch } from '../auth/scratch-database.ts'

let database: Database
let scratch: Awaited<ReturnType<typeof openScratch>>

beforeAll(async () => {
  scratch = await openScratch()
  database = scratch.database
})

afterAll(() => scratch.close())

const backend = async (): Promise<number> =>
  (await database.point<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid ?? 0

/** Backends that answer short reads, once both lines are there: asked at once, they do not all find room on one. */
async function linesInUse(): Promise<number[]> {
  for (;;) {
    const pids = new Set(await Promise.all(Array.from({ length: 32 }, backend)))
    const rows = await database.rows<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database()',
    )
    const pooled = new Set(await Promise.all(Array.from({ length: 4 }, async () => pooledBackend())))
    const lines = [...pids].filter((pid) => !pooled.has(pid))
    if (lines.length === 2 && rows.length >= 3) return lines
  }
}

const pooledBackend = async (): Promise<number> =>
  (await database.rows<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(0.02)'))[0]?.pid ?? 0

test('many short reads at once each get their own answer', async () => {
  const answers = await Promise.all(
    Array.from(
      { length: 500 },
      async (_, n) => (await database.point<{ n: number }>('select $1::int as n', [n]))[0]?.n,
    ),
  )
  expect(answers).toEqual(Array.from({ length: 500 }, (_, n) => n))
})

test('a statement that fails fails alone', async () => {
  await linesInUse()
  const asked = Array.from({ length: 40 }, (_, n) =>
    database.point<{ q: number }>('select 12 / $1::int as q', [n % 4]).then(
      ([row]) => row?.q,
      (error: unknown) => sqlState(error),
    ),
  )
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 10 }, () => ['22012', 12, 6, 4]).flat())
})

test('nobody waits behind a read that takes long', async () => {
  await linesInUse()
  const done: string[] = []
  const long = Array.from({ length: 2 }, () => database.point('select pg_sleep(1)').then(() => done.push('long')))
  // Whoever comes within the first moments still joins them; from then on nobody does.
  const started = performance.now()
  while (performance.now() - started < 50) await new Promise((resolve) => setImmediate(resolve))
  await Promise.all(Array.from({ length: 20 }, () => database.point('select 1').then(() => done.push('short'))))
  expect(done).toEqual(Array.from({ length: 20 }, () => 'short'))
  await Promise.all(long)
})

test('what is under way on a line that breaks is answered by another', async () => {
  const lines = await linesInUse()
  const slow =
    'select pg_backend_pid() as pid, pg_sleep(case when pg_backend_pid() = any($1::int[]) then 30 else 0 end)'
  const underWay = lines.map(() => database.point<{ pid: number }>(slow, [lines]))
  await expect
    .poll(() =>
      database.rows(
        `select 1 from pg_stat_activity where pid = any($1) and query like '%then 30 else 0%' and state = 'active'`,
        [lines],
      ),
    )
    .toHaveLength(2)
  await database.rows('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [lines])
  for (const [row] of await Promise.all(underWay)) expect(lines).not.toContain(row?.pid)
  const replaced = await linesInUse()
  expect(replaced.filter((pid) => lines.includes(pid))).toEqual([])
})

test('a look-up by key goes to a line that does not scan tables, in a transaction to its own connection', async () => {
  await linesInUse()
  const way = async (sql: Pick<Database, 'keyed'>) =>
    (await sql.keyed<{ scans: string }>("select current_setting('enable_seqscan') as scans"))[0]?.scans
  expect(await way(database)).toBe('off')
  expect(await database.transaction(way)).toBe('on')
})
