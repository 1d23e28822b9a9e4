import { health, primary } from '../data/people.ts'
import { files } from '../world/upload.ts'
import type { Run } from './sequence.ts'

/* Sequences of what operators request in the name of companies. */

const pdf = files['application/pdf'] ?? Buffer.alloc(0)

/** A document that an operator uploaded. */
async function upload(run: Run): Promise<string> {
  const { 'upload-url': url, 'document-id': documentId } = await run.send('createOperatorUploadSlot')
  const query = Object.fromEntries(new URL(url, 'http://service').searchParams)
  const headers = { 'content-type': 'application/pdf' }
  await run.send('uploadDocument', { path: [documentId], query, body: pdf, headers })
  return documentId
}

/** Somebody with a benefit. @returns the CPF. */
async function covered(run: Run): Promise<string> {
  const member = primary({ 'tax-id': run.cpf() })
  const body = { 'company-tax-id': run.companyTaxId, members: [member] }
  await run.finished(await run.send('includeMembers', { query: { resolution: 'approve' }, body }))
  return member['tax-id']
}

/** An inclusion that came by e-mail, with evidence, which the company is asked about, and an exclusion and an alteration by telephone. */
export async function requestAsOperator(run: Run): Promise<void> {
  const came = { 'received-at': '2026-11-20T18:40:00-03:00', 'requester-name': 'Paula Andrade' }
  const ofCompany = { 'company-tax-id': run.companyTaxId }
  const member = primary({ 'tax-id': run.cpf() })
  const byMail = { ...came, medium: 'email', documents: [await upload(run)] }
  const included = await run.send('includeMembersOfCompany', {
    body: { ...ofCompany, intake: byMail, members: [member] },
  })
  const id: string = included['request-id']
  const parts = await run.finished(included)
  const added = await upload(run)
  await run.send('addRequestEvidence', { path: [id], body: { documents: [added] } })
  await run.exchange('readRequestEvidence', { path: [id, added] })
  const asked: string = parts[member['tax-id']][health]['enrollment-id']
  await run.send('moveEnrollment', { path: [asked], body: { status: 'pending-correction', reason: 'Cargo' } })
  await run.send('answerAnyEnrollment', { path: [asked], body: { data: { 'job-title': 'Auxiliar' } } })
  const byPhone = { ...came, medium: 'phone' }
  const altered = { 'tax-id': await covered(run), 'alteration-data': { name: 'Davi Brandão' } }
  await run.send('alterMembersOfCompany', { body: { ...ofCompany, intake: byPhone, members: [altered] } })
  const details = { 'end-date': '2026-12-31', 'exclusion-reason': 'requested-by-beneficiary' }
  const leaving = { 'tax-id': await covered(run), 'exclusion-details': details }
  await run.send('excludeMembersOfCompany', { body: { ...ofCompany, intake: byPhone, members: [leaving] } })
}

/** Drafts of alterations that an operator confirms, and that a company withdraws. */
export async function askTheBroker(run: Run): Promise<void> {
  const members = [{ 'tax-id': await covered(run), 'alteration-data': { phone: '11912345678' } }]
  const body = { 'company-tax-id': run.companyTaxId, movement: 'alteration', members }
  for (const act of ['confirmAnyMovementDraft', 'discardAnyMovementDraft', 'discardMovementDraft']) {
    const { result } = await run.send('createMovementDraft', { body })
    const path = [result['draft-id']]
    const isConfirm = act.startsWith('confirm')
    await run.send(act, { path, body: isConfirm ? { classes: ['correction'] } : { reason: 'Desistiu' } })
    for (const read of ['readMovementDraft', 'readAnyMovementDraft', 'listAnyMovementDraftItems']) {
      await run.send(read, { path })
    }
  }
}
