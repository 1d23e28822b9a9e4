import { Type } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import { cnpjFilterOf } from '#platform/http/parse-parameter.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { createContract, mayWriteContracts, replaceContract } from './put.ts'
import { contractOn, listContracts, readContract } from './queries.ts'
import { ContractBody, ContractList, ContractPath, ContractResponse } from './schema.ts'
import { filters } from '#platform/http/filters.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const url = '/operator/v1/contract'

const columns = {
  'CONTRACT-ID': 'contract-id',
  'COMPANY-TAX-ID': 'company-tax-id',
  CARRIER: 'carrier-name',
  CONTRACT: 'contract-number',
  'SUB-CONTRACT': 'sub-contract',
  CHANNEL: 'channel',
  'NEXT-CUT-OFF': 'next-cut-off.cut-off-date',
  STATUS: 'status',
}

/** `/operator/v1/contract`: the contracts that companies have with carriers. */
export async function contractRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  writeRoutes(app, context)

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listContracts',
      'x-sdk': 'contracts.list',
      'x-cli': {
        command: 'contract list',
        options: { 'carrier-name': 'carrier' },
        examples: { 'contract list --carrier "operadora aurora"': 'those with one carrier' },
        columns,
      },
      summary: 'List the contracts with carriers',
      description: 'Ordered by company, carrier and number, also ended ones.',
      querystring: Closed({
        'company-tax-id': filters.company,
        'carrier-name': Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: MAX_TEXT_CHARACTERS,
            description: 'The whole name, without case and accents.',
          }),
        ),
        ...pageQuery,
      }),
      response: { 200: ContractList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        companyTaxId: cnpjFilterOf(query),
        carrierName: query['carrier-name'] ?? null,
      }
      const { total, contracts } = await listContracts(database, filter, pageBounds(query))
      const today = context.today()
      const items = JSON.stringify(contracts.map((contract) => contractOn(today, contract)))
      return sendJson(reply, listBody({ total, items }, query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:contractId`,
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readContract',
      'x-sdk': 'contracts.get',
      'x-cli': { command: 'contract show' },
      summary: 'Read a contract',
      description: 'With its next cut-off: of an active contract that has a calendar.',
      params: ContractPath,
      response: { 200: ContractResponse, ...errorResponses('contract-not-found') },
    },
    handler: async (request) => {
      const contract = await readContract(database, request.params.contractId.toLowerCase())
      if (contract === null) throw new ApiError('contract-not-found')
      return { result: contractOn(context.today(), contract) }
    },
  })
}

function writeRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayWriteContracts,
    schema: {
      operationId: 'createContract',
      'x-sdk': 'contracts.create',
      'x-cli': {
        command: 'contract create',
        file: true,
        examples: { 'contract create contract.json': 'the file is the body of POST /operator/v1/contract' },
        columns,
      },
      summary: 'Create a contract of a company with a carrier',
      description:
        'A company has a number and sub-contract of a carrier once. The products are those of the company that name the carrier; each is in ' +
        'one active contract at most. Without a `calendar` the contract has no cut-off days. Partners see nothing of it.',
      response: { 200: ContractResponse, ...errorResponses('company-not-found') },
    },
    body: json(ContractBody),
    takesShown: true,
    handler: async (request) => ({ result: await createContract(context, callerOf(request), request.body) }),
  })

  route(app, {
    method: 'PUT',
    url: `${url}/:contractId`,
    api: 'operator',
    roles: mayWriteContracts,
    schema: {
      operationId: 'putContract',
      'x-sdk': 'contracts.put',
      'x-cli': {
        command: 'contract put',
        file: true,
        examples: {
          'contract put 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01 contract.json': 'what the file leaves out is removed',
        },
        columns,
      },
      summary: 'Replace a contract',
      description:
        'The whole contract: what is left out is removed. Company and carrier stay. `status` `ended` frees its products for another contract.',
      params: ContractPath,
      response: { 200: ContractResponse, ...errorResponses('contract-not-found', 'company-not-found') },
    },
    body: json(ContractBody),
    handler: async (request) => {
      const id = request.params.contractId.toLowerCase()
      return { result: await replaceContract(context, callerOf(request), id, request.body) }
    },
  })
}
