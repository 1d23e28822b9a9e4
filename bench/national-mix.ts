/* What the clients and operators of a country send: each kind of request with its rate, and how one is made. */
import { businessDate } from '../src/domain/calendar.ts'
import { importHeader, importLine } from './import-file.ts'
import { getRequest, postRequest } from './load.ts'
import {
  clientOf,
  type Company,
  enrollmentIdOf,
  hasPast,
  memberIdOf,
  pastRequestId,
  personNumber,
  taxIdOf,
} from './national-population.ts'
import { payroll } from './partner.ts'

export interface Rates {
  readonly readsPerSecond: number
  /** People a second in inclusions, exclusions and alterations. */
  readonly movementsPerSecond: number
  /** People in a large inclusion. */
  readonly payrollSize: number
  readonly importLines: number
  readonly importEverySeconds: number
}

export interface Planned {
  readonly bytes: () => Buffer
  /** Reads the body of a response of 200. @returns how many parts of it failed, such as the lines of a file. */
  readonly onBody?: (body: string) => number
}

export interface Kind {
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
export class Mix {
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
