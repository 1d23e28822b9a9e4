import { START_OPTIONS } from '#kernel/enums.ts'
import { INCLUSION_COLUMNS } from '#movements/rules/inclusion-columns.ts'
import type { ApiClient } from './api-client.ts'
import { batchParameters, formatOfBatch, productsOf, sendBatch } from './batch.ts'
import type { Values } from './command-builder.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import type { Payroll } from './payroll.ts'
import { templateCommand } from './template.ts'

const parameters = {
  '<file>':
    'the body of the inclusion as JSON, or CSV or XLSX with a line for each member and product; `-` reads standard input',
  '--start-option <option>': { description: 'CSV, XLSX: of the lines without one', choices: START_OPTIONS },
  ...batchParameters,
} as const

/** `vigencia include`. */
export const includeCommand = apiCommand({
  name: 'include',
  description: 'include the members of a file, JSON, CSV or XLSX, in products',
  examples: {
    'include test/data/payroll-1000.json --dry-run': 'validates it, and stores nothing',
    'include test/data/payroll-1000.json --watch': 'sends it and waits until it is processed',
    'include members.csv --start-option on-inclusion-date': 'a spreadsheet with the headers of the template',
    'include joiners.csv --medium email --received-at 2026-12-04T18:40:00-03:00 --requester-name "Paula Andrade" --evidence mail.pdf':
      'as an operator: what a company asked for',
    'include payroll.csv --company-tax-id 12ABC34501DE35 --lenient':
      'accepts the members without offenses; the output names the lines of the others',
  },
  parameters,
  api: 'partner-first',
  run: async (values, client) => sendBatch(client, 'inclusion', await readPayroll(client, values), values),
  commands: [
    templateCommand('an inclusion', INCLUSION_COLUMNS, {
      'include template > members.csv': 'the columns in Portuguese, to fill in with a spreadsheet',
      'include template --company-tax-id 12ABC34501DE35 --output members.xlsx':
        'with lists of values and of the products',
    }),
  ],
})

type IncludeValues = Values<typeof parameters>

async function readPayroll(client: ApiClient, values: IncludeValues): Promise<Payroll> {
  const { file, companyTaxId = null, startOption, sheet } = values
  const bytes = await readInput(file)
  const { tablePayroll, jsonPayroll } = await import('./payroll.ts')
  if (formatOfBatch(file, bytes, values.format) === 'json') return jsonPayroll(file, bytes, companyTaxId)
  return tablePayroll(file, bytes, { companyTaxId, startOption, sheet }, async (taxId) => {
    return productsOf(client, taxId)
  })
}
