import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { write } from '#platform/core/write.ts'
import type { ExclusionReason } from '#kernel/enums.ts'
import type { Context } from '#platform/http/context.ts'
import { dropObsoleteDrafts, insertDrafts, reportEndings } from '#movements/draft-exclusions/draft-exclusion.ts'
import { readViolations } from '../../crash/invariants.ts'
import { type IdleTestApp, openIdleTestApp } from '../../crash/steps.ts'
import {
  type ApiResponse,
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  until,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'
import { startWorker } from '#apps/worker/worker.ts'

const clock = { kind: 'clock' } as const
const url = '/operator/v1/draft-exclusion'
let idle: IdleTestApp
let context: Context
let company: Company
let partner: Client
let analyst: Client

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context()
  company = await idle.testApp.company()
  partner = await idle.testApp.partner(company.taxId)
  analyst = await idle.testApp.operatorOf('analyst')
})
afterAll(() => idle.close())

interface Person {
  readonly taxId: string
  readonly memberId: string
  readonly benefitId: string
}

/** A primary with a dependent, both with the product. */
async function family(): Promise<[Person, Person]> {
  const employee = primary()
  const child = dependent(employee['tax-id'])
  const worker = startWorker(context)
  await idle.testApp.include(partner, company, [employee, child], '?resolution=approve')
  await worker.stop()
  return [await personOf(employee['tax-id']), await personOf(child['tax-id'])]
}

async function personOf(taxId: string): Promise<Person> {
  const member = await until(
    async () => expectOk(await partner.get(`/v1/member?filter=tax-id%3D${taxId}`)).body.result[0],
    (one) => one !== undefined,
  )
  return { taxId, memberId: member.id, benefitId: member.benefits[0]['benefit-id'] }
}

/** The draft of the clock for a benefit. */
async function draftOf({ benefitId }: Person, endDate: string, reason: ExclusionReason = 'loss-of-dependent-status') {
  const draft = { benefitId, cause: 'age-limit', exclusionReason: reason, endDate } as const
  const added = await write(context, clock, { may: 'service' }, (tx) => insertDrafts(tx, company.id, [draft]))
  const found = await listed()
  return { added, draft: found.find((one) => one['benefit-id'] === benefitId && one['end-date'] === endDate) }
}

const listed = async (query = ''): Promise<Json[]> =>
  expectOk(await analyst.get(`${url}?items-per-page=500${query}`)).body.result
const confirm = (draft: Json): Promise<ApiResponse> => analyst.post(`${url}/${draft['draft-id']}/confirm`)
const discard = (draft: Json, body: Json = { reason: 'Estuda até julho' }): Promise<ApiResponse> =>
  analyst.post(`${url}/${draft['draft-id']}/discard`, body)
const codeOf = ({ status, body }: ApiResponse) => [status, body.code]
const movementsOf = async (taxId: string): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/enrollment/history?member-tax-id=${taxId}&enrollment-type=exclusion`)).body.result

test('a draft has no effect; confirmed it is an exclusion of the operator in the queue and in the lists of the partners', async () => {
  const [, child] = await family()
  const { draft } = await draftOf(child, '2027-01-20')
  expect(draft).toMatchObject({
    'company-tax-id': company.taxId,
    'member-id': child.memberId,
    'member-type': 'dependent',
    'product-name': health,
    cause: 'age-limit',
    'exclusion-reason': 'loss-of-dependent-status',
    status: 'open',
    'decided-by': null,
    'request-id': null,
  })
  expect(await movementsOf(child.taxId)).toEqual([])
  const id = expectOk(await confirm(draft)).body['request-id']
  const [movement, ...others] = await movementsOf(child.taxId)
  expect(others).toEqual([])
  expect(movement).toMatchObject({
    'request-id': id,
    status: 'scheduled',
    'end-date': '2027-01-20',
    'exclusion-reason': 'loss-of-dependent-status',
    history: [{ status: 'scheduled', actor: 'operator' }],
  })
  const [decided] = (await listed('&status=confirmed')).filter((one) => one['draft-id'] === draft['draft-id'])
  expect(decided).toMatchObject({ 'decided-by': analyst.clientId, 'request-id': id })
  expect(codeOf(await confirm(draft))).toEqual([409, 'draft-exclusion-decided'])
  expect(codeOf(await discard(draft))).toEqual([409, 'draft-exclusion-decided'])
  expect(await readViolations(idle.testApp.sql)).toEqual({})
})

test('that of a primary takes the dependents with it', async () => {
  const [employee, child] = await family()
  const { draft } = await draftOf(employee, '2026-12-26', 'dismissal')
  expectOk(await confirm(draft))
  expect([...(await movementsOf(employee.taxId)), ...(await movementsOf(child.taxId))]).toMatchObject([
    { 'end-date': '2026-12-26', 'exclusion-reason': 'dismissal' },
    { 'end-date': '2026-12-26' },
  ])
})

test('asks for the documents that the same exclusion of a partner needs', async () => {
  const [[, child], [, other]] = [await family(), await family()]
  const ruleUrl = `/operator/v1/requirement-rule/${randomUUID()}`
  const require = [{ 'any-of': ['exclusion-file'], message: 'Termo de exclusão' }]
  const when = { movements: ['exclusion'], 'exclusion-reasons': ['loss-of-dependent-status'] }
  const body = { name: 'Exclusão por idade', when, require }
  expectOk(await idle.testApp.operator.put(ruleUrl, body))
  const { draft } = await draftOf(child, '2027-01-20')
  const confirmed = expectOk(await confirm(draft)).body
  const path = `/v1/enrollment/exclusion/${other.taxId}/benefit/${other.benefitId}`
  const details = { 'end-date': '2027-01-20', 'exclusion-reason': 'loss-of-dependent-status' }
  const sent = expectOk(await partner.post(path, { 'exclusion-details': details })).body
  const missing = [{ 'any-of': ['exclusion-file'], message: 'Termo de exclusão', 'product-name': health }]
  expect([confirmed['missing-documents'], sent['missing-documents']]).toMatchObject([missing, missing])
  const waiting = { status: 'pending-documents', 'pending-items': [{ kind: 'document', message: 'Termo de exclusão' }] }
  expect([await movementsOf(child.taxId), await movementsOf(other.taxId)]).toMatchObject([[waiting], [waiting]])
  const [movement] = await movementsOf(child.taxId)
  const documents = [{ 'document-id': await upload(partner), 'document-type': 'exclusion-file' }]
  const answered = expectOk(await partner.post(`/v1/enrollment/${movement.id}/answer`, { documents })).body.result
  expect(answered.status).toBe('created')
  expectOk(await idle.testApp.operator.put(ruleUrl, { ...body, enforcement: 'offense' }))
  const [, third] = await family()
  const { draft: refused } = await draftOf(third, '2027-01-20')
  const response = await confirm(refused)
  expect(codeOf(response)).toEqual([400, 'invalid-exclusion-details'])
  expect(response.body.details).toMatchObject([
    { field: 'exclusion-details.documents', code: 'missing-documents', message: 'Termo de exclusão' },
  ])
  expect((await listed('&status=open')).map((one) => one['draft-id'])).toContain(refused['draft-id'])
  expectOk(await idle.testApp.operator.delete(ruleUrl))
})

test('one that was discarded is not proposed again, another end is', async () => {
  const [, child] = await family()
  const { draft } = await draftOf(child, '2027-01-20')
  expect(expectOk(await discard(draft)).body.result).toMatchObject({
    status: 'discarded',
    reason: 'Estuda até julho',
    'decided-by': analyst.clientId,
  })
  expect(codeOf(await confirm(draft))).toEqual([409, 'draft-exclusion-decided'])
  expect((await draftOf(child, '2027-01-20')).added).toBe(0)
  expect((await draftOf(child, '2027-07-31')).added).toBe(1)
})

test('is refused while another exclusion of the benefit is open, and stays open', async () => {
  const [, child] = await family()
  const { draft } = await draftOf(child, '2027-01-20')
  const { draft: other } = await draftOf(child, '2027-02-28')
  expectOk(await confirm(other))
  expect(codeOf(await confirm(draft))).toEqual([409, 'ongoing-enrollments'])
  expect((await listed('&status=open')).map((one) => one['draft-id'])).toContain(draft['draft-id'])
})

test('of a benefit that has ended is refused, then discarded by the clock', async () => {
  const [, child] = await family()
  const { draft } = await draftOf(child, '2027-01-20')
  const { draft: other } = await draftOf(child, '2026-11-22')
  expect(codeOf(await confirm(other))).toEqual([400, 'invalid-exclusion-details'])
  await idle.testApp.sql(`update benefit set start_date = '2026-11-01' where id = $1`, [child.benefitId])
  expectOk(await confirm(other))
  const [movement] = await movementsOf(child.taxId)
  expectOk(await analyst.post(`/operator/v1/enrollment/${movement.id}/transition`, { status: 'completed' }))
  expect(codeOf(await confirm(draft))).toEqual([404, 'no-active-benefit'])
  expect(await dropObsoleteDrafts(context, new AbortController().signal)).toBe(1)
  const [dropped] = (await listed('&status=discarded')).filter((one) => one['draft-id'] === draft['draft-id'])
  expect(dropped).toMatchObject({ 'decided-by': null, reason: null })
})

test('two who confirm at once request one exclusion', async () => {
  const [, child] = await family()
  const { draft } = await draftOf(child, '2027-01-20')
  const responses = await Promise.all([confirm(draft), confirm(draft), confirm(draft)])
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await movementsOf(child.taxId)).toHaveLength(1)
})

test('an unknown draft, a reason that is missing, a filter', async () => {
  const unknown = { 'draft-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }
  expect(codeOf(await confirm(unknown))).toEqual([404, 'draft-exclusion-not-found'])
  expect(codeOf(await discard(unknown))).toEqual([404, 'draft-exclusion-not-found'])
  expect(codeOf(await discard(unknown, { reason: ' ' }))).toEqual([400, 'invalid-body'])
  expect(await listed('&company-tax-id=12ABC34501DE35')).toEqual([])
})

test('an end ahead is reported once for each cause and day, with ids only', async () => {
  const [, child] = await family()
  const endings = [
    { ...child, cause: 'age-limit', endDate: '2027-01-20' },
    { ...child, cause: 'continuation', endDate: '2027-01-20' },
  ] as const
  const report = () => write(context, clock, { may: 'service' }, (tx) => reportEndings(tx, company.id, endings))
  expect([await report(), await report()]).toEqual([2, 0])
  const events = await idle.testApp.sql(`select data from event where type = 'benefit.ending' order by id`)
  const data = {
    'company-id': company.id,
    'company-tax-id': company.taxId,
    'benefit-id': child.benefitId,
    'product-id': company.products[health],
    'member-id': child.memberId,
    status: 'active',
  }
  expect(events).toEqual([{ data }, { data }])
})
