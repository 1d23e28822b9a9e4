import { columnsOf } from './operation-commands.ts'
import { apiCommand } from './operation.ts'
import { say } from './language.ts'
import { printItems, printJson, printMessage } from './terminal.ts'

/** `vigencia layout copy`. */
export const layoutCopyCommand = apiCommand({
  name: 'copy',
  description: 'copy a layout, also a built-in one, so that it can be changed (operator)',
  examples: { 'layout copy mecsas --name "Aurora: movimentação"': 'then `layout show`, an editor, and `layout put`' },
  parameters: {
    '<layout-id>': '',
    '--name <name>': { description: 'of the copy', isRequired: true },
    '--layout-version <number>': 'default: the latest',
  },
  api: 'operator',
  async run({ layoutId, name, layoutVersion, json }, client) {
    const query = layoutVersion === undefined ? {} : { version: layoutVersion }
    const { result } = await client.sdk.operations.request('readLayout', { path: [layoutId], query })
    const body = await client.sdk.operations.request('createLayout', { json: { ...result, name } })
    if (json) printJson(body)
    else printItems([body.result], columnsOf('layout create'))
  },
})

/** `vigencia contract copy`. */
export const contractCopyCommand = apiCommand({
  name: 'copy',
  description: 'create a contract with the settings of another one, without its products (operator)',
  examples: {
    'contract copy 01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01 --contract-number 900002':
      'another contract of the same company with the same carrier',
  },
  parameters: {
    '<contract-id>': '',
    '--contract-number <number>': { description: 'of the copy', isRequired: true },
    '--sub-contract <number>': 'of the copy; default: that of the contract',
    '--company-tax-id <cnpj>': 'the company of the copy; default: that of the contract',
  },
  api: 'operator',
  async run({ contractId, contractNumber, subContract, companyTaxId, json }, client) {
    const { result } = await client.sdk.operations.request('readContract', { path: [contractId] })
    const body = await client.sdk.operations.request('createContract', {
      json: {
        ...result,
        'contract-number': contractNumber,
        ...(subContract !== undefined && { 'sub-contract': subContract }),
        ...(companyTaxId !== undefined && { 'company-tax-id': companyTaxId }),
        // A product is in one active contract at most.
        plans: [],
        status: 'active',
      },
    })
    if (json) return printJson(body)
    printItems([body.result], columnsOf('contract create'))
    printMessage(say`It has no products yet: \`contract show --json\`, add \`plans\`, \`contract put\`.`)
  },
})
