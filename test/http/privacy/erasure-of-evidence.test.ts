import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { ended, erase, imported, planned } from '../../world/erasing.ts'
import { type Client, type Company, expectOk, type Json, nextCpf, primary, useTestApp } from '../../world/test-app.ts'
import { copyOf } from '../../world/subject-data.ts'
import { upload } from '../../world/upload.ts'

/* What shows how a request came to the broker: it goes with the last person of the request. */

const testApp = useTestApp({ VIGENCIA_RETENTION: 'benefit=0' })
let second: Client
let company: Company
beforeAll(async () => {
  second = await testApp.operatorOf('admin')
  company = await testApp.company()
})

interface Sent {
  readonly requestId: string
  readonly documentId: string
  /** Where the file is. */
  readonly file: string
}

/** An operator requests what came by e-mail about people who had been here; it is rejected. */
async function send(members: readonly Json[], intake: Json = {}): Promise<Sent> {
  const documentId = await upload(testApp.operator, undefined, '/operator/v1')
  const [document] = await testApp.sql('select storage_key as key from document where id = $1', [documentId])
  const came = {
    medium: 'email',
    'received-at': '2026-11-20T18:40:00-03:00',
    'requester-name': 'Paula Andrade',
    documents: [documentId],
    ...intake,
  }
  const body = { 'company-tax-id': company.taxId, intake: came, members }
  const path = '/operator/v1/enrollment/inclusion?resolution=reject'
  const { 'request-id': requestId } = expectOk(await testApp.operator.post(path, body)).body
  const partner = await testApp.partner(company.taxId)
  await testApp.finished(partner, requestId)
  return { requestId, documentId, file: join(testApp.dataDir, 'files', document?.['key']) }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

const evidenceOf = async (requestId: string): Promise<string[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/request/${requestId}`)).body.result.intake.documents

const of = (items: Json[]) => items.filter((item) => item.class === 'evidence')

test('the copy of a person’s data says how and when a request came, not who asked, and has no evidence', async () => {
  const taxId = nextCpf()
  await send([primary({ 'tax-id': taxId })], { 'requester-contact': 'paula.andrade@serraazul.example' })
  const files = await copyOf(testApp, taxId)
  const text = [...files.values()].map((bytes) => bytes.toString()).join('\n')
  expect(text).not.toMatch(/Paula|serraazul|%PDF/)
  const movements = JSON.parse(files.get('movimentacoes.json')?.toString() ?? '{}')
  expect(JSON.stringify(movements)).toContain('"Meio":"E-mail"')
  expect(JSON.stringify(movements)).toMatch(/"Data e hora do recebimento":"2026-11-20T(18:40|21:40)/)
})

describe('evidence', () => {
  test('of a request about the person only is deleted with its file, and nothing stays', async () => {
    const taxId = await imported(testApp, company, ended)
    const { requestId, documentId, file } = await send([primary({ 'tax-id': taxId })])
    expect(await exists(file)).toBe(true)
    const { plan, done } = await erase(testApp, second, taxId)
    expect(of(plan.items)).toEqual([
      {
        class: 'evidence',
        'company-tax-id': company.taxId,
        'company-name': expect.any(String),
        action: 'erase',
        rows: 1,
        ground: null,
        until: null,
      },
    ])
    expect(done).toMatchObject({ status: 'fulfilled', remaining: [] })
    expect(await evidenceOf(requestId)).toEqual([])
    expect(await testApp.sql('select from document where id = $1', [documentId])).toEqual([])
    expect(await exists(file)).toBe(false)
    const read = await testApp.operator.get(`/operator/v1/request/${requestId}/document/${documentId}`)
    expect(read.status).toBe(404)
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('of a request about several people stays until the last of them goes, with its ground', async () => {
    const [one, other] = [await imported(testApp, company, ended), await imported(testApp, company, ended)]
    const { requestId, documentId, file } = await send([primary({ 'tax-id': one }), primary({ 'tax-id': other })])
    const kept = {
      class: 'evidence',
      'company-tax-id': company.taxId,
      'company-name': expect.any(String),
      action: 'keep',
      rows: 1,
      ground: 'other-people',
      until: null,
    }
    const first = await erase(testApp, second, one)
    expect(of(first.plan.items)).toEqual([kept])
    expect(first.done).toMatchObject({ status: 'partly-fulfilled', remaining: [kept] })
    expect(await evidenceOf(requestId)).toEqual([documentId])
    expect(await exists(file)).toBe(true)
    const last = await erase(testApp, second, other)
    expect(of(last.plan.items)).toEqual([{ ...kept, action: 'erase', ground: null }])
    expect(last.done).toMatchObject({ status: 'fulfilled', remaining: [] })
    expect(await evidenceOf(requestId)).toEqual([])
    expect(await exists(file)).toBe(false)
  })

  test('of a person who stays stays too, and is not counted for itself', async () => {
    const taxId = await imported(testApp, company, { 'start-date': '2024-03-01' })
    const { requestId, documentId } = await send([
      primary({
        'tax-id': taxId,
        products: { 'dental-insurance': [{ name: 'Dental Sorriso', 'start-option': 'on-inclusion-date' }] },
      }),
    ])
    const { plan } = await planned(testApp, taxId)
    expect(of(plan.items)).toEqual([])
    expect(await evidenceOf(requestId)).toEqual([documentId])
  })

  test('names the person in free text only where the plan shows it: who asked, and how they are reached', async () => {
    const taxId = await imported(testApp, company, {
      name: 'Zuleica Andrade Pontes',
      'email-private': 'zuleica@pontes.example',
      ...ended,
    })
    const { requestId } = await send([primary({ 'tax-id': nextCpf() })], {
      'requester-name': 'Zuleica Andrade Pontes',
      'requester-contact': 'zuleica@pontes.example',
    })
    const { plan, done } = await erase(testApp, second, taxId)
    expect(plan.mentions.map(({ record, field }: Json) => [record, field])).toEqual(
      expect.arrayContaining([
        ['request-intake', 'requester_name'],
        ['request-intake', 'requester_contact'],
      ]),
    )
    expect(done.status).toBe('fulfilled')
    const { intake } = expectOk(await testApp.operator.get(`/operator/v1/request/${requestId}`)).body.result
    expect(intake).toMatchObject({ 'requester-name': 'erased', 'requester-contact': 'erased' })
  })
})
