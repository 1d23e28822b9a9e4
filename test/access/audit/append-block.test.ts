import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertAudit } from '#platform/core/audit.ts'
import { maxRowsPerBlock, appendBlocks } from '#access/audit/append-block.ts'
import { verifyAudit, type Verification } from '#access/audit/verify.ts'
import type { Database } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { openScratch } from '../auth/scratch-database.ts'
import { scaled } from '../../scale.ts'

const auditKey = randomBytes(32)
const never = new AbortController().signal
const log = openLog('silent')

let scratch: Awaited<ReturnType<typeof openScratch>>
let database: Database
let client: Client
beforeAll(async () => {
  scratch = await openScratch()
  database = scratch.database
  client = await database.connect()
})
afterAll(async () => {
  await client?.end()
  await scratch?.close()
})
beforeEach(async () => {
  await client.query('truncate audit, audit_pending, audit_block, audit_head')
})

const row = (target: string) =>
  ({ actor: { kind: 'service' }, action: 'client.created', target, companyId: null }) as const
const write = (count: number, name = 'row') =>
  insertAudit(
    database,
    new Date(),
    Array.from({ length: count }, (_, n) => row(`${name}-${n}`)),
  )
const append = () => appendBlocks({ database, log, auditKey }, never)
const verify = (expected: string | null = null, key: Buffer | null = auditKey): Promise<Verification> =>
  database.snapshot((sql) => verifyAudit(sql, key, expected))
const one = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0]

/** Checks the audit after a change, and rolls the change back. */
async function afterChange(change: string, values: unknown[] = []): Promise<Verification> {
  await client.query('begin')
  try {
    await client.query(change, values)
    const query = async (text: string, given: readonly unknown[] = []) => (await read(text, given)).rows
    const sql: Parameters<typeof verifyAudit>[0] = {
      query,
      queryPlanned: query,
      execute: async () => 0,
      now: () => new Date(),
    }
    return await verifyAudit(sql, auditKey, null)
  } finally {
    await client.query('rollback')
  }
}

const read = (text: string, values: readonly unknown[]) => client.query(text, [...values])

test('rows are appended in blocks, and the check finds them intact', async () => {
  await write(2 * maxRowsPerBlock + 1)
  expect(await verify()).toMatchObject({ intact: true, rows: 0, pending: 2 * maxRowsPerBlock + 1, head: null })
  expect(await append()).toBe(2 * maxRowsPerBlock + 1)
  expect(await append()).toBe(0)
  const verification = await verify()
  expect(verification).toMatchObject({
    intact: true,
    rows: 2 * maxRowsPerBlock + 1,
    blocks: 3,
    pending: 0,
    findings: [],
  })
  expect(verification.head).toMatch(/^[0-9a-f]{64}$/)
  await write(1)
  await append()
  expect(await verify(verification.head)).toMatchObject({ intact: true, blocks: 4 })
})

test('the check names any row that was edited, removed, inserted or swapped', async () => {
  const blocks = scaled(5, 10)
  await write(blocks * maxRowsPerBlock)
  await append()
  expect(await verify()).toMatchObject({ intact: true, rows: blocks * maxRowsPerBlock, blocks })
  const { rows } = await client.query<{ id: string }>(
    'select id::text as id from audit order by md5(id::text) limit 12',
  )
  const ids = rows.map(({ id }) => id)
  const found = async (change: string, values: unknown[] = []) =>
    (await afterChange(change, values)).findings.map(({ kind, row: id }) => `${kind} ${id}`).toSorted()
  for (const id of ids.slice(0, 4)) {
    expect(await found(`update audit set at = at + interval '1 microsecond' where id = $1`, [id])).toEqual([
      `edited ${id}`,
    ])
    expect(await found(`update audit set actor = 'somebody' where id = $1`, [id])).toEqual([`edited ${id}`])
    expect(await found(`delete from audit where id = $1`, [id])).toEqual([`removed ${id}`])
  }
  for (const id of ids.slice(4, 6)) {
    const [made] = ids.slice(-1).map((last) => last.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))
    const copy = `insert into audit select $2, at, actor, action, target, company_id, address, request_trace_id from audit where id = $1`
    expect(await found(copy, [id, made])).toEqual([`inserted ${made}`])
  }
  for (const [a, b] of [ids.slice(6, 8), ids.slice(8, 10)]) {
    const swap = `update audit x set target = y.target from audit y
      where x.id = any(array[$1, $2]::uuid[]) and y.id = any(array[$1, $2]::uuid[]) and x.id <> y.id`
    expect(await found(swap, [a, b])).toEqual([`edited ${a}`, `edited ${b}`].toSorted())
  }
  const reorder = `update audit_block set row_ids = row_ids[2:2] || row_ids[1:1] || row_ids[3:], digests = digests[2:2] || digests[1:1] || digests[3:]
    where position = 5 returning row_ids[2]::text as moved`
  const first = await one('select row_ids[1]::text as id from audit_block where position = 5')
  expect(await found(reorder)).toEqual(['block-edited undefined', `reordered ${first.id}`])
})

test('the check finds removed blocks, also at the end, and a changed head', async () => {
  for (let n = 0; n < 3; n += 1) {
    await write(2)
    await append()
  }
  const kinds = async (change: string) => (await afterChange(change)).findings.map(({ kind }) => kind)
  const tail = await kinds('delete from audit_block where position = 3')
  expect(tail.toSorted()).toEqual(['block-removed', 'inserted', 'inserted'])
  expect(await kinds('delete from audit_block where position = 1')).toContain('block-removed')
  expect(await kinds('delete from audit_head')).toEqual(['head-edited'])
  const back = 'update audit_head set position = 2, hash = (select hash from audit_block where position = 2)'
  expect(await kinds(`with cut as (delete from audit_block where position = 3) ${back}`)).toContain('head-edited')
  expect((await verify(null, randomBytes(32))).intact).toBe(false)
  expect((await verify(null, null)).intact).toBe(false)
})

test('the check finds a pending row that was removed', async () => {
  await write(3)
  const { id } = await one('select id from audit limit 1')
  await client.query('delete from audit where id = $1', [id])
  expect(await append()).toBe(2)
  expect((await verify()).findings).toEqual([{ kind: 'removed', row: id }])
})

test('the chain continues after its head was changed, and the check still finds the change', async () => {
  for (let n = 0; n < 3; n += 1) {
    await write(2)
    await append()
  }
  const { head } = await verify()
  await client.query('delete from audit where id in (select unnest(row_ids) from audit_block where position = 3)')
  await client.query('delete from audit_block where position = 3')
  await client.query('update audit_head set position = 2, hash = (select hash from audit_block where position = 2)')
  await write(2)
  expect(await append()).toBe(2)
  await write(2)
  expect(await append()).toBe(2)
  expect((await verify()).findings).toEqual([{ kind: 'block-removed', block: 3, until: 3 }])
  expect((await verify(head)).findings).toContainEqual({ kind: 'head-unknown' })
})

test('rows of transactions that commit out of order are in one block each, with two processes that append', async () => {
  const wanted = new Set<string>()
  const writer = async (name: string) => {
    const own = await database.connect()
    try {
      for (let n = 0; n < 25; n += 1) {
        const target = `${name}-${n}`
        wanted.add(target)
        await own.query('begin')
        const sql = {
          execute: async (text: string, values: readonly unknown[] = []) =>
            (await own.query(text, [...values])).rowCount ?? 0,
        }
        await insertAudit(sql as Database, new Date(), [row(target)])
        // Others write, commit and are appended in between.
        for (let turn = 0; turn < n % 5; turn += 1) await own.query('select 1')
        await own.query('commit')
      }
    } finally {
      await own.end()
    }
  }
  let writing = true
  const appending = [append, append].map(async (once) => {
    let count = 0
    while (writing) count += await once()
    return count
  })
  // One transaction stays open meanwhile with a row older than all that are appended.
  const late = await database.connect()
  await late.query('begin')
  await insertAudit(
    {
      execute: async (text: string, values: readonly unknown[] = []) =>
        (await late.query(text, [...values])).rowCount ?? 0,
    } as Database,
    new Date(),
    [row('late')],
  )
  await Promise.all(['a', 'b', 'c', 'd'].map(writer))
  await late.query('commit')
  await late.end()
  writing = false
  const counts = await Promise.all(appending)
  const rest = await append()
  expect((counts[0] ?? 0) + (counts[1] ?? 0) + rest).toBe(wanted.size + 1)
  const verification = await verify()
  expect(verification).toMatchObject({ intact: true, rows: wanted.size + 1, pending: 0 })
  const { times } = await one(
    'select max(times)::int as times from (select count(*) as times from (select unnest(row_ids) as id from audit_block) s group by id) t',
  )
  expect(times).toBe(1)
})
