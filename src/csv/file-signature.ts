/** How many bytes at the start of a file show its type. */
export const signatureBytes = 8

const signatures: readonly (readonly [bytes: readonly number[], type: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'an Excel workbook (.xlsx) or another ZIP file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an Excel workbook (.xls)'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0x1f, 0x8b], 'compressed with gzip'],
  [[0xff, 0xfe], 'UTF-16 text'],
  [[0xfe, 0xff], 'UTF-16 text'],
]

/** What the file is instead of CSV or NDJSON, by its first bytes; null when it may be one of them. */
export function fileTypeOf(head: Buffer): string | null {
  return signatures.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))?.[1] ?? null
}

/** What to do with such a file. */
export const saveAsCsv = 'Save it as CSV, such as "CSV UTF-8" in Excel, and send that.'
