import type { Command } from 'commander'
import { type Asked, calling, group } from './command-builder.ts'
import { everyItem, openDoor, pathOf } from './api-client.ts'
import { CommandError } from './errors.ts'
import { parseObject, readInput } from './json-file.ts'
import { printJson, printTable, tell } from './terminal.ts'
import type { World } from './context.ts'

interface Company {
  readonly id: string
  readonly name: string
  readonly 'tax-id': string
  readonly products: readonly { readonly 'product-name': string }[]
}

/** `vigencia company put` and `list`. */
export function companyCommand(world: World): Command {
  const put = calling('put', 'create or replace a company with its products (operator)', [
    [
      'company put test/data/company.json',
      'the file is the body of PUT /operator/v1/company, with `company-tax-id` beside it',
    ],
    ['company put - --company-tax-id 12ABC34501DE35 < company.json', 'the CNPJ named apart'],
  ])
    .argument('<file>', 'JSON: name, products, company-tax-id; `-` reads standard input')
    .option('--company-tax-id <cnpj>', 'CNPJ, when the file does not say it')
    .action((file: string, asked: Asked & { companyTaxId?: string }) => putCompany(world, file, asked))
  const list = calling('list', 'list companies (operator)', [
    ['company list --query aurora', 'those whose name or CNPJ holds the word'],
  ])
    .option('--query <text>', 'part of a name or CNPJ')
    .action((asked: Asked & { query?: string }) => listCompanies(world, asked))
  return group('company', 'companies and their products', [put, list])
}

async function putCompany(world: World, file: string, asked: Asked & { companyTaxId?: string }): Promise<void> {
  const { 'company-tax-id': inFile, ...body } = parseObject(file, await readInput(world, file))
  const taxId = asked.companyTaxId ?? inFile
  if (typeof taxId !== 'string' || taxId === '') {
    throw new CommandError('usage', `${file} names no company.`, {
      next: 'Put `company-tax-id` into it, or use --company-tax-id.',
    })
  }
  const door = openDoor(world, 'operator', asked)
  const answer = await door.call<{ result: Company }>('PUT', pathOf`/operator/v1/company/${taxId}`, { body })
  if (asked.json) printJson(world, answer)
  else {
    printCompanies(world, [answer.result])
    tell(world, 'A partner may use it after: vigencia entitlement grant CLIENT-ID COMPANY-TAX-ID')
  }
}

async function listCompanies(world: World, asked: Asked & { query?: string }): Promise<void> {
  const door = openDoor(world, 'operator', asked)
  const companies = await Array.fromAsync(everyItem<Company>(door, '/operator/v1/company', { q: asked.query }))
  if (asked.json) printJson(world, { result: companies })
  else printCompanies(world, companies)
}

function printCompanies(world: World, companies: readonly Company[]): void {
  const rows = companies.map((one) => [
    one['tax-id'],
    one.name,
    one.products.map((product) => product['product-name']).join(', '),
  ])
  printTable(world, ['COMPANY-TAX-ID', 'NAME', 'PRODUCTS'], rows)
}
