import type { WrongFileType } from '#kernel/messages.ts'

/** How many bytes at the start of a file show its type. */
export const signatureBytes = 8

const signatures: readonly (readonly [bytes: readonly number[], type: WrongFileType])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'xlsx'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'xls'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf'],
  [[0x1f, 0x8b], 'gzip'],
  [[0xff, 0xfe], 'utf-16'],
  [[0xfe, 0xff], 'utf-16'],
]

/** What the file is instead of CSV or NDJSON, by its first bytes; null when it may be one of them. */
export function fileTypeOf(head: Buffer): WrongFileType | null {
  return signatures.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))?.[1] ?? null
}
