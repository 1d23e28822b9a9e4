import { Type } from 'typebox'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses } from '#platform/http/schemas.ts'
import { sendTable } from '#platform/http/table-stream.ts'
import { workbook } from '#platform/http/table-types.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { readHeadcount, rosterCells, rosterStatement, rosterTable } from './roster.ts'
import { companyIdsOf, isEntitledToCompany } from './queries.ts'
import { HeadcountResponse } from './schema.ts'
import { CompanyPath } from '#platform/http/filters.ts'

const url = '/operator/v1/company/:companyTaxId'

/** The people of a company: how many have each product, and all of them as a table. */
export async function companyRosterRoutes(app: App, context: Context): Promise<void> {
  headcountRoute(app, context)
  rosterRoute(app, context)
  partnerRosterRoute(app, context)
}

function headcountRoute(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: `${url}/headcount`,
    api: 'operator',
    roles: ['analyst', 'finance', 'auditor'],
    schema: {
      operationId: 'readCompanyHeadcount',
      'x-sdk': 'companies.headcount',
      'x-cli': {
        command: 'company headcount',
        columns: {
          PRODUCT: 'product-name',
          CARRIER: 'carrier-name',
          PRIMARIES: 'primaries',
          DEPENDENTS: 'dependents',
          STARTING: 'starting',
        },
      },
      summary: 'Count the lives of a company by product',
      description: 'The products that a person has today or will have, in their order, retired ones last.',
      params: CompanyPath,
      response: { 200: HeadcountResponse, ...errorResponses('company-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readHeadcount(database, request.params.companyTaxId, context.today())
      if (body === null) throw new ApiError('company-not-found')
      return sendJson(reply, body)
    },
  })
}

const description =
  'One line for each benefit, dependents after their primary, under the Portuguese headings of an import: days as `dd/mm/aaaa`, CPFs with punctuation, ' +
  'separator `;`, UTF-8 with a byte order mark. `Accept` with the media type of XLSX gives a workbook. A response that breaks off is not the whole ' +
  'list. Leaves an audit row `company.roster-exported`'

const Query = Closed({
  'include-inactive': Type.Boolean({
    default: false,
    description: '`true`: also benefits that are pending or have ended.',
  }),
})

const table = {
  description: 'One line for each benefit, after the header.',
  content: {
    'text/csv': {
      schema: { type: 'string', examples: ['CNPJ da empresa;Tipo de beneficiário;CPF;Nome;...\r\n'] },
    },
    [xlsxType]: workbook,
  },
} as const

const tableOf = (companyTaxId: string, companyId: string, includeInactive: boolean, isMasked: boolean) => ({
  name: `vidas-${companyTaxId}`,
  sheet: 'Vidas',
  columns: rosterTable.columns,
  statement: rosterStatement(companyId, includeInactive),
  cellsOf: (item: string, isWorkbook: boolean) => rosterTable.row(rosterCells(item, isMasked), isWorkbook),
})

function rosterRoute(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: `${url}/roster`,
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'exportCompanyRoster',
      'x-sdk': 'companies.roster',
      'x-cli': {
        command: 'company roster',
        examples: {
          'company roster 12ABC34501DE35 --output vidas.csv':
            'one line for each benefit, for a spreadsheet in Portuguese',
        },
      },
      summary: 'Export the people of a company as CSV or XLSX',
      description: `${description}; an auditor gets masked CPFs.`,
      params: CompanyPath,
      querystring: Query,
      response: { 200: table, ...errorResponses('company-not-found') },
    },
    handler: async (request, reply) => {
      const taxId = request.params.companyTaxId
      const companyId = await write({ database }, callerOf(request), { may: ['analyst', 'auditor'] }, async (tx) => {
        const id = (await companyIdsOf(tx, [taxId])).get(taxId)
        if (id === undefined) throw new ApiError('company-not-found')
        if (request.method !== 'HEAD') tx.audit({ action: 'company.roster-exported', target: id, companyId: id })
        return id
      })
      const isMasked = request.role === 'auditor'
      const includeInactive = request.query['include-inactive']
      return sendTable(context, request, reply, tableOf(taxId, companyId, includeInactive, isMasked))
    },
  })
}

function partnerRosterRoute(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/roster',
    api: 'partner',
    schema: {
      operationId: 'exportRoster',
      'x-sdk': 'companies.roster',
      'x-cli': { command: 'company roster' },
      tags: ['companies'],
      summary: 'Export the people of a company as CSV or XLSX',
      description: `${description}. The response for a company that the client may not access is that for an unknown CNPJ.`,
      params: CompanyPath,
      querystring: Query,
      response: { 200: table, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const taxId = request.params.companyTaxId
      const caller = callerOf(request)
      const companyId = await write({ database }, caller, { may: 'partner' }, async (tx) => {
        if (!(await isEntitledToCompany(tx, caller, taxId))) throw notEntitled('company')
        const id = (await companyIdsOf(tx, [taxId])).get(taxId)
        if (id === undefined) throw notEntitled('company')
        if (request.method !== 'HEAD') tx.audit({ action: 'company.roster-exported', target: id, companyId: id })
        return id
      })
      return sendTable(context, request, reply, tableOf(taxId, companyId, request.query['include-inactive'], false))
    },
  })
}
