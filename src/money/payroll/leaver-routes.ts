import { type Static, Type } from 'typebox'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { CompanyPath, CompanyTaxId } from '#platform/http/filters.ts'
import { languageOf } from '#platform/http/language.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, Uuid } from '#platform/http/schemas.ts'
import { companyIdsOf, isEntitledToCompany } from '#registry/companies/queries.ts'
import { findCompanyOfCaller } from '../costs/queries.ts'
import { FinalBalanceQuery, FinalBalanceResponse } from './final-schema.ts'
import {
  companyOf,
  deleteLeave,
  isMemberOf,
  mayWriteLeave,
  putLeave,
  readLeaves,
  UnpaidLeaveBody,
  UnpaidLeaveQuery,
  UnpaidLeaveResponse,
  UnpaidLeaves,
} from './leave.ts'
import { finalBalance } from './leavers.ts'

const mayReadBalance = ['finance', 'auditor'] as const
const mayReadLeave = ['analyst', 'finance', 'auditor'] as const
const MemberPath = Type.Object({ memberId: { ...Uuid, description: 'From a list of members or an enrollment.' } })
const CompanyMemberPath = Type.Object({ ...CompanyPath.properties, ...MemberPath.properties })
const ofCompany = {
  'company-tax-id': Type.Optional({
    ...CompanyTaxId,
    description: 'CNPJ of the company, formatted or not. Needed for a person of several companies.',
  }),
}
const OfCompany = Closed(ofCompany)
const operatorLeave = '/operator/v1/member/:memberId/unpaid-leave'
const partnerLeave = '/v1/company/:companyTaxId/member/:memberId/unpaid-leave'
const texts = {
  put: 'Inserts a leave without pay, or replaces that with the same first day. It decides whether payroll deducts or the company bills, by the payroll profile. The reason of a leave is not stored.',
  read: 'By the first day.',
  delete: 'The next export deducts again.',
  balance:
    'What is left to deduct, or to give back, with the covers taken to end on the last day: premiums of every month of cover, and co-participation of every ' +
    'statement that was read. Before or after the exclusion. Nothing is stored.',
}
const balanceErrors = ['member-not-found', 'payroll-profile-not-found', 'payroll-by-closed-month'] as const
const leaveColumns = { 'FIRST-DAY': 'first-day', 'LAST-DAY': 'last-day' }
const gone = { 204: Type.Null({ description: 'Deleted.' }) }

/** Unpaid leaves of employees, and what leavers still owe, in both APIs. */
export async function leaverRoutes(app: App, context: Context): Promise<void> {
  operatorRoutes(app, context)
  partnerRoutes(app, context)
}

function operatorRoutes(app: App, context: Context): void {
  const { database } = context
  const keyOf = async ({ memberId }: { memberId: string }, query: Static<typeof OfCompany>) => ({
    companyId: await companyOf(database, memberId, query['company-tax-id']),
    memberId,
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/member/:memberId/final-balance',
    api: 'operator',
    roles: mayReadBalance,
    schema: {
      operationId: 'readFinalBalance',
      'x-sdk': 'payroll.finalBalance',
      'x-cli': { command: 'payroll final-balance' },
      summary: 'Read what an employee who leaves still owes',
      description: texts.balance,
      params: MemberPath,
      querystring: Closed({ ...ofCompany, ...FinalBalanceQuery.properties }),
      response: { 200: FinalBalanceResponse, ...errorResponses(...balanceErrors) },
    },
    handler: async (request) => {
      const of = { ...(await keyOf(request.params, request.query)), today: context.today() }
      return finalBalance(database, of, request.query, languageOf(request))
    },
  })
  route(app, {
    method: 'GET',
    url: operatorLeave,
    api: 'operator',
    roles: mayReadLeave,
    schema: {
      operationId: 'listUnpaidLeaves',
      'x-sdk': 'payroll.leaves',
      'x-cli': { command: 'payroll leaves', columns: leaveColumns },
      summary: 'List the unpaid leaves of an employee',
      description: texts.read,
      params: MemberPath,
      querystring: OfCompany,
      response: { 200: UnpaidLeaves, ...errorResponses('member-not-found') },
    },
    handler: async ({ params, query }) => ({ result: await readLeaves(database, await keyOf(params, query)) }),
  })
  route(app, {
    method: 'PUT',
    url: operatorLeave,
    api: 'operator',
    roles: mayWriteLeave,
    schema: {
      operationId: 'putUnpaidLeave',
      'x-sdk': 'payroll.putLeave',
      'x-cli': { command: 'payroll set-leave', file: true },
      summary: 'Set an unpaid leave of an employee',
      description: texts.put,
      params: MemberPath,
      querystring: OfCompany,
      response: { 200: UnpaidLeaveResponse, ...errorResponses('member-not-found') },
    },
    body: json(UnpaidLeaveBody),
    handler: async (request) => ({
      result: await putLeave(context, callerOf(request), await keyOf(request.params, request.query), request.body),
    }),
  })
  route(app, {
    method: 'DELETE',
    url: operatorLeave,
    api: 'operator',
    roles: mayWriteLeave,
    schema: {
      operationId: 'deleteUnpaidLeave',
      'x-sdk': 'payroll.deleteLeave',
      'x-cli': {
        command: 'payroll delete-leave',
        result: { 'member-id': '{member-id}', deleted: true },
        message: 'The unpaid leave is deleted.',
      },
      summary: 'Delete an unpaid leave of an employee',
      description: texts.delete,
      params: MemberPath,
      querystring: Closed({ ...ofCompany, ...UnpaidLeaveQuery.properties }),
      response: { ...gone, ...errorResponses('member-not-found', 'unpaid-leave-not-found') },
    },
    handler: async (request, reply) => {
      const key = await keyOf(request.params, request.query)
      await deleteLeave(context, callerOf(request), key, request.query['first-day'])
      return reply.status(204).send()
    },
  })
}

function partnerRoutes(app: App, context: Context): void {
  const { database } = context
  /** The company of a partner: whether it is entitled to it is checked again when it writes. */
  const keyOf = async ({ companyTaxId, memberId }: { companyTaxId: string; memberId: string }, isEntitled: boolean) => {
    const companyId = (await companyIdsOf(database, [companyTaxId])).get(companyTaxId)
    if (companyId === undefined || !isEntitled) throw notEntitled('company')
    return { companyId, memberId }
  }
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/member/:memberId/final-balance',
    api: 'partner',
    schema: {
      operationId: 'readCompanyFinalBalance',
      'x-sdk': 'deductions.finalBalance',
      'x-cli': { command: 'deduction final-balance' },
      tags: ['invoices'],
      summary: 'Read what an employee who leaves still owes',
      description: `${texts.balance} The response for a company whose invoices the client may not see is that for an unknown CNPJ.`,
      params: CompanyMemberPath,
      querystring: FinalBalanceQuery,
      response: { 200: FinalBalanceResponse, ...errorResponses('not-entitled', ...balanceErrors) },
    },
    handler: async (request) => {
      const { companyTaxId, memberId } = request.params
      const companyId = await findCompanyOfCaller(database, callerOf(request), companyTaxId)
      if (companyId === null) throw notEntitled('company')
      const of = { companyId, memberId, today: context.today() }
      return finalBalance(database, of, request.query, languageOf(request))
    },
  })
  route(app, {
    method: 'GET',
    url: partnerLeave,
    api: 'partner',
    schema: {
      operationId: 'listCompanyUnpaidLeaves',
      'x-sdk': 'deductions.leaves',
      'x-cli': { command: 'deduction leaves', columns: leaveColumns },
      tags: ['members'],
      summary: 'List the unpaid leaves of an employee',
      description: texts.read,
      params: CompanyMemberPath,
      response: { 200: UnpaidLeaves, ...errorResponses('not-entitled', 'member-not-found') },
    },
    handler: async (request) => {
      const { params } = request
      const isEntitled = await isEntitledToCompany(database, callerOf(request), params.companyTaxId)
      const key = await keyOf(params, isEntitled)
      if (!(await isMemberOf(database, key))) throw new ApiError('member-not-found')
      return { result: await readLeaves(database, key) }
    },
  })
  route(app, {
    method: 'PUT',
    url: partnerLeave,
    api: 'partner',
    schema: {
      operationId: 'putCompanyUnpaidLeave',
      'x-sdk': 'deductions.putLeave',
      'x-cli': { command: 'deduction set-leave', file: true },
      tags: ['members'],
      summary: 'Set an unpaid leave of an employee',
      description: texts.put,
      params: CompanyMemberPath,
      response: { 200: UnpaidLeaveResponse, ...errorResponses('not-entitled', 'member-not-found') },
    },
    body: json(UnpaidLeaveBody),
    handler: async (request) => ({
      result: await putLeave(context, callerOf(request), await keyOf(request.params, true), request.body),
    }),
  })
  route(app, {
    method: 'DELETE',
    url: partnerLeave,
    api: 'partner',
    schema: {
      operationId: 'deleteCompanyUnpaidLeave',
      'x-sdk': 'deductions.deleteLeave',
      'x-cli': {
        command: 'deduction delete-leave',
        result: { 'member-id': '{member-id}', deleted: true },
        message: 'The unpaid leave is deleted.',
      },
      tags: ['members'],
      summary: 'Delete an unpaid leave of an employee',
      description: texts.delete,
      params: CompanyMemberPath,
      querystring: UnpaidLeaveQuery,
      response: { ...gone, ...errorResponses('not-entitled', 'member-not-found', 'unpaid-leave-not-found') },
    },
    handler: async (request, reply) => {
      const key = await keyOf(request.params, true)
      await deleteLeave(context, callerOf(request), key, request.query['first-day'])
      return reply.status(204).send()
    },
  })
}
