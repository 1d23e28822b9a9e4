import { health, primary } from '../data/people.ts'
import { files } from '../world/upload.ts'
import { type Family, type Json, makeFamily, Refused, type Run } from './sequence.ts'

const pdf = files['application/pdf'] ?? Buffer.alloc(0)
const dismissal = { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' }

const exclude = (run: Run, { cpf, benefitId }: Family, details: Json) =>
  run.send('excludeByBenefit', {
    path: [cpf, benefitId],
    query: { resolution: 'approve' },
    body: { 'exclusion-details': { ...dismissal, ...details } },
  })

/** A continuation that was offered. */
async function offered(run: Run): Promise<{ readonly id: string; readonly benefitId: string }> {
  const { benefitId } = await makeFamily(run)
  const leaving = { 'contribution-months': 40, 'leaving-date': '2026-11-30' }
  const { result } = await run.send('createContinuation', {
    body: { 'benefit-id': benefitId, ground: 'dismissal', ...leaving },
  })
  const id: string = result['continuation-id']
  await run.send('offerContinuation', { path: [id], body: { 'notice-date': '2026-11-20' } })
  return { id, benefitId }
}

const answer = (run: Run, id: string, option: string) =>
  run.send('answerContinuation', { path: [id], body: { option, 'option-date': '2026-11-23' } })

/** The letters of a continuation that is accepted and ended. */
export async function continueBenefits(run: Run): Promise<void> {
  const { id } = await offered(run)
  for (const read of [
    'readContinuation',
    'readContinuationNotice',
    'readContinuationOptionForm',
    'readAnyContinuation',
    'readAnyContinuationNotice',
    'readAnyContinuationOptionForm',
  ])
    await run.send(read, { path: [id] })
  await answer(run, id, 'accepted')
  await run.send('endContinuation', { path: [id], body: { reason: 'new-job', 'end-date': '2027-03-31' } })
}

/** Two continuations that are declined: one draft of an exclusion is confirmed, the other discarded. */
export async function decideDrafts(run: Run): Promise<void> {
  const drafts: string[] = []
  for (const { id, benefitId } of [await offered(run), await offered(run)]) {
    await answer(run, id, 'declined')
    const query = { 'company-tax-id': run.companyTaxId, status: 'open', 'items-per-page': '500' }
    const { result } = await run.send('listDraftExclusions', { query })
    drafts.push((result as Json[]).find((one) => one['benefit-id'] === benefitId)?.['draft-id'])
  }
  await run.send('confirmDraftExclusion', { path: drafts.slice(0, 1) })
  await run.send('discardDraftExclusion', { path: drafts.slice(1), body: { reason: 'Fica até julho' } })
}

/** A benefit goes on without an end date, until it is ended. */
export async function endExtension(run: Run): Promise<void> {
  const family = await makeFamily(run)
  await run.finished(await exclude(run, family, { 'extension-plan': true }))
  await run.send('endBenefit', {
    path: [family.benefitId],
    body: { 'end-date': '2026-12-31', reason: 'Fim do prazo legal' },
  })
}

/** Exclusions, one of them with its letter, and alterations. */
export async function moveFamily(run: Run): Promise<void> {
  const family = await makeFamily(run)
  const { cpf, child } = family
  const ofCompany = { 'company-tax-id': run.companyTaxId }
  const alteration = { 'alteration-data': { phone: '(11) 98765-4321' } }
  // It waits for a document of a rule.
  const altered = await run.send('alterMember', { path: [cpf], body: { ...ofCompany, ...alteration } })
  const isStored = (body: Json) => JSON.stringify(body).includes('"enrollment-id"')
  const request = await run.until('readRequest', { path: [altered['request-id']] }, isStored)
  const [waiting] = Object.values<Json>(request['status-by-tax-id'][cpf])
  await run.send('waiveRequirement', { path: [waiting['enrollment-id'], 1], body: { reason: 'Já enviado' } })
  const members = (await run.send('listMembers', { query: { filter: `tax-id=${cpf}` } })).result as Json[]
  await run.send('requestSecondCard', {
    path: [members[0].id],
    body: { 'benefit-id': family.benefitId, reason: 'lost' },
  })
  await run.send('excludeDependent', { path: [child, cpf], body: { 'exclusion-details': dismissal } })
  const other = await makeFamily(run)
  await run.send('alterMembers', { body: { ...ofCompany, members: [{ 'tax-id': other.cpf, ...alteration }] } })
  const details = { 'exclusion-details': { ...dismissal, 'end-date': '2026-12-31' } }
  await run.send('excludeMembers', { body: { ...ofCompany, members: [{ 'tax-id': other.cpf, ...details }] } })
  const leaving = await makeFamily(run)
  const requested = { 'exclusion-reason': 'requested-by-beneficiary', 'requested-at': '2026-11-20' }
  const parts = await run.finished(await exclude(run, leaving, requested))
  const [enrollment] = Object.values<Json>(parts[leaving.cpf])
  for (const read of ['readExclusionNotice', 'readAnyExclusionNotice'])
    await run.send(read, { path: [enrollment['enrollment-id']] })
}

/** An inclusion with a document, that is decided so that the decision can be undone, and is. */
export async function documentInclusion(run: Run): Promise<void> {
  const { 'upload-url': url, 'document-id': documentId } = await run.send('createUploadSlot')
  const { searchParams } = new URL(url, 'http://service')
  await run.send('uploadDocument', {
    path: [documentId],
    query: Object.fromEntries(searchParams),
    body: pdf,
    headers: { 'content-type': 'application/pdf' },
  })
  const member = primary({
    'tax-id': run.cpf(),
    documents: [{ 'document-id': documentId, 'document-type': 'marriage-certificate' }],
  })
  const body = { 'company-tax-id': run.companyTaxId, members: [member] }
  const parts = await run.finished(await run.send('includeMembers', { body }))
  const id: string = parts[member['tax-id']][health]['enrollment-id']
  const { result } = await run.send('listEnrollmentDocuments', { path: [id] })
  await run.send('readEnrollmentDocument', { path: [id, result[0]['document-id']] })
  const decision = { 'enrollment-ids': [id], status: 'completed', undoable: true }
  const decided = await run.send('moveEnrollments', { body: decision })
  await run.send('undoDecisions', { path: [decided.result['job-id']] })
}

/** A link of onboarding, from the invitation to what the HR sees of it. */
export async function onboard(run: Run): Promise<void> {
  const { result: products } = await run.send('listProducts', { query: { 'company-tax-id': run.companyTaxId } })
  const product = (products as Json[]).find((one) => one['product-name'] === health)
  if (product === undefined) throw new Refused('no product')
  const productId = product['product-id']
  const body = {
    'company-tax-id': run.companyTaxId,
    name: 'Helena Prado',
    'tax-id': run.cpf(),
    'date-of-birth': '1990-05-17',
    'admission-date': '2026-11-16',
    products: [{ 'product-id': productId, 'start-option': 'on-inclusion-date' }],
  }
  const { result: made } = await run.send('createOnboardingInvitation', { body })
  const token = { 'onboarding-token': made.link.split('#')[1] }
  const factor = { 'tax-id-ending': body['tax-id'].slice(-5), 'date-of-birth': body['date-of-birth'] }
  const { result } = await run.send('startOnboardingSession', { headers: token, body: factor })
  const headers = { ...token, 'onboarding-session': result.session }
  const sent = { ...headers, 'content-type': 'application/pdf' }
  const { 'document-id': documentId } = await run.send('uploadOnboardingDocument', { headers: sent, body: pdf })
  const member = {
    name: 'Helena Prado',
    'mothers-name': 'Fátima Prado',
    gender: 'female',
    'marital-status': 'married',
  }
  const choices = [{ 'product-id': productId, choice: 'enroll' }]
  await run.send('submitOnboarding', { headers, body: { member, choices } })
  await run.send('readOnboardingDocument', { path: [made['invitation-id'], documentId] })
}
