/* Small workbooks that become long tables: what `hostile.ts` sends to be shown, and does not read. */
import { bookOf, rowOf } from '../test/platform/tables/workbook.ts'

const headings = ['Nome', 'CPF', 'Tipo de beneficiário', 'Nome da mãe', 'Data de nascimento', 'Sexo', 'Produto']

/** Rows of which each has one text of 32,000 characters, which the workbook has once: about 100 kB. */
function longTable(rows: number): Buffer {
  const shared = [...headings, 'a'.repeat(32_000)].map((text) => `<si><t>${text}</t></si>`).join('')
  const cells = (numbers: readonly number[]) => rowOf(numbers.map((n) => `<c t="s"><v>${n}</v></c>`))
  const xml = cells(headings.map((_, n) => n)) + cells([headings.length]).repeat(rows)
  return bookOf({ sheets: [{ xml }], shared })
}

/** The longest table that is taken, and one of 243 MB, which is refused. */
export const expandingFiles = (): readonly Buffer[] => [longTable(500), longTable(7_600)]
