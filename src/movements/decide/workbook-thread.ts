import { serveSession } from '#platform/core/threads.ts'
import type { SheetTask } from '#platform/tables/xlsx/sheet.ts'
import { decisionColumns } from './file.ts'
import { type LinesResponse, readSheetLines, refusalOf } from './sent-lines.ts'

/** Reads the lines of a workbook of decisions. */
export default serveSession<SheetTask, LinesResponse>(() => async (task) => {
  try {
    return { response: await readSheetLines(task, decisionColumns) }
  } catch (error) {
    return { response: refusalOf(error) }
  }
})
