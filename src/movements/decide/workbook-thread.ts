import { serveSession } from '../../core/threads.ts'
import type { RefusedTable } from '../../http/table-types.ts'
import { TableError } from '../../tables/table-error.ts'
import { openSheet, type SheetTask } from '../../tables/xlsx/sheet.ts'
import { decisionColumns, maxDecisionBytes, maxDecisionLines, type SentLine, sheetLines } from './file.ts'

/** `too-many`: more lines, or more text, than a file of decisions may have. */
export type WorkbookResponse = readonly SentLine[] | RefusedTable | 'too-many'

/** Reads the lines of a workbook of decisions. */
export default serveSession<SheetTask, WorkbookResponse>(() => async (task) => {
  try {
    return { response: await readLines(task) }
  } catch (error) {
    // Its details would be lost on the way.
    if (!(error instanceof TableError)) throw error
    return { response: { refused: error.details, isUnsupported: error.isUnsupported } }
  }
})

async function readLines(task: SheetTask): Promise<readonly SentLine[] | 'too-many'> {
  const sheet = await openSheet({ ...task, bytes: Buffer.from(task.bytes) }, decisionColumns)
  try {
    let characters = 0
    const counted = {
      next() {
        const row = sheet.rows.next()
        characters += row?.content?.length ?? 0
        return row
      },
    }
    const lines: SentLine[] = []
    for (const one of sheetLines(sheet.header, counted)) {
      if (one === null) continue
      if (lines.length === maxDecisionLines || characters > maxDecisionBytes) return 'too-many'
      lines.push(one)
    }
    return lines
  } finally {
    sheet.close()
  }
}
