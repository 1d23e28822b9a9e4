import { Readable } from 'node:stream'
import { ApiError } from '#platform/core/errors.ts'
import type { InvoiceClass } from '#kernel/reconciliation.ts'
import { type App, type Context } from '#platform/http/context.ts'
import { sendHeaders } from '#platform/http/download.ts'
import { languageOf } from '#platform/http/language.ts'
import { mayReadMoney } from '../prices/put.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { workbook } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { workbookOf } from '#platform/tables/xlsx/zip-writer.ts'
import { financeCell, financeColumns } from '#platform/tables/finance-sheet.ts'
import { readClaimedLines } from './queries.ts'
import { ClaimPath } from './schema.ts'

/** What the carrier finds a line by, and why it is claimed. Without CPFs: the carrier has its own card number and certificate. */
const columns = [
  'carrier-name',
  'contract-number',
  'sub-contract',
  'company-name',
  'company-tax-id',
  'reference-month',
  'line-number',
  'card-number',
  'certificate',
  'dependent-code',
  'member-name',
  'plan-code',
  'class',
  'expected',
  'found',
  'amount',
] as const

/** `GET /operator/v1/claim/{id}/export`: the claim as the workbook that goes to the carrier. */
export function exportRoute(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/claim/:claimId/export',
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'exportClaim',
      'x-sdk': 'claims.export',
      'x-cli': {
        command: 'claim export',
        examples: {
          'claim export 01995e0f-4d31-7e44-9f55-809102132435 --output claim.xlsx': 'what goes to the carrier',
        },
      },
      summary: 'Export a claim as XLSX for the carrier',
      description:
        'A line for each that is claimed, with the contract, the line of the invoice, card number, reason and amounts, under headings in the language ' +
        'of the request. Without CPFs. Amounts are numbers in reais, other cells texts, never formulas.',
      params: ClaimPath,
      response: {
        200: { description: 'A line for each line of the claim, after the header.', content: { [xlsxType]: workbook } },
        ...errorResponses('claim-not-found'),
      },
    },
    handler: async (request, reply) => {
      const lines = await readClaimedLines(database, request.params.claimId)
      if (lines.length === 0) throw new ApiError('claim-not-found')
      void reply.header('content-disposition', 'attachment; filename="claim.xlsx"').type(xlsxType)
      if (request.method === 'HEAD') return sendHeaders(reply)
      const language = languageOf(request)
      const sheet = financeColumns(columns, language, false)
      const rows = lines.map((line) =>
        columns.map((column) => financeCell(column, line[column], language, line.class as InvoiceClass)),
      )
      return reply.send(Readable.from(workbookOf('claim', sheet, [rows]), { objectMode: false }))
    },
  })
}
