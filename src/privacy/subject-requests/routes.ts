import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { fileRoutes } from './file-routes.ts'
import { readSubjectRequest, subjectRequestPage } from './queries.ts'
import {
  SubjectRequestBody,
  SubjectRequestList,
  SubjectRequestQuery,
  SubjectRequestResponse,
  SubjectRequestStepBody,
} from './schema.ts'
import { createSubjectRequest, mayHandleSubjectRequests, moveSubjectRequest } from './write.ts'

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
    response: SubjectRequestResponse,
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
    response: SubjectRequestList,
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
