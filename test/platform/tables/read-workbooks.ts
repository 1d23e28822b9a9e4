/* Reads the workbooks of its arguments as an import does; prints how many, and the memory of the process in KiB, before and at most. */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { importColumns } from '#movements/imports/import-header.ts'
import { TableError } from '#platform/tables/table-error.ts'
import { openSheet } from '#platform/tables/xlsx/sheet.ts'

/** The peak of this process alone: `maxRSS` begins with that of the process that started it. */
const peakMemory = () => Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])

const before = peakMemory()
let read = 0
for (const file of process.argv.slice(2)) {
  try {
    const sheet = await openSheet({ bytes: readFileSync(file), sheet: undefined, folder: tmpdir() }, importColumns)
    for (let row = sheet.rows.next(); row !== null; row = sheet.rows.next());
    sheet.close()
  } catch (error) {
    if (!(error instanceof TableError)) throw error
  }
  read += 1
}
console.log(JSON.stringify({ read, before, peak: peakMemory() }))
