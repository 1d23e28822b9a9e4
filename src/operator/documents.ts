import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { sendJson } from '../http/json-response.ts'
import { type StoredDocument, listDocuments, readDocument } from '../documents/queries.ts'
import { ApiError, unavailable } from '../platform/errors.ts'
import { attachmentOf } from '../http/content-disposition.ts'
import { FILE_TYPES } from '../http/file-type.ts'
import { DOCUMENT_TYPES } from '../domain/enums.ts'
import type { App, Context } from '../http/context.ts'
import { errorResponses, OneOf, Uuid } from '../http/schemas.ts'

const DocumentList = Type.Object(
  {
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
  },
  {
    examples: [
      {
        result: [
          {
            'document-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
            'document-type': 'marriage-certificate',
            name: 'certidão de casamento.pdf',
            'content-type': 'application/pdf',
            size: 182_311,
          },
        ],
      },
    ],
  },
)

const mayRead = ['analyst', 'auditor'] as const
const EnrollmentId = { ...Uuid, description: 'The movement.' }
const DocumentPath = Type.Object({
  enrollmentId: EnrollmentId,
  documentId: { ...Uuid, description: 'One of its documents.' },
})

/** The documents of a movement. */
export async function enrollmentDocumentRoutes(app: App, context: Context): Promise<void> {
  app.route({
    method: 'GET',
    url: '/operator/v1/enrollment/:enrollmentId/document',
    config: { api: 'operator', roles: mayRead },
    schema: {
      operationId: 'listEnrollmentDocuments',
      summary: 'List the documents of an enrollment',
      description: 'In the order of the request.',
      params: Type.Object({ enrollmentId: EnrollmentId }),
      response: { 200: DocumentList, ...errorResponses(404) },
    },
    handler: async (request, reply) => {
      const body = await listDocuments(context.database, request.params.enrollmentId)
      if (body === null) throw new ApiError(404, 'Enrollment not found')
      return sendJson(reply, body)
    },
  })

  app.route({
    method: 'GET',
    url: '/operator/v1/enrollment/:enrollmentId/document/:documentId',
    exposeHeadRoute: false,
    config: { api: 'operator', roles: mayRead },
    schema: {
      operationId: 'readEnrollmentDocument',
      summary: 'Read a document of an enrollment',
      description:
        'The file itself; a browser saves it and does not open it. HEAD returns size and type. If the connection closes before ' +
        '`Content-Length` bytes, the storage failed: repeat the call.',
      params: DocumentPath,
      response: { 200: fileResponse, ...errorResponses(404) },
    },
    handler: async (request, reply) => {
      const document = await findDocument(context, request.params)
      const stream = await openBytes(context, document)
      setHeaders(reply, document)
      return reply.send(stream)
    },
  })

  app.route({
    method: 'HEAD',
    url: '/operator/v1/enrollment/:enrollmentId/document/:documentId',
    config: { api: 'operator', roles: mayRead },
    schema: { hide: true, params: DocumentPath },
    handler: async (request: FastifyRequest, reply) => {
      setHeaders(reply, await findDocument(context, request.params as PathOfDocument))
      return reply.send()
    },
  })
}

const fileResponse = {
  description: 'The bytes of the file.',
  content: Object.fromEntries(FILE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
}

interface PathOfDocument {
  enrollmentId: string
  documentId: string
}

async function findDocument({ database }: Context, path: PathOfDocument): Promise<StoredDocument> {
  const document = await readDocument(database, path.enrollmentId, path.documentId)
  if (document === undefined) throw new ApiError(404, 'Enrollment not found')
  if (document === null) throw new ApiError(404, 'Document not found')
  return document
}

/** Opens the document and waits for its first bytes: a 503 is still possible until then. */
async function openBytes({ storage, log }: Context, document: StoredDocument): Promise<Readable> {
  try {
    const { stream, size } = await storage.read(document.key)
    if (size === document.size) {
      stream.once('error', (error) => log.error({ err: error, key: document.key }, 'reading a document failed'))
      return stream
    }
    stream.destroy()
    log.error({ key: document.key }, 'the size of a stored document has changed')
  } catch (error) {
    log.error({ err: error, key: document.key }, 'document storage unavailable')
  }
  throw unavailable('Document storage unavailable')
}

/** A browser saves an uploaded file and never runs it. */
function setHeaders(reply: FastifyReply, { name, contentType, size }: StoredDocument): void {
  void reply.headers({
    'content-type': contentType,
    'content-length': size,
    'content-disposition': attachmentOf(name),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}
