import { afterAll, beforeAll, expect, test } from 'vitest'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { expireFiles } from '#privacy/subject-requests/file-queries.ts'
import { processSubjectFile } from '#privacy/subject-requests/file.ts'
import { subjectPath } from '../world/subject-data.ts'
import { expectOk, primary } from '../world/test-app.ts'
import { startWorker } from '#apps/worker/worker.ts'
import { upload } from '../world/upload.ts'
import { checksumsOf, failAfterEach } from './fail-after-each.ts'
import { readViolations } from './invariants.ts'
import { type IdleTestApp, openIdleTestApp } from './steps.ts'

/* The copy of a person's data is made while statements fail: it is there whole, or not at all, and no file is lost. */

let idle: IdleTestApp
let context: Context

beforeAll(async () => {
  idle = await openIdleTestApp()
  context = await idle.context({ VIGENCIA_DATA_DIR: idle.testApp.dataDir })
})
afterAll(() => idle.close())

const make = (id: string) => (on: Context) =>
  write(on, { kind: 'service' }, { may: 'service' }, (tx) => processSubjectFile(on, tx, id))

/** What a failed step leaves as it was; no rule is broken. */
const stored = async () => [
  await checksumsOf(idle.testApp.sql, ['subject_request', 'work']),
  await readViolations(idle.testApp.sql),
]

test('a copy is made at once or not, whichever statement fails; files that nobody refers to are orphans', async () => {
  const { testApp } = idle
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const documents = [{ 'document-id': await upload(partner), 'document-type': 'marriage-certificate' }]
  const person = primary({ documents })
  const worker = startWorker(context)
  try {
    await testApp.include(partner, company, [person])
  } finally {
    await worker.stop()
  }
  const { result } = expectOk(
    await testApp.operator.post(subjectPath, { 'tax-id': person['tax-id'], kind: 'access' }),
  ).body
  const path = `${subjectPath}/${result['subject-request-id']}`
  expectOk(await testApp.operator.post(`${path}/file`))
  const { failed } = await failAfterEach(context, stored, make(result['subject-request-id']))
  expect(failed).toBeGreaterThan(20)
  expect((await testApp.operator.get(path)).body.result.file).toMatchObject({ status: 'ready' })
  const [kept] = await testApp.sql(
    `select count(*)::int as count from orphan_file join subject_request on subject_request.file_key = orphan_file.key`,
  )
  expect(kept?.['count']).toBe(0)
  // The step again, as after a crash of the worker: nothing changes.
  const after = await stored()
  await make(result['subject-request-id'])(context)
  expect(await stored()).toEqual(after)
})

test('a copy that has expired cannot be downloaded, and its file is deleted', async () => {
  const { testApp } = idle
  const [held] = await testApp.sql(
    `update subject_request set file_requested_at = now() - interval '9 days', file_made_at = now() - interval '8 days',
       file_expires_at = now() - interval '1 day' where file_key is not null returning id::text, file_key`,
  )
  const path = `${subjectPath}/${held?.['id']}`
  expect((await testApp.operator.get(`${path}/file`)).body.code).toBe('subject-request-file-not-found')
  expect((await testApp.operator.get(path)).body.result.file.status).toBe('expired')
  await expireFiles(context.database)
  const [orphan] = await testApp.sql('select count(*)::int as count from orphan_file where key = $1', [
    held?.['file_key'],
  ])
  expect(orphan?.['count']).toBe(1)
  expect((await testApp.operator.get(path)).body.result.file).toMatchObject({ status: 'expired', size: null })
})
