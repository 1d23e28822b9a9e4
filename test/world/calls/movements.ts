import { continuationBody, createContinuation, makeFamily } from '../continuation.ts'
import { movementDraft, openDrafts } from '../draft.ts'
import { type Client, type Company, expectOk, health, type Json, primary, type TestApp } from '../test-app.ts'
import { rosterSync } from '../roster-sync.ts'
import { pdf, upload } from '../upload.ts'
import { analyst, chapter, csvType, movementRoles, ndjsonType, reads, roles, type World, write } from './call.ts'

/** Movements of new primaries that wait for an operator. @returns their ids. */
async function waiting({ testApp, company, partner }: World, count: number): Promise<string[]> {
  const request = await testApp.include(
    partner,
    company,
    Array.from({ length: count }, () => primary()),
  )
  return Object.values<Json>(request['status-by-tax-id']).map((parts) => parts[health]['enrollment-id'])
}

interface Covered {
  readonly taxId: string
  readonly memberId: string
  readonly benefitId: string
}

/** A primary with an active benefit. */
async function covered(testApp: TestApp, company: Company, partner: Client): Promise<Covered> {
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  const taxId = member['tax-id']
  const [found] = expectOk(await partner.get(`/v1/member?filter=tax-id=${taxId}`)).body.result
  return { taxId, memberId: found.id, benefitId: found.benefits[0]['benefit-id'] }
}

/** Movements that wait, a decision that can be undone, and people with a benefit. */
async function prepareDesk(world: World) {
  const { testApp, company, partner, operator } = world
  const [first, second, third, fourth, held, undone] = await waiting(world, 6)
  const decided = { status: 'completed', 'enrollment-ids': [undone], undoable: true }
  const { result: job } = expectOk(await operator.post('/operator/v1/enrollment/transition', decided)).body
  // However long the other calls take.
  await testApp.sql(`update decision_job set undo_until = now() + interval '1 hour' where id = $1`, [job['job-id']])
  await testApp.sql(`update work set run_at = now() + interval '1 hour' where target_id = $1`, [job['job-id']])
  const [carded, extended] = [await covered(testApp, company, partner), await covered(testApp, company, partner)]
  const details = { 'end-date': '2026-11-23', 'exclusion-reason': 'dismissal', 'extension-plan': true }
  const path = `/v1/enrollment/exclusion/${extended.taxId}/benefit/${extended.benefitId}?resolution=approve`
  expectOk(await partner.post(path, { 'exclusion-details': details }))
  const line = {
    ...primary(),
    products: undefined,
    'company-tax-id': company.taxId,
    'product-name': health,
    'start-date': '2026-01-01',
  }
  const colleague = await testApp.operatorOf('analyst')
  const intake = { medium: 'phone', 'received-at': '2026-11-23T09:00:00-03:00', 'requester-name': 'Paula Andrade' }
  const typed = { 'company-tax-id': company.taxId, intake }
  const evidence = [await upload(operator, pdf, '/operator/v1'), await upload(operator, pdf, '/operator/v1')]
  const newcomer = { ...typed, members: [primary()], intake: { ...intake, documents: evidence.slice(0, 1) } }
  const requested = expectOk(await operator.post('/operator/v1/enrollment/inclusion', newcomer)).body['request-id']
  await testApp.finished(partner, requested)
  const pending = { status: 'pending-correction', reason: 'Cargo' }
  const [asked] = await waiting(world, 1)
  const leaver = await covered(testApp, company, partner)
  expectOk(await operator.post(`/operator/v1/enrollment/${asked}/transition`, pending))
  const drafts = [
    await movementDraft(partner, company, carded.taxId),
    await movementDraft(partner, company, extended.taxId),
  ]
  // A company has three at most, and the partner's calls make those of the other one.
  const listed = await testApp.company()
  const payroll = await testApp.partner(listed.taxId)
  const syncs = [await rosterSync(payroll, listed), await rosterSync(payroll, listed)]
  const desk = {
    drafts,
    syncs,
    listed,
    typed,
    leaver,
    requested,
    evidence,
    asked,
    first: [first ?? ''],
    second,
    rest: [third, fourth],
    held,
    job: [job['job-id']],
  }
  return { ...desk, colleague: colleague.clientId, carded, extended, line }
}

/** What operators request and decide, and what they do with members. */
export const desk = chapter(prepareDesk, {
  ...reads(movementRoles, 'listEnrollmentQueue', 'exportEnrollmentQueue', 'countEnrollments', 'listDeadlines'),
  ...reads(movementRoles, 'readStatistics', 'readMovement', 'listEnrollmentNotes', 'listEnrollmentDocuments'),
  ...reads(movementRoles, 'readEnrollmentDocument', 'listAllRequests', 'readAnyRequest'),
  ...reads(roles, 'listRequirementsOfCompany'),
  ...reads(movementRoles, 'readTableTemplateOfCompany'),
  readTableOfCompany: { roles: analyst },
  includeMembersOfCompany: write(analyst, 'inclusion.requested', ({ typed }) => ({
    body: { ...typed, members: [primary()] },
  })),
  excludeMembersOfCompany: write(analyst, 'exclusion.requested', ({ typed, leaver }) => {
    const details = { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' }
    return { body: { ...typed, members: [{ 'tax-id': leaver.taxId, 'exclusion-details': details }] } }
  }),
  alterMembersOfCompany: write(analyst, 'alteration.requested', ({ typed, carded }) => ({
    body: { ...typed, members: [{ 'tax-id': carded.taxId, 'alteration-data': { phone: '11987654321' } }] },
  })),
  ...reads(
    movementRoles,
    'listAllMovementDrafts',
    'readAnyMovementDraft',
    'listAnyMovementDraftItems',
    'readMovementDraftDocument',
  ),
  confirmAnyMovementDraft: write(analyst, ['movement-draft.approved', '*'], ({ drafts: [id = ''] }) => ({
    path: [id],
    body: { classes: ['correction'] },
  })),
  discardAnyMovementDraft: write(
    analyst,
    ['movement-draft.closed', 'movement-draft.discarded'],
    ({ drafts: [, id = ''] }) => ({
      path: [id],
      body: { reason: 'Fica como está' },
    }),
  ),
  ...reads(movementRoles, 'listAllRosterSyncs', 'readAnyRosterSync'),
  createRosterSyncOfCompany: write(analyst, 'roster-sync.created', ({ typed, listed }) => ({
    body: { ...typed, 'company-tax-id': listed.taxId, states: [] },
  })),
  putRosterSyncFileOfCompany: write(analyst, ['roster-sync.file-received', '*'], ({ syncs: [id = ''], leaver }) => ({
    path: [id],
    body: `CPF\n${leaver.taxId}\n`,
    headers: csvType,
  })),
  cancelAnyRosterSync: write(analyst, 'roster-sync.cancelled', ({ syncs: [, id = ''] }) => ({ path: [id], body: {} })),
  createOperatorUploadSlot: write(analyst, 'document.slot-created', () => ({})),
  addRequestEvidence: write(analyst, 'request.evidence-added', ({ requested, evidence }) => ({
    path: [requested],
    body: { documents: evidence.slice(1) },
  })),
  ...reads(analyst, 'readRequestEvidence'),
  answerAnyEnrollment: write(analyst, 'enrollment.created', ({ asked }) => ({
    path: [asked ?? ''],
    body: { data: { 'job-title': 'Auxiliar' } },
  })),
  assignEnrollment: write(analyst, 'enrollment.assigned', ({ first, colleague }) => [
    { path: first, body: { assignee: colleague } },
    { path: first, body: { assignee: null }, audit: 'enrollment.unassigned' },
  ]),
  ...reads(analyst, 'listPresence'),
  putPresence: { roles: analyst, calls: ({ first }: { first: string[] }) => ({ path: first }) },
  deletePresence: { roles: analyst, calls: ({ first }: { first: string[] }) => ({ path: first }) },
  addEnrollmentNote: write(analyst, 'enrollment.note-added', ({ first }) => ({
    path: first,
    body: { text: 'Falta a certidão' },
  })),
  moveEnrollment: write(analyst, 'enrollment.completed', ({ first }) => ({
    path: first,
    body: { status: 'completed' },
  })),
  moveEnrollments: write(analyst, ['enrollment.completed', 'enrollment.completed'], ({ rest, held }) => [
    { body: { status: 'completed', 'enrollment-ids': rest } },
    { body: { status: 'completed', 'enrollment-ids': [held], undoable: true }, audit: 'decision-job.created' },
  ]),
  ...reads(movementRoles, 'listDecisionJobs', 'readDecisionJob', 'readDecisionJobResult'),
  undoDecisions: write(analyst, 'decision-job.undone', ({ job }) => ({ path: job })),
  decideEnrollments: write(analyst, ['decision-job.created', 'enrollment.completed'], ({ second }) => {
    const body = Buffer.from(`enrollment-id;status\n${second};completed\n`)
    const call = { body, headers: { ...csvType, prefer: 'wait=60' } }
    return [{ ...call, query: 'dry-run=true', audit: 'decision-job.created' }, call]
  }),
  ...reads(movementRoles, 'searchMembers', 'readAnyMember', 'listAllBenefits'),
  discloseMember: write(analyst, 'member.disclosed', ({ carded }) => ({ path: [carded.memberId] })),
  requestSecondCard: write(analyst, 'alteration.requested', ({ carded }) => ({
    path: [carded.memberId],
    body: { 'benefit-id': carded.benefitId, reason: 'lost' },
  })),
  requestContractTransfer: write(analyst, 'alteration.requested', ({ carded }) => ({
    path: [carded.memberId],
    body: { 'start-date': '2026-11-23', 'sub-contract': '002' },
  })),
  correctBenefit: write(analyst, 'benefit.updated', ({ carded }) => ({
    path: [carded.benefitId],
    body: { 'card-number': '0045 7799', reason: 'Digitada errada' },
  })),
  endBenefit: write(analyst, 'benefit.ended', ({ extended }) => ({
    path: [extended.benefitId],
    body: { 'end-date': '2026-11-23', reason: 'Prazo' },
  })),
  ...reads(movementRoles, 'listImports', 'readImport', 'listImportErrors', 'readImportTemplate'),
  importMembers: write(analyst, 'member.imported', ({ line }) => ({
    body: Buffer.from(JSON.stringify(line)),
    headers: ndjsonType,
  })),
})

async function prepareContinuations({ testApp, operator }: World) {
  const other = await testApp.company()
  const partner = await testApp.partner(other.taxId)
  const family = () => makeFamily(testApp, other, partner)
  const open = await createContinuation(testApp, await family())
  const accepted = await createContinuation(testApp, await family(), { 'notice-date': '2026-11-20' })
  const ending = accepted['continuation-id']
  const answer = { option: 'accepted', 'option-date': '2026-11-23' }
  expectOk(await operator.post(`/operator/v1/continuation/${ending}/option`, answer))
  const drafts = await openDrafts(testApp, other, 2)
  const [confirmed, discarded] = drafts.map((path) => path.split('/').slice(-1))
  return {
    body: continuationBody(await family()),
    open: [open['continuation-id']],
    ending: [ending],
    answer,
    confirmed,
    discarded,
  }
}

/** Continuations, and drafts of exclusions. */
export const continuations = chapter(prepareContinuations, {
  ...reads(roles, 'calculateAnyContinuation'),
  ...reads(movementRoles, 'listAllContinuations', 'readAnyContinuation'),
  ...reads(analyst, 'readAnyExclusionNotice', 'readAnyContinuationNotice', 'readAnyContinuationOptionForm'),
  createContinuation: write(analyst, 'continuation.created', ({ body }) => ({ body })),
  offerContinuation: write(analyst, 'continuation.offered', ({ open }) => ({
    path: open,
    body: { 'notice-date': '2026-11-20' },
  })),
  answerContinuation: write(analyst, 'continuation.accepted', ({ open, answer }) => ({ path: open, body: answer })),
  endContinuation: write(analyst, ['benefit.ended', 'benefit.ended', 'continuation.ended'], ({ ending }) => ({
    path: ending,
    body: { reason: 'request', 'end-date': '2026-11-23' },
  })),
  ...reads(movementRoles, 'listAgeingOut', 'listDraftExclusions'),
  confirmDraftExclusion: write(analyst, ['draft-exclusion.confirmed', 'exclusion.requested'], ({ confirmed }) => ({
    path: confirmed ?? [],
  })),
  discardDraftExclusion: write(analyst, 'draft-exclusion.discarded', ({ discarded }) => ({
    path: discarded ?? [],
    body: { reason: 'Fica' },
  })),
})
