import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { sendJson } from '#platform/http/json-response.ts'
import { listDocuments, readDocument } from './queries.ts'
import { ApiError } from '#platform/core/errors.ts'
import { binaryContent } from '#platform/http/download.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { DOCUMENT_TYPES } from '#kernel/enums.ts'
import { sendDocument } from './send.ts'
import type { App, Context } from '#platform/http/context.ts'
import { errorResponses, OneOf, Uuid } from '#platform/http/schemas.ts'

const DocumentList = Type.Object({
  result: Type.Array(
    Type.Object({
      'document-id': Uuid,
      'document-type': OneOf(DOCUMENT_TYPES),
      name: Type.String({
        description: 'The name from the upload, safe as a file name, with the extension of the content.',
      }),
      'content-type': OneOf(FILE_TYPES, { description: 'Recognized from the content.' }),
      size: Type.Integer({ description: 'Bytes.' }),
    }),
  ),
})

const mayRead = ['analyst', 'auditor'] as const
const EnrollmentId = { ...Uuid, description: 'The movement.' }
/** The documents of a movement. */
export async function enrollmentDocumentRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/:enrollmentId/document',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listEnrollmentDocuments',
      'x-sdk': 'enrollments.documents',
      'x-cli': {
        command: 'enrollment documents',
        columns: {
          'DOCUMENT-ID': 'document-id',
          TYPE: 'document-type',
          NAME: 'name',
          'CONTENT-TYPE': 'content-type',
          SIZE: 'size',
        },
      },
      summary: 'List the documents of an enrollment',
      description: 'In the order of the request.',
      params: Type.Object({ enrollmentId: EnrollmentId }),
      response: { 200: DocumentList, ...errorResponses('enrollment-not-found') },
    },
    handler: async (request, reply) => {
      const body = await listDocuments(context.database, request.params.enrollmentId)
      if (body === null) throw new ApiError('enrollment-not-found')
      return sendJson(reply, body)
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/:enrollmentId/document/:documentId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readEnrollmentDocument',
      'x-sdk': 'enrollments.document',
      'x-cli': {
        command: 'enrollment document',
        examples: {
          'enrollment document 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --output certificate.pdf':
            'the bytes as they were uploaded',
        },
      },
      summary: 'Read a document of an enrollment',
      description:
        'The file itself; a browser saves it and does not open it. The download is audited. HEAD returns size and type. If the connection closes before ' +
        '`Content-Length` bytes, the storage failed: repeat the call.',
      params: Type.Object({
        enrollmentId: EnrollmentId,
        documentId: { ...Uuid, description: 'One of its documents.' },
      }),
      response: {
        200: { description: 'The bytes of the file.', content: binaryContent(FILE_TYPES) },
        ...errorResponses('enrollment-not-found', 'document-not-found', 'document-storage-unavailable'),
      },
    },
    handler: async (request, reply) => {
      const document = await readDocument(context.database, request.params.enrollmentId, request.params.documentId)
      if (document === undefined) throw new ApiError('enrollment-not-found')
      if (document === null) throw new ApiError('document-not-found')
      const target = request.params.documentId
      return sendDocument(context, request, reply, document, { roles: mayRead, action: 'document.downloaded', target })
    },
  })
}
