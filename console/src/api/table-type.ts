/** The media type of a workbook. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The media type of a file of lines, by its name: CSV unless it is another. */
export function tableTypeOf({ name }: File) {
  if (/\.xls[xm]$/i.test(name)) return xlsxType
  return /\.(ndjson|jsonl)$/i.test(name) ? 'application/x-ndjson' : 'text/csv'
}
