import { findClosingOf } from '../months/queries.ts'
import { requireCompany } from '#registry/companies/queries.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { checklistOf, type ListedMonth } from '../rules/closing.ts'
import { parseCnpj } from '#kernel/tax-id.ts'
import { cnpjFilterOf } from '#platform/http/parse-parameter.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds } from '#platform/http/schemas.ts'
import { listClosings, readClosing, readMonth } from './queries.ts'
import {
  ChecklistQuery,
  ChecklistResponse,
  CloseBody,
  ClosingList,
  ClosingPath,
  ClosingQuery,
  ClosingResponse,
  ReopenBody,
} from './schema.ts'
import { closeMonth, mayClose, reopenMonth } from './write.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const url = '/operator/v1/closing'
const columns = {
  'CLOSING-ID': 'closing-id',
  COMPANY: 'company-name',
  MONTH: 'reference-month',
  STATUS: 'status',
  'UPDATED-AT': 'updated-at',
}

/** `/operator/v1/closing`: the months of companies that are closed. */
export async function closingRoutes(app: App, context: Context): Promise<void> {
  writeRoutes(app, context)
  readRoutes(app, context)
}

function readRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listClosings',
      'x-sdk': 'closings.list',
      'x-cli': { command: 'closing list', ids: 'closing-id', columns },
      summary: 'List the months that were closed',
      description: 'The latest month first, also those that were opened again.',
      querystring: ClosingQuery,
      response: { 200: ClosingList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        companyTaxId: cnpjFilterOf(query),
        referenceMonth: query['reference-month'] ?? null,
        status: query.status ?? null,
      }
      return sendJson(reply, listBody(await listClosings(database, filter, pageBounds(query)), query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/checklist`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readClosingChecklist',
      'x-sdk': 'closings.checklist',
      'x-cli': {
        command: 'closing checklist',
        examples: {
          'closing checklist --company-tax-id 12.ABC.345/01DE-35 --reference-month 2026-11': 'before closing',
        },
      },
      summary: 'Read what is to be done before a month is closed',
      description:
        'For each contract: rosters and invoices that were compared, open discrepancies, claims that were not sent. Of a closed month as it was when it was closed.',
      querystring: ChecklistQuery,
      response: { 200: ChecklistResponse, ...errorResponses('company-not-found') },
    },
    handler: async ({ query }) => {
      const companyTaxId = required(cnpjFilterOf(query), 'CNPJ')
      const month = query['reference-month']
      const companyId = await requireCompany(database, companyTaxId)
      const closing = await findClosingOf(database, companyId, month)
      const contracts = closing?.figures?.contracts ?? (await readMonth(database, companyId, month))
      const status = closing?.status ?? 'open'
      return {
        result: {
          'company-tax-id': companyTaxId,
          'reference-month': month,
          'closing-id': closing?.id ?? null,
          status,
          checklist: checklistOf(contracts, status),
          contracts: contracts.map(shownMonth),
        },
      }
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:closingId`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readClosing',
      'x-sdk': 'closings.get',
      'x-cli': { command: 'closing show' },
      summary: 'Read a closing',
      description: 'With who closed it and opened it again, why, and the figures.',
      params: ClosingPath,
      response: { 200: ClosingResponse, ...errorResponses('closing-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readClosing(database, request.params.closingId.toLowerCase())
      if (body === null) throw new ApiError('closing-not-found')
      return sendJson(reply, body)
    },
  })
}

function shownMonth(contract: ListedMonth) {
  const { roster, invoice } = checklistOf([contract], 'open')
  return {
    'contract-id': contract.contractId,
    'carrier-name': contract.carrierName,
    'contract-number': contract.contractNumber,
    'sub-contract': contract.subContract,
    roster,
    'open-roster-discrepancies': contract.roster?.openDiscrepancies ?? 0,
    invoice,
    'open-invoice-discrepancies': contract.invoice?.openDiscrepancies ?? 0,
    'draft-claims': contract.draftClaims,
    'carrier-total': contract.carrierTotal,
    'expected-total': contract.expectedTotal,
    discrepancy: contract.discrepancy,
    'claimed-total': contract.claimedTotal,
  }
}

function writeRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayClose,
    schema: {
      operationId: 'closeMonth',
      'x-sdk': 'closings.close',
      'x-cli': {
        command: 'closing close',
        examples: { 'closing close --company-tax-id 12.ABC.345/01DE-35 --reference-month 2026-11': 'when all is done' },
        columns,
      },
      summary: 'Close a month of a company',
      description:
        'Its comparisons are closed, and nothing that its figures follow from is written: files, links, discrepancies, price tables, contribution rules. ' +
        'The expected invoices and the costs of the month are stored as they are. What is not done asks for a `reason`.',
      response: {
        200: ClosingResponse,
        ...errorResponses(
          'company-not-found',
          'month-closed',
          'closing-open-items',
          'carrier-file-status',
          'reconciliation-status',
        ),
      },
    },
    body: json(CloseBody),
    handler: async (request, reply) => {
      const { body } = request
      const companyTaxId = required(parseCnpj(body['company-tax-id']), 'CNPJ')
      const reason = body.reason?.trim() ?? null
      const id = await closeMonth(context, callerOf(request), companyTaxId, body['reference-month'], reason)
      return sendJson(reply, required(await readClosing(database, id), 'closing'))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:closingId/reopen`,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'reopenMonth',
      'x-sdk': 'closings.reopen',
      'x-cli': {
        command: 'closing reopen',
        examples: { 'closing reopen 01995e0f-5e41-7f55-8066-910213243546 --reason "Fatura reemitida"': 'as admin' },
        columns,
      },
      summary: 'Open a closed month again',
      description: 'For admins, with a reason. The comparisons of the month are open again.',
      params: ClosingPath,
      response: { 200: ClosingResponse, ...errorResponses('closing-not-found', 'month-open') },
    },
    body: json(ReopenBody),
    handler: async (request, reply) => {
      const id = request.params.closingId.toLowerCase()
      await reopenMonth(context, callerOf(request), id, request.body.reason.trim())
      return sendJson(reply, required(await readClosing(database, id), 'closing'))
    },
  })
}
