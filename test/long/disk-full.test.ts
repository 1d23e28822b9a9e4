import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { type EmbeddedEngine, startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { identityOf } from '#platform/embedded-postgres/process-info.ts'
import { type Query, readDifferences, readOpenWork } from '../crash/invariants.ts'
import { type Batch, largeBatch, sendBatch, smallBatch, waitUntilReady } from '../crash/load.ts'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { rngOf } from '../crash/rng.ts'
import { openTenant, products, variablesOn } from '../crash/tenant.ts'
import {
  closeEngineFixture,
  copyFolder,
  makeData,
  makeFolder,
  stopAtEnd,
} from '../platform/embedded-postgres/engine-fixture.ts'
import { monday, until } from '../world/test-app.ts'
import { seed } from '../seed.ts'

/*
 * The disk of the database is full under load. As root, a tmpfs of 200 MB that a file fills; where none can be mounted, PostgreSQL reports
 * the error of a full disk by a trigger on the tables that every movement writes.
 */

interface Disk {
  readonly dataDir: string
  fill(ask: Query): Promise<void>
  free(ask: Query): Promise<void>
  unmount(): Promise<void>
}

const run = promisify(execFile)

async function openDisk(): Promise<Disk> {
  const made = await makeData()
  const folder = join(await makeFolder(), 'disk')
  await mkdir(folder)
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
  console.log(
    mounted ? 'a tmpfs that is filled' : 'no tmpfs can be mounted: PostgreSQL reports the error of a full disk',
  )
  return mounted ? smallDisk(folder, made) : reportedDisk(made)
}

async function smallDisk(folder: string, made: string): Promise<Disk> {
  const dataDir = join(folder, 'data')
  await copyFolder(made, dataDir)
  const ballast = join(folder, 'ballast')
  return {
    dataDir,
    async fill() {
      const file = await open(ballast, 'a')
      const block = Buffer.alloc(65_536)
      try {
        for (;;) await file.write(block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast),
    async unmount() {
      await run('umount', [folder])
    },
  }
}

function reportedDisk(dataDir: string): Disk {
  return {
    dataDir,
    async fill(ask) {
      await ask(`create function disk_full() returns trigger language plpgsql as
        $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`)
      for (const table of ['request', 'enrollment', 'idempotency_key']) {
        await ask(`create trigger disk_full before insert on ${table} execute function disk_full()`)
      }
    },
    async free(ask) {
      await ask('drop function disk_full cascade')
    },
    unmount: async () => {},
  }
}

let disk: Disk | undefined
let engine: EmbeddedEngine | undefined

afterAll(async () => {
  await clearPrograms()
  await engine?.stop()
  await disk?.unmount()
  await closeEngineFixture()
})

test('a full disk of the database under load: 503 and nothing else; what was accepted before is stored, and all works after', async () => {
  const rng = rngOf(seed)
  const small = (disk = await openDisk())
  const startEngine = () => stopAtEnd(startEmbedded({ dataDir: small.dataDir }))
  const { url, pid } = (engine = await startEngine())
  const program = await startProgram(variablesOn(url))
  const tenant = await openTenant(program.url)
  const pool = new Pool({ connectionString: url, max: 1 })
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const ask: Query = async (text, values = []) => (await pool.query(text, values)).rows
  const batches: Batch[] = []
  const responses = { ok: 0, unavailable: 0 }
  const ending = new AbortController()
  const sender = async (make: () => Batch) => {
    while (!ending.signal.aborted) {
      const batch = make()
      batches.push(batch)
      // Throws for any status except 200 and 503.
      const status = await sendBatch(tenant, batch)
      if (status === null) throw new Error('a connection of the service broke')
      if (status === 200) responses.ok += 1
      else responses.unavailable += 1
    }
  }
  const makers = [
    () => smallBatch(rng, products, monday),
    () => smallBatch(rng, products, monday),
    () => largeBatch(400, products, '?resolution=approve'),
  ]
  const senders = Promise.all(makers.map(sender))
  const served = (least: number) =>
    Promise.race([
      senders,
      until(
        async () => responses.ok,
        (ok) => ok >= least,
      ),
    ])
  await served(10)
  await small.fill(ask)
  await Promise.race([
    senders,
    until(
      async () => responses.unavailable,
      (count) => count >= 20,
    ),
  ])
  await small.free(ask)
  // PostgreSQL ends itself when it cannot write its log.
  if ((await identityOf(pid)) === undefined) {
    await engine.stop()
    engine = await startEngine()
  }
  await waitUntilReady(tenant.url)
  await served(responses.ok + 10)
  ending.abort()
  await senders
  await until(
    () => readOpenWork(ask, monday).catch(() => -1),
    (open) => open === 0,
  )
  expect(await readDifferences(ask, batches)).toEqual({})
  expect(program.ended).toBe(false)
  expect(program.errorLines.filter((line) => !line.includes('the disk of the database is full'))).toEqual([])
  await pool.end()
})
