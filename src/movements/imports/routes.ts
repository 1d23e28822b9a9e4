import { route } from '#platform/http/route.ts'
import { endBody } from '#platform/http/limits/end-transfer.ts'
import { stream } from '#platform/http/bodies.ts'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { openSemaphore } from '#platform/core/semaphore.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import type { Database } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { languageOf, setPortuguese } from '#platform/http/language.ts'
import {
  Closed,
  errorResponse,
  errorResponses,
  Nullable,
  type PageQuery,
  pageQuery,
  Uuid,
} from '#platform/http/schemas.ts'
import { unfitForNames } from '#kernel/name.ts'
import { SheetParameter, workbook } from '#platform/http/table-types.ts'
import { acceptedType } from '#platform/http/accepted-type.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { formatOf, importRoster } from './import.ts'
import { errorsAsCsv, errorsAsNdjson, errorsAsXlsx } from './error-file.ts'
import { markBrokenImports, readErrors, readImport, type RejectedLine } from './queries.ts'
import { csv, errorCsv, errorLines, ImportResponse, ndjson } from './schema.ts'
import { PageOf } from '#platform/http/page.ts'
import { pages } from '#platform/http/pages.ts'

const url = '/operator/v1/member/import'

const Query = Closed({
  'dry-run': Type.Boolean({
    default: false,
    description: '`true` validates every line as if those before it were stored, and stores none.',
  }),
  'import-id': Type.Optional({
    ...Uuid,
    description: 'Chosen by the client, to read the progress of the import; can be used once.',
  }),
  sheet: SheetParameter,
  'company-tax-id': Type.Optional(
    Type.String({
      format: 'cnpj',
      description:
        'The lines that name no company are of this one; its column profile says what headings stand for that no import has.',
    }),
  ),
  'file-name': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      not: { pattern: unfitForNames },
      description: 'The name of the file, to tell imports apart in their list.',
    }),
  ),
})

const Path = Type.Object({ importId: { ...Uuid, description: 'As chosen with the import, or from its response.' } })

const maxJudgedAtOnce = 2
// A line has up to 64 KiB.
const errorsAtOnce = 500

/** Imports members and benefits as the carrier has them. */
export async function importRoutes(app: App, context: Context): Promise<void> {
  const { database, log } = context
  app.addHook('onListen', async () => {
    await markBrokenImports(database, null).catch((error: unknown) =>
      log.warn({ err: error }, 'interrupted imports could not be marked as broken'),
    )
  })
  readRoutes(app, database)
  importRoute(app, context)
}

function importRoute(app: App, context: Context): void {
  const judging = openSemaphore(maxJudgedAtOnce, Number.POSITIVE_INFINITY)
  const running = new Set<Promise<unknown>>()
  app.addHook('onClose', async () => {
    await Promise.allSettled(running)
  })
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: ['analyst'],
    schema: {
      operationId: 'importMembers',
      summary: 'Import members with their benefits as the carrier has them',
      description:
        'One benefit a line, as CSV (`;`, `,` or tab, the header in one of the first 10 lines) or NDJSON, UTF-8 or Windows-1252, up to 1 GiB, or XLSX, up to 16 MiB, 100,000 rows and 200 columns. Columns or keys: ' +
        '`company-tax-id`, the member fields of an inclusion, `product-name`, `start-date`, `end-date`, `card-number`; others are ignored, ' +
        'with a warning. Tables also take the Portuguese headers of the template, dates `dd/mm/aaaa`, Portuguese words for the ' +
        'values of closed sets, and reais under `Salário`. Without a required column nothing is read: 400, with a detail for each, and one for each heading that may be a column: ' +
        'a column profile confirms it. ' +
        'Valid lines are stored, an invalid one is refused as a whole with all its `offenses`. Equal company, CPF, product, role and start: the line ' +
        'updates, so a file may be sent twice. Nothing is stored before the whole file has arrived; from then on the import goes on even if ' +
        'the caller does not wait for the response.',
      querystring: Query,
      response: {
        200: ImportResponse,
        ...errorResponses(
          'company-not-found',
          'upload-broke-off',
          'import-id-used',
          'import-broke-off',
          'import-storage-unavailable',
        ),
        415: errorResponse(
          'The body must be `text/csv`, `application/x-ndjson` or a workbook (.xlsx), not compressed.',
        ),
      },
    },
    body: stream({ 'text/csv': csv, 'application/x-ndjson': ndjson, [xlsxType]: workbook }),
    // Refuses a request before its body is read.
    before: async (request) => {
      formatOf(request.raw)
    },
    handler: async (request, reply) => {
      const id = request.query['import-id'] ?? uuidv7()
      const order = {
        id,
        dryRun: request.query['dry-run'],
        sheet: request.query.sheet,
        companyTaxId: request.query['company-tax-id'] ?? null,
        fileName: request.query['file-name'] ?? null,
        actor: callerOf(request),
      }
      const work = context.streams.run(
        order.actor.clientId,
        () => importRoster(context, request.raw, order, { judging, stopping: app.stopping }),
        { end: () => endBody(request.raw) },
      )
      running.add(work)
      try {
        return sendJson(reply, await work)
      } finally {
        running.delete(work)
      }
    },
  })
}

function readRoutes(app: App, database: Database): void {
  const findImport = async (id: string) => {
    let found = await readImport(database, id)
    if (found?.status === 'running') {
      await markBrokenImports(database, id)
      found = await readImport(database, id)
    }
    if (found === null) throw new ApiError('import-not-found')
    return { id, ...found }
  }
  route(app, {
    method: 'GET',
    url: `${url}/:importId`,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'readImport',
      'x-sdk': 'imports.get',
      'x-cli': { command: 'import show' },
      summary: 'Read the progress of an import',
      description:
        'While it runs and afterwards, from any process. `lines`, `accepted` and `rejected` are what has been validated and stored so far; ' +
        '`broken`: the upload was aborted, or the service ended meanwhile; the lines in `accepted` were stored, no others.',
      params: Path,
      response: { 200: ImportResponse, ...errorResponses('import-not-found') },
    },
    handler: async (request, reply) => sendJson(reply, (await findImport(request.params.importId)).body),
  })
  route(app, {
    method: 'GET',
    url: `${url}/:importId/error`,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listImportErrors',
      'x-cli': {
        command: 'import errors',
        examples: { 'import errors 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21 --output bad-lines.ndjson': 'all of them' },
      },
      summary: 'List every error of an import',
      description:
        'NDJSON, one object a line, ordered by line; while it runs, those so far. With `Accept: text/csv`, for an import of CSV or XLSX: the rejected ' +
        'lines as they came, under their own header, with a column `offenses` and one of sentences in Portuguese, `Erro`, which an import ignores. With that of XLSX, for an import of CSV or ' +
        'XLSX: the same as a workbook. An auditor gets NDJSON, without the `content` of the lines.',
      params: Path,
      response: {
        200: {
          description: 'The rejected lines.',
          content: { 'application/x-ndjson': errorLines, 'text/csv': errorCsv, [xlsxType]: workbook },
        },
        ...errorResponses('import-not-found'),
      },
    },
    handler: async (request, reply) => {
      const { id, csvHeader: header, profile } = await findImport(request.params.importId)
      const isAuditor = request.role === 'auditor'
      const csvHeader = isAuditor ? null : header
      const accepted = acceptedType(request.headers.accept, ['application/x-ndjson', 'text/csv', xlsxType])
      const lines = rejectedLines(database, id)
      if (csvHeader !== null && accepted === xlsxType) {
        return reply.type(xlsxType).send(Readable.from(errorsAsXlsx(lines, csvHeader, profile), { objectMode: false }))
      }
      const isCsv = csvHeader !== null && accepted === 'text/csv'
      const language = languageOf(request)
      if (!isCsv && language === 'pt-BR') setPortuguese(reply)
      const texts = isCsv
        ? errorsAsCsv(lines, csvHeader, profile)
        : errorsAsNdjson(lines, { language, hasContent: !isAuditor })
      const type = isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
      return reply.type(type).send(Readable.from(texts, { objectMode: false }))
    },
  })
}

async function* rejectedLines(database: Database, id: string): AsyncGenerator<readonly RejectedLine[]> {
  for (let after = 0; ;) {
    const lines = await readErrors(database, id, after, errorsAtOnce)
    const last = lines.at(-1)
    if (last === undefined) return
    yield lines
    after = last.line
  }
}

const { errors: _errors, ...fields } = ImportResponse.properties
const listFields = {
  'file-name': Nullable(Type.String({ description: 'As the client named it.' })),
  'company-name': Nullable(Type.String({ description: 'Of the `company-tax-id` of the import.' })),
  'actor-name': Type.String({ description: 'Who imported it.' }),
}

/** A page of the imports, newest first, without their errors. */
const importPage = pages<PageQuery>({
  from: `member_import left join client on client.id = member_import.actor
    left join company on company.tax_id = member_import.company_tax_id`,
  item: `json_build_object('import-id', member_import.id, 'status', status, 'dry-run', dry_run, 'lines', lines, 'accepted', accepted,
    'rejected', rejected, 'file-name', file_name, 'company-name', company.name, 'actor-name', coalesce(client.name, member_import.actor),
    'created-at', iso(member_import.created_at), 'finished-at', iso(finished_at))`,
  order: 'member_import.created_at desc, member_import.id desc',
  where: {},
})

/** `GET /operator/v1/member/import`: the imports of members. */
export async function importListRoute(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/member/import',
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listImports',
      'x-sdk': 'imports.list',
      'x-cli': {
        command: 'import list',
        examples: { 'import list --where status=broken': 'those that stopped' },
        columns: {
          'IMPORT-ID': 'import-id',
          STATUS: 'status',
          LINES: 'lines',
          ACCEPTED: 'accepted',
          REJECTED: 'rejected',
          'CREATED-AT': 'created-at',
          'FINISHED-AT': 'finished-at',
        },
      },
      summary: 'List the imports, newest first',
      description: 'Dry runs too. Without the errors of their lines.',
      querystring: Closed(pageQuery),
      response: { 200: PageOf(Type.Object({ ...fields, ...listFields })) },
    },
    handler: async (request, reply) => {
      await markBrokenImports(database, null)
      return sendJson(reply, listBody(await importPage(database, request.query), request.query))
    },
  })
}
