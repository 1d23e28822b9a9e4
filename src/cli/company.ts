import type { CommandDeclaration } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { parseObject, readInput } from './json-file.ts'
import { listOperation, operation } from './operation.ts'

const columns = {
  'COMPANY-TAX-ID': 'tax-id',
  NAME: 'name',
  PRODUCTS: ({ products }: { products: readonly { 'product-name': string }[] }) =>
    products.map((product) => product['product-name']).join(', '),
}

/** `vigencia company`. */
export const companyCommand: CommandDeclaration = {
  name: 'company',
  description: 'companies and their products',
  commands: [
    operation({
      name: 'put',
      description: 'create or replace a company with its products (operator)',
      examples: {
        'company put test/data/company.json':
          'the file is the body of PUT /operator/v1/company, with `company-tax-id` beside it',
        'company put - --company-tax-id 12ABC34501DE35 < company.json': 'the CNPJ as an option',
      },
      parameters: {
        '<file>': 'JSON: name, products, company-tax-id; `-` reads standard input',
        '--company-tax-id <cnpj>': 'CNPJ, when the file does not name it',
      },
      operation: { operator: 'putCompany' },
      async request({ file, companyTaxId }) {
        const { 'company-tax-id': inFile, ...json } = parseObject(file, await readInput(file))
        const taxId = companyTaxId ?? inFile
        if (typeof taxId === 'string' && taxId !== '') return { path: [taxId], json }
        const next = 'Put `company-tax-id` into it, or use --company-tax-id.'
        throw new CommandError('usage', `${file} names no company.`, next)
      },
      columns,
      message: () => 'A partner may use it after: vigencia entitlement grant CLIENT-ID COMPANY-TAX-ID',
    }),
    listOperation({
      name: 'list',
      description: 'list companies; a partner gets those that it may access (partner or operator)',
      examples: { 'company list --query aurora': 'operator: those whose name or CNPJ holds the word' },
      parameters: { '--query <text>': 'operator: part of a name or CNPJ' },
      operation: { partner: 'listCompanies', operator: 'searchCompanies' },
      request: ({ query }) => ({ query: { q: query } }),
      columns,
    }),
    operation({
      name: 'show',
      description: 'show a company with its products (partner or operator)',
      examples: { 'company show 12ABC34501DE35': 'the names, types and start options of its products' },
      parameters: { '<company-tax-id>': 'CNPJ, formatted or not' },
      operation: { partner: 'readCompany', operator: 'readAnyCompany' },
      isShown: true,
    }),
    listOperation({
      name: 'carriers',
      description: 'list the carriers of all products (operator)',
      examples: { 'company carriers': 'each name once, without case and accents' },
      operation: { operator: 'listCarriers' },
      columns: { CARRIER: 'name' },
    }),
  ],
}

/** `vigencia product`. */
export const productCommand: CommandDeclaration = {
  name: 'product',
  description: 'products of companies',
  commands: [
    listOperation({
      name: 'list',
      description: 'list the products of your companies (partner)',
      examples: { 'product list --company-tax-id 12ABC34501DE35': 'those of one company' },
      parameters: { '--company-tax-id <cnpj>': 'only of this company' },
      operation: { partner: 'listProducts' },
      request: ({ companyTaxId }) => ({ query: { 'company-tax-id': companyTaxId } }),
      columns: {
        'PRODUCT-ID': 'product-id',
        'COMPANY-TAX-ID': 'company-tax-id',
        PRODUCT: 'product-name',
        TYPE: 'product-type',
        CARRIER: 'carrier-name',
        'START-OPTIONS': 'allowed-start-options',
      },
    }),
  ],
}
