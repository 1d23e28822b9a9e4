/*
 * Work at volume: a batch of exclusions against an inclusion of that size, and a file of decisions. `node bench/volume.ts [MEMBERS] [ROUNDS]`,
 * 10,000 and 3 by default. Each round includes fresh people, completes their inclusions by a file, excludes all in one batch, with an entry for each
 * person, and completes the exclusions by a file.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { median, ms, printTable, verdict } from './figures.ts'
import { call, makePartner, payroll, signIn } from './partner.ts'
import { connected } from './rows.ts'
import { operator, runBench } from './bench.ts'

const members = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 3)
const decisionMs = 20_000

interface Round {
  readonly accepted: number
  readonly processed: number
  readonly excludedAccepted: number
  readonly excludedProcessed: number
  readonly completed: number
  readonly ended: number
  readonly memory: number
}

await runBench(30, async (bench) => {
  const databaseUrl = await bench.database('volume')
  const program = await bench.service(databaseUrl)
  const { url } = program
  const database = await connected(databaseUrl)
  const { headers, companyTaxIds } = await makePartner(url, 1)
  const [companyTaxId = ''] = companyTaxIds
  const operatorHeaders = await signIn(url, operator.id, operator.secret)

  /** @returns the milliseconds until the response, and from there until the request is processed. */
  const move = async (path: string, body: string): Promise<{ id: string; accepted: number; processed: number }> => {
    const start = performance.now()
    const id = String((await call(url, 'POST', path, headers, body))['request-id'])
    const acceptedAt = performance.now()
    for (;;) {
      const { rows } = await database.query('select status from request where id = $1', [id])
      if ((rows[0] as { status: string }).status !== 'processing') break
      await pause(10)
    }
    return { id, accepted: acceptedAt - start, processed: performance.now() - acceptedAt }
  }
  const decide = async (requestId: string): Promise<number> => {
    const { rows } = await database.query<{ id: string }>('select id from enrollment where request_id = $1', [
      requestId,
    ])
    const body = `enrollment-id;status;card-number;start-date;end-date;reason\n${rows.map(({ id }) => `${id};completed;;;;\n`).join('')}`
    const start = performance.now()
    const response = await fetch(`${url}/operator/v1/enrollment/decision`, {
      method: 'POST',
      headers: { ...operatorHeaders, 'content-type': 'text/csv', prefer: 'wait=60' },
      body,
    })
    const { accepted } = (await response.json()) as { accepted: number }
    if (accepted !== members) throw new Error(`${response.status}: ${accepted} decisions were done`)
    return performance.now() - start
  }
  const round = async (): Promise<Round> => {
    const body = payroll(companyTaxId, members)
    const included = await move('/v1/enrollment/inclusion', body)
    const before = program.settleMemory()
    const completed = await decide(included.id)
    const memory = program.peakMemory() - before
    const taxIds = (JSON.parse(body) as { members: { 'tax-id': string }[] }).members.map((one) => one['tax-id'])
    const details = { 'end-date': new Date().toISOString().slice(0, 10), 'exclusion-reason': 'dismissal' }
    const entries = taxIds.map((taxId) => ({ 'tax-id': taxId, 'exclusion-details': details }))
    const excluded = await move(
      '/v1/enrollment/exclusion',
      JSON.stringify({ 'company-tax-id': companyTaxId, members: entries }),
    )
    return {
      accepted: included.accepted,
      processed: included.processed,
      excludedAccepted: excluded.accepted,
      excludedProcessed: excluded.processed,
      completed,
      ended: await decide(excluded.id),
      memory,
    }
  }
  const all: Round[] = []
  for (let n = 0; n < rounds; n += 1) {
    const one = await round()
    console.log(
      Object.entries(one)
        .map(([name, value]) => `${name} ${value.toFixed(0)}`)
        .join(', '),
    )
    all.push(one)
  }
  const of = (name: keyof Round) => median(all.map((one) => one[name]))
  printTable(`${members} people, median of ${rounds} rounds`, [
    ['What', 'Inclusion', 'Exclusion', 'Wanted'],
    [
      'accepted',
      ms(of('accepted')),
      ms(of('excludedAccepted')),
      verdict(of('excludedAccepted') / of('accepted'), 'at most', 3, ' x'),
    ],
    [
      'processed',
      ms(of('processed')),
      ms(of('excludedProcessed')),
      verdict(of('excludedProcessed') / of('processed'), 'at most', 2, ' x'),
    ],
    [
      'completed by a file of decisions',
      ms(of('completed')),
      ms(of('ended')),
      verdict(Math.max(of('completed'), of('ended')), 'at most', decisionMs, ' ms'),
    ],
    ['memory of the service during the file', `+${of('memory').toFixed(0)} MiB`, '', ''],
  ])
  await database.end()
})
