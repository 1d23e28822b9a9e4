import type { FastifyReply, FastifyRequest } from 'fastify'
import { auditDownload } from '#access/audit/audit-download.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import type { Role } from '#kernel/enums.ts'
import { callerOf, type Context } from '#platform/http/context.ts'
import { openFile, sendBytes, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import type { StoredDocument } from './queries.ts'

/** Sends the bytes of a document, and audits that they were read; to HEAD the size and type alone. @throws ApiError 503. */
export async function sendDocument(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  document: StoredDocument,
  { roles, action, target }: { readonly roles: readonly Role[]; readonly action: AuditAction; readonly target: string },
): Promise<FastifyReply> {
  if (request.method === 'HEAD') {
    setDownloadHeaders(reply, document)
    return sendHeaders(reply)
  }
  await auditDownload(context, callerOf(request), roles, { action, target, companyId: document.companyId })
  const stream = await openFile(context, 'document', document)
  setDownloadHeaders(reply, document)
  await sendBytes(context, reply, stream)
  return reply
}
