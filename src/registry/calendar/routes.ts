import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError, invalidParameter, notEntitled } from '#platform/core/errors.ts'
import { addMonths, cutOffsOf, type Month, monthsOf } from '../rules/cut-off.ts'
import { acceptedType } from '#platform/http/accepted-type.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { languageOf } from '#platform/http/language.ts'
import { PageOf } from '#platform/http/page.ts'
import { route } from '#platform/http/route.ts'
import {
  Closed,
  Cnpj,
  DateOnly,
  errorResponses,
  Named,
  pageBounds,
  pageQuery,
  type PageQuery,
  Uuid,
} from '#platform/http/schemas.ts'
import { calendarFile } from './calendar-file.ts'
import { type DatedContract, readContract, readDatedContracts } from '../contracts/queries.ts'
import { Month as MonthSchema } from '../contracts/calendar-schema.ts'
import { ContractPath } from '../contracts/schema.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { isEntitledToCompany } from '../companies/queries.ts'
import type { LocalDate } from '#kernel/calendar.ts'

const roles = ['analyst', 'finance', 'auditor'] as const
/** Months of one call. */
const maxMonths = 24
const defaultMonths = 12

const CutOff = Named(
  'CutOff',
  Type.Object({
    'contract-id': Uuid,
    'company-tax-id': Cnpj,
    'company-name': Type.String(),
    'carrier-name': Type.String(),
    'contract-number': Type.String(),
    'sub-contract': Type.String(),
    month: MonthSchema,
    'cut-off-date': DateOnly,
    'coverage-start': { ...DateOnly, description: 'On which the cover of the movements sent by then starts.' },
    exception: Type.Boolean({ description: 'Whether the day is an exception of the calendar.' }),
  }),
)

const CompanyCutOff = Named(
  'CompanyCutOff',
  Type.Object({
    'carrier-name': Type.String(),
    month: MonthSchema,
    'cut-off-date': DateOnly,
    'coverage-start': { ...DateOnly, description: 'On which the cover of the movements sent by then starts.' },
    exception: Type.Boolean({ description: 'Whether the day is an exception of the calendar.' }),
  }),
)

const monthsDescription = `at most ${maxMonths} months`
const query = {
  from: Type.Optional({ ...MonthSchema, description: 'The first month, `YYYY-MM`; default: the present one.' }),
  until: Type.Optional({
    ...MonthSchema,
    description: `The last month, included, ${monthsDescription}; default: ${defaultMonths} months in all.`,
  }),
  ...pageQuery,
}
const Query = Closed(query)

const response = {
  description: 'By day. With `Accept: text/calendar`, for calendar programs: all of them, a whole-day event each.',
  content: {
    'application/json': { schema: PageOf(CutOff) },
    'text/calendar': { schema: { type: 'string', examples: ['BEGIN:VCALENDAR\r\n...'] } },
  },
}

const columns = {
  'CUT-OFF': 'cut-off-date',
  'COVERAGE-START': 'coverage-start',
  CARRIER: 'carrier-name',
  CONTRACT: 'contract-number',
  'SUB-CONTRACT': 'sub-contract',
  COMPANY: 'company-name',
}

/** The cut-off days of contracts, as lists and as calendar files. */
export async function contractCalendarRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/operator/v1/contract/:contractId/calendar',
    api: 'operator',
    roles,
    schema: {
      operationId: 'readContractCalendar',
      'x-sdk': 'contracts.calendar',
      'x-cli': {
        command: 'contract calendar',
        examples: {
          'contract calendar 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01 --from 2026-11 --until 2027-03': 'five months',
        },
        columns,
      },
      summary: 'List the cut-off days of a contract',
      description: 'Empty for a contract without a calendar.',
      params: ContractPath,
      querystring: Query,
      response: { 200: response, ...errorResponses('contract-not-found', 'invalid-date-range') },
    },
    handler: async (request, reply) => {
      const id = request.params.contractId
      if ((await readContract(database, id)) === null) throw new ApiError('contract-not-found')
      return sendCutOffs(request, reply, await readDatedContracts(database, { id }), request.query, context)
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/calendar',
    api: 'operator',
    roles,
    schema: {
      operationId: 'listCutOffs',
      'x-sdk': 'contracts.cutOffs',
      'x-cli': {
        command: 'contract cut-offs',
        examples: { 'contract cut-offs --from 2026-12 --until 2026-12': 'of all contracts in one month' },
        columns,
      },
      summary: 'List the cut-off days of all contracts',
      description: 'Of the active contracts that have a calendar.',
      querystring: Query,
      response: { 200: response, ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) =>
      sendCutOffs(request, reply, await readDatedContracts(database, null), request.query, context),
  })
}

/** `/v1/company/{company-tax-id}/cut-off`: nothing of the contracts but their days. */
export async function companyCutOffRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/v1/company/:companyTaxId/cut-off',
    api: 'partner',
    schema: {
      operationId: 'listCompanyCutOffs',
      'x-sdk': 'companies.cutOffs',
      'x-cli': {
        command: 'company cut-offs',
        columns: { 'CUT-OFF': 'cut-off-date', 'COVERAGE-START': 'coverage-start', CARRIER: 'carrier-name' },
      },
      tags: ['companies'],
      summary: 'List the cut-off days of a company',
      description:
        'By day, of its active contracts that have a calendar; days that are the same for a carrier once. ' +
        'The response for a company that the client may not access is that for an unknown CNPJ.',
      params: CompanyPath,
      querystring: Query,
      response: { 200: PageOf(CompanyCutOff), ...errorResponses('invalid-date-range', 'not-entitled') },
    },
    handler: async (request, reply) => {
      const { companyTaxId } = request.params
      const { query } = request
      if (!(await isEntitledToCompany(database, callerOf(request), companyTaxId))) throw notEntitled('company')
      const contracts = await readDatedContracts(database, { companyTaxId })
      const days = cutOffItems(contracts, query, context.today()).map(({ contract, cutOff }) =>
        JSON.stringify({ 'carrier-name': contract.carrierName, ...cutOff }),
      )
      const unique = [...new Set(days)]
      const { limit, offset } = pageBounds(query)
      const items = `[${unique.slice(offset, offset + limit).join(',')}]`
      return sendJson(reply, listBody({ total: unique.length, items }, query))
    },
  })
}

interface Months {
  readonly from?: Month
  readonly until?: Month
}

/** By day. */
function cutOffItems(contracts: readonly DatedContract[], { from, until }: Months, today: LocalDate) {
  const [first, last] = monthRange(from, until, today.slice(0, 7))
  return contracts
    .flatMap((contract) => cutOffsOf(contract.calendar, first, last).map((cutOff) => ({ contract, cutOff })))
    .toSorted((a, b) => compare(a.cutOff['cut-off-date'], b.cutOff['cut-off-date']))
}

function sendCutOffs(
  request: FastifyRequest,
  reply: FastifyReply,
  contracts: readonly DatedContract[],
  query: Months & PageQuery,
  context: Context,
): FastifyReply {
  const cutOffs = cutOffItems(contracts, query, context.today())
  if (acceptedType(request.headers.accept, ['application/json', 'text/calendar']) === 'text/calendar') {
    const events = cutOffs.map((cutOff) => ({
      ...itemOf(cutOff.contract, cutOff.cutOff),
      updatedAt: cutOff.contract.updatedAt,
    }))
    void reply.header('vary', 'accept, accept-language').type('text/calendar; charset=utf-8')
    return reply.send(calendarFile(events, languageOf(request)))
  }
  const { limit, offset } = pageBounds(query)
  const items = cutOffs.slice(offset, offset + limit).map((cutOff) => itemOf(cutOff.contract, cutOff.cutOff))
  return sendJson(reply, listBody({ total: cutOffs.length, items: JSON.stringify(items) }, query))
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

function itemOf(contract: DatedContract, cutOff: ReturnType<typeof cutOffsOf>[number]) {
  return {
    'contract-id': contract.id,
    'company-tax-id': contract.companyTaxId,
    'company-name': contract.companyName,
    'carrier-name': contract.carrierName,
    'contract-number': contract.contractNumber,
    'sub-contract': contract.subContract,
    ...cutOff,
  }
}

/** @throws ApiError 400 when the last month comes before the first, or there are too many. */
function monthRange(from: Month | undefined, until: Month | undefined, today: Month): [Month, Month] {
  const first = from ?? (until === undefined ? today : addMonths(until, 1 - defaultMonths))
  const last = until ?? addMonths(first, defaultMonths - 1)
  if (last < first) throw new ApiError('invalid-date-range')
  if (monthsOf(first, last).length > maxMonths) {
    throw invalidParameter([{ field: 'until', code: 'invalid', message: { key: 'max-months', limit: maxMonths } }])
  }
  return [first, last]
}
