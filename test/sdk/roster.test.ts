import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  ConflictError,
  ConnectionError,
  type RosterMember,
  type RosterProgress,
  RosterSyncError,
  Vigencia,
  VigenciaError,
} from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'
import { covered, employee } from '../world/rosters.ts'
import { type Client, type Company, type Json, useTestApp } from '../world/test-app.ts'

const testApp = useTestApp()
let folder: string
let company: Company
let partner: Client
/** Three who are covered, and one who is new. */
let people: Json[]
let listed: RosterMember[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-roster-'))
})
afterAll(() => rm(folder, { recursive: true }))

beforeEach(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  people = [employee(0), employee(1), employee(2)]
  await covered(testApp, company, people)
  const [one, two] = people
  listed = [one, { ...two, 'marital-status': 'married' }, employee(3, { 'mothers-name': null })]
})

const clientOf = (fetch: typeof globalThis.fetch = globalThis.fetch, maxRetries = 2) =>
  new Vigencia({ url: testApp.url, clientId: partner.clientId, clientSecret: partner.clientSecret, fetch, maxRetries })

/** Who is absent has left. */
const complete = () => ({
  companyTaxId: company.taxId,
  states: ['people' as const],
  defaults: { 'start-option': 'on-inclusion-date' as const },
})
const syncs = async (): Promise<Json[]> => (await partner.get('/v1/roster-sync')).body.result
const ndjson = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

test('a file is sent and compared; what differs is read, confirmed and discarded', async () => {
  const path = join(folder, 'folha.ndjson')
  await writeFile(path, ndjson(listed))
  const seen: RosterProgress[] = []
  const comparison = await clientOf().roster.sync(path, {
    ...complete(),
    asOf: '2026-11-23',
    peopleCount: 3,
    acceptDoubts: ['too-few-people'],
    reference: 'folha 2026-11',
    onProgress: (progress) => seen.push(progress),
  })
  const { size } = new Blob([ndjson(listed)])
  expect(seen[0]).toEqual({ phase: 'sending', done: size, of: size })
  expect(seen.at(-1)).toEqual({ phase: 'comparing', done: 4, of: 4 })
  expect(comparison.sync).toMatchObject({
    status: 'compared',
    'as-of': '2026-11-23',
    'file-name': 'folha.ndjson',
    reference: 'folha 2026-11',
    lines: 3,
    unchanged: 1,
  })
  const items = await Array.fromAsync(comparison.items())
  const classes = items.map((item) => [item.class, item.needs])
  expect(classes.toSorted()).toEqual([
    ['correction', []],
    ['exclusion', ['exclusion-reason', 'end-date']],
    ['inclusion', ['mothers-name']],
  ])
  expect(String(comparison).split('\n')).toEqual([
    '1 people as the list has them on 2026-11-23, 0 of 3 lines refused',
    expect.stringMatching(/^doubt too-few-people: \d+, limit 80$/),
    '            proposed',
    'correction  1',
    'exclusion   1',
    'inclusion   1',
    expect.stringMatching(/^needs /),
    expect.stringMatching(/^needs /),
    expect.stringMatching(/^needs /),
  ])
  const confirmed = await comparison.confirm({ classes: ['correction'] })
  expect(confirmed).toMatchObject({ status: 'open', 'request-ids': [expect.any(String)] })
  expect(comparison.draft).toEqual(confirmed)
  expect(await Array.fromAsync(comparison.items({ status: 'requested' }))).toMatchObject([{ class: 'correction' }])
  expect(await comparison.discard({ classes: ['exclusion'] })).toMatchObject({ status: 'open' })
  expect(await comparison.discard()).toMatchObject({ status: 'closed' })
  await expect(comparison.confirm({ classes: ['inclusion'] })).rejects.toThrow(ConflictError)
})

test('people are sent as they are read; a list that equals what is there has no draft', async () => {
  let read = 0
  async function* members() {
    for (const person of people) {
      read += 1
      yield person
    }
  }
  const comparison = await clientOf().roster.sync(members(), complete())
  expect([read, comparison.sync.unchanged, comparison.draft]).toEqual([3, 3, null])
  expect(await Array.fromAsync(comparison.items())).toEqual([])
  await expect(comparison.confirm({ classes: ['inclusion'] })).rejects.toThrow(VigenciaError)
})

test('an iterable is never whole in memory: it is read as the connection takes it', async () => {
  const count = 5_000
  let read = 0
  function* members() {
    for (; read < count; read += 1) yield { ...people[0], name: 'x'.repeat(1_000) }
  }
  let readAtStart = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (init?.method === 'PUT') {
      const reader = (init.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      readAtStart = read
      await reader.cancel()
      return Response.json({ error: 'Unavailable', code: 'roster-storage-unavailable' }, { status: 503 })
    }
    return globalThis.fetch(input, init)
  }
  await expect(clientOf(fetch).roster.sync(members(), complete())).rejects.toMatchObject({ status: 503 })
  expect(readAtStart).toBeGreaterThan(0)
  expect(readAtStart).toBeLessThan(count / 10)
})

/** Breaks the first upload; the response of the second is lost. */
function breaking(): { fetch: typeof globalThis.fetch; uploads: () => number } {
  let uploads = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (init?.method !== 'PUT') return globalThis.fetch(input, init)
    uploads += 1
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => controller.enqueue(chunk.subarray(0, 100)),
      flush: () => {
        throw new TypeError('the connection broke')
      },
    })
    if (uploads === 1) {
      const body = (init.body as ReadableStream<Uint8Array>).pipeThrough(cut)
      return globalThis.fetch(input, { ...init, body })
    }
    const response = await globalThis.fetch(input, init)
    if (uploads > 2) return response
    await response.arrayBuffer()
    throw new TypeError('the connection broke')
  }
  return { fetch, uploads: () => uploads }
}

test('an upload that breaks is repeated with the same bytes: one roster sync', async () => {
  const { fetch, uploads } = breaking()
  const comparison = await clientOf(fetch).roster.sync(Buffer.from(ndjson(people)), {
    ...complete(),
    contentType: 'application/x-ndjson',
  })
  expect(comparison.sync).toMatchObject({ status: 'compared', unchanged: 3 })
  expect(uploads()).toBe(3)
  expect(await syncs()).toHaveLength(1)
})

test('so is a list of people in an array; one from a stream breaks off, and leaves nothing open', async () => {
  const array = breaking()
  const padded = people.map((person) => ({ ...person, 'cost-center-name': 'x'.repeat(200) }))
  const many = Array.from({ length: 100 }, () => padded).flat()
  const repeated = await clientOf(array.fetch).roster.sync(many, { ...complete(), states: [] })
  expect([repeated.sync.lines, array.uploads()]).toEqual([300, 3])
  const stream = breaking()
  const source = new Blob([ndjson(people)]).stream()
  const options = { ...complete(), contentType: 'application/x-ndjson' }
  await expect(clientOf(stream.fetch).roster.sync(source, options)).rejects.toThrow(ConnectionError)
  expect(stream.uploads()).toBe(1)
  expect((await syncs()).map(({ status }) => status)).toEqual(['cancelled', 'compared'])
})

test('with a key of the caller a call that broke off is gone on with by the same call', async () => {
  const options = { ...complete(), idempotencyKey: 'folha-2026-11' }
  await expect(clientOf(breaking().fetch, 0).roster.sync(people as RosterMember[], options)).rejects.toThrow(
    ConnectionError,
  )
  expect(await syncs()).toMatchObject([{ status: 'open' }])
  const { sync } = await clientOf().roster.sync(people as RosterMember[], options)
  expect(await syncs()).toMatchObject([{ status: 'compared', 'roster-sync-id': sync['roster-sync-id'] }])
})

test('a call that is aborted cancels its roster sync', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const sent = clientOf().roster.sync(people as RosterMember[], {
    ...complete(),
    signal,
    onProgress: () => controller.abort(),
  })
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
  expect((await syncs())[0]?.['finished-at']).not.toBe(null)
})

test('a list that cannot be compared is an error with its problems', async () => {
  const csv = new Blob([`CPF;Nome\r\n${people[0]?.['tax-id']};Alguém\r\n`], { type: 'text/csv' })
  const error: unknown = await clientOf()
    .roster.sync(csv, { ...complete(), states: ['products'] })
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RosterSyncError)
  const { problems, message, sync } = error as RosterSyncError
  expect(problems).toMatchObject([{ problem: 'scope-not-in-file' }])
  expect(message).toBe(`The roster sync ${sync['roster-sync-id']} is failed, scope-not-in-file`)
})

test('an operator says how the list came', async () => {
  const { clientId, clientSecret } = testApp.operator
  const operator = new VigenciaOperator({ url: testApp.url, clientId, clientSecret })
  const comparison = await operator.roster.sync(listed, {
    ...complete(),
    states: [],
    intake: { medium: 'email', 'received-at': '2026-11-20T18:40:00-03:00', 'requester-name': 'Paula Andrade' },
  })
  const { 'request-ids': ids } = await comparison.confirm({ classes: ['correction'] })
  expect(await operator.requests.wait(ids[0] ?? '')).toMatchObject({
    intake: { medium: 'email', 'requester-name': 'Paula Andrade' },
  })
  expect(await comparison.discard({ reason: 'Folha errada' })).toMatchObject({ status: 'closed' })
})
