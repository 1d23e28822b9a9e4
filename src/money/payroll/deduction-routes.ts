import { Type } from 'typebox'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent } from '#platform/http/download.ts'
import { CompanyPath, CompanyTaxId } from '#platform/http/filters.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, pageQuery } from '#platform/http/schemas.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { findCompanyOfCaller } from '../costs/queries.ts'
import { DeductionList, DeductionQuery } from './deduction-schema.ts'
import { deductionList } from './deductions.ts'
import { exportFile } from './export.ts'
import { PayrollPeriodList, periodList } from './periods.ts'
import { companyExportPage, readExport } from './queries.ts'
import { CompanyExportQuery, CompanyPayrollExportList, PayrollExportPath, PayrollFileQuery } from './schema.ts'
import { fileOf, sendExportFile } from './send-file.ts'

const mayRead = ['finance', 'auditor'] as const
const hidden = 'The response for a company whose invoices the client may not see is that for an unknown CNPJ.'
const deductions =
  'What each employee owes for a month of cover, what exports have of it and what is left: by effective date known before the invoice, by closed month ' +
  'as the charges of the month are. Ordered by the employees’ numbers. An employee of whom a part is not known is in the problems of the payroll instead.'
const deductionColumns = {
  'EMPLOYEE-ID': 'employee-id',
  NAME: 'name',
  KIND: 'kind',
  AMOUNT: 'amount',
  OPEN: 'open',
  STATUS: 'status',
}
const periodColumns = {
  MONTH: 'reference-month',
  EXPORTED: 'exported',
  OPEN: 'open',
  HELD: 'held',
  CLOSED: 'closed-at',
}
const exportColumns = {
  'PAYROLL-EXPORT-ID': 'payroll-export-id',
  MONTH: 'reference-month',
  NUMBER: 'number',
  AMOUNT: 'amount',
}
const periods =
  'For each month of cover when it was exported, charged and closed, and what is left of it. The latest first.'

/** What employees owe by month of cover, and the months of the payroll, in both APIs; the exports for partners. */
export async function deductionRoutes(app: App, context: Context): Promise<void> {
  operatorRoutes(app, context)
  partnerRoutes(app, context)
  const { database } = context
  const exportUrl = '/v1/company/:companyTaxId/payroll-export'
  route(app, {
    method: 'GET',
    url: exportUrl,
    api: 'partner',
    schema: {
      operationId: 'listCompanyPayrollExports',
      'x-sdk': 'deductions.listExports',
      'x-cli': { command: 'deduction exports', columns: exportColumns },
      tags: ['invoices'],
      summary: 'List the payroll exports of a company',
      description: `The latest month first. ${hidden}`,
      params: CompanyPath,
      querystring: CompanyExportQuery,
      response: { 200: CompanyPayrollExportList, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const companyId = await findCompanyOfCaller(database, callerOf(request), request.params.companyTaxId)
      if (companyId === null) throw notEntitled('company')
      const page = await companyExportPage(database, query, { 'payroll_export.company_id': companyId })
      return sendJson(reply, listBody(page, query))
    },
  })
  route(app, {
    method: 'GET',
    url: `${exportUrl}/:payrollExportId/file`,
    api: 'partner',
    schema: {
      operationId: 'readCompanyPayrollExportFile',
      'x-sdk': 'deductions.file',
      'x-cli': {
        command: 'deduction file',
        examples: {
          'deduction file 12ABC34501DE35 01995e10-5d31-7a44-8f55-6a7b8c9d0e1f --output payroll.csv':
            'for the import of the payroll',
        },
      },
      tags: ['invoices'],
      summary: 'Read the file of a payroll export of a company',
      description: `In the layout of the export, with the employees’ numbers and CPFs of now. Each download is audited. ${hidden}`,
      params: Type.Object({ ...CompanyPath.properties, ...PayrollExportPath.properties }),
      querystring: PayrollFileQuery,
      response: {
        200: {
          description: 'The file.',
          content: binaryContent(['text/csv', 'text/plain', 'application/x-ndjson', xlsxType]),
        },
        ...errorResponses('not-entitled', 'payroll-export-not-found'),
      },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { companyTaxId, payrollExportId } = request.params
      const { stored, file } = await write(context, caller, { may: 'partner' }, async (tx) => {
        const companyId = await findCompanyOfCaller(tx, caller, companyTaxId)
        if (companyId === null) throw notEntitled('company')
        const stored = await readExport(tx, payrollExportId)
        if (stored === null || stored.companyId !== companyId) throw new ApiError('payroll-export-not-found')
        return { stored, file: await exportFile(tx, { ...fileOf(request.query), stored }) }
      })
      return sendExportFile(request, reply, stored, file)
    },
  })
}

function operatorRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/company/:companyTaxId/deduction',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listDeductions',
      'x-sdk': 'payroll.deductions',
      'x-cli': { command: 'payroll deductions', columns: deductionColumns },
      summary: 'List what employees owe for a month of cover',
      description: deductions,
      params: CompanyPath,
      querystring: DeductionQuery,
      response: { 200: DeductionList, ...errorResponses('company-not-found') },
    },
    handler: async ({ params, query }) =>
      deductionList(database, await requireCompany(database, params.companyTaxId), query),
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/payroll-period',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listPayrollPeriods',
      'x-sdk': 'payroll.periods',
      'x-cli': { command: 'payroll periods', columns: periodColumns },
      summary: 'List the months of a company’s payroll',
      description: periods,
      querystring: Closed({ 'company-tax-id': CompanyTaxId, ...pageQuery }),
      response: { 200: PayrollPeriodList, ...errorResponses('company-not-found') },
    },
    handler: async ({ query }) => periodList(database, await requireCompany(database, query['company-tax-id']), query),
  })
}

function partnerRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/deduction',
    api: 'partner',
    schema: {
      operationId: 'listCompanyDeductions',
      'x-sdk': 'deductions.list',
      'x-cli': { command: 'deduction list', columns: deductionColumns },
      tags: ['invoices'],
      summary: 'List what employees owe for a month of cover',
      description: `${deductions} ${hidden}`,
      params: CompanyPath,
      querystring: DeductionQuery,
      response: { 200: DeductionList, ...errorResponses('not-entitled') },
    },
    handler: async (request) => {
      const companyId = await findCompanyOfCaller(database, callerOf(request), request.params.companyTaxId)
      if (companyId === null) throw notEntitled('company')
      return deductionList(database, companyId, request.query)
    },
  })
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/payroll-period',
    api: 'partner',
    schema: {
      operationId: 'listCompanyPayrollPeriods',
      'x-sdk': 'deductions.periods',
      'x-cli': { command: 'deduction periods', columns: periodColumns },
      tags: ['invoices'],
      summary: 'List the months of a company’s payroll',
      description: `${periods} ${hidden}`,
      params: CompanyPath,
      querystring: Closed(pageQuery),
      response: { 200: PayrollPeriodList, ...errorResponses('not-entitled') },
    },
    handler: async (request) => {
      const companyId = await findCompanyOfCaller(database, callerOf(request), request.params.companyTaxId)
      if (companyId === null) throw notEntitled('company')
      return periodList(database, companyId, request.query)
    },
  })
}
