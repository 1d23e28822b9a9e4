import type { ApiClient } from './api-client.ts'
import { batchParameters, sendBatch } from './batch.ts'
import type { Values } from './command-builder.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import type { Payroll } from './payroll.ts'

const parameters = {
  '<file>':
    'the body of the inclusion as JSON, or CSV with a line for each member and product; `-` reads standard input',
  ...batchParameters,
} as const

/** `vigencia include`. */
export const includeCommand = apiCommand({
  name: 'include',
  description: 'include the members of a file, JSON or CSV, in products (partner)',
  examples: {
    'include test/data/payroll-1000.json --dry-run': 'validates it, and stores nothing',
    'include test/data/payroll-1000.json --watch': 'sends it and waits until it is processed',
    'include payroll.csv --company-tax-id 12ABC34501DE35 --lenient':
      'accepts the members without offenses; the output names the lines of the others',
  },
  parameters,
  api: 'partner',
  run: async (values, client) => sendBatch(client, 'includeMembers', await readPayroll(client, values), values),
})

type IncludeValues = Values<typeof parameters>

async function readPayroll(client: ApiClient<'partner'>, values: IncludeValues): Promise<Payroll> {
  const { file, companyTaxId: company = null } = values
  const bytes = await readInput(file)
  const { csvPayroll, jsonPayroll } = await import('./payroll.ts')
  const format = values.format ?? (/\.(csv|txt)$/i.test(file) ? 'csv' : 'json')
  if (format === 'json') return jsonPayroll(file, bytes, company)
  return csvPayroll(file, bytes, company, async (taxId) => {
    const { products } = await client.sdk.companies.get(taxId)
    return products
  })
}
