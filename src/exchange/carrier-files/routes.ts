import { auditDownload } from '#access/audit/audit-download.ts'
import { ApiError } from '#platform/core/errors.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { maskFields } from '#kernel/masking.ts'
import { Type } from 'typebox'
import { json } from '#platform/http/bodies.ts'
import { endUnread } from '#platform/http/limits/end-transfer.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, openFile, sendBytes, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { required } from '#platform/core/log.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { deleteCarrierFile } from './delete.ts'
import { LINE_MATCHES, listLines, readLine, searchCandidates } from './line-queries.ts'
import { linkCarrierLine } from './link.ts'
import { filePage, readFile, requireFile } from './queries.ts'
import {
  FileList,
  FilePath,
  FileQuery,
  CarrierFile,
  FoundBenefitList,
  LineList,
  LinePath,
  LineResponse,
  LinkBody,
} from './schema.ts'
import { mayReadFiles, mayWriteFiles } from './upload.ts'
import { uploadRoute } from './upload-route.ts'
import { write } from '#platform/core/write.ts'
import { lastDayOf } from '#kernel/calendar.ts'
import { parseSearch } from '#kernel/search.ts'
import { parseParameter } from '#platform/http/parse-parameter.ts'
import { searchText } from '#platform/http/search-parameter.ts'

const url = '/operator/v1/carrier-file'
const example = '01995e0d-1a20-7c31-8d4e-5f6a7b8c9d01'

const columns = {
  'FILE-ID': 'file-id',
  COMPANY: 'company-name',
  CARRIER: 'carrier-name',
  CONTRACT: 'contract-number',
  KIND: 'kind',
  MONTH: 'reference-month',
  'INVOICE-KIND': 'invoice-kind',
  STATUS: 'status',
  LINES: 'lines',
  REFUSED: 'refused-lines',
  'TOTAL-DIFFERS': 'total-differs',
  'REPLACED-BY': 'replaced-by',
}

/** `/operator/v1/carrier-file`: what carriers send of their contracts. */
export async function carrierFileRoutes(app: App, context: Context): Promise<void> {
  uploadRoute(app, context)
  const file = resource(app, context, {
    noun: 'carrier-file',
    parameter: 'fileId',
    mayRead: mayReadFiles,
    mayWrite: mayWriteFiles,
    item: CarrierFile,
    read: readFile,
    columns,
  })
  file.list({
    summary: 'List the files of carriers',
    description: 'The latest first.',
    cli: {
      ids: 'file-id',
      examples: { 'carrier-file list --kind roster --reference-month 2026-11': 'the rosters of a month' },
    },
    query: FileQuery,
    response: FileList,
    page: filePage,
  })
  file.get({
    summary: 'Read a carrier’s file',
    description: 'With its totals, and by what its lines were matched.',
  })
  lineRoutes(app, context)
  benefitSearchRoute(app, context)
  contentRoute(app, context)
  file.remove({
    summary: 'Delete a carrier’s file',
    description: 'With its lines and its comparison; not once its discrepancies were worked on.',
    cli: { message: 'Deleted the file {file-id}.', result: { 'file-id': '{file-id}', deleted: true } },
    errors: ['carrier-file-status', 'carrier-file-in-use', 'month-closed'],
    run: (actor, id) => deleteCarrierFile(context, actor, id),
  })
}

function lineRoutes(app: App, context: Context): void {
  const { database } = context
  const lineColumns = {
    LINE: 'line-number',
    NAME: 'name',
    'TAX-ID': 'tax-id',
    CARD: 'card-number',
    PLAN: 'plan-code',
    AMOUNT: 'amount',
    'MATCHED-BY': 'matched-by',
    MEMBER: 'member-name',
    PROBLEM: 'problems[].code',
  }
  route(app, {
    method: 'GET',
    url: `${url}/:fileId/line`,
    api: 'operator',
    roles: mayReadFiles,
    schema: {
      operationId: 'listCarrierLines',
      'x-sdk': 'carrierFiles.lines',
      'x-cli': {
        command: 'carrier-file lines',
        examples: { [`carrier-file lines ${example} --match unmatched`]: 'the people who are not known here' },
        columns: lineColumns,
      },
      summary: 'List the lines of a carrier’s file',
      description: 'In the order of the file. Only admins and analysts get whole CPFs.',
      params: FilePath,
      querystring: Closed({
        match: Type.Optional(OneOf(LINE_MATCHES, { description: 'Default: all lines.' })),
        ...pageQuery,
      }),
      response: { 200: LineList, ...errorResponses('carrier-file-not-found') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const { fileId } = request.params
      const { companyId } = await requireFile(database, fileId)
      const key = { companyId, fileId }
      const page = await listLines(database, key, query.match ?? null, pageBounds(query))
      const isMasked = request.role !== 'admin' && request.role !== 'analyst'
      const items = isMasked ? JSON.stringify(maskFields(JSON.parse(page.items))) : page.items
      return sendJson(reply, listBody({ ...page, items }, query))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:fileId/line/:lineNumber/link`,
    api: 'operator',
    roles: mayWriteFiles,
    schema: {
      operationId: 'linkCarrierLine',
      'x-sdk': 'carrierFiles.link',
      'x-cli': {
        command: 'carrier-file link',
        examples: {
          [`carrier-file link ${example} 17 --benefit-id 01995e0c-7020-7d3f-9b11-5a6c7d8e9f01`]:
            'the line is of that benefit',
        },
        columns: lineColumns,
      },
      summary: 'Link a line to a benefit by hand',
      description:
        'The next files find the benefit by the line’s certificate, and by its card where the benefit had none. `null` says that the line is of no person ' +
        'here. Repeat the comparison of the file afterwards.',
      params: LinePath,
      response: {
        200: LineResponse,
        ...errorResponses(
          'carrier-file-not-found',
          'carrier-line-not-found',
          'carrier-file-status',
          'month-closed',
          'duplicate-card',
        ),
      },
    },
    body: json(LinkBody),
    handler: async (request, reply) => {
      const fileId = request.params.fileId
      const lineNumber = Number(request.params.lineNumber)
      const benefitId = request.body['benefit-id'] ?? null
      const { companyId } = await linkCarrierLine(context, callerOf(request), fileId, lineNumber, benefitId)
      const body = required(await readLine(database, companyId, fileId, lineNumber), 'line')
      const isMasked = request.role !== 'admin' && request.role !== 'analyst'
      return sendJson(reply, isMasked ? JSON.stringify(maskFields(JSON.parse(body))) : body)
    },
  })
}

function contentRoute(app: App, context: Context): void {
  const { downloads: max, maxWaitMs } = context.config.limits
  const downloads = new ConcurrencyLimit({ max, maxWaitMs })
  route(app, {
    method: 'GET',
    url: `${url}/:fileId/content`,
    api: 'operator',
    roles: mayWriteFiles,
    schema: {
      operationId: 'readCarrierFileContent',
      'x-sdk': 'carrierFiles.content',
      'x-cli': {
        command: 'carrier-file content',
        examples: { [`carrier-file content ${example} --output roster.csv`]: 'the bytes as they were sent' },
      },
      summary: 'Read the bytes of a carrier’s file',
      description:
        'As they were sent. The download is audited. Those of a file of co-participation are not stored: 404.',
      params: FilePath,
      response: {
        200: { description: 'The bytes of the file.', content: binaryContent(['application/octet-stream']) },
        ...errorResponses('carrier-file-not-found', 'carrier-file-not-stored', 'carrier-storage-unavailable'),
      },
    },
    handler: async (request, reply) => {
      const { storageKey: key, size, name, companyId } = await requireFile(context.database, request.params.fileId)
      if (key === null) throw new ApiError('carrier-file-not-stored')
      const download = { name: name ?? 'carrier-file', contentType: 'application/octet-stream', size }
      if (request.method === 'HEAD') {
        setDownloadHeaders(reply, download)
        return sendHeaders(reply)
      }
      const send = async () => {
        const target = request.params.fileId
        const row = { action: 'carrier-file.downloaded', target, companyId } as const
        await auditDownload(context, callerOf(request), mayWriteFiles, row)
        const stream = await openFile(context, 'carrier', { key, size })
        setDownloadHeaders(reply, download)
        await sendBytes(context, reply, stream)
      }
      await downloads.run(callerOf(request).clientId, send, { end: () => endUnread(reply.raw) })
      return reply
    },
  })
}

/** `GET /operator/v1/carrier-file/{fileId}/benefit`: of whom a line may be. */
function benefitSearchRoute(app: App, context: Context): void {
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
