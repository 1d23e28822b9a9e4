import { lines } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { errorResponse, errorResponses } from '#platform/http/schemas.ts'
import { workbook } from '#platform/http/table-types.ts'
import { sendJob } from '#movements/decide/job.ts'
import { fileResult } from '#movements/decide/job-result.ts'
import {
  DecisionFileQuery,
  DecisionResponse,
  firstId,
  JobAccepted,
  preferWait,
  secondId,
  textOf,
  waited,
} from '#movements/decide/job-schema.ts'
import { maxDecisionBytes, maxDecisionLines } from '#movements/decide/sent-lines.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { acknowledgeFile } from './acknowledge-file.ts'
import { mayWriteShipments } from './close.ts'
import { ShipmentPath } from './schema.ts'

const csv = textOf(
  'CPF;Produto;Situação;Carteirinha;Início;Código;Mensagem\n' +
    '529.982.247-25;Saúde Essencial;Aceito;0045 1120 7788;01/12/2026;;\n' +
    '111.444.777-35;Saúde Essencial;Recusado;;;17;Falta documento\n',
)
const ndjson = textOf(
  `{"enrollment-id":"${firstId}","outcome":"accepted","card-number":"0045 1120 7788","start-date":"2026-12-01"}\n` +
    `{"enrollment-id":"${secondId}","outcome":"refused","code":"17","message":"Falta documento"}\n`,
)
const fixedWidth = textOf('2001529982247250045112077880112202600\r\n')

const formats = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'text/plain': 'text',
  [xlsxType]: 'xlsx',
} as const

/** What a carrier answers to a shipment. */
export function acknowledgementRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: '/operator/v1/shipment/:shipmentId/acknowledgement',
    api: 'operator',
    roles: mayWriteShipments,
    schema: {
      operationId: 'acknowledgeShipment',
      summary: 'Read the answer of a carrier to a shipment',
      description:
        'A line says what became of an item: `accepted` completes its movement with card number and dates, `refused` makes it pending or rejected, as ' +
        'the `code-map` of the contract says. The file is in the layout of the contract for acknowledgements, where that is of its format; else a CSV or ' +
        'a workbook whose headings are those of its `acknowledgement-mapping`, or known ones; or NDJSON. An item is found by `enrollment-id`, `position`, ' +
        'or CPF and product. Each line has a result of its own, also one that names no item; equal lines are done once, different ones of an item are ' +
        `refused, both. The same file again changes nothing. Up to ${maxDecisionLines.toLocaleString('en-US')} lines; a job decides: 202, or 200 with ` +
        '`Prefer: wait=N` if it ends in time. A dependent that is accepted before its primary waits for it. In the history the actor is `carrier`.',
      headers: preferWait,
      params: ShipmentPath,
      querystring: DecisionFileQuery,
      response: {
        200: { ...DecisionResponse, headers: waited },
        202: JobAccepted,
        ...errorResponses('shipment-not-found', 'shipment-status', 'shipment-being-sent'),
        413: errorResponse(`More than ${maxDecisionLines.toLocaleString('en-US')} lines or 16 MiB; nothing was done.`),
        415: errorResponse(
          'The body must be `text/csv`, `application/x-ndjson`, a workbook (.xlsx) or, in a layout of fixed width, `text/plain`, not compressed.',
        ),
      },
    },
    body: lines(
      { 'text/csv': csv, 'application/x-ndjson': ndjson, 'text/plain': fixedWidth, [xlsxType]: workbook },
      formats,
      maxDecisionBytes,
    ),
    handler: async (request, reply) => {
      const { 'dry-run': dryRun, confirm, sheet } = request.query
      const id = request.params.shipmentId
      const jobId = await acknowledgeFile(context, callerOf(request), id, request.body, { dryRun, confirm, sheet })
      return sendJob(context, request, reply, jobId, app.stopping, () => fileResult(context.database, jobId))
    },
  })
}
