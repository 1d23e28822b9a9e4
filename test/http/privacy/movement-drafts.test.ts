import { beforeAll, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { readViolations } from '../../crash/invariants.ts'
import { draftBody } from '../../world/draft.ts'
import { erase, imported } from '../../world/erasing.ts'
import { type Client, expectOk, type Json, monday, useCompany, useTestApp } from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

/* What becomes of the data of people in movement drafts. */

const testApp = useTestApp({ VIGENCIA_RETENTION: 'benefit=0' })
const { company, partner } = useCompany(testApp)
let second: Client
beforeAll(async () => {
  second = await testApp.operatorOf('admin')
})

/** A draft for people, each with the documents. */
async function drafted(taxIds: readonly string[], documents: readonly string[]): Promise<Json> {
  const body = draftBody(company, ...taxIds)
  const named = documents.map((id) => ({ 'document-id': id, 'document-type': 'other' }))
  const members = body.members.map((one) => ({
    ...one,
    'alteration-data': { ...one['alteration-data'], documents: named },
  }))
  return expectOk(await partner.post('/v1/movement-draft', { ...body, members })).body.result
}

const itemsOf = async (draft: Json): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/movement-draft/${draft['draft-id']}/item`)).body.result
const stored = async (ids: readonly string[]): Promise<string[]> =>
  (await testApp.sql('select id from document where id = any($1) order by id', [ids])).map((row) => row['id'])

test('an erasure deletes the items of the person, with the documents that no one else needs; an emptied draft is closed', async () => {
  const [erased, other] = [await imported(testApp, company), await imported(testApp, company)]
  const [own, shared] = [await upload(partner), await upload(partner)]
  const alone = await drafted([erased], [own])
  const both = await drafted([erased, other], [shared])
  await testApp.sql(
    `update benefit set status = 'inactive', end_date = '2026-10-31' where member_id = (select id from member where tax_id = $1)`,
    [erased],
  )
  await erase(testApp, second, erased)
  expect(await itemsOf(alone)).toEqual([])
  expect((await itemsOf(both)).map((item) => item['tax-id'])).toEqual([other])
  expect(expectOk(await partner.get(`/v1/movement-draft/${alone['draft-id']}`)).body.result).toMatchObject({
    status: 'closed',
    'closed-because': 'discarded',
  })
  expect(await stored([own, shared])).toEqual([shared])
  expect(await readViolations(testApp.sql)).toEqual({})
})

test('30 days after a draft was closed its items are deleted, and after 180 the documents that became of no movement', async () => {
  const people = [await imported(testApp, company), await imported(testApp, company)]
  const [kept, refused] = [await upload(partner), await upload(partner)]
  const [confirmed, discarded] = [await drafted(people.slice(0, 1), [kept]), await drafted(people.slice(1), [refused])]
  const confirm = `/v1/movement-draft/${confirmed['draft-id']}/confirm`
  expectOk(await partner.post(confirm, { classes: ['correction'] }, { prefer: 'wait=30' }))
  expectOk(await partner.post(`/v1/movement-draft/${discarded['draft-id']}/discard`, {}))
  const drafts = [confirmed, discarded].map((draft) => draft['draft-id'])
  const closed = (day: string) =>
    testApp.sql('update movement_draft set closed_at = $2 where id = any($1)', [drafts, day])
  const run = async () => expectOk(await testApp.operator.post('/operator/v1/retention'))
  const [row] = await testApp.sql(
    `select (now() - interval '29 days')::text as "before", (now() - interval '32 days')::text as "after"`,
  )
  await closed(row?.['before'])
  await run()
  expect([await itemsOf(confirmed), await itemsOf(discarded)].map((items) => items.length)).toEqual([1, 1])
  await closed(row?.['after'])
  const hold = await testApp.operator.post('/operator/v1/legal-hold', { 'tax-id': people[1], reason: 'Processo' })
  await run()
  expect([await itemsOf(confirmed), await itemsOf(discarded)].map((items) => items.length)).toEqual([0, 1])
  const held = `/operator/v1/legal-hold/${expectOk(hold).body.result['legal-hold-id']}/release`
  expectOk(await testApp.operator.post(held, { reason: 'Encerrado' }))
  await run()
  expect(await itemsOf(discarded)).toEqual([])
  expect(await stored([kept, refused])).toEqual([kept, refused].toSorted())
  // Unlike drafts, documents of movements count from the business date.
  await closed(addDays(monday, -200))
  await run()
  expect(await stored([kept, refused])).toEqual([kept])
  expect(await readViolations(testApp.sql)).toEqual({})
})
