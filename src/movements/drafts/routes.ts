import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { invalidBody } from '#platform/core/errors.ts'
import { requesters } from '#platform/core/may-request.ts'
import type { SaveResponse } from '#platform/core/write.ts'
import { json, jsonBytes, optionalJson } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { languageOf } from '#platform/http/language.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { twinRoutes } from '#platform/http/twins.ts'
import { waitFor, waitOf } from '#platform/http/wait.ts'
import { AlterationBatchErrorResponse } from '../alter/batch-schema.ts'
import { limited, sendBatch } from '../batch/route.ts'
import { preferWait, waited } from '../decide/job-schema.ts'
import {
  ConfirmBody,
  DiscardBody,
  LooseConfirmBody,
  MovementDraftAccepted,
  MovementDraftResponse,
} from '../movement-draft-schema.ts'
import { confirmDraft, discardDraft } from './confirm.ts'
import { draftReadRoutes, DraftPath, example, pathOf, tags } from './read-routes.ts'
import { readDraftFor } from './queries.ts'
import type { Selection } from './confirm-rows.ts'
import { DraftBatchBody, DraftBatchQuery, DraftBatchResponse } from './schema.ts'
import { sendDraft } from './send.ts'

/** 1,000 entries, with room. */
const bodyLimit = 2 * 1024 * 1024
/** 10,000 items with what is given for them. */
const confirmLimit = 8 * 1024 * 1024

/** `/movement-draft` of both APIs: movements that somebody else has to confirm. */
export async function movementDraftRoutes(app: App, context: Context): Promise<void> {
  sendRoute(app, context)
  draftReadRoutes(app, context)
  confirmRoute(app, context)
  discardRoute(app, context)
}

function sendRoute(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: '/v1/movement-draft',
    api: 'partner',
    schema: {
      operationId: 'createMovementDraft',
      'x-sdk': 'movementDrafts.create',
      'x-cli': {
        command: 'movement-draft create',
        file: true,
        examples: { 'movement-draft create corrections.json --dry-run': 'judges it; the file is the body' },
      },
      tags,
      summary: 'Ask the broker for alterations',
      description:
        'In staging and in production: 1 to 1,000 entries as those of the batch of alterations, judged at once; with offenses nothing is stored. They ' +
        'become a draft, and movements once an operator confirms it. Also people who are dependents only can be corrected. Its documents belong to ' +
        'the draft. A company has at most 50 drafts that are not closed.',
      querystring: DraftBatchQuery,
      response: {
        200: DraftBatchResponse,
        400: AlterationBatchErrorResponse,
        ...errorResponses('not-entitled', 'too-many-drafts', 'too-many-batches'),
      },
    },
    body: jsonBytes(DraftBatchBody, bodyLimit),
    handler: async (request, reply) => {
      const { body, query } = request
      if (!Buffer.isBuffer(body)) throw invalidBody()
      const caller = callerOf(request)
      const sent = {
        body,
        dryRun: query['dry-run'] ?? false,
        language: languageOf(request),
        saveResponse: request.saveResponse,
      }
      const run = () => sendDraft(context, caller, sent)
      return sendBatch(request, reply, await limited(context, caller.clientId, body.length, run))
    },
  })
}

function confirmRoute(app: App, context: Context): void {
  const { database } = context
  const errors = [
    'nothing-selected',
    'not-in-bulk',
    'needs-missing',
    'movement-draft-not-found',
    'movement-draft-status',
    'guard-not-confirmed',
  ] as const
  const what =
    'The selected items are judged again and become requests, in the name of the caller, by a job: with `Prefer: wait=N` the response waits for it. ' +
    'What is refused then has `offenses`; items of which the stored data have changed since are refused with `changed-meanwhile`. ' +
    'What items lack is given for each or for all of them; when anything is still missing, or not valid, nothing is confirmed.'
  twinRoutes(app, {
    method: 'POST',
    path: '/movement-draft/:draftId/confirm',
    schema: {
      params: DraftPath,
      headers: preferWait,
      response: { 200: { ...MovementDraftResponse, headers: waited }, 202: MovementDraftAccepted },
    },
    partner: {
      operationId: 'confirmMovementDraft',
      'x-sdk': 'movementDrafts.confirm',
      'x-cli': {
        command: 'movement-draft confirm',
        examples: { [`movement-draft confirm ${example} --classes correction --except 2`]: 'all corrections but one' },
      },
      tags,
      summary: 'Confirm items of a movement draft',
      description: `${what} In production the alterations of a company wait for its broker: a company confirms them in staging only.`,
      errors,
    },
    operator: {
      operationId: 'confirmAnyMovementDraft',
      'x-sdk': 'movementDrafts.confirm',
      'x-cli': { command: 'movement-draft confirm' },
      roles: requesters,
      summary: 'Confirm items of a movement draft',
      description: `${what} Exclusions that wait for a second operator are confirmed by another one than who sent them.`,
      errors: [...errors, 'second-person-needed'],
    },
    body: { ...json(LooseConfirmBody, { limit: confirmLimit }), schema: ConfirmBody },
    handler: async (request, reply) => {
      const { draftId } = pathOf(request)
      const caller = callerOf(request)
      const { classes = [], items = [], guard = null, except, ...all } = request.body
      await confirmDraft(context, caller, draftId, {
        selection: { ...selectionOf({ items, except }), classes },
        all,
        own: new Map(items.map(({ number, ...values }, index) => [number, { index, values }])),
        guard,
        saveResponse: savedAs(request, 202),
      })
      const seconds = waitOf(request)
      const isOver = () => app.stopping.aborted || reply.raw.destroyed
      const hasEnded = async () => statusOf(await readDraftFor(database, caller, draftId)) !== 'requesting'
      if (seconds > 0 && (await waitFor(seconds, isOver, hasEnded))) {
        void reply.header('preference-applied', `wait=${seconds}`)
      } else void reply.status(202).header('location', request.url.split('?', 1)[0]?.replace(/\/confirm$/, '') ?? '')
      return sendJson(reply, await readDraftFor(database, caller, draftId))
    },
  })
}

const statusOf = (body: string) => (JSON.parse(body) as Static<typeof MovementDraftResponse>).result.status

function discardRoute(app: App, context: Context): void {
  const errors = ['nothing-selected', 'movement-draft-not-found', 'movement-draft-status'] as const
  twinRoutes(app, {
    method: 'POST',
    path: '/movement-draft/:draftId/discard',
    schema: { params: DraftPath, response: { 200: MovementDraftResponse } },
    partner: {
      operationId: 'discardMovementDraft',
      'x-sdk': 'movementDrafts.discard',
      'x-cli': {
        command: 'movement-draft discard',
        examples: { [`movement-draft discard ${example}`]: 'withdraws all that is not decided' },
      },
      tags,
      summary: 'Withdraw items of a movement draft',
      description: 'Nothing is done for them. What is confirmed can be cancelled as a movement.',
      errors,
    },
    operator: {
      operationId: 'discardAnyMovementDraft',
      'x-sdk': 'movementDrafts.discard',
      'x-cli': { command: 'movement-draft discard' },
      roles: requesters,
      summary: 'Discard items of a movement draft',
      description:
        'Nothing is done for them; `reason` is required, and the company reads it. What is confirmed can be cancelled as a movement.',
      errors,
    },
    body: optionalJson(DiscardBody),
    handler: async (request, reply) => {
      const { draftId } = pathOf(request)
      const caller = callerOf(request)
      const { classes, items, reason } = request.body
      const isAll = classes === undefined && items === undefined
      await discardDraft(context, caller, draftId, {
        selection: { ...selectionOf({ items: items ?? [] }), classes: isAll ? null : (classes ?? []) },
        saveResponse: request.saveResponse,
        reason: reason?.trim() ?? null,
      })
      return sendJson(reply, await readDraftFor(context.database, caller, draftId))
    },
  })
}

const selectionOf = ({
  items = [],
  except = [],
}: {
  readonly items?: readonly { readonly number: number }[]
  readonly except?: readonly number[] | undefined
}): Omit<Selection, 'classes'> => ({
  items: items.map(({ number }) => number),
  except,
})

const savedAs =
  ({ saveResponse }: Pick<FastifyRequest, 'saveResponse'>, status: 200 | 202): SaveResponse =>
  (sql, response, companyIds, headers) =>
    saveResponse(sql, response, companyIds, headers, status)
