import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { memberIds } from '#coverage/members/member-id.ts'
import { BatchThreads, BatchUnavailableError } from '#movements/batch/batch-threads.ts'
import { openBatch, openInline, stopBatchThreads, THREAD_FROM_BYTES } from '#movements/batch/batch.ts'
import type { OpenBatch } from '#movements/batch/batch.ts'
import { BatchShapeError, type FinishedBatch, type FinishOptions } from '#movements/batch/parse-and-judge.ts'
import { copyItems } from '#movements/batch/items.ts'
import { englishOf } from '#kernel/texts/messages.ts'
import { cpf, dependent, factsOf, HEALTH, primary } from './rules/inclusion-company.ts'

const COMPANY = '7B4XK2M9000194'
const memberKey = Buffer.alloc(32, 7)
const memberId = (key: Buffer, taxId: string, n: number) => memberIds(key, [taxId], n)[0] ?? ''
const strict: FinishOptions = {
  lenient: false,
  language: 'en',
  request: { companyId: '0198f000-0000-7000-8000-000000000001', requestId: '0198f000-0000-7000-8000-000000000002' },
}
const bodyOf = (members: unknown, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ 'company-tax-id': COMPANY, members, ...more }))
const padded = (members: unknown[], more: object = {}): Buffer =>
  bodyOf(members, { padding: 'x'.repeat(THREAD_FROM_BYTES), ...more })
const payroll = (): Buffer => readFileSync(new URL('../data/payroll-1000.json', import.meta.url))

interface Item {
  readonly row: Readonly<Record<string, string | null>>
  readonly payload: Readonly<Record<string, unknown>>
}

/** Parses items from COPY's text format. */
const itemsOf = ({ items }: FinishedBatch): Item[] => {
  const columns = /\((.*)\)/s.exec(copyItems)?.[1]?.split(/,\s+/) ?? []
  return new TextDecoder()
    .decode(items ?? new Uint8Array())
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const values = line.split('\t').map((one) => (one === '\\N' ? null : one.replaceAll('\\\\', '\\')))
      const { payload, ...row } = Object.fromEntries(columns.map((column, n) => [column, values[n] ?? null]))
      return { row, payload: JSON.parse(payload ?? '') as Item['payload'] }
    })
}
const acceptedTaxIds = (finished: FinishedBatch) => itemsOf(finished).map(({ row }) => row['tax_id'])

// Without the random ids, so that two runs can be compared.
const comparable = (finished: FinishedBatch): unknown => ({
  ...finished,
  items: itemsOf(finished).map(({ row, payload }) => ({
    row,
    payload: { ...payload, enrollment_id: '', benefit_id: '' },
  })),
})

const summaryOf = ({ companyTaxId, taxIds, primaryTaxIds, documentIds, size }: OpenBatch): unknown => ({
  companyTaxId,
  taxIds,
  primaryTaxIds,
  documentIds,
  size,
})

afterAll(stopBatchThreads)

test('an idle thread ends, and the next batch starts another', async () => {
  const threads = new BatchThreads(1, 20)
  for (const round of [1, 2]) {
    const batch = await threads.open(padded([primary(round)]))
    expect(threads.size).toBe(1)
    batch.close()
    await vi.waitUntil(() => threads.size === 0, { timeout: 30_000 })
  }
  await threads.stop()
})

describe('a batch', () => {
  test('gives the same result on the event loop and in a thread', async () => {
    expect(payroll().length).toBeGreaterThan(THREAD_FROM_BYTES)
    const inline = openInline(payroll())
    const threaded = await openBatch(payroll())
    expect(summaryOf(threaded)).toEqual(summaryOf(inline))
    const finished = await threaded.finish(factsOf(), strict)
    expect(comparable(finished)).toEqual(comparable(await inline.finish(factsOf(), strict)))
    expect(finished.acceptedCount).toBe(1858)
    expect(finished.rejected).toBeNull()
  })

  test('is summarized as its company and the unique ids whose facts are needed', async () => {
    const documents = [{ 'document-id': 'd1', 'document-type': 'other' }]
    const members = [primary(1, { documents }), dependent(2, 1, { documents }), dependent(3, 9), primary(1)]
    const batch = await openBatch(bodyOf(members, { 'company-tax-id': COMPANY.toLowerCase() }))
    expect(summaryOf(batch)).toEqual({
      companyTaxId: COMPANY,
      taxIds: [cpf(1), cpf(2), cpf(3)],
      primaryTaxIds: [cpf(1), cpf(9)],
      documentIds: ['d1'],
      size: 4,
    })
  })

  test('becomes items with ids, each family in one chunk, primaries first, at most 500 items a chunk', async () => {
    const members = [
      ...Array.from({ length: 600 }, (_, i) => dependent(1000 + i, i % 10)),
      ...Array.from({ length: 10 }, (_, i) => primary(i)),
    ]
    const batch = await openBatch(bodyOf(members))
    const finished = await batch.finish(factsOf(), strict)
    expect(finished.acceptedCount).toBe(610)
    const items = itemsOf(finished)
    const [first, second] = ['0', '1'].map((chunk) => items.filter(({ row }) => row['chunk'] === chunk))
    expect([first?.length, second?.length]).toEqual([8 * 61, 2 * 61])
    const families = (some = first) =>
      new Set(some?.map(({ row, payload }) => payload['primary_tax_id'] ?? row['tax_id']))
    expect([families(first), families(second)]).toEqual([
      new Set(Array.from({ length: 8 }, (_, n) => cpf(n))),
      new Set([cpf(8), cpf(9)]),
    ])
    expect(items.map(({ row }) => Number(row['position']))).toEqual(items.map((_, n) => n + 1))
    expect(items.slice(0, 62).map(({ payload }) => payload['entry'])).toEqual([
      600,
      ...Array.from({ length: 60 }, (_, n) => 10 * n),
      601,
    ])
    const id = expect.stringMatching(/^[0-9a-f-]{14}7/) as string
    const row = {
      company_id: strict.request?.companyId,
      request_id: strict.request?.requestId,
      chunk: '0',
      kind: 'inclusion',
      reference: null,
    }
    const payload = {
      enrollment_id: id,
      benefit_id: id,
      product_id: 'saude essencial enfermaria',
      product_name: HEALTH,
      start_date: '2026-08-20',
      start_option: 'on-inclusion-date',
    }
    const subject = `${cpf(0)} saude essencial enfermaria primary`
    expect(items[0]).toEqual({
      row: { ...row, position: '1', subject, requires: null, tax_id: cpf(0), type: 'primary' },
      payload: {
        ...payload,
        entry: 600,
        data: {
          name: 'Helena Brandão Souza',
          'mothers-name': 'Fátima Brandão',
          'date-of-birth': '1990-05-17',
          gender: 'female',
          documents: [],
        },
      },
    })
    expect(items[1]).toEqual({
      row: {
        ...row,
        position: '2',
        subject: '10000100072 saude essencial enfermaria dependent',
        requires: subject,
        tax_id: '10000100072',
        type: 'dependent',
      },
      payload: {
        ...payload,
        entry: 0,
        primary_tax_id: cpf(0),
        dependent_type: 'child',
        data: expect.any(Object) as object,
      },
    })
    const ids = items.flatMap(({ payload: own }) => [own['enrollment_id'], own['benefit_id']])
    expect(new Set(ids).size).toBe(1220)
  })

  test('divides a family that is larger than a chunk, the primary first', async () => {
    const members = [...Array.from({ length: 600 }, (_, n) => dependent(1000 + n, 1)), primary(1)]
    const items = itemsOf(await (await openBatch(bodyOf(members))).finish(factsOf(), strict))
    expect(items[0]?.row['type']).toBe('primary')
    expect(['0', '1'].map((chunk) => items.filter(({ row }) => row['chunk'] === chunk).length)).toEqual([500, 101])
  })

  test('is stored as it was sent, including backslashes, tabs and line breaks', async () => {
    const texts = { 'job-title': 'a\\b\\N \\t', 'cost-center': '"Rua" Ñ' }
    const reference = 'a\\N \\t'
    const finished = await openInline(bodyOf([primary(1, { ...texts, reference })])).finish(factsOf(), strict)
    expect(itemsOf(finished)[0]?.payload['data']).toMatchObject(texts)
    expect(itemsOf(finished)[0]?.row['reference']).toBe(reference)
  })

  test('with a rejected member is not accepted, unless lenient handling accepts the others', async () => {
    const body = (): Buffer => bodyOf([primary(1, { phone: 'x' }), primary(2), dependent(3, 1)])
    const refused = await openInline(body()).finish(factsOf(), strict)
    expect(refused).toMatchObject({ acceptedCount: 0, items: null, documents: [] })
    const lenient = await openInline(body()).finish(factsOf(), { ...strict, lenient: true })
    expect(lenient.rejected).toBe(refused.rejected)
    expect(JSON.parse(refused.rejected ?? '')).toMatchObject([{ index: 0 }, { index: 2 }])
    expect(lenient.acceptedCount).toBe(1)
    expect(acceptedTaxIds(lenient)).toEqual([cpf(2)])
  })

  test('without an accepted member is empty in lenient mode too', async () => {
    const finished = await openInline(bodyOf([primary(1, { phone: 'x' })])).finish(factsOf(), {
      ...strict,
      lenient: true,
    })
    expect(finished).toMatchObject({ acceptedCount: 0, items: null })
  })

  test('warns of unknown fields, those of the body without index', async () => {
    const finished = await openInline(bodyOf([primary(1, { nick: 1 })], { note: 1 })).finish(factsOf(), strict)
    expect(JSON.parse(finished.warnings ?? '')).toEqual([
      { warning: 'unknown-field', field: 'note' },
      { index: 0, 'tax-id': cpf(1), warning: 'unknown-field', field: 'nick' },
    ])
    expect((await openInline(bodyOf([primary(1)])).finish(factsOf(), strict)).warnings).toBeNull()
  })

  test('with two entries of one person stores both, and names documents once', async () => {
    const documents = [{ 'document-id': 'd1', 'document-type': 'other' }]
    const dental = { 'dental-insurance': [{ name: 'dental sorriso', 'start-option': 'on-inclusion-date' }] }
    const batch = openInline(bodyOf([primary(1, { documents }), primary(1, { documents, products: dental })]))
    const finished = await batch.finish(factsOf({ usableDocumentIds: ['d1'] }), strict)
    expect(finished.documents).toEqual(['d1'])
    expect(itemsOf(finished).map(({ row, payload }) => [row['tax_id'], payload['product_name']])).toEqual([
      [cpf(1), HEALTH],
      [cpf(1), 'Dental Sorriso'],
    ])
  })

  test.each([
    ['on the event loop', 0],
    ['in a thread', THREAD_FROM_BYTES],
  ])('%s is finished once, and not after it was closed', async (_, padding) => {
    const body = (): Buffer => bodyOf([primary(1)], { padding: 'x'.repeat(padding) })
    const batch = await openBatch(body())
    await batch.finish(factsOf(), strict)
    await expect(batch.finish(factsOf(), strict)).rejects.toThrow('not open')
    batch.close()
    const closed = await openBatch(body())
    closed.close()
    closed.close()
    await expect(closed.finish(factsOf(), strict)).rejects.toThrow('not open')
  })
})

describe('a body that is not an inclusion request', () => {
  const details = async (body: Buffer): Promise<unknown> => {
    const error: unknown = await openBatch(body).then(
      (batch) => {
        batch.close()
        return 'taken'
      },
      (error: unknown) => error,
    )
    if (!(error instanceof BatchShapeError)) return error
    // As the response in English says it.
    return error.details.map(({ message, ...others }) => {
      return message === undefined ? others : { ...others, message: englishOf(message) }
    })
  }

  const ofBody = (what: string) => [{ field: 'body', code: 'invalid', message: `The body ${what}.` }]

  test.each([
    ['no JSON', '{', [{ field: 'body', code: 'malformed-json', line: 1, column: 2 }]],
    ['an array', '[]', []],
    ['null', 'null', []],
    ['nested too deep', `{"members":${'['.repeat(65)}${']'.repeat(65)}}`, ofBody('is nested deeper than 64')],
    ['NUL', '{"members":["\\u0000"]}', ofBody('holds NUL')],
    ['a lone surrogate', '{"members":["\\ud800"]}', ofBody('holds a lone surrogate')],
    ['__proto__', '{"__proto__":{}}', ofBody('has a key __proto__')],
    ['escaped __proto__', '{"\\u005f_proto__":{}}', ofBody('has a key __proto__')],
    [
      'empty',
      '{}',
      [
        { field: 'company-tax-id', code: 'missing' },
        { field: 'members', code: 'missing' },
      ],
    ],
    [
      'a wrong CNPJ',
      `{"company-tax-id":"11222333000182","members":[{}]}`,
      [{ field: 'company-tax-id', code: 'invalid' }],
    ],
    [
      'a CNPJ as number',
      `{"company-tax-id":11222333000181,"members":[{}]}`,
      [{ field: 'company-tax-id', code: 'invalid' }],
    ],
    ['members as object', `{"company-tax-id":"${COMPANY}","members":{}}`, [{ field: 'members', code: 'invalid' }]],
    ['no members', `{"company-tax-id":"${COMPANY}","members":[]}`, [{ field: 'members', code: 'too-few' }]],
    [
      'members that are no objects',
      `{"company-tax-id":"${COMPANY}","members":[{},null,[],7]}`,
      [1, 2, 3].map((index) => ({ field: `members[${index}]`, code: 'invalid' })),
    ],
  ])('%s is refused with what is wrong', async (_, text, expected) => {
    expect(await details(Buffer.from(text))).toMatchObject(expected)
  })

  test('over 10,000 members are too many, exactly 10,000 are not', async () => {
    expect(await details(bodyOf(Array.from({ length: 10_001 }, () => ({}))))).toEqual([
      { field: 'members', code: 'too-many', message: 'Must not have more than 10000 items.' },
    ])
    expect(await details(bodyOf(Array.from({ length: 10_000 }, () => ({}))))).toBe('taken')
  })

  test('is refused in a thread too, also 10 MB of brackets', async () => {
    expect(await details(Buffer.from('['.repeat(10_000_000)))).toEqual(ofBody('is nested deeper than 64'))
    expect(await details(padded([7]))).toEqual([{ field: 'members[0]', code: 'invalid', message: 'Must be object.' }])
  })

  test('of 10,000 members that are not objects gets 20 details', async () => {
    expect(await details(bodyOf(Array.from({ length: 10_000 }, () => 7)))).toHaveLength(20)
  })
})

describe('the threads', () => {
  test('that die fail their batches, and the next batch gets a new one', async () => {
    const threads = new BatchThreads(1)
    const held = await threads.open(padded([primary(1)]))
    const opening = threads.open(padded([primary(2)]))
    const [, reason] = await Promise.all([threads.stop(), opening.catch((error: unknown) => error)])
    expect(reason).toBeInstanceOf(BatchUnavailableError)
    await expect(held.finish(factsOf(), strict)).rejects.toThrow(BatchUnavailableError)
    held.close()
    const next = await threads.open(padded([primary(3)]))
    expect((await next.finish(factsOf(), strict)).acceptedCount).toBe(1)
    await threads.stop()
  })

  test('process the largest bodies that are accepted', async () => {
    const keys = Array.from({ length: 1_400_000 }, (_, n) => `"k${n}":0`).join()
    const batch = await openBatch(Buffer.from(`{"company-tax-id":"${COMPANY}","members":[{${keys}}]}`))
    const finished = await batch.finish(factsOf(), strict)
    expect(JSON.parse(finished.rejected ?? '')).toHaveLength(1)
  })

  test('hold one batch each; more wait for one to be closed, and 33 waiting are too many', async () => {
    const threads = new BatchThreads(1)
    const held = await threads.open(padded([primary(1)]))
    const waiting = Array.from({ length: 32 }, (_, n) => threads.open(padded([primary(n)])))
    await expect(threads.open(padded([primary(1)]))).rejects.toThrow(BatchUnavailableError)
    held.close()
    const next = await waiting[0]
    expect(next?.summary.taxIds).toEqual([cpf(0)])
    await next?.finish(factsOf(), strict)
    expect((await waiting[1])?.summary.taxIds).toEqual([cpf(1)])
    await Promise.all([threads.stop(), ...waiting.slice(2).map((batch) => batch.catch(() => undefined))])
    await expect(waiting[31]).rejects.toThrow(BatchUnavailableError)
  })

  test('take a small body of many values too: its memory is transferred', async () => {
    const bodyWith = (count: number): Buffer => {
      const keys = Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join()
      const text = new TextEncoder().encode(`{"company-tax-id":"${COMPANY}","members":[{${keys}}]}`)
      // With its own ArrayBuffer, like the body of a request.
      return Buffer.from(text.buffer, 0, text.length)
    }
    const large = bodyWith(10_000)
    expect(large.length).toBeLessThan(THREAD_FROM_BYTES)
    const threaded = await openBatch(large)
    expect([large.length, threaded.size]).toEqual([0, 1])
    threaded.close()
    const small = bodyWith(1_000)
    const inline = await openBatch(small)
    expect(small.length).toBeGreaterThan(0)
    inline.close()
  })

  test('do not transfer the bytes around a body', async () => {
    const threads = new BatchThreads(1)
    const body = padded([primary(1)])
    const around = Buffer.alloc(body.length + 20, 0x20)
    body.copy(around, 10)
    const batch = await threads.open(around.subarray(10, 10 + body.length))
    expect(batch.summary.size).toBe(1)
    expect(around).toHaveLength(body.length + 20)
    await threads.stop()
  })
})

describe('a member id', () => {
  test('is a UUIDv8 that depends on key, CPF and number alone', () => {
    const id = memberId(memberKey, cpf(1), 0)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(memberId(Buffer.from(memberKey), cpf(1), 0)).toBe(id)
    const others = [
      memberId(memberKey, cpf(1), 1),
      memberId(memberKey, cpf(2), 0),
      memberId(Buffer.alloc(32), cpf(1), 0),
    ]
    expect(new Set([id, ...others]).size).toBe(4)
  })

  test('is the HMAC-SHA256 of CPF and number, except version and variant', () => {
    const hex = createHmac('sha256', memberKey)
      .update(`${cpf(1)}:2`)
      .digest('hex')
    const id = memberId(memberKey, cpf(1), 2).replaceAll('-', '')
    expect(id.replace(/^(.{12}).(.{3}).(.{15})$/, '$1$2$3')).toBe(
      hex.slice(0, 32).replace(/^(.{12}).(.{3}).(.{15})$/, '$1$2$3'),
    )
  })
})
