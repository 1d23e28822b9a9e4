import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { type Installation, openInstallation, type Victim, victims } from '../crash/installation.ts'
import type { Query } from '../crash/invariants.ts'
import { lanesOf, type LoadTarget, makeCast, type Stored } from '../crash/mixed-load.ts'
import { moneySteps } from '../crash/money-load.ts'
import { peopleSteps } from '../crash/people-load.ts'
import { clearPrograms } from '../crash/program.ts'
import { retryingClient } from '../crash/retrying-client.ts'
import { type Rng, rngOf } from '../crash/rng.ts'
import { shipmentSteps } from '../crash/shipment-load.ts'
import { checkStored, type Losses, readPendingDeliveries, readWaiting } from '../crash/stored-checks.ts'
import { openTenant } from '../crash/tenant.ts'
import { closeEngineFixture } from '../platform/embedded-postgres/engine-fixture.ts'
import { openReceiver, type Receiver } from '../world/receiver.ts'
import { expectOk, send, until } from '../world/test-app.ts'
import { seed } from '../seed.ts'

/*
 * `npm run crash`: rounds of every kind of write, with a kill at a random moment (seeded), all on one database. Clients repeat their calls
 * until each has a final response; afterwards everything is stored once, nothing waits, and the audit chain is intact.
 */
// Each victim once in the long run.
const rounds = Number(process.env['VIGENCIA_CRASH_ROUNDS'] ?? victims.length)
// On a busy machine a few events are delivered a second.
const stuckAfterMs = 240_000

const dayOf = (week: number): string => new Date(Date.UTC(2026, 10, 23 + 7 * week)).toISOString().slice(0, 10)

interface Round extends Losses {
  readonly victim: Victim
  readonly calls: number
  readonly retries: number
  /** The seconds from the end of the load to the end of all work; null: never. */
  readonly seconds: number | null
  readonly stuck: readonly string[]
}

interface Ground {
  readonly installation: Installation
  readonly receiver: Receiver
  readonly ask: Query
  readonly rng: Rng
  /** The batches of all rounds. */
  readonly batches: Stored['batches']
}

async function runRound({ installation, receiver, ask, rng, batches }: Ground, round: number, victim: Victim) {
  const tenant = await openTenant(await installation.url())
  const endpoint = await send(`${await installation.url()}/v1/webhook-endpoint`, 'POST', {
    token: tenant.token,
    body: { url: receiver.url },
  })
  expectOk(endpoint)
  const lists = {
    excluded: [],
    altered: [],
    answered: [],
    imported: [],
    documents: [],
    invoices: [],
    shipments: [],
    months: [],
    people: [],
  }
  const stored: Stored = { batches, ...lists }
  let onResponse = () => {}
  const client = retryingClient(installation, tenant, () => onResponse())
  const { businessDate } = installation
  const target: LoadTarget = { client, tenant, businessDate, rng, round }
  const cast = await makeCast(target, stored)
  const lanes = [
    ...lanesOf(target, cast, stored, dayOf(round + 2)),
    shipmentSteps(target, stored, 2),
    moneySteps(target, stored, 2),
    peopleSteps(target, stored),
  ]
  const steps = lanes.flat().length
  const [moment, delay] = [rng.between(1, steps - 6), rng.between(0, 60)]
  let responses = 0
  let killed: Promise<void> | undefined
  onResponse = () => {
    responses += 1
    if (responses === moment) killed = pause(delay).then(() => installation.killAndRestart(victim, dayOf(round + 1)))
  }
  const work = lanes.map(async (lane) => {
    for (const step of lane) await step()
  })
  await Promise.all(work)
  await killed
  const begun = performance.now()
  let waiting: Record<string, number> = {}
  const settled = await until(
    async () => (waiting = await readWaiting(ask, installation.businessDate)),
    (found) => Object.keys(found).length === 0,
    stuckAfterMs,
  ).then(
    () => true,
    () => false,
  )
  const deliveries = settled ? [] : await readPendingDeliveries(ask)
  const seconds = settled ? (performance.now() - begun) / 1_000 : null
  const received = new Set(receiver.calls.map(({ headers }) => String(headers['webhook-id'])))
  const losses = await checkStored({ client, installation, tenant, ask, stored, received })
  const stuck = [...Object.entries(waiting).map(([kind, count]) => `${count} ${kind}`), ...deliveries]
  return { victim, moment, calls: responses, retries: client.retries, seconds, stuck, ...losses }
}

const row = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`

/** The totals as a Markdown table, a row for each victim. */
function tableOf(all: readonly Round[]): string {
  const columns = ['killed', 'rounds', 'calls', 'retries', 'lost', 'doubled', 'stuck', 'other', 'longest rest, s']
  const sum = (some: readonly Round[], count: (one: Round) => number) =>
    some.reduce((total, one) => total + count(one), 0)
  const line = (name: string, some: readonly Round[]) =>
    row([
      name,
      some.length,
      sum(some, (one) => one.calls),
      sum(some, (one) => one.retries),
      sum(some, (one) => one.lost.length),
      sum(some, (one) => one.doubled.length),
      sum(some, (one) => one.stuck.length),
      sum(some, (one) => one.other.length),
      Math.max(0, ...some.map((one) => one.seconds ?? stuckAfterMs / 1_000)).toFixed(1),
    ])
  const lines = victims.map((victim) =>
    line(
      victim,
      all.filter((one) => one.victim === victim),
    ),
  )
  return [row(columns), row(columns.map(() => '---')), ...lines, line('total', all)].join('\n')
}

afterAll(async () => {
  await clearPrograms()
  await closeEngineFixture()
})

test(
  `killed with -9 ${rounds} times amid every kind of write: nothing lost, doubled or stuck, the audit chain intact`,
  { timeout: 120_000 + rounds * 300_000 },
  async () => {
    const rng = rngOf(seed)
    const receiver = await openReceiver()
    const installation = await openInstallation(dayOf(0), {
      VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
      VIGENCIA_ONBOARDING: 'on',
    })
    const pool = new Pool({ connectionString: installation.databaseUrl, max: 1 })
    // Its PostgreSQL is killed.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('error', () => {})
    const ask: Query = async (text, values = []) => (await pool.query(text, values)).rows
    const ground: Ground = { installation, receiver, ask, rng, batches: [] }
    const all: Round[] = []
    let order: Victim[] = []
    try {
      for (let round = 0; round < rounds; round += 1) {
        if (order.length === 0) order = rng.shuffled(victims)
        const victim = order.pop() ?? 'all'
        const { moment, ...result } = await runRound(ground, round, victim)
        all.push(result)
        const { calls, retries, seconds, lost, doubled, stuck, other } = result
        const bad = [...lost, ...doubled, ...stuck, ...other]
        console.log(
          `round ${round + 1}: ${victim} killed after ${moment} of ${calls} responses, ${retries} retries; ` +
            `${lost.length} lost, ${doubled.length} doubled, ${stuck.length} stuck; rest ${seconds?.toFixed(1) ?? '-'} s` +
            (bad.length === 0 ? '' : `\n  ${bad.slice(0, 20).join('\n  ')}`),
        )
      }
    } finally {
      console.log(`VIGENCIA_SEED=${seed}\n${tableOf(all)}`)
      await pool.end()
      await receiver.close()
    }
    expect(all.flatMap(({ lost, doubled, stuck, other }) => [...lost, ...doubled, ...stuck, ...other])).toEqual([])
  },
)
