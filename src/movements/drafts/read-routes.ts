import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { maskValue } from '#kernel/masking.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent } from '#platform/http/download.ts'
import { FILE_TYPES } from '#platform/http/file-type.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { mapPage } from '#platform/http/page.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { twinRoutes } from '#platform/http/twins.ts'
import { sendDocument } from '#registry/documents/send.ts'
import {
  ItemQuery,
  MovementDraftItems,
  MovementDraftList,
  MovementDraftQuery,
  MovementDraftResponse,
} from '../movement-draft-schema.ts'
import { draftNotFound, listDrafts, listItems, readDraftDocument, readDraftFor } from './queries.ts'

export const tags = ['movement-drafts']
const mayRead = ['analyst', 'auditor'] as const
export const DraftPath = Type.Object({ draftId: { ...Uuid, description: 'From the list of movement drafts.' } })
export const example = '01995e0e-2c30-7d51-8a6b-7c8d9e0f1a22'
export const pathOf = ({ params }: FastifyRequest<{ Params: unknown }>) => params as Static<typeof DraftPath>

/** Lists and reads drafts, their items and their documents. */
export function draftReadRoutes(app: App, context: Context): void {
  documentRoute(app, context)
  const { database } = context
  twinRoutes(app, {
    method: 'GET',
    path: '/movement-draft',
    schema: { querystring: MovementDraftQuery, response: { 200: MovementDraftList } },
    partner: {
      operationId: 'listMovementDrafts',
      'x-sdk': 'movementDrafts.list',
      'x-cli': {
        command: 'movement-draft list',
        examples: { 'movement-draft list --status open': 'those that are not decided yet' },
        columns: {
          'DRAFT-ID': 'draft-id',
          COMPANY: 'company-name',
          STATUS: 'status',
          APPROVAL: 'approval',
          'CREATED-BY': 'created-by',
          'CREATED-AT': 'created-at',
          'EXPIRES-ON': 'expires-on',
        },
      },
      tags,
      summary: 'List movement drafts, newest first',
      description: 'Those that clients of the company sent, whichever of them it was.',
      errors: ['not-entitled'],
    },
    operator: {
      operationId: 'listAllMovementDrafts',
      'x-sdk': 'movementDrafts.list',
      'x-cli': { command: 'movement-draft list' },
      roles: mayRead,
      summary: 'List movement drafts of all companies, newest first',
      description: 'What companies ask the broker for, and exclusions that a second operator has to confirm.',
      errors: [],
    },
    handler: async (request, reply) => {
      const { query } = request
      return sendJson(reply, listBody(await listDrafts(database, callerOf(request), query), query))
    },
  })
  twinRoutes(app, {
    method: 'GET',
    path: '/movement-draft/:draftId',
    schema: { params: DraftPath, response: { 200: MovementDraftResponse } },
    partner: {
      operationId: 'readMovementDraft',
      'x-sdk': 'movementDrafts.get',
      'x-cli': {
        command: 'movement-draft show',
        examples: { [`movement-draft show ${example}`]: 'what became of it' },
      },
      tags,
      summary: 'Read a movement draft',
      description: 'Its status, and how many items it has of each class and status.',
      errors: ['movement-draft-not-found'],
    },
    operator: {
      operationId: 'readAnyMovementDraft',
      'x-sdk': 'movementDrafts.get',
      'x-cli': { command: 'movement-draft show' },
      roles: mayRead,
      summary: 'Read a movement draft',
      description: 'As the company reads it; of an operator’s batch with its `intake`.',
      errors: ['movement-draft-not-found'],
    },
    handler: async (request, reply) =>
      sendJson(reply, await readDraftFor(database, callerOf(request), pathOf(request).draftId)),
  })
  twinRoutes(app, {
    method: 'GET',
    path: '/movement-draft/:draftId/item',
    schema: { params: DraftPath, querystring: ItemQuery, response: { 200: MovementDraftItems } },
    partner: {
      operationId: 'listMovementDraftItems',
      'x-sdk': 'movementDrafts.items',
      'x-cli': {
        command: 'movement-draft items',
        examples: { [`movement-draft items ${example} --status refused`]: 'what the rules refused' },
        columns: {
          NUMBER: 'number',
          CLASS: 'class',
          STATUS: 'status',
          'TAX-ID': 'tax-id',
          NAME: 'name',
          REASON: 'reason',
        },
      },
      tags,
      summary: 'List the items of a movement draft',
      description: 'By their number: one proposed act for one person each, with what is stored and what would be.',
      errors: ['movement-draft-not-found'],
    },
    operator: {
      operationId: 'listAnyMovementDraftItems',
      'x-sdk': 'movementDrafts.items',
      'x-cli': { command: 'movement-draft items' },
      roles: mayRead,
      summary: 'List the items of a movement draft',
      description: 'As the company reads them. An auditor gets masked CPFs, numbers of documents and bank data.',
      errors: ['movement-draft-not-found'],
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = await listItems(database, callerOf(request), pathOf(request).draftId, query)
      return sendJson(reply, listBody(request.role === 'auditor' ? mapPage(page, masked) : page, query))
    },
  })
}

interface ShownItem {
  readonly differences: readonly { readonly field: string; readonly here: unknown; readonly stated: unknown }[]
}

const masked = (item: ShownItem) => ({
  ...item,
  differences: item.differences.map(({ field, here, stated }) => ({
    field,
    here: maskValue(field, here),
    stated: maskValue(field, stated),
  })),
})

function documentRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/movement-draft/:draftId/document/:documentId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readMovementDraftDocument',
      'x-sdk': 'movementDrafts.document',
      'x-cli': {
        command: 'movement-draft document',
        examples: {
          [`movement-draft document ${example} 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --output proof.pdf`]:
            'the bytes as they were uploaded',
        },
      },
      summary: 'Read a document of a movement draft',
      description:
        'The file itself; a browser saves it and does not open it. The download is audited. Auditors do not read the evidence in `intake`.',
      params: Type.Object({
        ...DraftPath.properties,
        documentId: { ...Uuid, description: 'One of the documents of its items.' },
      }),
      response: {
        200: { description: 'The bytes of the file.', content: binaryContent(FILE_TYPES) },
        ...errorResponses('movement-draft-not-found', 'document-not-found', 'document-storage-unavailable'),
      },
    },
    handler: async (request, reply: FastifyReply) => {
      const { draftId, documentId } = request.params
      const document = await readDraftDocument(context.database, draftId, documentId)
      if (document === undefined) throw draftNotFound()
      if (document === null) throw new ApiError('document-not-found')
      if (document.isEvidence && request.role === 'auditor') throw new ApiError('role-not-allowed')
      return sendDocument(context, request, reply, document, {
        roles: mayRead,
        action: 'document.downloaded',
        target: documentId,
      })
    },
  })
}
