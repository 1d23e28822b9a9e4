import { Type } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import { requesters } from '#platform/core/may-request.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent } from '#platform/http/download.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { route } from '#platform/http/route.ts'
import { ResultOf } from '#platform/http/page.ts'
import { Closed, errorResponses, Uuid } from '#platform/http/schemas.ts'
import { sendDocument } from '#registry/documents/send.ts'
import { MAX_EVIDENCE } from '../rules/intake.ts'
import { readEvidence, readEvidenceDocument } from './queries.ts'
import { addEvidence } from './add-evidence.ts'

const requestId = { ...Uuid, description: 'A request with `intake`.' }

const EvidenceBody = Closed(
  {
    documents: Type.Array(Uuid, {
      minItems: 1,
      maxItems: MAX_EVIDENCE,
      uniqueItems: true,
      description: 'Uploaded documents, by the upload URL of the operator API.',
    }),
  },
  { examples: [{ documents: ['01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'] }] },
)

const Evidence = ResultOf(
  Type.Object({ documents: Type.Array(Uuid, { description: 'All documents of the evidence.' }) }),
)

/** `/operator/v1/request/{request-id}/document`: the evidence of how a request came to the broker. */
export async function evidenceRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/operator/v1/request/:requestId/document',
    api: 'operator',
    roles: requesters,
    takesKey: true,
    schema: {
      operationId: 'addRequestEvidence',
      'x-sdk': 'requests.addEvidence',
      'x-cli': {
        command: 'request add-evidence',
        arguments: ['documents'],
        examples: {
          'request add-evidence 01995e0d-1b20-7c41-9e5f-6a7b8c9d0e11 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21':
            'a document that was uploaded',
        },
      },
      summary: 'Add evidence to a request',
      description:
        `What shows how it came to the broker, ${MAX_EVIDENCE} documents in all. Carriers and companies do not get them. Only of a request with ` +
        '`intake`: 400 `not-applicable` for another one.',
      params: Type.Object({ requestId }),
      response: { 200: Evidence, ...errorResponses('request-not-found', 'not-applicable') },
    },
    body: json(EvidenceBody),
    handler: async (request) => {
      const { params, body, saveResponse } = request
      const documents = await addEvidence(context, callerOf(request), params.requestId, body.documents, saveResponse)
      return { result: { documents } }
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/request/:requestId/document/:documentId',
    api: 'operator',
    roles: requesters,
    schema: {
      operationId: 'readRequestEvidence',
      'x-sdk': 'requests.evidence',
      'x-cli': {
        command: 'request evidence',
        examples: {
          'request evidence 01995e0d-1b20-7c41-9e5f-6a7b8c9d0e11 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --output email.pdf':
            'the bytes as they were uploaded',
        },
      },
      summary: 'Read a document of the evidence of a request',
      description: 'The file itself; a browser saves it and does not open it. The download is audited.',
      params: Type.Object({ requestId, documentId: { ...Uuid, description: 'One of `intake.documents`.' } }),
      response: {
        200: { description: 'The bytes of the file.', content: binaryContent(FILE_TYPES) },
        ...errorResponses('request-not-found', 'document-not-found', 'document-storage-unavailable'),
      },
    },
    handler: async (request, reply) => {
      const { requestId: id, documentId } = request.params
      const evidence = await readEvidence(context.database, id)
      if (evidence === undefined) throw new ApiError('request-not-found')
      const { companyId, documents } = evidence
      const isEvidence = documents?.includes(documentId.toLowerCase()) ?? false
      const document = isEvidence
        ? await readEvidenceDocument(context.database, { companyId, requestId: id }, documentId)
        : undefined
      if (document === undefined) throw new ApiError('document-not-found')
      return sendDocument(context, request, reply, document, {
        roles: requesters,
        action: 'request.evidence-read',
        target: id,
      })
    },
  })
}
