import { route } from '#platform/http/route.ts'
import { endBody } from '#platform/http/limits/end-transfer.ts'
import { twinRoutes } from '#platform/http/twins.ts'
import { mayRequest, requesters } from '#platform/core/may-request.ts'
import { empty, stream } from '#platform/http/bodies.ts'
import type { Sql } from '#platform/core/database.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { write } from '#platform/core/write.ts'
import { ApiError } from '#platform/core/errors.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { type App, callerOf, requestOrigin, type Context } from '#platform/http/context.ts'
import { errorResponse, errorResponses, Uuid } from '#platform/http/schemas.ts'
import { binaryContent } from '#platform/http/download.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { acceptForms, isMultipart } from '#platform/http/multipart.ts'
import { insertSlot, lockUnusedDocuments, readSlot } from './queries.ts'
import { uploadPath, verifyUploadPath } from './signed-upload-url.ts'
import { UploadTurns } from './upload-turns.ts'
import { uploadUrlUsed, type OpenSlot, receiveUpload, tooManyUnused } from './upload.ts'

const slotMinutes = 30

const UploadSlot = Type.Object({
  'document-id': Uuid,
  'upload-url': Type.String({
    description: 'Takes one file within 30 minutes, without a token: keep it secret.',
  }),
})

const Uploaded = Type.Object({ 'document-id': Uuid })

/** The upload of documents, before the movement that uses them: first a slot, then its file. */
export async function documentRoutes(app: App, context: Context): Promise<void> {
  slotRoute(app, context)
  uploadRoutes(app, context)
}

function slotRoute(app: App, context: Context): void {
  const described = {
    'x-sdk': 'documents.createUploadUrl',
    summary: 'Get a URL to upload a document to',
    errors: ['too-many-unused-documents'],
  } as const
  const limits =
    'The URL takes one file within 30 minutes. A document that nothing uses is deleted after 7 days. A client may have 10,000 URLs and documents ' +
    'that nothing has used, of 1 GiB together; beyond that the response is 429 `Too many unused documents`.'
  twinRoutes(app, {
    method: 'POST',
    path: '/enrollment/document-upload-url',
    schema: { response: { 200: UploadSlot } },
    body: empty,
    partner: {
      ...described,
      operationId: 'createUploadSlot',
      tags: ['documents'],
      description: `Send the file to \`upload-url\`, then name the \`document-id\` in \`documents\` of a movement. ${limits}`,
    },
    operator: {
      ...described,
      operationId: 'createOperatorUploadSlot',
      roles: requesters,
      description:
        'For a document that came to the broker: name the `document-id` in `documents` of a movement, of an answer or of `intake`. ' +
        limits,
    },
    handler: async (request) => {
      const caller = callerOf(request)
      const documentId = uuidv7()
      const createdAt = context.database.now()
      const expiresAt = new Date(createdAt.getTime() + slotMinutes * 60_000)
      const path = uploadPath(context.uploadKey, documentId, expiresAt)
      const slot = { 'document-id': documentId, 'upload-url': `${baseUrl(context, request)}${path}` }
      const { saveResponse } = request
      const lock = (sql: Sql) => lockUnusedDocuments(sql, caller)
      await write(context, caller, { may: mayRequest(caller), lock, saveResponse }, async (sql, unused) => {
        if (unused.count >= context.config.limits.unusedDocuments) throw tooManyUnused()
        await insertSlot(sql, caller, { id: documentId, createdAt, expiresAt })
        sql.audit({ action: 'document.slot-created', target: documentId, companyId: null })
        sql.respond(slot)
      })
      return slot
    },
  })
}

/** The base URL of the service: the configured one, else the host of this request, which only its own client receives. */
function baseUrl({ config }: Context, request: FastifyRequest): string {
  if (config.publicUrl !== null) return config.publicUrl
  const host = /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i.exec(request.host)?.[0]
  return `${request.protocol}://${host ?? `${config.host}:${request.socket.localPort}`}`
}

const openSlots = new WeakMap<FastifyRequest, OpenSlot>()

function uploadRoutes(app: App, context: Context): void {
  // An upload to an S3 store uses 5 MiB of memory.
  const { uploads: max, maxWaitMs } = context.config.limits
  const uploads = new ConcurrencyLimit({ max, maxWaitMs })
  const turns = new UploadTurns(maxWaitMs)
  for (const [method, operationId] of [
    ['PUT', 'uploadDocument'],
    ['POST', 'uploadDocumentByPost'],
  ] as const) {
    route(app, {
      method,
      url: '/upload/:documentId',
      schema: {
        operationId,
        tags: ['documents'],
        summary: `Upload a document${method === 'POST' ? ' (POST)' : ''}`,
        description:
          'The path of an `upload-url`; it needs no token. The body is the file, with any content type, or a form with the file in its ' +
          'field `file`, with PUT and with POST: a PDF, JPEG, PNG, TIFF, HEIC or WEBP of up to 20 MiB, recognized by its first bytes. After a refused or incomplete ' +
          'upload nothing is stored and the URL can still be used. Of uploads at once to one URL the first that ends is taken, the others wait for it and get 410.',
        params: Type.Object({ documentId: { ...Uuid, description: 'As in `upload-url`.' } }),
        querystring: Type.Object({
          expires: Type.String({ description: 'As in `upload-url`.' }),
          signature: Type.String({ description: 'As in `upload-url`.' }),
        }),
        response: {
          200: Uploaded,
          ...errorResponses(
            'upload-broke-off',
            'upload-address-not-found',
            'request-timeout',
            'upload-address-expired',
            'too-many-unused-documents',
            'upload-in-progress',
            'document-storage-unavailable',
            'unavailable',
            'too-many-calls',
          ),
          415: errorResponse('The file is none of PDF, JPEG, PNG, TIFF, HEIC and WEBP, or the body is compressed.'),
        },
      },
      body: stream(uploadBodies[method], acceptForms),
      // Before the body is read.
      before: async (request) => {
        const slot = await openSlot(context, request, request.params, request.query)
        request.databaseClient.id = slot.actor.clientId
        openSlots.set(request, slot)
      },
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        const slot = openSlots.get(request)
        if (slot === undefined) throw addressUnknown()
        const {
          documentId,
          actor: { clientId },
        } = slot
        await turns.run(documentId, async (isSecond) => {
          if (isSecond) await openSlot(context, request, request.params, request.query)
          await uploads.run(clientId, () => receiveUpload(context, request, slot), { end: () => endBody(request.raw) })
        })
        return { 'document-id': documentId }
      },
    })
  }
}

/** Both take both. A generated client (Orval) does not compile where one operation has bytes and a form. */
const uploadBodies = {
  PUT: binaryContent(['application/octet-stream', ...FILE_TYPES]),
  POST: {
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
}

function addressUnknown(): ApiError {
  return new ApiError('upload-address-not-found')
}

async function openSlot(
  context: Context,
  request: FastifyRequest,
  { documentId }: { documentId: string },
  query: Record<string, unknown>,
): Promise<OpenSlot> {
  const expiresAt = verifyUploadPath(context.uploadKey, documentId, query)
  if (expiresAt === null) throw addressUnknown()
  const now = context.database.now()
  if (expiresAt <= now) throw uploadUrlUsed()
  const slot = await readSlot(context.database, documentId, now)
  if (slot === undefined) throw addressUnknown()
  if (!slot.isOpen) throw uploadUrlUsed()
  if (slot.unusedBytes >= context.config.limits.unusedDocumentBytes) throw tooManyUnused()
  // The content type of a raw body is ignored, even a malformed one.
  if (!isMultipart(request)) delete request.raw.headers['content-type']
  const actor = { kind: slot.kind, clientId: slot.clientId, origin: requestOrigin(request) } as const
  return { documentId, actor }
}
