import { xlsxType } from '#platform/tables/media-type.ts'
import type { Ending } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { confirm, confirmParameters } from './confirm.ts'
import { endingOf, followJob, printRefused, summaryOf } from './decision-job.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { isWorkbook } from './table-file.ts'
import { say } from './language.ts'
import { printJson, printMessage } from './terminal.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson', text: 'text/plain' } as const
const formats = ['csv', 'ndjson', 'text'] as const
const id = '01995e0c-9a10-7d5c-b1a4-6f0e9c8d7b32'

/** `vigencia shipment acknowledge`. */
export const acknowledgeCommand = apiCommand({
  name: 'acknowledge',
  description: 'read the answer of a carrier to a shipment: card numbers, dates and refusals (operator)',
  examples: {
    [`shipment acknowledge ${id} retorno.csv --dry-run`]: 'judges every line, and does nothing',
    [`shipment acknowledge ${id} retorno.xlsx --yes`]: 'columns as CPF, Produto, Situação, Carteirinha, Código',
  },
  parameters: {
    '<shipment-id>': 'from the list of shipments',
    '<file>': 'CSV, XLSX, NDJSON, or text of fixed width; `-` reads standard input',
    ...confirmParameters,
    '--confirm-dates': 'dates more than two years from today are meant',
    '--format <format>': { description: 'when the name of the file does not show it', choices: formats },
    '--sheet <name>': 'XLSX: the sheet; without it the first one with the columns',
  },
  api: 'operator',
  async run({ shipmentId, file, yes, dryRun, confirmDates, format, sheet, json }, client): Promise<Ending> {
    const body = await readInput(file)
    if (body.length === 0) throw new CommandError('usage', say`${file} is empty.`)
    const type = isWorkbook(body) ? xlsxType : types[format ?? formatOf(file)]
    if (!dryRun) await confirm(say`The movements of the shipment would be resolved, which cannot be undone.`, yes)
    const result = await followJob(json, (following) =>
      client.sdk.shipments.acknowledge(shipmentId, body, {
        'dry-run': dryRun,
        confirm: confirmDates,
        sheet,
        type,
        ...following,
      }),
    )
    if (json) {
      printJson(result)
      printMessage(summaryOf(result))
    } else printRefused(result, file === '-' ? 'stdin' : file)
    return endingOf(result)
  },
})

function formatOf(file: string): (typeof formats)[number] {
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  return /\.(txt|ret)$/i.test(file) ? 'text' : 'csv'
}
