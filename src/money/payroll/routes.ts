import { Type } from 'typebox'
import type { Destination } from '#kernel/broker-enums.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { ApiError } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent } from '#platform/http/download.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, pageBounds, pageQuery, pagination } from '#platform/http/schemas.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { exportPayroll, mayWritePayroll, readExportFile, removeProfile, replaceProfile } from './export.ts'
import { fileOf, sendExportFile } from './send-file.ts'
import { type PayrollLines, readPayrollLines } from './lines.ts'
import { exportPage, readProfile } from './queries.ts'
import {
  ExportQuery,
  PayrollExportBody,
  PayrollExportList,
  PayrollExportPath,
  PayrollExportResponse,
  PayrollFileQuery,
  PayrollPreview,
  PayrollProfileBody,
  PayrollProfileResponse,
  payrollQuery,
} from './schema.ts'

const mayRead = ['finance', 'auditor'] as const
const profileUrl = '/operator/v1/company/:companyTaxId/payroll-profile'
const exportUrl = '/operator/v1/payroll-export'
const columns = {
  'PAYROLL-EXPORT-ID': 'payroll-export-id',
  MONTH: 'reference-month',
  NUMBER: 'number',
  AMOUNT: 'amount',
}

/** What payroll deducts from employees: how it is written, what is left to export, and the exports. */
export async function payrollRoutes(app: App, context: Context): Promise<void> {
  profileRoutes(app, context)
  exportRoutes(app, context)
  const { database } = context

  route(app, {
    method: 'GET',
    url: '/operator/v1/payroll',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'previewPayroll',
      'x-sdk': 'payroll.list',
      'x-cli': {
        command: 'payroll preview',

        columns: { 'EMPLOYEE-ID': 'employee-id', NAME: 'name', KIND: 'kind', AMOUNT: 'amount' },
      },
      summary: 'List what an export of a month would deduct',
      description:
        'What employees pay, less what earlier exports have: by closed month of the costs of the month, by effective date of every month of cover ' +
        'through it. Ordered by the employees’ numbers. Nothing is stored.',
      querystring: Closed({ ...payrollQuery, ...pageQuery }),
      response: { 200: PayrollPreview, ...errorResponses('company-not-found') },
    },
    handler: async ({ query }) => {
      const { 'company-tax-id': companyTaxId, 'reference-month': month } = query
      const companyId = await requireCompany(database, companyTaxId)
      const { limit, offset } = pageBounds(query)
      const found = await readPayrollLines(database, { companyId, companyTaxId, month })
      return { ...previewOf(found, offset, limit), pagination: pagination(query, found.lines.length) }
    },
  })
}

function previewOf({ lines, problems, reopened, held, withoutCharge }: PayrollLines, offset: number, limit: number) {
  const amountTo = (destination: Destination) =>
    lines.reduce((sum, line) => sum + (line.destination === destination ? line.open : 0), 0)
  return {
    result: lines.slice(offset, offset + limit).map((line) => ({
      'member-id': line.memberId,
      name: line.employee.name,
      'employee-id': line.employee.employeeId,
      kind: line.kind,
      'product-type': line.productType,
      'origin-month': line.originMonth,
      event: line.event,
      destination: line.destination,
      amount: line.open,
      exported: line.exported ?? 0,
      held: line.held,
    })),
    totals: {
      amount: amountTo('payroll'),
      'bill-amount': amountTo('bill'),
      held,
      employees: new Set(lines.map(({ memberId }) => memberId)).size,
    },
    problems: problems.map(({ employee, code, column }) => ({
      'member-id': employee.memberId,
      name: employee.name,
      code,
      column,
    })),
    'reopened-months': [...reopened],
    'deducted-without-charge': withoutCharge.map(({ memberId, employee, kind, productType, originMonth }) => ({
      'member-id': memberId,
      name: employee.name,
      kind,
      'product-type': productType,
      'since-month': originMonth,
    })),
  }
}

function profileRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: profileUrl,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readPayrollProfile',
      'x-sdk': 'payroll.getProfile',
      'x-cli': { command: 'payroll profile' },
      summary: 'Read how deductions are written for the payroll of a company',
      description: 'The layout of the file, and the numbers of the deductions in it.',
      params: CompanyPath,
      response: { 200: PayrollProfileResponse, ...errorResponses('company-not-found', 'payroll-profile-not-found') },
    },
    handler: async (request) => {
      const companyId = await requireCompany(database, request.params.companyTaxId)
      const result = await readProfile(database, companyId)
      if (result === null) throw new ApiError('payroll-profile-not-found')
      return { result }
    },
  })

  route(app, {
    method: 'PUT',
    url: profileUrl,
    api: 'operator',
    roles: mayWritePayroll,
    schema: {
      operationId: 'putPayrollProfile',
      'x-sdk': 'payroll.putProfile',
      'x-cli': {
        command: 'payroll set-profile',
        file: true,
        examples: {
          'payroll set-profile 12ABC34501DE35 profile.json': 'the file is the body of the PUT',
        },
      },
      summary: 'Set how deductions are written for the payroll of a company',
      description: 'Exports that were made keep their layout and numbers.',
      params: CompanyPath,
      response: { 200: PayrollProfileResponse, ...errorResponses('company-not-found') },
    },
    body: json(PayrollProfileBody),
    handler: async (request) => ({
      result: await replaceProfile(context, callerOf(request), request.params.companyTaxId, request.body),
    }),
  })

  route(app, {
    method: 'DELETE',
    url: profileUrl,
    api: 'operator',
    roles: mayWritePayroll,
    schema: {
      operationId: 'deletePayrollProfile',
      'x-sdk': 'payroll.deleteProfile',
      'x-cli': {
        command: 'payroll delete-profile',
        result: { 'company-tax-id': '{company-tax-id}', deleted: true },
        message: 'The payroll profile of {company-tax-id} is deleted.',
      },
      summary: 'Delete how deductions are written for the payroll of a company',
      description: 'Until there is another one, nothing is exported.',
      params: CompanyPath,
      response: {
        204: Type.Null({ description: 'Deleted.' }),
        ...errorResponses('company-not-found', 'payroll-profile-not-found'),
      },
    },
    handler: async (request, reply) => {
      await removeProfile(context, callerOf(request), request.params.companyTaxId)
      return reply.status(204).send()
    },
  })
}

function exportRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'GET',
    url: exportUrl,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listPayrollExports',
      'x-sdk': 'payroll.listExports',
      'x-cli': { command: 'payroll list', columns },
      summary: 'List the payroll exports of a company',
      description: 'The latest month first.',
      querystring: ExportQuery,
      response: { 200: PayrollExportList },
    },
    handler: async ({ query }, reply) => sendJson(reply, listBody(await exportPage(database, query), query)),
  })

  route(app, {
    method: 'POST',
    url: exportUrl,
    api: 'operator',
    roles: mayWritePayroll,
    schema: {
      operationId: 'createPayrollExport',
      'x-sdk': 'payroll.export',
      'x-cli': {
        command: 'payroll export',
        file: true,
        columns,
        examples: { 'payroll export export.json': 'the file is the body of the POST' },
      },
      summary: 'Export the deductions of a month',
      description:
        'By closed month the first export of a month has what employees pay; a later one, after the month was reopened and closed again, the difference only. ' +
        'By effective date an export has what is left of every month of cover through the month; a line says its month of origin. ' +
        'Employees with problems are to be skipped or corrected first: no employee is left out silently.',
      response: {
        200: PayrollExportResponse,
        ...errorResponses(
          'company-not-found',
          'payroll-profile-not-found',
          'month-open',
          'payroll-incomplete',
          'payroll-by-closed-month',
          'not-a-leaver',
          'nothing-to-export',
        ),
      },
    },
    body: json(PayrollExportBody),
    handler: async (request) => ({ result: await exportPayroll(context, callerOf(request), request.body) }),
  })

  route(app, {
    method: 'GET',
    url: `${exportUrl}/:payrollExportId/file`,
    api: 'operator',
    roles: mayWritePayroll,
    schema: {
      operationId: 'readPayrollExportFile',
      'x-sdk': 'payroll.file',
      'x-cli': {
        command: 'payroll file',
        examples: {
          'payroll file 01995e10-5d31-7a44-8f55-6a7b8c9d0e1f --output payroll.csv': 'for the import of the payroll',
        },
      },
      summary: 'Read the file of a payroll export',
      description:
        'In the layout of the export, with the employees’ numbers and CPFs of now. Each download is audited.',
      params: PayrollExportPath,
      querystring: PayrollFileQuery,
      response: {
        200: {
          description: 'The file.',
          content: binaryContent(['text/csv', 'text/plain', 'application/x-ndjson', xlsxType]),
        },
        ...errorResponses('payroll-export-not-found'),
      },
    },
    handler: async (request, reply) => {
      const { stored, file } = await readExportFile(
        context,
        callerOf(request),
        request.params.payrollExportId,
        fileOf(request.query),
      )
      return sendExportFile(request, reply, stored, file)
    },
  })
}
