import { required } from '#platform/core/log.ts'
import { empty } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, openFile, sendBytes, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { readSubjectFile, requestSubjectFile } from './file.ts'
import { readSubjectRequest } from './queries.ts'
import { SubjectRequestPath, SubjectRequestResponse } from './schema.ts'
import { mayHandleSubjectRequests } from './write.ts'

const url = '/operator/v1/subject-request/:subjectRequestId/file'
const example = '01995e11-2d31-7a44-8f55-6a7b8c9d0e1f'

/** The copy of the data of a person who asked for access. */
export function fileRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url,
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
        200: SubjectRequestResponse,
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
    url,
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
