import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { closeEngineFixture, makeDemoData } from '../platform/embedded-postgres/engine-fixture.ts'
import { expectOk, type Json, send, until } from '../world/test-app.ts'
import { scaled } from '../scale.ts'
import { seed } from '../seed.ts'
import { rngOf } from './rng.ts'
import { engineUrlOf, killEngine } from './engine-processes.ts'
import { type Query, compare, readViolations, readOpenWork } from './invariants.ts'
import { clearPrograms, type Program, startProgram } from './program.ts'
import {
  type Batch,
  largeBatch,
  type Products,
  sendAll,
  sendBatch,
  smallBatch,
  type Target,
  waitUntilReady,
} from './load.ts'

/* Kills at random moments (seeded), all on one database. Each restart is a week later, so that scheduled work of earlier rounds becomes due. */
const rounds = scaled(3, 10)
const smallBatches = scaled(24, 1_000)
const largeMembers = scaled(600, 10_000)
const atOnce = 8

const demoCnpj = '11222333000181'
const products: Products = { health: 'Saúde Essencial', dental: 'Dental Sorriso', life: 'Vida em Grupo' }

type Victim = 'service' | 'service and PostgreSQL' | 'PostgreSQL'
const victims: readonly Victim[] = ['service', 'service and PostgreSQL', 'PostgreSQL']

afterAll(async () => {
  await clearPrograms()
  await closeEngineFixture()
})

const dayOf = (round: number): string => new Date(Date.UTC(2026, 10, 23 + 7 * round)).toISOString().slice(0, 10)

const start = (dataDir: string, round: number): Promise<Program> =>
  startProgram({ VIGENCIA_DATA_DIR: dataDir, VIGENCIA_BUSINESS_DATE: dayOf(round) })

async function signIn(program: Program): Promise<Target> {
  const secret = /Demo partner +demo-partner +(\S+)/.exec(program.outputLines.join('\n'))?.[1]
  const body = { 'client-id': 'demo-partner', 'client-secret': secret }
  const response = expectOk(await send(`${program.url}/v1/authenticate`, 'POST', { body }))
  return { url: program.url, token: response.body['access-token'], companyTaxId: demoCnpj }
}

/** Runs statements on the database of the folder, on one connection. */
async function withDatabase<T>(dataDir: string, work: (ask: Query) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: await engineUrlOf(dataDir) })
  await client.connect()
  try {
    return await work(async (text, values = []) => (await client.query(text, values)).rows)
  } finally {
    await client.end()
  }
}

/** @returns the running service: a new one, unless only its PostgreSQL was killed, which the service restarts. */
async function killAndRecover(victim: Victim, program: Program, dataDir: string, round: number): Promise<Program> {
  if (victim === 'PostgreSQL') {
    await killEngine(dataDir)
    if (!(await waitUntilReady(program.url))) throw new Error('the service did not survive the kill of its PostgreSQL')
    return program
  }
  await Promise.all([program.kill(), victim === 'service' ? null : killEngine(dataDir)])
  return start(dataDir, round + 1)
}

/** Expects that the partner reads an accepted batch as completed, with exactly its parts, each an enrollment. */
async function expectCompleted(target: Target, batch: Batch): Promise<void> {
  const path = `/v1/request/${batch.requestId}`
  const { body } = expectOk(await send(target.url + path, 'GET', { token: target.token }))
  const shown = Object.entries(body['status-by-tax-id'] as Record<string, Json>).flatMap(([taxId, parts]) =>
    Object.entries(parts as Record<string, Json>).map(([name, part]) => ({ key: `${taxId} ${name}`, part })),
  )
  expect(body.status).toBe('completed')
  expect(shown.map(({ key }) => key).toSorted()).toEqual(batch.parts.toSorted())
  const ids = shown.map(({ part }) => part['enrollment-id'])
  expect(shown.filter(({ part }) => part.status !== 'enrollment-created')).toEqual([])
  expect(new Set(ids).size).toBe(batch.parts.length)
}

test(
  `killed with -9 ${rounds} times amid ${smallBatches} small inclusions and a large one: what got 200 is stored once, no work stays open`,
  { timeout: 60_000 + rounds * 60_000 },
  async () => {
    const rng = rngOf(seed)
    const order = rng.shuffled(victims)
    const dataDir = await makeDemoData()
    const sent: Batch[] = []
    let program = await start(dataDir, 0)
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now()
      const target = await signIn(program)
      const batches = Array.from({ length: smallBatches }, () => smallBatch(rng, products, dayOf(round + 2)))
      const large = largeBatch(largeMembers, products, rng.oneIn(3) ? '?resolution=approve' : '')
      const victim = order[round % order.length] ?? 'service'
      const moment = rng.between(1, smallBatches - atOnce)
      const largeAt = rng.between(1, moment)
      const dying = program
      const largeSent: Promise<unknown>[] = []
      let recovering: Promise<Program> | undefined
      await sendAll(target, batches, atOnce, (responses) => {
        if (responses === largeAt) largeSent.push(sendBatch(target, large))
        if (responses === moment) recovering = killAndRecover(victim, dying, dataDir, round)
      })
      program = (await recovering) ?? program
      await Promise.all(largeSent)
      expect(dying.ended).toBe(victim !== 'PostgreSQL')
      expect(dying.errorLines.filter((line) => !line.includes('PostgreSQL ended by itself'))).toEqual([])
      sent.push(...batches, large)

      const { violations, comparison } = await withDatabase(dataDir, async (ask) => {
        await until(
          () => readOpenWork(ask, dayOf(round)),
          (open) => open === 0,
        )
        return { violations: await readViolations(ask), comparison: await compare(ask, sent) }
      })
      expect(violations).toEqual({})
      expect(comparison.differences).toEqual([])
      const reader = await signIn(program)
      for (const batch of [...batches, large]) if (batch.requestId !== null) await expectCompleted(reader, batch)
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
      const received = batches.filter((batch) => batch.requestId !== null).length
      console.log(
        `round ${round + 1}: ${victim} killed after ${moment} responses, the large one ${large.requestId === null ? 'not ' : ''}accepted; ` +
          `${received} small ones accepted, ${comparison.withoutResponse} so far stored without a response; ${seconds} s`,
      )
    }
    // Everything that is due by the last day is processed too.
    const last = dayOf(rounds - 1)
    await withDatabase(dataDir, (ask) =>
      until(
        () => readViolations(ask, last),
        (violations) => Object.keys(violations).length === 0,
      ),
    )
    expect(await program.stop()).toBe(0)
  },
)
