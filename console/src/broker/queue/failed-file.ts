import type { TFunction } from 'i18next'
import { tableTypeOf, xlsxType } from '../../api/table-type.ts'
import { toCsv } from '../../format/csv.ts'
import { errorWordsOf } from '../../entities/decisions/line-words.ts'
import { failedLines, type FileOutcome } from './decisions-file.ts'

interface Decided {
  readonly file: File
  readonly text: string
  readonly body: { readonly result: readonly FileOutcome[] }
}

/** The file of the lines that have an error: the records of a text; of a workbook, which the browser does not read, which rows and why. */
export function failedFile(
  t: TFunction<['queue', 'states', 'terms']>,
  { file, text, body: { result } }: Decided,
): [name: string, content: string, type: string] {
  const type = 'text/csv;charset=utf-8'
  const name = file.name.replace(/(\.\w+)?$/, '-erros$1')
  if (tableTypeOf(file) !== xlsxType) return [name, failedLines(text, result), type]
  const header = [t('queue:file.line'), t('queue:file.movement'), t('queue:file.outcome')]
  const rows = result.filter(({ error }) => error !== undefined)
  const cells = rows.map((one) => [one.line, one['enrollment-id'], errorWordsOf(one)])
  return [name.replace(/\.\w+$/, '.csv'), toCsv(header, cells), type]
}
