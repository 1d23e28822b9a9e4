import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { mapPage } from '#platform/http/page.ts'
import { resource } from '#platform/http/resource.ts'
import { createContract, mayWriteContracts, replaceContract } from './put.ts'
import { contractOn, contractPage, readContract, type StoredContract } from './queries.ts'
import { ContractBody, ContractQuery, Contract } from './schema.ts'

/** `/operator/v1/contract`: the contracts that companies have with carriers. */
export async function contractRoutes(app: App, context: Context): Promise<void> {
  const shown = (contract: StoredContract) => contractOn(context.today(), contract)
  const contract = resource(app, context, {
    noun: 'contract',
    mayRead: ['analyst', 'finance', 'auditor'],
    mayWrite: mayWriteContracts,
    item: Contract,
    read: async (sql, id) => {
      const found = await readContract(sql, id)
      return found && shown(found)
    },
    columns: {
      'CONTRACT-ID': 'contract-id',
      'COMPANY-TAX-ID': 'company-tax-id',
      CARRIER: 'carrier-name',
      CONTRACT: 'contract-number',
      'SUB-CONTRACT': 'sub-contract',
      CHANNEL: 'channel',
      'NEXT-CUT-OFF': 'next-cut-off.cut-off-date',
      STATUS: 'status',
    },
  })

  contract.create({
    summary: 'Create a contract of a company with a carrier',
    description:
      'A company has a number and sub-contract of a carrier once. The products are those of the company that name the carrier; each is in ' +
      'one active contract at most. Without a `calendar` the contract has no cut-off days. Partners see nothing of it but, with `show-discrepancies`, ' +
      'what differs from the files of the carrier.',
    cli: {
      file: true,
      examples: { 'contract create contract.json': 'the file is the body of POST /operator/v1/contract' },
    },
    errors: ['company-not-found'],
    body: json(ContractBody),
    takesShown: true,
    run: (actor, body) => createContract(context, actor, body),
  })
  contract.put({
    summary: 'Replace a contract',
    description:
      'The whole contract: what is left out is removed. Company and carrier stay. `status` `ended` frees its products for another contract.',
    cli: {
      file: true,
      examples: {
        'contract put 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01 contract.json': 'what the file leaves out is removed',
      },
    },
    errors: ['contract-not-found', 'company-not-found'],
    body: json(ContractBody),
    run: (actor, id, body) => replaceContract(context, actor, id, body),
  })
  contract.list({
    summary: 'List the contracts with carriers',
    description: 'Ordered by company, carrier and number, also ended ones.',
    cli: {
      options: { 'carrier-name': 'carrier' },
      examples: { 'contract list --carrier "operadora aurora"': 'those with one carrier' },
    },
    query: ContractQuery,
    page: async (sql, query) => mapPage(await contractPage(sql, query), shown),
  })
  contract.get({
    summary: 'Read a contract',
    description: 'With its next cut-off: of an active contract that has a calendar.',
  })
}
