import type { Language } from '#kernel/texts/texts.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import { inclusionMembers, type Submission } from '../rules/onboarding.ts'
import type { Context } from '#platform/http/context.ts'
import { acceptBatch, type BatchKind, type BatchResult } from '../batch/accept.ts'
import { inclusion } from '../include/queries.ts'
import { ofCompany, requireInvitation } from './invitations.ts'
import { type Invitation, readFiles } from './queries.ts'
import { approveInvitation, deleteFiles, moveFiles } from './rows.ts'

interface Approval {
  /** The time of the submission that was reviewed. */
  readonly submittedAt: string
  readonly saveResponse: SaveResponse
  readonly language: Language
}

/**
 * Approves a submission: it becomes one inclusion, whose documents are those that the employee uploaded. Who approves is its client. A repetition
 * gets the inclusion that there is.
 * @throws ApiError 404, and 409 for another status or a submission that changed since it was reviewed.
 */
export async function approveSubmission(
  context: Context,
  actor: ClientActor,
  id: string,
  approval: Approval,
): Promise<BatchResult> {
  const invitation = await requireInvitation(context, actor, id)
  if (invitation.status === 'approved') return repeated(context, actor, invitation, approval.saveResponse)
  requireReviewed(invitation, approval.submittedAt)
  const result = await approve(context, actor, invitation, approval).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'onboarding-status') return error
    throw error
  })
  if (!(result instanceof ApiError) && result.isAccepted) return result
  // Another client may have approved it meanwhile: the files are documents of that inclusion then.
  const now = await requireInvitation(context, actor, id)
  if (now.status === 'approved') return repeated(context, actor, now, approval.saveResponse)
  if (result instanceof ApiError) throw result
  return result
}

function requireReviewed({ status, submittedAt }: Invitation, reviewed: string): void {
  if (status !== 'submitted') throw new ApiError('onboarding-status')
  if (submittedAt !== reviewed) throw new ApiError('onboarding-submission-changed')
}

const fieldsOf = (requestId: string | null) => (requestId === null ? [] : [`"request-id":"${requestId}"`])

const accepted = (companyId: string, requestId: string | null): BatchResult => ({
  companyId,
  isAccepted: true,
  fields: fieldsOf(requestId),
  lists: [],
  withSentences: null,
})

async function repeated(
  context: Context,
  actor: ClientActor,
  { companyId, requestId }: Invitation,
  saveResponse: SaveResponse,
): Promise<BatchResult> {
  const options = { may: 'partner', companies: ofCompany(companyId), saveResponse } as const
  await write(context, actor, options, async (tx) => tx.respond(`{${fieldsOf(requestId).join()}}`, [companyId]))
  return accepted(companyId, requestId)
}

async function approve(
  context: Context,
  actor: ClientActor,
  invitation: Invitation,
  { submittedAt, saveResponse, language }: Approval,
): Promise<BatchResult> {
  const { companyId, companyTaxId, id } = invitation
  const submission = invitation.submission as Submission
  const members = inclusionMembers(invitation, submission)
  const files = await readFiles(context.database, invitation)
  const used = usedDocuments(submission)
  const also = async (tx: Tx, requestId: string | null) => {
    const done = await approveInvitation(tx, invitation, { submittedAt, requestId, at: tx.at() })
    if (!done) throw new ApiError('onboarding-status')
    const kept = files.filter((file) => used.has(file.id))
    await moveFiles(tx, invitation, actor.clientId, kept)
    await deleteFiles(
      tx,
      invitation,
      files.filter((file) => !used.has(file.id)).map((file) => file.id),
    )
    tx.audit({ action: 'onboarding.approved', target: id, companyId })
  }
  if (members.length === 0) {
    const options = { may: 'partner', companies: ofCompany(companyId), saveResponse } as const
    await write(context, actor, options, async (tx) => {
      await also(tx, null)
      tx.respond('{}', [companyId])
    })
    return accepted(companyId, null)
  }
  const body = Buffer.from(JSON.stringify({ 'company-tax-id': companyTaxId, members }))
  const sent = { body, dryRun: false, lenient: false, resolution: null, saveResponse, language, also }
  return acceptBatch(withFiles(new Set(files.map((file) => file.id))), context, actor, sent)
}

function usedDocuments({ member, dependents }: Submission): Set<string> {
  const people = member === undefined ? [] : [member, ...dependents]
  return new Set(people.flatMap(({ documents = [] }) => documents.map((document) => document['document-id'])))
}

/** The inclusion, to which also the files of the invitation are documents: they become the client's in the transaction that accepts it. */
function withFiles(fileIds: ReadonlySet<string>): BatchKind<'inclusion'> {
  return {
    ...inclusion,
    async readFacts(sql, caller, batch, today) {
      const found = await inclusion.readFacts(sql, caller, batch, today)
      if (found === null) return null
      const { companyId, facts } = found
      return { companyId, facts: { ...facts, usableDocumentIds: [...facts.usableDocumentIds, ...fileIds] } }
    },
  }
}
