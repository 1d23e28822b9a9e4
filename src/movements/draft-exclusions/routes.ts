import { Type } from 'typebox'
import { required } from '#platform/core/log.ts'
import { DRAFT_EXCLUSION_STATUSES } from '../rules/draft-exclusion.ts'
import { filters } from '#platform/http/filters.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { AcceptedResponse } from '../accepted.ts'
import { notFoundMessages } from '../exclude/exclude.ts'
import { confirmDraft, discardDraft, mayDecideDrafts } from './draft-exclusion.ts'
import { listDrafts, readDraft } from './queries.ts'
import { DiscardBody, DraftList, DraftPath, DraftResponse } from './schema.ts'

const url = '/operator/v1/draft-exclusion'
const example = '01995e0c-7b31-7a44-9c55-1f2e3d4c5b6a'

/** `/operator/v1/draft-exclusion`: exclusions that the clock proposes. */
export async function draftExclusionRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listDraftExclusions',
      'x-sdk': 'draftExclusions.list',
      'x-cli': {
        command: 'draft-exclusion list',
        examples: { 'draft-exclusion list --status open': 'those that nobody has decided yet' },
        columns: {
          'DRAFT-ID': 'draft-id',
          'END-DATE': 'end-date',
          CAUSE: 'cause',
          MEMBER: 'member-name',
          PRODUCT: 'product-name',
          COMPANY: 'company-name',
          STATUS: 'status',
        },
      },
      summary: 'List the drafts of exclusions',
      description:
        'What the clock proposes where the end of a benefit lies ahead or has come: by `end-date`, also those that were decided. A draft has no ' +
        'effect until somebody confirms it. A benefit that has ended otherwise discards its drafts.',
      querystring: Closed({
        'company-tax-id': filters.company,
        status: Type.Optional(OneOf(DRAFT_EXCLUSION_STATUSES, { description: 'Only drafts with this status.' })),
        ...pageQuery,
      }),
      response: { 200: DraftList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = { companyTaxId: query['company-tax-id'] ?? null, status: query.status ?? null }
      return sendJson(reply, listBody(await listDrafts(database, filter, pageBounds(query)), query))
    },
  })
  decisionRoutes(app, context)
}

function decisionRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/:draftId/confirm`,
    api: 'operator',
    roles: mayDecideDrafts,
    schema: {
      operationId: 'confirmDraftExclusion',
      'x-sdk': 'draftExclusions.confirm',
      'x-cli': {
        command: 'draft-exclusion confirm',
        examples: { [`draft-exclusion confirm ${example}`]: 'the exclusion is in the queue' },
      },
      summary: 'Confirm the draft of an exclusion',
      description:
        'Requests the exclusion with the `end-date` of the draft; a primary’s dependents in the product are excluded too. It is in the queue and in ' +
        'the lists of the company’s partners, and is decided as every other; completing it may set another `end-date`. Rules of required documents hold ' +
        'as for the exclusion of a partner: it waits for `missing-documents`, which the partner sends as an answer.',
      params: DraftPath,
      response: {
        200: AcceptedResponse,
        ...errorResponses(
          'invalid-exclusion-details',
          'draft-exclusion-not-found',
          ['no-active-benefit', notFoundMessages.benefit],
          'draft-exclusion-decided',
          'ongoing-enrollments',
        ),
      },
    },
    handler: async (request) => confirmDraft(context, callerOf(request), request.params.draftId),
  })

  route(app, {
    method: 'POST',
    url: `${url}/:draftId/discard`,
    api: 'operator',
    roles: mayDecideDrafts,
    schema: {
      operationId: 'discardDraftExclusion',
      'x-sdk': 'draftExclusions.discard',
      'x-cli': {
        command: 'draft-exclusion discard',
        examples: { [`draft-exclusion discard ${example} --reason "Estuda até julho"`]: 'the benefit stays' },
        fields: ['status'],
      },
      summary: 'Discard the draft of an exclusion',
      description: 'The same end of the benefit is not proposed again, another one is.',
      params: DraftPath,
      response: {
        200: DraftResponse,
        ...errorResponses('draft-exclusion-not-found', 'draft-exclusion-decided'),
      },
    },
    body: json(DiscardBody),
    handler: async (request, reply) => {
      const id = request.params.draftId
      await discardDraft(context, callerOf(request), id, request.body.reason.trim())
      return sendJson(reply, required(await readDraft(context.database, id), 'draft exclusion'))
    },
  })
}
