import { xlsxType } from '#platform/tables/media-type.ts'
import type { Ending } from './command-builder.ts'
import { CommandError } from './errors.ts'
import { confirm, confirmParameters } from './confirm.ts'
import { endingOf, followJob, printRefused, summaryOf } from './decision-job.ts'
import { readInput } from './json-file.ts'
import { apiCommand } from './operation.ts'
import { printJson, printMessage } from './terminal.ts'
import { isWorkbook } from './table-file.ts'
import { say } from './language.ts'
import { maxWithoutConfirm } from './transition.ts'

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson', xlsx: xlsxType } as const

/** `vigencia enrollment decide`. */
export const decideCommand = apiCommand({
  name: 'decide',
  description: 'resolve the movements of a file, each with its own card number, dates and reason (operator)',
  examples: {
    'enrollment decide decisions.csv --dry-run': 'judges every line, and does nothing',
    'enrollment decide decisions.csv --yes':
      'columns enrollment-id, status, card-number, start-date, end-date, reason; up to 10,000 lines',
  },
  parameters: {
    '<file>': 'CSV, XLSX or NDJSON; `-` reads standard input',
    ...confirmParameters,
    '--yes': 'do not ask before what cannot be undone; dates more than two years from today are meant',
    '--format <format>': { description: 'when the name of the file does not show it', choices: ['csv', 'ndjson'] },
    '--sheet <name>': 'XLSX: the sheet; without it the first one with the columns',
  },
  api: 'operator',
  async run({ file, yes, dryRun, format, sheet, json }, client): Promise<Ending> {
    const body = await readInput(file)
    if (body.length === 0) throw new CommandError('usage', say`${file} is empty.`)
    const text = format ?? (/\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv')
    const kind = isWorkbook(body) ? 'xlsx' : text
    const count = kind === 'xlsx' ? null : lineCount(body) - (kind === 'csv' ? 1 : 0)
    if (!dryRun && (count === null || count > maxWithoutConfirm)) {
      const some = count === null ? say`The movements of the workbook` : say`About ${count} movements`
      await confirm(say`${some} would be resolved, which cannot be undone.`, yes)
    }
    const result = await followJob(json, (following) =>
      client.sdk.enrollments.decide(body, { 'dry-run': dryRun, confirm: yes, sheet, type: types[kind], ...following }),
    )
    if (json) {
      printJson(result)
      printMessage(summaryOf(result))
    } else printRefused(result, file === '-' ? 'stdin' : file)
    return endingOf(result)
  },
})

function lineCount(text: Buffer): number {
  return text
    .toString('latin1')
    .split('\n')
    .filter((line) => line.trim() !== '').length
}
