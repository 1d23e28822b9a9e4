import type { RosterLine } from '../rules/roster.ts'

/* Lines of a list as rows of a COPY. */

/** The statement that `rowsOf` is the input of. */
export const copyLines = 'copy roster_line (company_id, sync_id, position, line, tax_id, data, offenses) from stdin'

/** @param position of the first line, from 1. */
export function rowsOf(companyId: string, syncId: string, position: number, lines: readonly RosterLine[]): Buffer {
  const rows = lines.map(({ line, taxId, offenses, ...data }, index) => {
    const cells = [position + index, line, taxId ?? '\\N', escaped(JSON.stringify(data)), `{${offenses.join()}}`]
    return `${companyId}\t${syncId}\t${cells.join('\t')}\n`
  })
  return Buffer.from(rows.join(''), 'utf8')
}

/** JSON has no other character that COPY reads as its own. */
const escaped = (json: string): string => json.replaceAll('\\', '\\\\')
