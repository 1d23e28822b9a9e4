/*
 * The audit: the cost of an audit row for its writer, of the chain for a worker, and of a check. `node bench/audit.ts`
 */
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { insertAudit } from '../src/core/audit.ts'
import { appendBlocks } from '../src/audit/append-block.ts'
import { verifyAudit } from '../src/audit/verify.ts'
import { type Database, openDatabase } from '../src/core/database.ts'
import { openLog } from '../src/core/log.ts'
import { migrate } from '../src/core/migrate.ts'
import { median, percentile, printTable, times } from './figures.ts'
import { runBench } from './bench.ts'

const rounds = 15
const single = 300
const batch = 5_000
const verified = 10_000

const row = { actor: { kind: 'service' }, action: 'exclusion.requested', target: 'target', companyId: null } as const

/** The row alone, as it would be without a chain. */
async function writeAlone(database: Database, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    id: uuidv7(),
    actor: row.actor,
    action: row.action,
    target: row.target,
  }))
  await database.execute(
    `insert into audit (id, at, actor, action, target)
     select id, $2, actor, action, target from jsonb_to_recordset($1::jsonb) as noted (id uuid, actor text, action text, target text)`,
    [JSON.stringify(rows), new Date()],
  )
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function repeated(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work()
}

await runBench(5, async (bench) => {
  const log = openLog('error')
  const options = { connections: 4, namedStatements: true, applicationName: 'bench' }
  const database = openDatabase({ ...options, url: await bench.database('audit') }, log)
  const context = { database, log, auditKey: randomBytes(32) }
  const never = new AbortController().signal
  try {
    await migrate(database)
    const ones: number[] = []
    const many: number[] = []
    const appending: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const alone = await took(() => repeated(single, () => writeAlone(database, 1)))
      ones.push((await took(() => repeated(single, () => insertAudit(database, new Date(), [row])))) / alone)
      const rows = Array.from({ length: batch }, () => row)
      const bare = await took(() => writeAlone(database, batch))
      const written = await took(() => insertAudit(database, new Date(), rows))
      many.push(written / bare)
      appending.push((await took(() => appendBlocks(context, never))) / written)
    }
    await database.execute('truncate audit, audit_block, audit_head, audit_pending')
    for (let n = 0; n < verified; n += batch)
      await insertAudit(
        database,
        new Date(),
        Array.from({ length: batch }, () => row),
      )
    await appendBlocks(context, never)
    const read = await took(() => database.queryPlanned('select * from audit order by id'))
    const check = await took(() => database.snapshot((sql) => verifyAudit(sql, context.auditKey, null)))
    const half = (ratios: number[]) => `${times(percentile(ratios, 25))} to ${times(percentile(ratios, 75))}`
    printTable(`The audit, ${rounds} rounds`, [
      ['What', 'Against', 'Ratio', 'Middle half of the rounds'],
      ['one row, pending', 'the row alone, committed', times(median(ones)), half(ones)],
      [`${batch} rows in one statement, pending`, 'the rows alone', times(median(many)), half(many)],
      [`appending ${batch} rows, beside the writers`, 'writing them', times(median(appending)), half(appending)],
      [`checking ${verified} rows: ${Math.round(check)} ms`, 'reading them', times(check / read), ''],
    ])
  } finally {
    await database.close()
  }
})
