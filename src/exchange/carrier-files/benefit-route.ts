import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { lastDayOf } from '#kernel/calendar.ts'
import { parseSearch } from '#kernel/search.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses } from '#platform/http/schemas.ts'
import { searchText } from '#platform/http/search-parameter.ts'
import { searchCandidates } from './line-queries.ts'
import { requireFile } from './queries.ts'
import { FilePath, FoundBenefitList } from './schema.ts'
import { mayWriteFiles } from './upload.ts'

/** `GET /operator/v1/carrier-file/{fileId}/benefit`: of whom a line may be. */
export function benefitSearchRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/carrier-file/:fileId/benefit',
    api: 'operator',
    roles: mayWriteFiles,
    schema: {
      operationId: 'findCarrierFileBenefits',
      'x-sdk': 'carrierFiles.findBenefits',
      'x-cli': {
        command: 'carrier-file find-benefits',
        options: { q: 'query' },
        examples: {
          'carrier-file find-benefits 01995e0d-1a20-7c31-8d4e-5f6a7b8c9d01 --query souza': 'of whom a line may be',
        },
        columns: {
          'BENEFIT-ID': 'benefit-id',
          NAME: 'member-name',
          TYPE: 'type',
          PRODUCT: 'product-name',
          CARD: 'card-number',
          START: 'start-date',
          END: 'end-date',
        },
      },
      summary: 'Find the benefits that a line of a file may be of',
      description:
        'Of the contract of the file, for a link by hand: the first 20 by name, without CPFs. Leaves an audit row `member.disclosed`, whose `target` are the ' +
        'ids of the members.',
      params: FilePath,
      querystring: Closed({
        q: searchText('the name, an e-mail address, the employee id, the CPF or the card number'),
      }),
      response: { 200: FoundBenefitList, ...errorResponses('carrier-file-not-found') },
    },
    handler: async (request, reply) => {
      const search = required(parseParameter('q', request.query.q, parseSearch), 'search')
      const file = await requireFile(context.database, request.params.fileId)
      const { companyId, referenceMonth } = file
      const items = await write(context, callerOf(request), { may: mayWriteFiles }, async (tx) => {
        const found = await searchCandidates(tx, file, lastDayOf(referenceMonth), search)
        if (found.memberIds.length > 0) {
          tx.audit({ action: 'member.disclosed', target: found.memberIds.join(' '), companyId })
        }
        return found.items
      })
      return sendJson(reply, `{"result":${items}}`)
    },
  })
}
