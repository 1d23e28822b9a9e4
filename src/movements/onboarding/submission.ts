import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { retentionDays } from '#kernel/retention-days.ts'
import { MAX_FILES, mayBecome, parseSubmission } from '../rules/onboarding.ts'
import { claimOrphan } from '#registry/documents/queries.ts'
import { type ReceivedFile, receiveFile } from '#registry/documents/upload.ts'
import type { Context } from '#platform/http/context.ts'
import { writeAsEmployee } from './link.ts'
import { type Invitation, readFiles } from './queries.ts'
import { deleteFiles, insertFile, isSameSubmission, storeSubmission } from './rows.ts'

/**
 * Stores what the employee sends. The same again changes nothing.
 * @returns when it was sent first.
 * @throws ApiError 400 for what is wrong with it; 409 once another one waits for the HR.
 */
export async function submit(
  context: Context,
  request: FastifyRequest,
  opened: Invitation,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  return writeAsEmployee(context, request, opened, async (tx, invitation) => {
    const files = await readFiles(tx, invitation)
    const submission = parseSubmission(body, {
      taxId: invitation.taxId,
      productIds: invitation.products.map((product) => product['product-id']),
      documentIds: new Set(files.map(({ id }) => id)),
      today: context.today(),
    })
    if (!('choices' in submission)) throw invalidBody(submission)
    if (!mayBecome(invitation.status, 'submitted')) {
      const { status, submittedAt } = invitation
      if (status === 'submitted' && submittedAt !== null && (await isSameSubmission(tx, invitation, submission))) {
        return submittedAt
      }
      throw new ApiError('onboarding-status')
    }
    await storeSubmission(tx, invitation, submission, {
      at: tx.at(),
      days: retentionDays(context.config.retention, 'draft'),
    })
    tx.audit({ action: 'onboarding.submitted', target: invitation.id, companyId: invitation.companyId })
    return tx.at().toISOString()
  })
}

/** Files are added and removed until the data are sent. @throws ApiError 409 */
export function requireEditable({ status }: Invitation): void {
  if (!mayBecome(status, 'submitted')) throw new ApiError('onboarding-status')
}

/** Stores the file of a call. @returns its id. @throws ApiError 400, 409, 413, 415, 503 */
export async function uploadFile(context: Context, request: FastifyRequest, opened: Invitation): Promise<string> {
  const id = uuidv7()
  await receiveFile(context, request, id, (file: ReceivedFile) =>
    writeAsEmployee(context, request, opened, async (tx, invitation): Promise<ApiError | null> => {
      requireEditable(invitation)
      const row = { id, key: file.key, name: file.name, contentType: file.contentType, size: file.size }
      if (!(await insertFile(tx, invitation, row, { at: tx.at(), limit: MAX_FILES })))
        return new ApiError('too-many-files')
      if (!(await claimOrphan(tx, file.key))) throw new ApiError('document-storage-unavailable')
      tx.audit({ action: 'onboarding.file-uploaded', target: invitation.id, companyId: invitation.companyId })
      return null
    }),
  )
  return id
}

/** @throws ApiError 404, 409 */
export async function removeFile(
  context: Context,
  request: FastifyRequest,
  opened: Invitation,
  fileId: string,
): Promise<void> {
  await writeAsEmployee(context, request, opened, async (tx, invitation) => {
    requireEditable(invitation)
    if ((await deleteFiles(tx, invitation, [fileId])) === 0) throw new ApiError('document-not-found')
    tx.audit({ action: 'onboarding.file-deleted', target: invitation.id, companyId: invitation.companyId })
  })
}
