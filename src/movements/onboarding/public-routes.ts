import { Type } from 'typebox'
import { type Failures, failuresOf } from '#access/auth/failures.ts'
import { credentialsBodyLimit } from '#access/auth/check-secret.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { json, parsedJson, stream } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { binaryContent } from '#platform/http/download.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { acceptForms, isMultipart } from '#platform/http/multipart.ts'
import { route } from '#platform/http/route.ts'
import { endBody } from '#platform/http/limits/end-transfer.ts'
import { errorResponse, errorResponses, Uuid } from '#platform/http/schemas.ts'
import { openLink, refusePublicCall, startLinkSession } from './link.ts'
import {
  EmployeeView,
  SubmittedResponse,
  LinkHeaders,
  LinkSession,
  PriceBody,
  PriceList,
  SecondFactorBody,
  SubmissionBody,
  TokenHeaders,
  UploadedFile,
} from './public-schema.ts'
import { removeFile, requireEditable, submit, uploadFile } from './submission.ts'
import { employeePrices, employeeView } from './view.ts'

const url = '/onboarding/v1'
const tags = ['onboarding']
const linkErrors = [
  'session-ended',
  'cross-site-request',
  'link-blocked',
  'onboarding-off',
  'link-expired',
  'too-many-attempts',
  'unavailable',
] as const

/** `/onboarding/v1`: what the page of a link calls, for an employee who has no account. */
export function publicOnboardingRoutes(app: App, context: Context): void {
  const failures = failuresOf(context)
  sessionRoute(app, context, failures)
  readRoutes(app, context)
  fileRoutes(app, context)
  submitRoute(app, context)
}

function sessionRoute(app: App, context: Context, failures: Failures): void {
  route(app, {
    method: 'POST',
    url: `${url}/session`,
    schema: {
      operationId: 'startOnboardingSession',
      tags,
      summary: 'Open an onboarding link',
      description:
        'Checks the second factor. Five wrong ones block the link until the company makes another one. The session lasts two hours. The body has at most 4 KiB.',
      headers: TokenHeaders,
      response: {
        200: LinkSession,
        ...errorResponses(
          'wrong-second-factor',
          'cross-site-request',
          'link-blocked',
          'onboarding-off',
          'link-expired',
          'too-many-attempts',
          'unavailable',
        ),
      },
    },
    before: (request) => refusePublicCall(context, request),
    body: json(SecondFactorBody, { limit: credentialsBodyLimit }),
    handler: async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      return { result: await startLinkSession(context, request, failures, request.body) }
    },
  })
}

function readRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: `${url}/invitation`,
    schema: {
      operationId: 'readOwnOnboarding',
      tags,
      summary: 'Read what an onboarding link is about',
      description: 'The products, the documents that each person needs, and what was sent before.',
      headers: LinkHeaders,
      response: { 200: EmployeeView, ...errorResponses(...linkErrors) },
    },
    handler: async (request, reply) => {
      const invitation = await openLink(context, request)
      void reply.header('cache-control', 'no-store')
      return reply.send({ result: await employeeView(database, invitation, context.today()) })
    },
  })
  route(app, {
    method: 'POST',
    url: `${url}/price`,
    schema: {
      operationId: 'calculateOnboardingPrice',
      tags,
      summary: 'Calculate what the employee pays',
      description:
        'For a whole month of each product, by the prices and the rules of contribution of the contract. Nothing is stored.',
      headers: LinkHeaders,
      response: { 200: PriceList, ...errorResponses(...linkErrors) },
    },
    before: (request) => refusePublicCall(context, request),
    body: json(PriceBody, { limit: credentialsBodyLimit }),
    handler: async (request, reply) => {
      const invitation = await openLink(context, request)
      const prices = await employeePrices(database, invitation, request.body['dates-of-birth'], context.today())
      void reply.header('cache-control', 'no-store')
      return reply.send({ result: prices })
    },
  })
}

function fileRoutes(app: App, context: Context): void {
  const { uploads: max, maxWaitMs } = context.config.limits
  const uploads = new ConcurrencyLimit({ max, maxWaitMs })
  route(app, {
    method: 'POST',
    url: `${url}/document`,
    schema: {
      operationId: 'uploadOnboardingDocument',
      tags,
      summary: 'Upload a document with an onboarding link',
      description:
        'The body is the file, with any content type, or a form with the file in its field `file`: a PDF, JPEG, PNG, TIFF, HEIC or WEBP of up to 20 MiB, ' +
        'recognized by its first bytes. A link takes 20 files. After a refused or incomplete upload nothing is stored.',
      headers: LinkHeaders,
      response: {
        200: UploadedFile,
        ...errorResponses(
          ...linkErrors,
          'onboarding-status',
          'too-many-files',
          'upload-broke-off',
          'request-timeout',
          'document-storage-unavailable',
          'too-many-calls',
        ),
        415: errorResponse('The file is none of PDF, JPEG, PNG, TIFF, HEIC and WEBP, or the body is compressed.'),
      },
    },
    body: stream(
      {
        ...binaryContent(['application/octet-stream', ...FILE_TYPES]),
        'multipart/form-data': {
          schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
        },
      },
      acceptForms,
    ),
    before: async (request) => {
      await refusePublicCall(context, request)
      // The content type of a raw body is ignored, even a malformed one.
      if (!isMultipart(request)) delete request.raw.headers['content-type']
    },
    // The body is read after all checks.
    handler: async (request, reply) => {
      const invitation = await openLink(context, request)
      requireEditable(invitation)
      void reply.header('cache-control', 'no-store')
      const end = () => endBody(request.raw)
      const id = await uploads.run(invitation.id, () => uploadFile(context, request, invitation), { end })
      return reply.send({ 'document-id': id })
    },
  })
  route(app, {
    method: 'DELETE',
    url: `${url}/document/:documentId`,
    schema: {
      operationId: 'deleteOnboardingDocument',
      tags,
      summary: 'Remove a document of an onboarding link',
      description: 'One that was not sent yet, or that the company returned.',
      headers: LinkHeaders,
      params: Type.Object({ documentId: { ...Uuid, description: 'From the upload.' } }),
      response: {
        204: Type.Null({ description: 'Removed.' }),
        ...errorResponses(...linkErrors, 'document-not-found', 'onboarding-status'),
      },
    },
    handler: async (request, reply) => {
      const invitation = await openLink(context, request)
      await removeFile(context, request, invitation, request.params.documentId)
      return reply.status(204).send(null)
    },
  })
}

function submitRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/submission`,
    schema: {
      operationId: 'submitOnboarding',
      tags,
      summary: 'Send the own data to the company',
      description:
        'Registration data, dependents, and for each product whether the employee takes or waives it. Who waives every product sends no registration data. ' +
        'Sent again, the same data change nothing; other data are refused until the company returns the first.',
      headers: LinkHeaders,
      response: {
        200: SubmittedResponse,
        ...errorResponses(...linkErrors, 'onboarding-status'),
      },
    },
    before: (request) => refusePublicCall(context, request),
    body: parsedJson(SubmissionBody, (body) => ({ ok: true, value: body })),
    handler: async (request, reply) => {
      const invitation = await openLink(context, request)
      void reply.header('cache-control', 'no-store')
      return {
        result: { status: 'submitted', 'submitted-at': await submit(context, request, invitation, request.body) },
      } as const
    },
  })
}
