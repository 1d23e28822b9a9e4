import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import type { RenderedFile } from '#registry/layouts/types.ts'
import type { StoredExport } from './queries.ts'
import type { PayrollFileQuery } from './schema.ts'

/** Which file of an export a query is for. */
export const fileOf = ({ destination = 'payroll', format = 'csv' }: Static<typeof PayrollFileQuery>) => ({
  destination,
  format,
})

/** Sends the file of an export under a name that says the company and the period. */
export function sendExportFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { item }: StoredExport,
  file: RenderedFile,
): FastifyReply {
  const { 'company-tax-id': taxId, 'reference-month': month, number } = item
  const name = `folha-${taxId}-${month}-${number}${file.extension}`
  setDownloadHeaders(reply, { name, contentType: file.mediaType, size: file.content.length })
  return request.method === 'HEAD' ? sendHeaders(reply) : reply.send(Buffer.from(file.content))
}
