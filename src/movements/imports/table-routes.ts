import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAnyCompany, readCompanyFor } from '#registry/companies/queries.ts'
import { noSuchCompany, requesters } from '#platform/core/may-request.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { NO_PROFILE, type TableProfile } from '../rules/column-profile.ts'
import type { OfferedProduct } from '../rules/import-columns.ts'
import { MAX_BATCH_MEMBERS } from '../rules/inclusion-batch.ts'
import { acceptedType } from '#platform/http/accepted-type.ts'
import { lines, type Lines } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { twinRoutes } from '#platform/http/twins.ts'
import { errorResponse, errorResponses } from '#platform/http/schemas.ts'
import { workbook } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { maxSheetRows } from '#platform/tables/xlsx/sheet-parser.ts'
import { readProfile } from './column-profile.ts'
import { csv } from './schema.ts'
import { maxTableBytes, openTableReader } from './table.ts'
import type { TableCompany, TableOptions } from './table-read.ts'
import { ImportTableQuery, tableExample, TableQuery, TableResponse } from './table-schema.ts'

/** A company, as its products are read. */
export interface CompanyProducts {
  readonly 'tax-id': string
  readonly products: readonly (OfferedProduct & TableCompany['products'][number])[]
}

const file = lines({ 'text/csv': csv, [xlsxType]: workbook }, { 'text/csv': 'csv', [xlsxType]: 'xlsx' }, maxTableBytes)
const responses = {
  413: errorResponse('The file is larger than 16 MiB.'),
  415: errorResponse('The body must be `text/csv` or a workbook (.xlsx), not compressed.'),
}
const json = 'application/json'
const shown = { schema: TableResponse, example: tableExample }
/** Rows of the preview of an import. */
const previewedRows = 20
/** Rows that are looked at for a preview. */
const readRows = 1_000

/** Tables before they are sent: what their columns stand for, and the batch that they make. */
export async function tableRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const readTable = openTableReader(context)
  const described = { summary: 'Read a spreadsheet of movements' } as const
  const what =
    'CSV (`;`, `,` or tab, UTF-8 or Windows-1252) or XLSX, up to 16 MiB and 10,000 rows, with the headings of the template or those of the column profile of the company, ' +
    'in one of the first 10 rows. Nothing is stored: the response has the rows, what their columns stand for, and the `batch` that is the body of `POST /v1/enrollment/inclusion`, ' +
    '`/exclusion` or `/alteration`, where it is judged. In a table of alterations a blank cell alters nothing. ' +
    'The workbook of all carriers (the layout `universal-workbook`) is read once for each `movement`: `sheets-not-read` names the sheets of others, and, where products have several carriers, an exclusion is of the product of its carrier. With `Accept` of XLSX the response is the table as a workbook: for one of rejected rows with a column `Erro`, which is ignored when it is sent again.'
  twinRoutes(app, {
    method: 'POST',
    path: '/table',
    schema: {
      querystring: TableQuery,
      response: { 200: { description: 'The table.', content: { [json]: shown, [xlsxType]: workbook } }, ...responses },
    },
    partner: {
      ...described,
      operationId: 'readTable',
      tags: ['movements'],
      description: what,
      errors: ['not-entitled'],
    },
    operator: {
      ...described,
      operationId: 'readTableOfCompany',
      roles: requesters,
      description: `For what a company sent to the broker; \`batch\` needs \`intake\` to be sent. ${what}`,
      errors: ['company-not-found'],
    },
    body: file,
    handler: async (request, reply) => {
      const {
        movement,
        'company-tax-id': taxId,
        sheet,
        'header-row': headerRow,
        'start-option': startOption,
      } = request.query
      const caller = callerOf(request)
      const body = await readCompanyFor(database, caller, taxId)
      if (body === null) throw noSuchCompany(caller)
      const { id, company } = companyOf(body)
      request.accessedCompanyIds = [id]
      const profile = (await readProfile(database, taxId)) ?? NO_PROFILE
      const options = { sheet, headerRow, kind: movement, profile: ownOf(profile), company, startOption }
      return sendReadTable(readTable, request, reply, { ...options, maxRows: MAX_BATCH_MEMBERS, isCut: false }, [
        json,
        xlsxType,
      ])
    },
  })

  route(app, {
    method: 'POST',
    url: '/operator/v1/member/import/table',
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'readImportTable',
      summary: 'Read the headings and first rows of a file before it is imported',
      description:
        'CSV or XLSX, up to 16 MiB; of a larger CSV its first lines will do. Nothing is stored. The response is about the first 1,000 rows, of which it has 20, and has no `batch`. ' +
        'With `Accept: text/csv` it is the whole table as CSV, each row in the line that it has in the file.',
      querystring: ImportTableQuery,
      response: {
        200: { description: 'The table.', content: { [json]: shown, 'text/csv': csv } },
        ...errorResponses('company-not-found'),
        ...responses,
      },
    },
    body: file,
    handler: async (request, reply) => {
      const { 'company-tax-id': taxId = null, sheet, 'header-row': headerRow } = request.query
      const body = taxId === null ? null : await readAnyCompany(database, taxId)
      if (taxId !== null && body === null) throw new ApiError('company-not-found')
      const profile = (taxId === null ? null : await readProfile(database, taxId)) ?? NO_PROFILE
      const read = { sheet, headerRow, kind: 'import', profile: ownOf(profile), company: null } as const
      const options = { ...read, isOfCompany: taxId !== null }
      const isCut = acceptedType(request.headers.accept, [json, 'text/csv']) === json
      const maxRows = isCut ? readRows : maxSheetRows
      return sendReadTable(readTable, request, reply, { ...options, maxRows, isCut }, [json, 'text/csv'])
    },
  })
}

function companyOf(body: string): { readonly id: string; readonly company: TableCompany } {
  const { result } = JSON.parse(body) as { result: CompanyProducts & { id: string } }
  return { id: result.id, company: { taxId: result['tax-id'], products: result.products } }
}

const ownOf = ({ columns, values }: TableProfile): TableProfile => ({ columns, values })

async function sendReadTable(
  readTable: ReturnType<typeof openTableReader>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: TableOptions,
  types: readonly [string, ...string[]],
): Promise<FastifyReply> {
  const sent = request.body as Lines<'csv' | 'xlsx'> | undefined
  if (sent === undefined || sent.bytes.length === 0) throw invalidBody([{ field: 'file', code: 'empty' }])
  const type = acceptedType(request.headers.accept, types)
  const as = type === json ? 'json' : type === xlsxType ? 'xlsx' : 'csv'
  const shownRows = options.kind === 'import' ? previewedRows : options.maxRows
  const table = await readTable(callerOf(request).clientId, { ...options, bytes: sent.bytes, as, shownRows })
  return reply.type(type === xlsxType ? type : `${type}; charset=utf-8`).send(table)
}
