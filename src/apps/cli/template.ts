import {
  type CsvColumnForm,
  offeredOf,
  TEMPLATE_LANGUAGES,
  templateColumns,
  templateOf,
} from '#movements/rules/import-columns.ts'
import { command, type CommandDeclaration, type Values } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError } from './errors.ts'
import { profileParameters } from './operation.ts'
import { isWorkbookName, outputParameters, save } from './save.ts'
import { say } from './language.ts'
import { printJson, printMessage } from './terminal.ts'

const parameters = {
  '--language <language>': { description: 'of the columns; by default pt-BR', choices: TEMPLATE_LANGUAGES },
  '--company-tax-id <cnpj>': 'XLSX: with a list of the products of this company, which are read from the service',
  ...outputParameters,
  ...profileParameters,
} as const

/** The command that prints the header of a table to fill in, or writes it as a workbook with lists of values. */
export function templateCommand(
  of: string,
  columns: ReadonlyMap<string, CsvColumnForm>,
  examples: Readonly<Record<string, string>>,
): CommandDeclaration {
  return command({
    name: 'template',
    description: `print the header of ${of} as CSV, or write it as a workbook`,
    examples,
    parameters,
    run: (values) => writeTemplate(columns, values),
  })
}

async function writeTemplate(
  columns: ReadonlyMap<string, CsvColumnForm>,
  { language = 'pt-BR', companyTaxId, output, profile, yes, json }: Values<typeof parameters>,
): Promise<void> {
  const template = templateOf(columns, language)
  if (json) return printJson({ language, columns: template.trim().split(';') })
  if (companyTaxId !== undefined && !isWorkbookName(output)) {
    throw new CommandError('usage', say`--company-tax-id is of a workbook.`, say`Add --output FILE.xlsx`)
  }
  await confirmOverwrite(output, yes)
  if (isWorkbookName(output)) {
    const { workbookOf } = await import('#platform/tables/xlsx/zip-writer.ts')
    const offered = companyTaxId === undefined ? {} : await offeredBy(companyTaxId, profile)
    await save(workbookOf('template', templateColumns(columns, language, offered), []), output)
  } else await save([template], output)
  if (output !== undefined) printMessage(say`The template was written to ${output}.`)
}

async function offeredBy(companyTaxId: string, profile: string | undefined) {
  const { openApiClient } = await import('./api-client.ts')
  const client = await openApiClient('either', profile)
  try {
    const { 'tax-id': taxId, products } = await client.sdk.companies.get(companyTaxId)
    return offeredOf(taxId, products)
  } catch (error) {
    throw client.errorOf(error)
  }
}
