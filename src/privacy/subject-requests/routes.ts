import { ResultOf } from '#platform/http/page.ts'
import { empty, json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { readSubjectRequest, subjectRequestPage } from './queries.ts'
import {
  SubjectRequestBody,
  SubjectRequestPath,
  SubjectRequestQuery,
  SubjectRequestStepBody,
  SubjectRequest,
} from './schema.ts'
import { createSubjectRequest, mayHandleSubjectRequests, moveSubjectRequest } from './write.ts'
import { required } from '#platform/core/log.ts'
import { binaryContent, openFile, sendBytes, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { readSubjectFile, requestSubjectFile } from './file.ts'

const columns = {
  'SUBJECT-REQUEST-ID': 'subject-request-id',
  KIND: 'kind',
  STATUS: 'status',
  'RECEIVED-ON': 'received-on',
  'DUE-DATE': 'due-date',
  'CLOSED-AT': 'closed-at',
}
const example = '01995e11-2d31-7a44-8f55-6a7b8c9d0e1f'

/** `/operator/v1/subject-request`: what people ask of their personal data. */
export async function subjectRequestRoutes(app: App, context: Context): Promise<void> {
  const subjectRequest = resource(app, context, {
    noun: 'subject-request',
    mayRead: mayHandleSubjectRequests,
    mayWrite: mayHandleSubjectRequests,
    item: SubjectRequest,
    read: readSubjectRequest,
    columns,
  })
  subjectRequest.list({
    summary: 'List what people ask of their personal data',
    description: 'Those that are not closed first, by due date; then the closed ones, the newest first.',
    cli: {
      ids: 'subject-request-id',
      examples: { 'subject-request list --status open': 'what is to be answered' },
    },
    query: SubjectRequestQuery,
    page: subjectRequestPage,
  })
  subjectRequest.get({
    summary: 'Read what a person asks of the personal data',
    description: 'With its due date and status.',
  })
  subjectRequest.create({
    summary: 'Note what a person asks of the personal data',
    description:
      'For admins. It is about the CPF in all companies, whether or not anything is known of it. The audit and the logs name the request, never the CPF.',
    cli: { examples: { 'subject-request create --tax-id 529.982.247-25 --kind access': 'it was received today' } },
    errors: ['subject-request-open'],
    body: json(SubjectRequestBody),
    run: (actor, body) => createSubjectRequest(context, actor, body),
  })
  subjectRequest.act('move', {
    summary: 'Say what became of a request of a person',
    description:
      'A request for access is fulfilled when the person has the data; both kinds are cancelled with a reason.',
    path: 'status',
    cli: {
      examples: {
        [`subject-request move ${example} --status fulfilled`]: 'the person has the data',
        [`subject-request move ${example} --status cancelled --cancel-reason "Desistiu do pedido"`]:
          'the person asks no longer',
      },
    },
    errors: ['subject-request-status'],
    body: json(SubjectRequestStepBody),
    run: (actor, id, step) => moveSubjectRequest(context, actor, id, step),
  })
  fileRoutes(app, context)
}

const fileUrl = '/operator/v1/subject-request/:subjectRequestId/file'

/** The copy of the data of a person who asked for access. */
function fileRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: fileUrl,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'requestSubjectRequestFile',
      'x-sdk': 'subjectRequests.requestFile',
      'x-cli': {
        command: 'subject-request make-file',
        columns: { 'SUBJECT-REQUEST-ID': 'subject-request-id', STATUS: 'status', FILE: 'file' },
      },
      summary: 'Let the copy of a person’s data be made',
      description:
        'A ZIP with texts in Portuguese: registration data, benefits, movements, documents, with whom the data were shared, and who saw them. It has ' +
        'no data of other people. The workers make it in the background and delete it after seven days; a former copy is deleted at once.',
      params: SubjectRequestPath,
      response: {
        200: ResultOf(SubjectRequest),
        ...errorResponses('subject-request-not-found', 'subject-request-status'),
      },
    },
    body: empty,
    handler: async (request, reply) => {
      const id = request.params.subjectRequestId
      await requestSubjectFile(context, callerOf(request), id)
      return sendJson(reply, required(await readSubjectRequest(context.database, id), 'subject request'))
    },
  })

  route(app, {
    method: 'GET',
    url: fileUrl,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'readSubjectRequestFile',
      'x-sdk': 'subjectRequests.file',
      'x-cli': {
        command: 'subject-request file',
        examples: { [`subject-request file ${example} --output dados-pessoais.zip`]: 'for the person' },
      },
      summary: 'Read the copy of a person’s data',
      description: 'The ZIP, until it expires. Each download is audited.',
      params: SubjectRequestPath,
      response: {
        200: { description: 'The ZIP.', content: binaryContent(['application/zip']) },
        ...errorResponses(
          'subject-request-not-found',
          'subject-request-file-not-found',
          'document-storage-unavailable',
        ),
      },
    },
    handler: async (request, reply) => {
      const id = request.params.subjectRequestId
      const isHead = request.method === 'HEAD'
      const file = await readSubjectFile(context, callerOf(request), id, isHead)
      const stream = isHead ? null : await openFile(context, 'document', file)
      setDownloadHeaders(reply, { name: 'dados-pessoais.zip', contentType: 'application/zip', size: file.size })
      if (stream === null) return sendHeaders(reply)
      await sendBytes(context, reply, stream)
      return reply
    },
  })
}
