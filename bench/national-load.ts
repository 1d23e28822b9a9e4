/*
 * The load of a country on the whole service: `node bench/national-load.ts [OPTIONS]`, by default 5,000,000 members in 50,000 companies, 1,500 reads
 * and 100 movements a second for 30 minutes. The options stand where they are parsed; docs/explanation/performance.md has the
 * method.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type RecordableHistogram, createHistogram } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { type Backlog, readBacklog } from '#platform/core/telemetry/backlog-queries.ts'
import { businessDate } from '#kernel/calendar.ts'
import { completeCnpj, completeCpf } from '#kernel/tax-id.ts'
import { checkDatabase } from '#apps/invariants/check.ts'
import { cpfAt } from '../test/data/people.ts'
import {
  type Bench,
  type Program,
  Sender,
  call,
  connected,
  getRequest,
  idOf,
  insertMembers,
  makeCompanies,
  ms,
  operator,
  payroll,
  people,
  percentile,
  postRequest,
  postgresUsage,
  postmasterOf,
  printTable,
  requestId,
  runBench,
  signIn,
  startPeopleAfter,
  startProgram,
  withoutIndexes,
  programsFile,
} from './bench.ts'

interface GeneratorSettings {
  readonly urls: readonly string[]
  readonly members: number
  readonly companies: number
  readonly clients: readonly { readonly id: string; readonly secret: string }[]
  readonly operator: { readonly id: string; readonly secret: string }
  readonly seconds: number
  readonly intervalSeconds: number
  readonly rates: Rates
  readonly seed: number
}

/** The responses of a kind or group; latencies in milliseconds, null when there were none. */
export interface Result {
  readonly count: number
  readonly p50: number | null
  readonly p99: number | null
  readonly p999: number | null
  readonly max: number | null
  /** Responses that are not 2xx, by status, or by the code of the socket's error. */
  readonly errors: Record<string, number>
  /** Parts of successful responses that failed: lines of files, people of an inclusion. */
  readonly failedParts: number
}

interface GeneratorLine {
  readonly isLast: boolean
  /** Seconds from the start of the load. */
  readonly at: number
  readonly kinds: Record<string, Result>
  readonly groups: Record<Kind['group'], Result>
  /** By how much requests were given to a connection later than scheduled because this process was busy. */
  readonly lateMs: { readonly p99: number; readonly max: number }
  /** Without a connection, and without a complete response. */
  readonly waiting: number
  readonly underWay: number
  /** Enrollments that wait for an operator. */
  readonly open: number
  /** Scheduled when there was nothing to send, by kind. */
  readonly skipped: Record<string, number>
  /** The first response of each kind and status that is an error. */
  readonly samples: Record<string, string>
}

/** The first line of a file of members with one benefit each. */
const importHeader =
  'company-tax-id;beneficiary-type;name;tax-id;mothers-name;date-of-birth;gender;marital-status;admission-date;work-contract-type;' +
  'job-title;employee-id;cost-center;salary;email-corporate;phone;product-name;start-date;card-number\n'

/** The line of person `n` of `cpfAt`, about 280 bytes. */
const importLine = (companyTaxId: string, n: number): string =>
  `${companyTaxId};primary;Conceição Letícia Kobayashi Müller ${n};${cpfAt(n)};` +
  `Ana Helena da Silva Kobayashi;1990-05-17;female;single;2022-05-03;brazil-labor-law;Analista de Produção;E${n};CC-${n % 200};` +
  `2201631;e${n}@serraazul.example;11925618483;Saúde Essencial Enfermaria;2022-06-01;0045 ${n}\n`

/*
 * The members of a country: companies of very different sizes, hundreds of clients, a year of past movements. Everything is a function of a
 * number, in SQL to write it and in JavaScript to read it: the load needs no list of what exists.
 */
interface Company {
  /** From 1. */
  readonly number: number
  readonly taxId: string
  /** The number of its first family; the families of a company follow each other. */
  readonly firstFamily: number
  readonly families: number
}

const membersOfFamily = 3
const largestCompany = 10_000
/** The size of a company is its rank to the power of minus this: the smaller half of the companies has a tenth of the members. */
const skew = 0.95
/** Each fifth family of a company came by an inclusion of the past; so many families, of which it is a fifth, share a request. */
const familiesOfRequest = 50
const pastEvery = 5
const familiesPerStep = 50_000

/** Companies by falling size; with few members the largest has a twentieth of them. */
function companiesOf(members: number, companies: number): Company[] {
  const wanted = Math.floor(members / membersOfFamily)
  const most = Math.max(1, Math.floor(Math.min(largestCompany, members / 20) / membersOfFamily))
  const sizeOf = (rank: number, scale: number) => Math.max(1, Math.min(most, Math.floor(scale * rank ** -skew)))
  const total = (scale: number) => {
    let sum = 0
    for (let rank = 1; rank <= companies; rank += 1) sum += sizeOf(rank, scale)
    return sum
  }
  let [low, high] = [0, wanted * companies]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (total(middle) > wanted) high = middle
    else low = middle
  }
  let firstFamily = 1
  return Array.from({ length: companies }, (_, n) => {
    const families = sizeOf(n + 1, low)
    const company = {
      number: n + 1,
      taxId: completeCnpj(String(n + 1).padStart(12, '0')),
      firstFamily,
      families,
    }
    firstFamily += families
    return company
  })
}

const membersOf = (companies: readonly Company[]): number =>
  companies.reduce((sum, { families }) => sum + families * membersOfFamily, 0)

/** The number of a person: 0 is the primary of the family, 1 and 2 its dependents. */
const personNumber = (family: number, person: number): number => family * membersOfFamily + person

/** As `people` in SQL. */
function taxIdOf(person: number): string {
  return completeCpf(String((person * 387_420_489) % 1_000_000_007).padStart(9, '0'))
}

/** As `people` in SQL. */
function memberIdOf(person: number): string {
  const hex = createHash('md5').update(`member${person}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The past inclusion of a person of a family for which `hasPast`. */
const enrollmentIdOf = (person: number): string => `01995e0c-0005-7000-8000-${person.toString(16).padStart(12, '0')}`

/** Whether the family came by an inclusion; the others were imported. */
const hasPast = (family: number): boolean => family % pastEvery === 0

/** The request of the past inclusion of a family of the company. */
function pastRequestId(company: Company, family: number): string {
  return requestId(Math.max(company.firstFamily, family - (family % familiesOfRequest)))
}

/** The client of a company's past requests, by its index of so many; others may be entitled to the company too. */
const clientOf = (company: Company, clients: number): number => company.number % clients

/** Writes it all into a migrated database without companies. @param clientIds those entitled to the companies. */
async function makePopulation(
  client: Client,
  companies: readonly Company[],
  clientIds: readonly string[],
): Promise<void> {
  await makeCompanies(client, companies.length)
  await client.query(
    `create temporary table numbered as
     select company, first_family, families, $4::text[] as client_ids, ($4::text[])[company % cardinality($4::text[]) + 1] as client_id
     from unnest($1::int[], $2::int[], $3::int[]) made (company, first_family, families)`,
    [
      companies.map(({ number }) => number),
      companies.map(({ firstFamily }) => firstFamily),
      companies.map(({ families }) => families),
      clientIds,
    ],
  )
  // The first client is a payroll bureau with each twentieth company; each third company has a second client.
  await client.query(
    `insert into entitlement (company_id, client_id, created_at)
     select ${idOf('0001', 'company')}, client_id, now() from (
       select company, client_id from numbered
       union select company, client_ids[1] from numbered where company % 20 = 0
       union select company, client_ids[company * 7 % cardinality(client_ids) + 1] from numbered where company % 3 = 0) e`,
  )
  const tables = ['member', 'benefit', 'request', 'enrollment', 'enrollment_history', 'audit', 'audit_pending']
  const write = async () => {
    for (let from = 1; from <= lastFamily(companies); from += familiesPerStep) {
      await insertMembers(client, people(numbersOf(from, '1')))
      await insertPast(client, from)
    }
  }
  // Citus writes the rows of a step to the nodes itself; its constraints are not taken away.
  if (await isCitus(client)) await write()
  else await withoutIndexes(client, tables, write)
  await client.query('drop table numbered')
  await client.query(`vacuum (analyze) ${[...tables, 'company', 'product', 'entitlement'].join()}`)
}

/** Whether the database is on the coordinator of a Citus cluster. */
async function isCitus(client: Client): Promise<boolean> {
  return (await client.query(`select from pg_extension where extname = 'citus'`)).rows.length > 0
}

function lastFamily(companies: readonly Company[]): number {
  const last = companies.at(-1)
  return last === undefined ? 0 : last.firstFamily + last.families - 1
}

/** SQL of the people of a step, every so many families. */
const numbersOf = (from: number, every: string) =>
  `select family * ${membersOfFamily} + person as n, company
   from numbered, generate_series(greatest(first_family, ${from}), least(first_family + families, ${from + familiesPerStep}) - 1) family,
     generate_series(0, ${membersOfFamily - 1}) person
   where family % ${every} = 0`

/** Older than the events that are stored, so that none is missing. */
const pastAt = (family: string) =>
  `date_trunc('day', now()) - interval '100 days' - ${family} / ${familiesOfRequest} * 900 % 31000000 * interval '1 second'`

/** Each fifth family's inclusion, accepted by its client and completed a day later, with what the audit has of both. */
async function insertPast(client: Client, from: number): Promise<void> {
  const until = from + familiesPerStep
  const requests = `
    select company, client_id, greatest(first_family, bucket * ${familiesOfRequest}) as n, ${pastAt(`bucket * ${familiesOfRequest}`)} as at
    from (select company, client_id, first_family, families, bucket
      from numbered, generate_series(greatest(first_family, ${from}) / ${familiesOfRequest},
        (least(first_family + families, ${until}) - 1) / ${familiesOfRequest}) bucket
      where first_family < ${until} and first_family + families > ${from}) b
    where exists (select from generate_series(greatest(first_family, bucket * ${familiesOfRequest}),
      least(first_family + families, (bucket + 1) * ${familiesOfRequest}) - 1) family where family % ${pastEvery} = 0)
      and greatest(first_family, bucket * ${familiesOfRequest}) between ${from} and ${until - 1}`
  await client.query(
    `insert into request (company_id, id, client_id, request_type, status, created_at, finished_at)
     select ${idOf('0001', 'company')}, ${idOf('0004', 'n')}, client_id, 'inclusion', 'completed', at, at + interval '1 second' from (${requests}) r`,
  )
  const request = `greatest(first_family, n / ${membersOfFamily} - n / ${membersOfFamily} % ${familiesOfRequest})`
  const past = `select p.*, ${request} as request, ${pastAt(`(n / ${membersOfFamily})`)} as at
    from (${people(numbersOf(from, String(pastEvery)))}) p join numbered using (company)`
  await client.query(
    `insert into enrollment (company_id, id, request_id, enrollment_type, status, member_id, member_tax_id, member_type,
       primary_member_id, product_id, product_name, benefit_id, data, initial_status, created_at, updated_at)
     select company_id, ${idOf('0005', 'n')}, ${idOf('0004', 'request')}, 'inclusion', 'completed', id, tax_id,
       case when is_primary then 'primary' else 'dependent' end, case when not is_primary then primary_id end,
       ${idOf('0002', 'company * 2')}, 'Saúde Essencial Enfermaria', ${idOf('0003', 'n * 2')}, '{"employee-id":"E1","salary":2201631}',
       'created', at, at + interval '1 day'
     from (${past}) x`,
  )
  await client.query(
    `insert into enrollment_history (company_id, enrollment_id, step, status, at, actor)
     select company_id, ${idOf('0005', 'n')}, 1, 'completed', at + interval '1 day', 'operator' from (${past}) x`,
  )
  await client.query(
    `insert into audit (id, at, actor, action, target, company_id)
     select ${idOf('0006', 'n')}, at, client_id, 'inclusion.requested', ${idOf('0004', 'n')}::text, ${idOf('0001', 'company')} from (${requests}) r
     union all
     select ${idOf('0007', 'n')}, at + interval '1 day', 'bench-operator', 'enrollment.completed', ${idOf('0005', 'n')}::text, company_id from (${past}) x`,
  )
  await client.query(
    `insert into audit_pending (id, at)
     select ${idOf('0006', 'n')}, at from (${requests}) r
     union all select ${idOf('0007', 'n')}, at + interval '1 day' from (${past}) x`,
  )
}

/* What the clients and operators of a country send: each kind of request with its rate, and how one is made. */
interface Rates {
  readonly readsPerSecond: number
  /** People a second in inclusions, exclusions and alterations. */
  readonly movementsPerSecond: number
  /** People in a large inclusion. */
  readonly payrollSize: number
  readonly importLines: number
  readonly importEverySeconds: number
}

interface Planned {
  readonly bytes: () => Buffer
  /** Reads the body of a response of 200. @returns how many parts of it failed, such as the lines of a file. */
  readonly onBody?: (body: string) => number
}

interface Kind {
  readonly name: string
  readonly group: 'reads' | 'movements' | 'operators'
  readonly perSecond: number
  /** null: there is nothing to send, such as a decision when no movement is open. */
  readonly plan: () => Planned | null
}

type Headers = Record<string, string>

const decisionsOfFile = 200
const largeCompanies = 0.02
const readAfterMs = 1_000
const recentRequests = 10_000
/** Prime, so that the families come in an order that repeats none. */
const familyStride = 1_000_003

interface Known {
  readonly client: number
  readonly requestId: string
  /** Whose parts an operator decides: those of a dependent follow the exclusion of its primary. null: everybody's. */
  readonly decidedTaxId: string | null
  readonly at: number
}

/** The requests of the run, and what it knows of those that it sent. */
class Mix {
  readonly kinds: readonly Kind[]
  readonly #url: string
  readonly #companies: readonly Company[]
  readonly #clients: readonly Headers[]
  readonly #operator: Headers
  readonly #random: () => number
  readonly #families: number
  /** Accepted and not yet read as processed, oldest first. */
  readonly #accepted: Known[] = []
  readonly #recent: Known[] = []
  /** Enrollments that wait for an operator, oldest first. */
  readonly #open: string[] = []
  #family: number
  #imported: number

  /**
   * @param clients the headers of each client; changed when a token is renewed, as those of the operator.
   * @param random from 0 to 1; the same numbers give the same run.
   */
  constructor(
    { url, companies, rates }: { url: string; companies: readonly Company[]; rates: Rates },
    { clients, operator }: { clients: readonly Headers[]; operator: Headers },
    random: () => number,
  ) {
    this.#url = url
    this.#companies = companies
    this.#clients = clients
    this.#operator = operator
    this.#random = random
    this.#families = companies.reduce((sum, { families }) => sum + families, 0)
    this.#family = this.#below(this.#families)
    this.#imported = this.#below(700_000_000)
    this.kinds = this.#makeKinds(rates)
  }

  /** Enrollments that wait for an operator. */
  get open(): number {
    return this.#open.length
  }

  #makeKinds({ readsPerSecond, movementsPerSecond, payrollSize, importLines, importEverySeconds }: Rates): Kind[] {
    const read = (name: string, share: number, path: () => [client: number, path: string]): Kind => ({
      name,
      group: 'reads',
      perSecond: share * readsPerSecond,
      plan: () => {
        const [client, chosen] = path()
        return { bytes: () => getRequest(this.#url, chosen, this.#clients[client]) }
      },
    })
    const movement = (name: string, perSecond: number, plan: () => Planned): Kind => ({
      name,
      group: 'movements',
      perSecond,
      plan,
    })
    const member = (path: (person: number) => string) => (): [number, string] => {
      const [company, family] = this.#anyFamily()
      return [this.#clientOf(company), path(personNumber(family, this.#below(3)))]
    }
    return [
      { name: 'request by id', group: 'reads', perSecond: 0.325 * readsPerSecond, plan: () => this.#readRequest() },
      read('enrollment by id', 0.2, () => {
        const [company, family] = this.#pastFamily()
        const id = enrollmentIdOf(personNumber(family, this.#below(3)))
        return [this.#clientOf(company), `/v1/enrollment/detail/${id}`]
      }),
      read(
        'member by CPF',
        0.25,
        member((person) => `/v1/member?filter=tax-id%3D${taxIdOf(person)}`),
      ),
      read(
        'member by id',
        0.1,
        member((person) => `/v1/member/${memberIdOf(person)}`),
      ),
      read('company', 0.1, () => {
        const [company] = this.#anyFamily()
        return [this.#clientOf(company), `/v1/company/${company.taxId}`]
      }),
      read('list of requests', 0.02, () => [this.#below(this.#clients.length), '/v1/request?items-per-page=20']),
      {
        name: 'queue of operators',
        group: 'reads',
        perSecond: 0.005 * readsPerSecond,
        plan: () => ({
          bytes: () =>
            getRequest(this.#url, '/operator/v1/enrollment?status=created&items-per-page=20', this.#operator),
        }),
      },
      movement('inclusion of one member', 0.5 * movementsPerSecond, () => this.#include(this.#anyFamily()[0], 1)),
      movement(`inclusion of ${payrollSize}`, (0.2 * movementsPerSecond) / payrollSize, () => {
        const company = this.#companies[this.#below(Math.ceil(this.#companies.length * largeCompanies))] as Company
        return this.#include(company, payrollSize)
      }),
      movement('exclusion', 0.15 * movementsPerSecond, () => this.#exclude()),
      movement('alteration', 0.15 * movementsPerSecond, () => this.#alter()),
      { name: 'decision', group: 'operators', perSecond: 0.2 * movementsPerSecond, plan: () => this.#decide() },
      {
        name: 'file of decisions',
        group: 'operators',
        perSecond: (0.8 * movementsPerSecond) / decisionsOfFile,
        plan: () => this.#decideByFile(),
      },
      {
        name: `import of ${importLines}`,
        group: 'operators',
        perSecond: 1 / importEverySeconds,
        plan: () => this.#import(importLines),
      },
    ]
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  /** A family, each as likely as another, with its company. */
  #anyFamily(): [Company, number] {
    const family = 1 + this.#below(this.#families)
    return [this.#companyOf(family), family]
  }

  #pastFamily(): [Company, number] {
    for (;;) {
      const [company, family] = this.#anyFamily()
      if (hasPast(family)) return [company, family]
    }
  }

  /** A family that no other call gives. */
  #nextFamily(): [Company, number] {
    this.#family = (this.#family + familyStride) % this.#families
    return [this.#companyOf(this.#family + 1), this.#family + 1]
  }

  #companyOf(family: number): Company {
    let [low, high] = [0, this.#companies.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#companies[middle] as Company).firstFamily <= family) low = middle
      else high = middle - 1
    }
    return this.#companies[low] as Company
  }

  #clientOf(company: Company): number {
    return clientOf(company, this.#clients.length)
  }

  #readRequest(): Planned {
    const [oldest] = this.#accepted
    if (oldest !== undefined && performance.now() - oldest.at > readAfterMs) {
      this.#accepted.shift()
      return {
        bytes: () => getRequest(this.#url, `/v1/request/${oldest.requestId}`, this.#clients[oldest.client]),
        onBody: (body) => this.#noteProgress(oldest, body),
      }
    }
    const recent = this.#random() < 0.5 ? this.#recent[this.#below(this.#recent.length)] : undefined
    const [company, family] = this.#pastFamily()
    const [client, id] =
      recent === undefined
        ? [this.#clientOf(company), pastRequestId(company, family)]
        : [recent.client, recent.requestId]
    return { bytes: () => getRequest(this.#url, `/v1/request/${id}`, this.#clients[client]) }
  }

  #noteProgress(known: Known, body: string): number {
    const request = JSON.parse(body) as {
      status: string
      'status-by-tax-id': Record<string, Record<string, { 'enrollment-id'?: string; 'enrollment-status'?: string }>>
    }
    if (request.status === 'processing') {
      this.#accepted.push({ ...known, at: performance.now() })
      return 0
    }
    if (this.#recent.length < recentRequests) this.#recent.push(known)
    else this.#recent[this.#below(recentRequests)] = known
    let failed = 0
    for (const [taxId, parts] of Object.entries(request['status-by-tax-id'])) {
      const isDecided = known.decidedTaxId === null || known.decidedTaxId === taxId
      for (const part of Object.values(parts)) {
        if (part['enrollment-id'] === undefined) failed += 1
        else if (isDecided && part['enrollment-status'] === 'created') this.#open.push(part['enrollment-id'])
      }
    }
    return failed
  }

  #movement(company: Company, path: string, body: () => string, decidedTaxId: string | null = null): Planned {
    const client = this.#clientOf(company)
    return {
      bytes: () => postRequest(this.#url, path, this.#clients[client] ?? {}, body()),
      onBody: (received) => {
        const requestId = (JSON.parse(received) as { 'request-id': string })['request-id']
        this.#accepted.push({ client, requestId, decidedTaxId, at: performance.now() })
        return 0
      },
    }
  }

  #include(company: Company, members: number): Planned {
    return this.#movement(company, '/v1/enrollment/inclusion', () => payroll(company.taxId, members))
  }

  /** A dependent, or for each third a primary with the family. */
  #exclude(): Planned {
    const [company, family] = this.#nextFamily()
    const taxId = taxIdOf(personNumber(family, this.#below(3) === 0 ? 0 : 1))
    const details = { 'end-date': businessDate(new Date()), 'exclusion-reason': 'dismissal' }
    const path = `/v1/enrollment/exclusion/${taxId}/company/${company.taxId}`
    return this.#movement(company, path, () => JSON.stringify({ 'exclusion-details': details }), taxId)
  }

  #alter(): Planned {
    const [company, family] = this.#nextFamily()
    const taxId = taxIdOf(personNumber(family, 0))
    const data = { phone: `119${String(this.#below(100_000_000)).padStart(8, '0')}` }
    return this.#movement(company, `/v1/enrollment/alteration/${taxId}`, () =>
      JSON.stringify({ 'company-tax-id': company.taxId, 'alteration-data': data }),
    )
  }

  #decide(): Planned | null {
    const id = this.#open.shift()
    if (id === undefined) return null
    const path = `/operator/v1/enrollment/${id}/transition`
    return { bytes: () => postRequest(this.#url, path, this.#operator, JSON.stringify({ status: 'completed' })) }
  }

  #decideByFile(): Planned | null {
    const ids = this.#open.splice(0, decisionsOfFile)
    if (ids.length === 0) return null
    const file = `enrollment-id;status;card-number;start-date;end-date;reason\n${ids.map((id) => `${id};completed;;;;\n`).join('')}`
    return {
      bytes: () =>
        postRequest(
          this.#url,
          '/operator/v1/enrollment/decision',
          { ...this.#operator, prefer: 'wait=60' },
          file,
          'text/csv',
        ),
      onBody: (body) => (JSON.parse(body) as { rejected: number }).rejected,
    }
  }

  #import(lines: number): Planned {
    const [company] = this.#anyFamily()
    const first = this.#imported
    this.#imported += lines
    const file = () =>
      importHeader + Array.from({ length: lines }, (_, n) => importLine(company.taxId, first + n)).join('')
    return {
      bytes: () => postRequest(this.#url, '/operator/v1/member/import', this.#operator, file(), 'text/csv'),
      onBody: (body) => (JSON.parse(body) as { rejected: number }).rejected,
    }
  }
}

/* What is measured during the load, one JSON line an interval: responses, queues, processes, database. */
interface MachineSample {
  /** Seconds since the start of each process; of `postgres` of all its processes. */
  readonly cpuSeconds: Record<string, number>
  /** Resident memory; of `postgres` the proportional set size of all its processes, null when it cannot be read. */
  readonly mebibytes: Record<string, number | null>
  readonly backlog: Backlog
  readonly pendingDeliveries: number
  readonly databaseBytes: number
  /** Written to the write-ahead log since the start of the server; of a cluster of the coordinator. */
  readonly walBytes: number
  /** Received in the interval, and their delay from the event in milliseconds. */
  readonly webhooks: { readonly count: number; readonly p50: number; readonly p99: number }
}

type Sample = GeneratorLine & MachineSample

interface Measured {
  readonly database: Database
  readonly client: Client
  readonly programs: Readonly<Record<string, Program>>
  readonly postmasters: readonly number[]
  readonly receiverUrl: string
}

/** Reads what is measured beside the responses. The figures of webhooks begin again. */
async function takeSample(measured: Measured): Promise<MachineSample> {
  const { database, client, programs, postmasters, receiverUrl } = measured
  const postgres = postgresUsage(postmasters)
  const cpuSeconds: Record<string, number> = { postgres: postgres.cpuMs / 1_000 }
  const mebibytes: Record<string, number | null> = { postgres: postmasters.length === 0 ? null : postgres.mebibytes }
  for (const [name, program] of Object.entries(programs)) {
    cpuSeconds[name] = program.cpuMs() / 1_000
    mebibytes[name] = program.memory()
  }
  const webhooks = (await (await fetch(`${receiverUrl}/figures`)).json()) as Sample['webhooks']
  await fetch(receiverUrl, { method: 'DELETE' })
  return {
    cpuSeconds,
    mebibytes,
    backlog: await readBacklog(database),
    pendingDeliveries: await countPendingDeliveries(client),
    databaseBytes: await databaseBytes(client),
    walBytes: await numberFrom(client, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as n`),
    webhooks,
  }
}

/** Whether no accepted work, event, delivery or audit row waits. */
async function isIdle({ database, client }: Pick<Measured, 'database' | 'client'>): Promise<boolean> {
  const { work, undispatched, auditPending } = await readBacklog(database)
  return work + undispatched + auditPending === 0 && (await countPendingDeliveries(client)) === 0
}

/** The number that a statement selects as `n`. */
async function numberFrom(client: Client, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ n: number }>(text, values)
  return Number(rows[0]?.n)
}

const countPendingDeliveries = (client: Client): Promise<number> =>
  numberFrom(client, `select count(*)::int as n from webhook_delivery where status = 'pending'`)

/** The size of the database; on a Citus cluster, of all its nodes. */
async function databaseBytes(client: Client): Promise<number> {
  const size = 'select pg_database_size(current_database())::float8'
  if (!(await isCitus(client))) return numberFrom(client, `${size} as n`)
  return numberFrom(client, `select sum(result::float8) as n from run_command_on_all_nodes('${size}')`)
}

/* The tables at the end of bench/national-load.ts. */
export interface Run {
  readonly seconds: number
  /** Enrollments made in the run: people by benefit. */
  readonly movements: number
  readonly before: MachineSample
  readonly samples: readonly Sample[]
  /** After the wait. */
  readonly after: MachineSample
  readonly total: GeneratorLine
  /** Seconds from the last response until nothing waited; null when something still did after half an hour. */
  readonly idleAfter: number | null
}

const machineCores = 16
/** The share of the cores that is planned with, so that bursts do not wait. */
const usableShare = 0.7
const mebibyte = 1024 * 1024

function printReport(run: Run): void {
  const { total, samples } = run
  printTable(`Responses in ${run.seconds} s; latencies count from the scheduled time`, [
    ['Request', 'Responses', 'Rate', 'p50', 'p99', 'p99.9', 'Slowest', 'Errors', 'Failed parts'],
    ...Object.entries(total.groups).map(([name, result]) => rowOf(`all ${name}`, result, run.seconds)),
    ...Object.entries(total.kinds).map(([name, result]) => rowOf(name, result, run.seconds)),
  ])
  for (const [where, body] of Object.entries(total.samples)) console.log(`  ${where}: ${body}`)
  const skipped = Object.entries(total.skipped).map(([name, count]) => `${count} of ${name}`)
  console.log(
    `\nThe generator sent at most ${ms(total.lateMs.max)} after the schedule (p99 ${ms(total.lateMs.p99)}); without a response: ` +
      `${total.waiting + total.underWay}; nothing to send: ${skipped.join(', ') || 'never'}.`,
  )
  printQueues(run)
  printProcesses(run)
  printCost(run)
  const deliveries = samples.reduce((sum, { webhooks }) => sum + webhooks.count, run.after.webhooks.count)
  const delays = samples.flatMap(({ webhooks }) => (webhooks.count === 0 ? [] : [webhooks.p99]))
  console.log(
    `\nWebhooks: ${deliveries} received; p99 of their delay in an interval at most ${ms(Math.max(0, ...delays))}.`,
  )
}

function rowOf(name: string, result: Result, seconds: number): string[] {
  const { count, p50, p99, p999, max, errors, failedParts } = result
  const shown = Object.entries(errors).map(([status, times]) => `${times} x ${status}`)
  const latencies = [p50, p99, p999, max].map((one) => (one === null ? '' : ms(one)))
  return [
    name,
    String(count),
    `${(count / seconds).toFixed(2)}/s`,
    ...latencies,
    shown.join(', ') || 'none',
    String(failedParts),
  ]
}

function printQueues({ samples, idleAfter }: Run): void {
  const row = (name: string, unit: string, of: (sample: Sample) => number) => {
    const all = samples.map(of)
    return [
      name,
      ...[percentile(all, 50), Math.max(...all), all.at(-1) ?? 0].map(
        (one) => `${one.toFixed(one < 10 ? 1 : 0)}${unit}`,
      ),
    ]
  }
  printTable('What waited, at the end of each interval', [
    ['Queue', 'Median', 'Most', 'At the end'],
    row('accepted requests', '', ({ backlog }) => backlog.work),
    row('age of the oldest', ' s', ({ backlog }) => backlog.workAge),
    row('events to dispatch', '', ({ backlog }) => backlog.undispatched),
    row('deliveries', '', ({ pendingDeliveries }) => pendingDeliveries),
    row('audit rows outside the chain', '', ({ backlog }) => backlog.auditPending),
    row('enrollments for operators', '', ({ open }) => open),
  ])
  const when = idleAfter === null ? 'Something still waited half an hour' : `Nothing waited ${idleAfter.toFixed(1)} s`
  console.log(`\n${when} after the last response.`)
}

function printProcesses({ before, after, samples, seconds }: Run): void {
  printTable('Processes', [
    ['Process', 'CPU', 'Cores', 'Memory before', 'Most', 'At the end'],
    ...Object.keys(after.cpuSeconds).map((name) => {
      const cpu = cpuOf(name, before, after)
      const memory = samples.map(({ mebibytes }) => mebibytes[name] ?? Number.NaN)
      const sizes = [before.mebibytes[name] ?? Number.NaN, Math.max(...memory), memory.at(-1) ?? Number.NaN]
      return [name, `${cpu.toFixed(1)} s`, (cpu / seconds).toFixed(2), ...sizes.map((one) => `${one.toFixed(0)} MiB`)]
    }),
  ])
}

const cpuOf = (name: string, before: MachineSample, after: MachineSample) =>
  (after.cpuSeconds[name] ?? Number.NaN) - (before.cpuSeconds[name] ?? 0)

function printCost({ before, after, total, movements, seconds }: Run): void {
  const cpu = Object.keys(after.cpuSeconds).reduce((sum, name) => sum + cpuOf(name, before, after), 0)
  const bytes = after.databaseBytes - before.databaseBytes
  const wal = after.walBytes - before.walBytes
  const thousands = movements / 1_000
  const cores = cpu / seconds
  const factor = (machineCores * usableShare) / cores
  printTable('Cost', [
    ['What', 'Figure'],
    ['movements', `${movements}, ${(movements / seconds).toFixed(1)}/s`],
    ['CPU for a thousand movements with the reads beside them', `${(cpu / thousands).toFixed(1)} s`],
    ['database for a thousand movements', `${(bytes / mebibyte / thousands).toFixed(2)} MiB`],
    ['write-ahead log for a thousand movements', `${(wal / mebibyte / thousands).toFixed(1)} MiB`],
    ['size of the database', `${(after.databaseBytes / mebibyte).toFixed(0)} MiB`],
    [
      `estimate: ${machineCores} cores, ${usableShare * 100}% busy, without the generator`,
      `${Math.round((movements / seconds) * factor)} movements/s and ${Math.round((total.groups.reads.count / seconds) * factor)} reads/s`,
    ],
  ])
}

/*
 * Sends the load of bench/national-load.ts, in a process of its own: `node bench/national-load.ts generator FILE` with its settings as JSON.
 * Each kind arrives on a schedule of its own, whether responses come or not, and a latency counts from the scheduled time. Prints a JSON
 * line every interval and a last one with the totals.
 */
async function generate(settingsFile: string): Promise<void> {
  const readConnections = 64
  const writeConnections = 32
  const lastResponsesMs = 120_000
  /** Tokens are valid for an hour. */
  const renewEveryMs = 45 * 60_000
  const largestMicroseconds = 3_600_000_000
  const sampleLength = 300

  class Recorder {
    readonly latencies = newHistogram()
    errors: Record<string, number> = {}
    failedParts = 0

    add(other: Recorder): void {
      // An empty one would set the smallest value to one that was never recorded.
      if (other.latencies.count > 0) this.latencies.add(other.latencies)
      for (const [status, count] of Object.entries(other.errors))
        this.errors[status] = (this.errors[status] ?? 0) + count
      this.failedParts += other.failedParts
    }

    reset(): void {
      this.latencies.reset()
      this.errors = {}
      this.failedParts = 0
    }

    get result(): Result {
      const { latencies, errors, failedParts } = this
      const at = (percent: number) => (latencies.count === 0 ? null : latencies.percentile(percent) / 1_000)
      const [p50, p99, p999, max] = [at(50), at(99), at(99.9), latencies.count === 0 ? null : latencies.max / 1_000]
      return { count: latencies.count, p50, p99, p999, max, errors, failedParts }
    }
  }

  function newHistogram(): RecordableHistogram {
    return createHistogram({ lowest: 1, highest: largestMicroseconds, figures: 3 })
  }

  const record = (histogram: RecordableHistogram, milliseconds: number) =>
    histogram.record(Math.min(largestMicroseconds, Math.max(1, Math.round(milliseconds * 1_000))))

  /** Numbers from 0 to 1, the same for a seed (mulberry32). */
  function randomFrom(seed: number): () => number {
    let state = seed
    return () => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    }
  }

  const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as GeneratorSettings
  const [url = ''] = settings.urls
  const random = randomFrom(settings.seed)
  startPeopleAfter(Math.floor(random() * 700_000_000))
  const accounts = [...settings.clients, settings.operator]
  const headers = accounts.map(() => ({ authorization: '' }))
  const renew = async (n: number) => {
    const { id, secret } = accounts[n] as (typeof accounts)[number]
    Object.assign(headers[n] as object, await signIn(url, id, secret))
  }
  /** As often as it takes: an overloaded service may refuse it. */
  const renewUntilDone = async (n: number): Promise<void> => {
    for (;;) {
      try {
        return await renew(n)
      } catch {
        await pause(1_000)
      }
    }
  }
  for (let n = 0; n < accounts.length; n += 1) await renew(n)

  const companies = companiesOf(settings.members, settings.companies)
  const mix = new Mix(
    { url, companies, rates: settings.rates },
    { clients: headers.slice(0, -1), operator: headers.at(-1) ?? { authorization: '' } },
    random,
  )
  const reader = await Sender.open(settings.urls, readConnections)
  const writer = await Sender.open(settings.urls, writeConnections)
  const schedule = mix.kinds.map((kind) => ({
    kind,
    // Rare kinds come at a fixed interval, so that a short run has them too.
    dueIn: kind.perSecond >= 1 ? 0 : 500 / kind.perSecond,
    interval: new Recorder(),
    total: new Recorder(),
  }))
  const late = { interval: newHistogram(), total: newHistogram() }
  const skipped: Record<string, number> = {}
  const samples: Record<string, string> = {}

  /** Milliseconds until the next one: those of a Poisson process, or the same each time for a rare kind. */
  function gap({ perSecond }: Kind): number {
    return (perSecond >= 1 ? -Math.log(1 - random()) : 1) * (1_000 / perSecond)
  }

  function send(kind: Kind, recorder: Recorder, { bytes, onBody }: Planned, dueAt: number): void {
    const onEnd = (status: string, body: string) => {
      record(recorder.latencies, performance.now() - dueAt)
      if (status.startsWith('2')) recorder.failedParts += onBody?.(body) ?? 0
      else {
        recorder.errors[status] = (recorder.errors[status] ?? 0) + 1
        samples[`${kind.name}: ${status}`] ??= Buffer.from(body, 'latin1').toString().slice(0, sampleLength)
      }
    }
    ;(kind.group === 'reads' ? reader : writer).send({ bytes, dueAt, onEnd })
  }

  function sendDue(start: number): void {
    for (const one of schedule) {
      while (one.kind.perSecond > 0 && start + one.dueIn <= performance.now()) {
        const dueAt = start + one.dueIn
        one.dueIn += gap(one.kind)
        const planned = one.kind.plan()
        if (planned === null) {
          skipped[one.kind.name] = (skipped[one.kind.name] ?? 0) + 1
          continue
        }
        record(late.interval, performance.now() - dueAt)
        send(one.kind, one.interval, planned, dueAt)
      }
    }
  }

  function printLine(at: number, which: 'interval' | 'total'): void {
    const group = (name: Kind['group']) => {
      const sum = new Recorder()
      for (const one of schedule) if (one.kind.group === name) sum.add(one[which])
      return sum.result
    }
    const line: GeneratorLine = {
      isLast: which === 'total',
      at,
      kinds: Object.fromEntries(schedule.map((one) => [one.kind.name, one[which].result])),
      groups: { reads: group('reads'), movements: group('movements'), operators: group('operators') },
      lateMs: { p99: late[which].percentile(99) / 1_000, max: late[which].max / 1_000 },
      waiting: reader.waiting + writer.waiting,
      underWay: reader.underWay + writer.underWay,
      open: mix.open,
      skipped,
      samples,
    }
    console.log(JSON.stringify(line))
  }

  function endInterval(at: number): void {
    for (const { interval, total } of schedule) total.add(interval)
    if (late.interval.count > 0) late.total.add(late.interval)
    printLine(at, 'interval')
    for (const { interval } of schedule) interval.reset()
    late.interval.reset()
  }

  let renewed = 0
  const renewals = setInterval(() => {
    void renewUntilDone(renewed++ % accounts.length)
  }, renewEveryMs / accounts.length)
  const hasUnanswered = () => reader.waiting + reader.underWay + writer.waiting + writer.underWay > 0
  const endMs = settings.seconds * 1_000
  const start = performance.now()
  let nextLine = settings.intervalSeconds
  for (;;) {
    const elapsed = performance.now() - start
    if (elapsed < endMs) sendDue(start)
    else if (!hasUnanswered() || elapsed > endMs + lastResponsesMs) break
    if (elapsed >= nextLine * 1_000) {
      endInterval(nextLine)
      nextLine += settings.intervalSeconds
    }
    await pause(1)
  }
  clearInterval(renewals)
  endInterval((performance.now() - start) / 1_000)
  printLine((performance.now() - start) / 1_000, 'total')
  reader.close()
  writer.close()
  process.exit(0)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      // Size of the data.
      members: { type: 'string', default: '5000000' },
      companies: { type: 'string', default: '50000' },
      clients: { type: 'string', default: '300' },
      // Duration, 0 to make the data only; requests and people a second.
      minutes: { type: 'string', default: '30' },
      reads: { type: 'string', default: '1500' },
      movements: { type: 'string', default: '100' },
      // Members of a large inclusion, lines of an import.
      payroll: { type: 'string', default: '1000' },
      import: { type: 'string', default: '1000' },
      // Processes; without a worker the api processes do its work.
      api: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
      // An empty database of an existing PostgreSQL, or of the coordinator of a Citus cluster after `vigencia migrate --distribute`, as a superuser.
      database: { type: 'string' },
      // The pid of another PostgreSQL on this machine whose CPU and memory count.
      postmaster: { type: 'string', multiple: true, default: [] },
      // NAME=VALUE: a parameter of the PostgreSQL that is started.
      set: { type: 'string', multiple: true, default: [] },
      // Where the temporary folder is made.
      storage: { type: 'string', default: tmpdir() },
      // A folder for the data, which is kept and used again with `--keep-data`.
      data: { type: 'string' },
      'keep-data': { type: 'boolean', default: false },
      output: { type: 'string' },
    },
  })

  type Count =
    | 'members'
    | 'companies'
    | 'clients'
    | 'minutes'
    | 'reads'
    | 'movements'
    | 'payroll'
    | 'import'
    | 'api'
    | 'workers'

  function count(name: Count): number {
    const number = Number(values[name])
    if (!Number.isFinite(number) || number < 0) throw new RangeError(`--${name} must be a number`)
    return number
  }

  const generatorFile = fileURLToPath(import.meta.url)
  const intervalSeconds = 10
  const importEverySeconds = 120
  const maxIdleWaitMs = 30 * 60_000
  const makingMinutes = 90
  const stuckAfterSeconds = 900
  /** Each so many clients has a webhook endpoint. */
  const endpointEvery = 10

  /** What a kept folder has beside the database: what no one can read from that. */
  interface KeptData {
    readonly members: number
    readonly companies: number
    readonly masterKey: string
    readonly clients: readonly { readonly id: string; readonly secret: string }[]
  }

  const folder =
    values.data === undefined ? mkdtempSync(join(values.storage, 'vigencia-national-')) : resolve(values.data)
  mkdirSync(folder, { recursive: true })
  const keptFile = join(folder, 'national-load.json')
  // The folder is removed at the end: it must be of this bench.
  if (!existsSync(keptFile) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty, and has no data of this bench`)
  const kept = existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as KeptData) : null
  const members = kept?.members ?? count('members')
  const companies = companiesOf(members, kept?.companies ?? count('companies'))
  const masterKey = kept?.masterKey ?? randomBytes(32).toString('base64')
  const environment = {
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_DEMO: 'false',
  }

  /** Makes the clients through the API, and the rest by SQL. */
  async function makeData(url: string, client: Client): Promise<KeptData['clients']> {
    if ((await numberFrom(client, 'select count(*)::int as n from company')) > 0) {
      throw new Error(
        'The database has companies already: give an empty one, or with --data the folder that was kept with it.',
      )
    }
    const start = performance.now()
    const admin = await signIn(url, operator.id, operator.secret)
    const clients: { id: string; secret: string }[] = []
    for (let n = 0; n < count('clients'); n += 1) {
      const made = await call(url, 'POST', '/operator/v1/client', admin, { name: `Folha ${n}`, 'company-tax-ids': [] })
      clients.push({ id: String(made['client-id']), secret: String(made['client-secret']) })
    }
    const ids = clients.map(({ id }) => id)
    await makePopulation(client, companies, ids)
    const seconds = Math.round((performance.now() - start) / 1_000)
    console.log(
      `${membersOf(companies).toLocaleString('en')} members in ${companies.length.toLocaleString('en')} companies made in ${seconds} s`,
    )
    const data: KeptData = { members, companies: companies.length, masterKey, clients }
    writeFileSync(keptFile, JSON.stringify(data), { mode: 0o600 })
    return clients
  }

  /** Gives each tenth client one endpoint, that of this run. */
  async function makeEndpoints(url: string, receiverUrl: string, clients: KeptData['clients']): Promise<void> {
    for (const [n, { id, secret }] of clients.entries()) {
      if (n % endpointEvery !== 0) continue
      const headers = await signIn(url, id, secret)
      const { result } = (await call(url, 'GET', '/v1/webhook-endpoint', headers)) as { result: { id: string }[] }
      for (const former of result) {
        await fetch(`${url}/v1/webhook-endpoint/${former.id}`, { method: 'DELETE', headers })
      }
      await call(url, 'POST', '/v1/webhook-endpoint', headers, { url: `${receiverUrl}/hook/${n}` })
    }
  }

  /** One after the other: the first migrates the database. */
  async function startServices(bench: Bench): Promise<Record<string, Program>> {
    const programs: Record<string, Program> = {}
    const apiRole = count('workers') === 0 ? 'all' : 'api'
    for (let n = 1; n <= count('api'); n += 1) {
      programs[`api ${n}`] = await bench.service(bench.url, { ...environment, VIGENCIA_ROLE: apiRole })
    }
    for (let n = 1; n <= count('workers'); n += 1) {
      programs[`worker ${n}`] = await bench.service(bench.url, { ...environment, VIGENCIA_ROLE: 'worker' })
    }
    return programs
  }

  /** @returns the seconds until nothing waits; null when something still does after half an hour. */
  async function waitUntilIdle(measured: Measured): Promise<number | null> {
    const start = performance.now()
    while (!(await isIdle(measured))) {
      if (performance.now() - start > maxIdleWaitMs) return null
      await pause(500)
    }
    return (performance.now() - start) / 1_000
  }

  /** Runs the generator to its end. @returns its last line with the samples of the intervals. */
  async function generate(
    settings: GeneratorSettings,
    measured: Measured,
    output: string,
  ): Promise<{ samples: Sample[]; total: GeneratorLine }> {
    const settingsFile = join(folder, 'generator.json')
    writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 })
    const child = spawn(process.execPath, [generatorFile, 'generator', settingsFile], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const samples: Sample[] = []
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        const parsed = JSON.parse(line) as GeneratorLine
        if (parsed.isLast) {
          appendFileSync(output, `${line}\n`)
          return { samples, total: parsed }
        }
        const sample = { ...parsed, ...(await takeSample(measured)) }
        samples.push(sample)
        appendFileSync(output, `${JSON.stringify(sample)}\n`)
      }
      throw new Error('the generator ended early')
    } finally {
      child.kill()
      rmSync(settingsFile, { force: true })
    }
  }

  /** Whether it is neither a refusal of the request nor the refusal of an overloaded service. */
  const isFailure = (status: string) => !status.startsWith('4') && status !== '503'

  /** Prints the rules that are broken. @returns how many. */
  async function checkInvariants(database: Database): Promise<number> {
    const day = businessDate(new Date(Date.now() - stuckAfterSeconds * 1_000))
    const checked = await checkDatabase(database, { stuckAfterSeconds, day })
    const broken = checked.filter(({ violations }) => violations > 0)
    for (const { rule, violations, ids } of broken) console.log(`broken rule ${rule}: ${violations}, ${ids.join(' ')}`)
    console.log(`Invariants: ${checked.length - broken.length} of ${checked.length} rules hold`)
    return broken.length
  }

  const rates: Rates = {
    readsPerSecond: count('reads'),
    movementsPerSecond: count('movements'),
    payrollSize: count('payroll'),
    importLines: count('import'),
    importEverySeconds,
  }

  async function measure(bench: Bench, client: Client, database: Database): Promise<void> {
    let clients = kept?.clients
    if (clients === undefined) {
      const maker = await bench.service(bench.url, { ...environment, VIGENCIA_ROLE: 'api' })
      clients = await makeData(maker.url, client)
      await maker.stop()
    }
    const seconds = count('minutes') * 60
    const programs = await startServices(bench)
    const urls = Object.entries(programs).flatMap(([name, { url }]) => (name.startsWith('api') ? [url] : []))
    const receiver = await startProgram([process.execPath, programsFile, 'receiver'], join(folder, 'receiver.log'), {})
    try {
      await makeEndpoints(urls[0] ?? '', receiver.url, clients)
      const own = bench.postmasterPid ?? (await postmasterOf(client))
      const postmasters = [...(own === null ? [] : [own]), ...values.postmaster.map(Number)]
      const measured: Measured = { database, client, programs, postmasters, receiverUrl: receiver.url }
      const chained = await waitUntilIdle(measured)
      if (chained === null) throw new Error('the audit of the past is not in its chain')
      console.log(`the audit of the past is in its chain after ${Math.round(chained)} s`)
      if (seconds === 0) return
      await client.query('checkpoint')
      const output = resolve(values.output ?? join(folder, 'national-load.jsonl'))
      rmSync(output, { force: true })
      const before = await takeSample(measured)
      const startedAt = await numberFrom(client, 'select extract(epoch from now())::float8 as n')
      const { samples, total } = await generate(
        {
          urls,
          members,
          companies: companies.length,
          clients,
          operator,
          seconds,
          intervalSeconds,
          rates,
          seed: Math.floor(startedAt),
        },
        measured,
        output,
      )
      const idleAfter = await waitUntilIdle(measured)
      const after = await takeSample(measured)
      const movements = await numberFrom(
        client,
        'select count(*)::int as n from enrollment where created_at >= to_timestamp($1::float8)',
        [startedAt],
      )
      printReport({ seconds, movements, before, samples, after, total, idleAfter })
      const broken = await checkInvariants(database)
      const failed = Object.values(total.kinds).some(({ errors }) => Object.keys(errors).some(isFailure))
      if (broken > 0 || failed) process.exitCode = 1
    } finally {
      await receiver.stop()
    }
  }

  await runBench(
    count('minutes') + makingMinutes,
    async (bench) => {
      console.log(new Date().toISOString(), process.argv.slice(2).join(' '))
      const client = await connected(bench.url)
      const options = { url: bench.url, connections: 2, namedStatements: true, applicationName: 'bench' }
      const database = openDatabase(options, openLog('error'))
      try {
        await measure(bench, client, database)
      } finally {
        await Promise.all([client.end(), database.close()])
      }
    },
    {
      folder,
      isKept: values['keep-data'],
      masterKey,
      databaseUrl: values.database,
      parameters: Object.fromEntries(values.set.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string])),
    },
  )
}

const [role, file = ''] = process.argv.slice(2)
await (role === 'generator' ? generate(file) : main())
