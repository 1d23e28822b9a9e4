import { expectOk, nextCpf } from '../test-app.ts'
import { admin, auditor, chapter, reads, type World, write } from './call.ts'

/** Requests of people: a copy, two erasures that are planned or not, and one that has failed. */
async function prepareRequests({ testApp, operator }: World) {
  const other = await testApp.operatorOf('admin')
  const path = '/operator/v1/subject-request'
  const make = async (kind: string): Promise<string> =>
    expectOk(await operator.post(path, { 'tax-id': nextCpf(), kind })).body.result['subject-request-id']
  const [access, cancelled, erasure] = [await make('access'), await make('erasure'), await make('erasure')]
  const [planned, failing] = [await make('erasure'), await make('erasure')]
  for (const id of [planned, failing]) expectOk(await other.post(`${path}/${id}/plan`))
  await testApp.sql(
    `with failed as (
       update erasure set approved_by = $2, approved_at = now(), failure = 'internal-error', failed_at = now() where subject_request_id = $1)
     update subject_request set status = 'approved' where id = $1`,
    [failing, (await testApp.operatorOf('admin')).clientId],
  )
  return { access: [access], cancelled: [cancelled], erasure: [erasure], planned: [planned], failing: [failing] }
}

/** Requests about personal data, and retention. */
export const privacy = chapter(prepareRequests, {
  ...reads(admin, 'listSubjectRequests', 'readSubjectRequest', 'readErasurePlan', 'readSubjectRequestFile'),
  createSubjectRequest: write(admin, 'subject-request.created', () =>
    ['access', 'erasure'].map((kind) => ({ body: { 'tax-id': nextCpf(), kind } })),
  ),
  requestSubjectRequestFile: write(admin, 'subject-request.file-requested', ({ access }) => ({ path: access })),
  moveSubjectRequest: write(admin, 'subject-request.fulfilled', ({ access, cancelled }) => [
    { path: access, body: { status: 'fulfilled' } },
    {
      path: cancelled,
      body: { status: 'cancelled', 'cancel-reason': 'Desistiu' },
      audit: 'subject-request.cancelled',
    },
  ]),
  planErasure: write(admin, 'erasure.planned', ({ erasure }) => ({ path: erasure })),
  approveErasure: write(admin, ['erasure.approved', '*'], ({ planned }) => ({ path: planned })),
  retryErasure: write(admin, ['erasure.retried', '*'], ({ failing }) => ({ path: failing })),
  ...reads(auditor, 'readRetention', 'listMemberDisclosures'),
  runRetention: write(admin, 'retention.started', () => ({})),
})
