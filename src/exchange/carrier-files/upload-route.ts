import { ResultOf } from '#platform/http/page.ts'
import { Type } from 'typebox'
import { CARRIER_FILE_KINDS, INVOICE_KINDS } from '#kernel/reconciliation.ts'
import { lines } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { required } from '#platform/core/log.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponse, errorResponses, Name, OneOf, Uuid } from '#platform/http/schemas.ts'
import { workbook } from '#platform/http/table-types.ts'
import { maxFileLines } from '#registry/layouts/definition.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { readFile } from './queries.ts'
import { maxCarrierFileBytes } from './carrier-file.ts'
import { CarrierFile, ReferenceMonth } from './schema.ts'
import { mayWriteFiles, uploadCarrierFile } from './upload.ts'

const url = '/operator/v1/carrier-file'

const Query = Closed({
  'contract-id': { ...Uuid, description: 'Of whose carrier the file is.' },
  kind: OneOf(CARRIER_FILE_KINDS, {
    description: 'Whom the carrier covers, what it charges, or what people pay for use.',
  }),
  'reference-month': ReferenceMonth,
  'invoice-kind': Type.Optional(
    OneOf(INVOICE_KINDS, {
      description: 'Of an invoice; default `main`. A `supplementary` one adds to it, another `main` one replaces it.',
    }),
  ),
  'layout-id': Type.Optional(
    Type.String({ pattern: '^[a-z0-9-]{1,36}$', description: 'Default: that of the contract for the kind.' }),
  ),
  name: Type.Optional({ ...Name, description: 'The name of the file, as it is shown and saved.' }),
})

const text = (example: string) => ({ schema: { type: 'string', examples: [example] } })
const content = {
  'text/csv': text('tax-id;name;card-number\r\n52998224725;Helena Brandão Souza;0045 1120 7788\r\n'),
  'text/plain': text('20002000123400HELENA BRANDAO SOUZA               \r\n'),
  'application/x-ndjson': text('{"tax-id":"52998224725","name":"Helena Brandão Souza"}\n'),
  [xlsxType]: workbook,
}

/** The upload of a carrier's file. */
export function uploadRoute(app: App, context: Context): void {
  const limit = maxFileLines.toLocaleString('en-US')
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayWriteFiles,
    schema: {
      operationId: 'uploadCarrierFile',
      summary: 'Send a carrier’s file',
      description:
        'The workers read it by the layout and match its lines with the benefits of the contract: read the file until its `status` is no longer ' +
        '`reading`. The same bytes of the same contract, kind and month are the same file: 200 with it; one that `failed` is read again. 409 for a file ' +
        `that says it is of another contract or month; \`found\` is what it says. Up to ${limit} lines and ` +
        `${maxCarrierFileBytes / 1024 / 1024} MiB. Of co-participation only the total of each person is stored, never the file.`,
      querystring: Query,
      response: {
        200: ResultOf(CarrierFile),
        202: ResultOf(CarrierFile),
        ...errorResponses(
          'month-closed',
          'contract-not-found',
          'layout-not-found',
          'another-contract',
          'another-period',
          'carrier-storage-unavailable',
        ),
        413: errorResponse(`More than ${maxCarrierFileBytes / 1024 / 1024} MiB; nothing was stored.`),
        415: errorResponse('The body must be a file of text or a workbook (.xlsx), not compressed.'),
      },
    },
    body: lines(
      content,
      Object.fromEntries(Object.keys(content).map((type) => [type, 'file' as const])),
      maxCarrierFileBytes,
    ),
    handler: async (request, reply) => {
      const { query, body } = request
      const { id, isNew } = await uploadCarrierFile(context, callerOf(request), {
        contractId: query['contract-id'],
        kind: query.kind,
        referenceMonth: query['reference-month'],
        invoiceKind: query['invoice-kind'] ?? null,
        layoutId: query['layout-id'] ?? null,
        name: query.name ?? null,
        bytes: body?.bytes ?? Buffer.alloc(0),
      })
      void reply.status(isNew ? 202 : 200).header('location', `${url}/${id}`)
      return sendJson(reply, required(await readFile(context.database, id), 'file'))
    },
  })
}
