import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { unfitForNames } from '#kernel/name.ts'
import { requesters } from '#platform/core/may-request.ts'
import { empty, stream } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { endBody } from '#platform/http/limits/end-transfer.ts'
import { Closed, errorResponse, Uuid } from '#platform/http/schemas.ts'
import { SheetParameter, workbook } from '#platform/http/table-types.ts'
import { twinRoutes } from '#platform/http/twins.ts'
import { waitFor, waitOf } from '#platform/http/wait.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { preferWait, waited } from '../decide/job-schema.ts'
import { cancelSync } from './cancel.ts'
import { createSync, syncBody } from './create.ts'
import { listSyncs, readSyncFor } from './queries.ts'
import { formatOf, receiveList } from './receive.ts'
import { RosterSyncAccepted, RosterSyncList, RosterSyncQuery, RosterSyncResponse } from './schema.ts'

const tags = ['roster-syncs']
const mayRead = ['analyst', 'auditor'] as const
const SyncPath = Type.Object({
  rosterSyncId: { ...Uuid, description: 'From its creation, or the list of roster syncs.' },
})
const example = '01995e0e-2c30-7d51-8a6b-7c8d9e0f1a22'
const idOf = ({ params }: FastifyRequest<{ Params: unknown }>) => (params as Static<typeof SyncPath>).rosterSyncId

/** `/roster-sync` of both APIs: lists of who should be covered, which are compared with who is. */
export async function rosterSyncRoutes(app: App, context: Context): Promise<void> {
  createRoute(app, context)
  fileRoute(app, context)
  readRoutes(app, context)
  cancelRoute(app, context)
}

function createRoute(app: App, context: Context): void {
  const what =
    'Says what a list of people is complete in; the list itself is sent to its `/file`. It is compared with who is covered, and what differs becomes ' +
    'a movement draft, which somebody confirms. A company has at most 3 that wait for their list or its comparison.'
  twinRoutes(app, {
    method: 'POST',
    path: '/roster-sync',
    schema: { response: { 200: RosterSyncResponse } },
    partner: {
      operationId: 'createRosterSync',
      'x-sdk': 'roster.create',
      tags,
      summary: 'Begin the comparison of a list of people',
      description: what,
      errors: ['not-entitled', 'too-many-roster-syncs'],
      body: syncBody(context, 'partner'),
    },
    operator: {
      operationId: 'createRosterSyncOfCompany',
      'x-sdk': 'roster.create',
      roles: requesters,
      summary: 'Begin the comparison of a list of people',
      description: `${what} \`intake\` says how the list came.`,
      errors: ['company-not-found', 'too-many-roster-syncs'],
      body: syncBody(context, 'operator'),
    },
    handler: async (request, reply) =>
      sendJson(reply, await createSync(context, callerOf(request), request.body, request.saveResponse)),
  })
}

const FileQuery = Closed({
  'file-name': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      not: { pattern: unfitForNames },
      description: 'The name of the file, to tell lists apart.',
    }),
  ),
  sheet: SheetParameter,
})

const text = (sent: string) => ({ schema: { type: 'string', examples: [sent] } })
const member = { 'tax-id': '52998224725', name: 'Helena Brandão Souza', 'employee-id': 'V-0912' }

function fileRoute(app: App, context: Context): void {
  const { database } = context
  const errors = [
    'upload-broke-off',
    'roster-sync-not-found',
    'roster-sync-status',
    'file-differs',
    'too-many-roster-syncs',
    'roster-storage-unavailable',
  ] as const
  const what =
    'One person and product a line, as CSV or NDJSON up to 256 MiB and 200,000 lines, XLSX up to 16 MiB and 100,000 rows, or JSON up to 16 MiB: ' +
    '`{ "members": […] }`, up to 10,000, as those of an inclusion, with `exclusion-details` of who leaves; NDJSON takes such members, too. Columns are those of an ' +
    'inclusion and an exclusion, in English or Portuguese; only the CPF is required. What is blank, null or no column is not stated, and nothing is ' +
    'erased by it. The list is read and compared by itself: with `Prefer: wait=N` the response waits for it. The same bytes again are the same ' +
    'list. After a broken upload nothing is stored.'
  twinRoutes(app, {
    method: 'PUT',
    path: '/roster-sync/:rosterSyncId/file',
    takesShown: false,
    schema: {
      params: SyncPath,
      querystring: FileQuery,
      headers: preferWait,
      response: {
        200: { ...RosterSyncResponse, headers: waited },
        202: RosterSyncAccepted,
        413: errorResponse('The list is too large; nothing was stored.'),
        415: errorResponse(
          'The body must be `text/csv`, `application/x-ndjson`, `application/json` or a workbook (.xlsx), not compressed.',
        ),
      },
    },
    before: async (request) => {
      formatOf(request.raw)
    },
    body: stream({
      'text/csv': text('CPF;Nome;Matrícula\r\n529.982.247-25;Helena Brandão Souza;V-0912\r\n'),
      'application/x-ndjson': text(`${JSON.stringify(member)}\n`),
      'application/json': { schema: { type: 'object', examples: [{ members: [member] }] } },
      [xlsxType]: workbook,
    }),
    partner: {
      operationId: 'putRosterSyncFile',
      tags,
      summary: 'Send the list of a roster sync',
      description: what,
      errors,
    },
    operator: {
      operationId: 'putRosterSyncFileOfCompany',
      roles: requesters,
      summary: 'Send the list of a roster sync',
      description: what,
      errors,
    },
    handler: async (request, reply) => {
      const id = idOf(request)
      const caller = callerOf(request)
      const query = request.query
      const options = { fileName: query['file-name'] ?? null, sheet: query.sheet ?? null }
      await context.streams.run(caller.clientId, () => receiveList(context, caller, request.raw, id, options), {
        end: () => endBody(request.raw),
      })
      const seconds = waitOf(request)
      const isOver = () => app.stopping.aborted || reply.raw.destroyed
      const hasEnded = async () => isEnded(await readSyncFor(database, caller, id))
      const ended = await waitFor(seconds, isOver, hasEnded)
      if (seconds > 0 && ended) void reply.header('preference-applied', `wait=${seconds}`)
      if (!ended) void reply.status(202).header('location', request.url.split('?', 1)[0]?.replace(/\/file$/, '') ?? '')
      return sendJson(reply, await readSyncFor(database, caller, id))
    },
  })
}

const isEnded = (body: string): boolean =>
  ['compared', 'failed', 'cancelled'].includes((JSON.parse(body) as RosterSyncResponse).result.status)

function readRoutes(app: App, { database }: Context): void {
  twinRoutes(app, {
    method: 'GET',
    path: '/roster-sync',
    schema: { querystring: RosterSyncQuery, response: { 200: RosterSyncList } },
    partner: {
      operationId: 'listRosterSyncs',
      'x-sdk': 'roster.list',
      'x-cli': {
        command: 'roster list',
        examples: { 'roster list --status failed': 'those whose list could not be compared' },
        columns: {
          'ROSTER-SYNC-ID': 'roster-sync-id',
          COMPANY: 'company-tax-id',
          STATUS: 'status',
          'AS-OF': 'as-of',
          LINES: 'lines',
          COMPARED: 'compared',
          OF: 'of',
          'CREATED-AT': 'created-at',
        },
      },
      tags,
      summary: 'List roster syncs, newest first',
      description: 'Those that clients of the company sent, whichever of them it was.',
      errors: ['not-entitled'],
    },
    operator: {
      operationId: 'listAllRosterSyncs',
      'x-sdk': 'roster.list',
      'x-cli': { command: 'roster list' },
      roles: mayRead,
      summary: 'List roster syncs of all companies, newest first',
      description: 'Those that companies sent, and those that operators did.',
      errors: [],
    },
    handler: async (request, reply) => {
      const { query } = request
      return sendJson(reply, listBody(await listSyncs(database, callerOf(request), query), query))
    },
  })
  twinRoutes(app, {
    method: 'GET',
    path: '/roster-sync/:rosterSyncId',
    schema: { params: SyncPath, response: { 200: RosterSyncResponse } },
    partner: {
      operationId: 'readRosterSync',
      'x-sdk': 'roster.get',
      'x-cli': {
        command: 'roster show',
        examples: { [`roster show ${example}`]: 'how far it is' },
      },
      tags,
      summary: 'Read a roster sync',
      description: 'How far the list is read and compared, what is doubtful about it, and the draft of what differs.',
      errors: ['roster-sync-not-found'],
    },
    operator: {
      operationId: 'readAnyRosterSync',
      'x-sdk': 'roster.get',
      'x-cli': { command: 'roster show' },
      roles: mayRead,
      summary: 'Read a roster sync',
      description: 'As the company reads it.',
      errors: ['roster-sync-not-found'],
    },
    handler: async (request, reply) => sendJson(reply, await readSyncFor(database, callerOf(request), idOf(request))),
  })
}

function cancelRoute(app: App, context: Context): void {
  const described = {
    summary: 'Cancel a roster sync',
    description: 'Ends it before its list is compared: the list is deleted, and no draft is made.',
    errors: ['roster-sync-not-found', 'roster-sync-status'],
  } as const
  twinRoutes(app, {
    method: 'POST',
    path: '/roster-sync/:rosterSyncId/cancel',
    schema: { params: SyncPath, response: { 200: RosterSyncResponse } },
    body: empty,
    partner: {
      ...described,
      operationId: 'cancelRosterSync',
      'x-sdk': 'roster.cancel',
      'x-cli': {
        command: 'roster cancel',
        examples: { [`roster cancel ${example}`]: 'a wrong list was sent' },
      },
      tags,
    },
    operator: {
      ...described,
      operationId: 'cancelAnyRosterSync',
      'x-sdk': 'roster.cancel',
      'x-cli': { command: 'roster cancel' },
      roles: requesters,
    },
    handler: async (request, reply) =>
      sendJson(reply, await cancelSync(context, callerOf(request), idOf(request), request.saveResponse)),
  })
}
