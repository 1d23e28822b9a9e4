import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { ExcludedResponse } from '../exclude/schema.ts'
import { notFoundMessages } from '../exclude/exclude.ts'
import { confirmDraft, discardDraft, mayDecideDrafts } from './draft-exclusion.ts'
import { draftPage, readDraft } from './queries.ts'
import { DiscardBody, DraftPath, DraftQuery, DraftExclusion } from './schema.ts'

const url = '/operator/v1/draft-exclusion'
const example = '01995e0c-7b31-7a44-9c55-1f2e3d4c5b6a'

/** `/operator/v1/draft-exclusion`: exclusions that the clock proposes. */
export async function draftExclusionRoutes(app: App, context: Context): Promise<void> {
  const draft = resource(app, context, {
    noun: 'draft-exclusion',
    parameter: 'draftId',
    mayRead: ['analyst', 'auditor'],
    mayWrite: mayDecideDrafts,
    item: DraftExclusion,
    read: readDraft,
  })
  draft.list({
    summary: 'List the drafts of exclusions',
    description:
      'What the clock proposes where the end of a benefit lies ahead or has come: by `end-date`, also those that were decided. A draft has no ' +
      'effect until an operator confirms it. A benefit that has ended otherwise discards its drafts.',
    cli: {
      examples: { 'draft-exclusion list --status open': 'those that are not decided yet' },
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
    query: DraftQuery,
    page: draftPage,
  })
  confirmRoute(app, context)
  draft.act('discard', {
    summary: 'Discard the draft of an exclusion',
    description: 'The same end of the benefit is not proposed again, another one is.',
    cli: {
      examples: { [`draft-exclusion discard ${example} --reason "Estuda até julho"`]: 'the benefit stays' },
      fields: ['status'],
    },
    errors: ['draft-exclusion-decided'],
    body: json(DiscardBody),
    run: (actor, id, { reason }) => discardDraft(context, actor, id, reason.trim()),
  })
}

function confirmRoute(app: App, context: Context): void {
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
        200: ExcludedResponse,
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
}
