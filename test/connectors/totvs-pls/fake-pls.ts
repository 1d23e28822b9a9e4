/* The interface of TOTVS Protheus PLS, as far as the connector calls it. It counts what it executes, and fails when it is told to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Model, ModelField } from '../../../connectors/totvs-pls/src/pls-client.ts'

interface Protocol {
  readonly model: Model & { readonly pk: string }
  status: string
  reads: number
}

/** What becomes of a call: `500` before it is executed, `500-after` and `lost` after it. */
export type Failure = '500' | '500-after' | 'lost'

export interface FakePls {
  readonly url: string
  /** Executed calls by what they are: `token`, `PLIncBenModel`, `block`, ... */
  readonly counts: Record<string, number>
  /** How often each person was included. */
  readonly included: Map<string, number>
  /** The numbers of people by CPF; those who are blocked are not found. */
  readonly people: Map<string, { number: string; isBlocked: boolean }>
  readonly blocks: { subscriberId: string; reason: string; blockDate: string }[]
  readonly models: Model[]
  /** Failures of the next calls of a path. */
  readonly failures: Map<string, Failure[]>
  /** Makes all tokens invalid, as after 5 seconds. */
  expireTokens(): void
  close(): Promise<void>
}

const contract = {
  BBA_CODINT: '1001',
  BBA_CODEMP: '0004',
  BBA_CONEMP: '000000000002',
  BBA_VERCON: '001',
  BBA_SUBCON: '0002',
  BBA_VERSUB: '001',
  tenantid: '01,001001',
}

export async function startFakePls(): Promise<FakePls> {
  const protocols = new Map<string, Protocol>()
  const fake = {
    counts: {},
    included: new Map(),
    people: new Map(),
    blocks: [],
    models: [],
    failures: new Map(),
  } as Pick<FakePls, 'counts' | 'included' | 'people' | 'blocks' | 'models' | 'failures'>
  let token = 0
  const count = (name: string) => (fake.counts[name] = (fake.counts[name] ?? 0) + 1)

  const execute = (method: string, url: URL, headers: IncomingMessage['headers'], body: unknown): [number, unknown] => {
    const path = url.pathname.replace('/rest', '')
    if (path === '/api/oauth2/v1/token') {
      count('token')
      if (url.searchParams.get('password') !== 'senha') return [401, {}]
      token += 1
      return [201, { access_token: `token-${token}`, expires_in: 5 }]
    }
    if (headers.authorization !== `Bearer token-${token}`) return [401, {}]
    if (path === '/client/v1/contract') {
      count('contract')
      if (url.searchParams.get('contrato') !== '0002') return [400, { msgerror: 'Contrato não encontrado' }]
      const person = fake.people.get(url.searchParams.get('cgcbeneficiario') ?? '')
      const isFound = person !== undefined && !person.isBlocked
      return [200, { ...contract, BBA_MATRIC: isFound ? person.number : '', FOUND: isFound }]
    }
    if (headers['tenantid'] !== contract.tenantid) return [400, { msgerror: 'tenantid' }]
    const [, model = '', pk = ''] = /^\/fwmodel\/(\w+)\/(.*)$/.exec(path) ?? []
    if (model !== '' && method === 'POST') return [201, make(body as Model)]
    if (model !== '' && pk === '') return [200, { resources: search(String(headers['filter'])) }]
    if (model !== '') return read(pk)
    if (path.endsWith('/blockProtocol')) return block(body as (typeof fake.blocks)[number])
    return [404, {}]
  }

  const make = (body: Model): Model => {
    count(body.id)
    fake.models.push(body)
    for (const taxId of peopleOf(body)) fake.included.set(taxId, (fake.included.get(taxId) ?? 0) + 1)
    const number = String(protocols.size + 1).padStart(6, '0')
    const model = structuredClone({ ...body, pk: Buffer.from(number).toString('base64') })
    fieldsOf(model).push({ id: 'BBA_CODSEQ', value: number })
    protocols.set(model.pk, { model, status: '2', reads: 0 })
    return model
  }

  const search = (filter: string): Model[] => {
    const [, id, value] = /^(\w+)='(.*)'$/.exec(filter) ?? []
    const all = [...protocols.values()].map(({ model }) => model)
    return all.filter((model) => fieldsOf(model).some((field) => field.id === id && field.value === value))
  }

  /** In analysis at the first reading, approved at the second. */
  const read = (pk: string): [number, unknown] => {
    const protocol = protocols.get(decodeURIComponent(pk))
    if (protocol === undefined) return [404, {}]
    protocol.reads += 1
    if (protocol.reads > 1) protocol.status = '7'
    if (protocol.status === '7' && protocol.model.id === 'PLIncBenModel') {
      for (const taxId of peopleOf(protocol.model)) {
        fake.people.set(taxId, { number: `1001${String(fake.people.size).padStart(13, '0')}`, isBlocked: false })
      }
    }
    const answer = structuredClone(protocol.model)
    fieldsOf(answer).push({ id: 'BBA_STATUS', value: protocol.status })
    return [200, answer]
  }

  const block = (body: (typeof fake.blocks)[number]): [number, unknown] => {
    const person = [...fake.people.values()].find(({ number }) => number === body.subscriberId)
    const isUnblock = body.reason === '000004'
    if (person === undefined || person.isBlocked !== isUnblock) return [400, { msgerror: 'Beneficiário não ativo' }]
    count('block')
    person.isBlocked = !isUnblock
    fake.blocks.push(body)
    return [200, { protocol: `B${fake.blocks.length}` }]
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const url = new URL(request.url ?? '', 'http://fake')
      const failure = fake.failures.get(`${request.method} ${url.pathname}`)?.shift()
      if (failure === '500') return response.writeHead(500).end()
      const body = chunks.length === 0 ? null : (JSON.parse(Buffer.concat(chunks).toString()) as unknown)
      const [status, answer] = execute(request.method ?? '', url, request.headers, body)
      if (failure === '500-after') return response.writeHead(500).end()
      if (failure === 'lost') return request.socket.destroy()
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...fake,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest`,
    expireTokens: () => (token += 1),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function fieldsOf(model: Model): ModelField[] {
  return (model.models[0]?.fields ?? []) as ModelField[]
}

function peopleOf(model: Model): string[] {
  const lines = model.models[0]?.models?.flatMap(({ items = [] }) => items) ?? []
  return lines.flatMap(({ fields }) => fields.filter(({ id }) => id === 'B2N_CPFUSR').map(({ value }) => value))
}
