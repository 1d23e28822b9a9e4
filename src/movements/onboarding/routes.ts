import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { empty, json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, openFile, sendBytes, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { languageOf } from '#platform/http/language.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds } from '#platform/http/schemas.ts'
import { sendBatch } from '../batch/route.ts'
import { InclusionErrorResponse } from '../include/schema.ts'
import { originOf } from '#access/sessions/same-origin.ts'
import { approveSubmission } from './approve.ts'
import { invite, requireInvitation, requireOnboarding, returnSubmission, revokeInvitation } from './invitations.ts'
import { listInvitations, readFiles, readInvitation } from './queries.ts'
import {
  ApprovalResponse,
  ApproveBody,
  InvitationFilePath,
  InvitationLink,
  InvitationList,
  InvitationPath,
  InvitationQuery,
  InvitationResponse,
  NewInvitationBody,
  ReturnBody,
} from './schema.ts'

const url = '/v1/onboarding-invitation'
const tags = ['onboarding']
const example = '01995e10-1c2d-7a3e-9b44-5f6a7b8c9d01'
const columns = {
  'INVITATION-ID': 'invitation-id',
  STATUS: 'status',
  NAME: 'name',
  'EXPIRES-AT': 'expires-at',
  'SUBMITTED-AT': 'submitted-at',
}

/** `/v1/onboarding-invitation`: the HR of a company invites employees, and decides on what they send. */
export async function onboardingRoutes(app: App, context: Context): Promise<void> {
  readRoutes(app, context)
  fileRoute(app, context)
  createRoute(app, context)
  actRoutes(app, context)
  approveRoute(app, context)
}

/** For `before`: nothing of it exists while the setting is off. */
const whenOn = (context: Context) => async () => requireOnboarding(context)
const idOf = ({ params }: { params: { invitationId: string } }): string => params.invitationId

function readRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url,
    api: 'partner',
    schema: {
      operationId: 'listOnboardingInvitations',
      'x-sdk': 'onboarding.list',
      'x-cli': {
        command: 'onboarding list',
        columns,
        examples: { 'onboarding list --status submitted': 'what waits for the HR' },
      },
      tags,
      summary: 'List the onboarding invitations',
      description:
        'Links for employees, the newest first. The response for a company that the client may not access is that for an unknown one.',
      querystring: InvitationQuery,
      response: { 200: InvitationList, ...errorResponses('not-entitled', 'onboarding-off') },
    },
    before: whenOn(context),
    handler: async (request, reply) => {
      const { query } = request
      const filter = { companyTaxId: query['company-tax-id'] ?? null, status: query.status ?? null }
      const page = await listInvitations(database, callerOf(request), filter, pageBounds(query))
      if (!page.isEntitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })
  route(app, {
    method: 'GET',
    url: `${url}/:invitationId`,
    api: 'partner',
    schema: {
      operationId: 'readOnboardingInvitation',
      'x-sdk': 'onboarding.get',
      'x-cli': { command: 'onboarding show' },
      tags,
      summary: 'Read an onboarding invitation',
      description: 'With what the employee sent. One of another company is unknown.',
      params: InvitationPath,
      response: { 200: InvitationResponse, ...errorResponses('onboarding-invitation-not-found', 'onboarding-off') },
    },
    before: whenOn(context),
    handler: async (request, reply) => {
      const found = await readInvitation(database, callerOf(request), idOf(request))
      if (found === null) throw new ApiError('onboarding-invitation-not-found')
      return sendJson(reply, `{"result":${found}}`)
    },
  })
}

function fileRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: `${url}/:invitationId/document/:documentId`,
    api: 'partner',
    schema: {
      operationId: 'readOnboardingDocument',
      'x-sdk': 'onboarding.document',
      'x-cli': {
        command: 'onboarding document',
        examples: {
          [`onboarding document ${example} 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --output certificate.pdf`]:
            'the bytes as they were uploaded',
        },
      },
      tags,
      summary: 'Read a document that an employee uploaded',
      description:
        'The file itself; a browser saves it and does not open it. Once the submission is approved it is a document of the inclusion.',
      params: InvitationFilePath,
      response: {
        200: { description: 'The bytes of the file.', content: binaryContent(FILE_TYPES) },
        ...errorResponses(
          'onboarding-invitation-not-found',
          'document-not-found',
          'onboarding-off',
          'document-storage-unavailable',
        ),
      },
    },
    before: whenOn(context),
    handler: async (request, reply) => {
      const invitation = await requireInvitation(context, callerOf(request), idOf(request))
      const documentId = request.params.documentId
      const file = (await readFiles(context.database, invitation)).find(({ id }) => id === documentId)
      if (file === undefined) throw new ApiError('document-not-found')
      if (request.method === 'HEAD') {
        setDownloadHeaders(reply, file)
        return sendHeaders(reply)
      }
      const stream = await openFile(context, 'document', file)
      setDownloadHeaders(reply, file)
      await sendBytes(context, reply, stream)
      return reply
    },
  })
}

function createRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url,
    api: 'partner',
    schema: {
      operationId: 'createOnboardingInvitation',
      'x-sdk': 'onboarding.invite',
      'x-cli': {
        command: 'onboarding invite',
        file: true,
        examples: { 'onboarding invite invitation.json': 'prints the link, once' },
        fields: ['result'],
      },
      tags,
      summary: 'Invite an employee to fill in the own data',
      description:
        'Makes a link for one person, who proves to be it by the last five digits of the CPF and the date of birth. The service sends no message: send ' +
        'the link yourself. A person has one open invitation in a company.',
      response: {
        200: InvitationLink,
        ...errorResponses('not-entitled', 'onboarding-invitation-exists', 'onboarding-off'),
      },
    },
    before: whenOn(context),
    body: json(NewInvitationBody),
    handler: async (request, reply) => {
      const origin = originOf(request, context.config)
      const { saveResponse } = request
      return reply.send(await invite(context, callerOf(request), request.body, { origin, saveResponse }))
    },
  })
}

const acted = {
  200: InvitationResponse,
  ...errorResponses('not-entitled', 'onboarding-invitation-not-found', 'onboarding-status', 'onboarding-off'),
}

function actRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/:invitationId/revoke`,
    api: 'partner',
    schema: {
      operationId: 'revokeOnboardingInvitation',
      'x-sdk': 'onboarding.revoke',
      'x-cli': { command: 'onboarding revoke', message: 'The link of {invitation-id} works no more.' },
      tags,
      summary: 'Revoke an onboarding invitation',
      description: 'Its link works no more, and what the employee sent is not used. 409 once it has ended.',
      params: InvitationPath,
      response: acted,
    },
    before: whenOn(context),
    body: empty,
    handler: async (request, reply) =>
      sendJson(reply, await revokeInvitation(context, callerOf(request), idOf(request), request.saveResponse)),
  })
  route(app, {
    method: 'POST',
    url: `${url}/:invitationId/return`,
    api: 'partner',
    schema: {
      operationId: 'returnOnboardingInvitation',
      'x-sdk': 'onboarding.return',
      'x-cli': { command: 'onboarding return', message: 'The employee sees the message under the same link.' },
      tags,
      summary: 'Return a submission to the employee',
      description:
        'The employee sees the message under the same link, which works for seven days more at least, and sends the data again.',
      params: InvitationPath,
      response: acted,
    },
    before: whenOn(context),
    body: json(ReturnBody),
    handler: async (request, reply) => {
      const { saveResponse, body } = request
      const returned = { message: body.message.trim(), saveResponse }
      return sendJson(reply, await returnSubmission(context, callerOf(request), idOf(request), returned))
    },
  })
}

function approveRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/:invitationId/approve`,
    api: 'partner',
    schema: {
      operationId: 'approveOnboardingInvitation',
      'x-sdk': 'onboarding.approve',
      'x-cli': { command: 'onboarding approve', fields: ['request-id'] },
      tags,
      summary: 'Approve a submission',
      description:
        'It becomes one inclusion, judged as `POST /v1/enrollment/inclusion`, of whoever approves it; without `request-id` when the employee waived every ' +
        'product. Approved again, it responds with the same `request-id`.',
      params: InvitationPath,
      response: {
        200: ApprovalResponse,
        400: InclusionErrorResponse,
        ...errorResponses(
          'not-entitled',
          'onboarding-invitation-not-found',
          'onboarding-status',
          'onboarding-submission-changed',
          'onboarding-off',
        ),
      },
    },
    before: whenOn(context),
    body: json(ApproveBody),
    handler: async (request, reply) => {
      const approval = {
        submittedAt: request.body['submitted-at'],
        saveResponse: request.saveResponse,
        language: languageOf(request),
      }
      return sendBatch(request, reply, await approveSubmission(context, callerOf(request), idOf(request), approval))
    },
  })
}
