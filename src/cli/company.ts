import type { Command } from 'commander'
import { type CommandOptions, apiCommand, group } from './command-builder.ts'
import { everyItem, openApiClient, pathOf } from './api-client.ts'
import { CommandError } from './errors.ts'
import { parseObject, readInput } from './json-file.ts'
import { printJson, printTable, printMessage } from './terminal.ts'
import type { CommandContext } from './context.ts'

interface Company {
  readonly id: string
  readonly name: string
  readonly 'tax-id': string
  readonly products: readonly { readonly 'product-name': string }[]
}

/** `vigencia company put` and `list`. */
export function companyCommand(context: CommandContext): Command {
  const put = apiCommand('put', 'create or replace a company with its products (operator)', [
    [
      'company put test/data/company.json',
      'the file is the body of PUT /operator/v1/company, with `company-tax-id` beside it',
    ],
    ['company put - --company-tax-id 12ABC34501DE35 < company.json', 'the CNPJ as an option'],
  ])
    .argument('<file>', 'JSON: name, products, company-tax-id; `-` reads standard input')
    .option('--company-tax-id <cnpj>', 'CNPJ, when the file does not name it')
    .action((file: string, options: CommandOptions & { companyTaxId?: string }) => putCompany(context, file, options))
  const list = apiCommand('list', 'list companies (operator)', [
    ['company list --query aurora', 'those whose name or CNPJ holds the word'],
  ])
    .option('--query <text>', 'part of a name or CNPJ')
    .action((options: CommandOptions & { query?: string }) => listCompanies(context, options))
  return group('company', 'companies and their products', [put, list])
}

async function putCompany(
  context: CommandContext,
  file: string,
  options: CommandOptions & { companyTaxId?: string },
): Promise<void> {
  const { 'company-tax-id': inFile, ...body } = parseObject(file, await readInput(context, file))
  const taxId = options.companyTaxId ?? inFile
  if (typeof taxId !== 'string' || taxId === '') {
    throw new CommandError('usage', `${file} names no company.`, {
      next: 'Put `company-tax-id` into it, or use --company-tax-id.',
    })
  }
  const client = openApiClient(context, 'operator', options)
  const response = await client.call<{ result: Company }>('PUT', pathOf`/operator/v1/company/${taxId}`, { body })
  if (options.json) printJson(context, response)
  else {
    printCompanies(context, [response.result])
    printMessage(context, 'A partner may use it after: vigencia entitlement grant CLIENT-ID COMPANY-TAX-ID')
  }
}

async function listCompanies(context: CommandContext, options: CommandOptions & { query?: string }): Promise<void> {
  const client = openApiClient(context, 'operator', options)
  const companies = await Array.fromAsync(everyItem<Company>(client, '/operator/v1/company', { q: options.query }))
  if (options.json) printJson(context, { result: companies })
  else printCompanies(context, companies)
}

function printCompanies(context: CommandContext, companies: readonly Company[]): void {
  const rows = companies.map((one) => [
    one['tax-id'],
    one.name,
    one.products.map((product) => product['product-name']).join(', '),
  ])
  printTable(context, ['COMPANY-TAX-ID', 'NAME', 'PRODUCTS'], rows)
}
