import { readText } from '../../format/read-text.ts'
import { joinRecords } from './csv-record.ts'
import { type MendedLine, withMendedLines } from './mended-text.ts'
import type { RejectedLines } from './rejected-lines.ts'

/** Larger files are not read into memory: their mended lines are sent alone. */
const maxBytes = 64 * 1024 * 1024

/** The mended lines alone, under their header. */
export function mendedLines({ columns, separator }: RejectedLines, lines: readonly MendedLine[]): string {
  return joinRecords([columns, ...lines.map(({ cells }) => cells)], separator)
}

/** Whether the file can be sent again as a whole, with its mended lines: only CSV, of a size that fits into memory. */
export function isMendable(file: File | undefined): file is File {
  return file !== undefined && file.size <= maxBytes && /\.(csv|txt)$/i.test(file.name)
}

/** The file with the mended lines in the places of the rejected ones. */
export async function mendedFile(file: File, mended: readonly MendedLine[]): Promise<File> {
  const text = withMendedLines(await readText(file), mended)
  return new File([text], file.name, { type: 'text/csv' })
}
