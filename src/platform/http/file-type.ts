/** The types of documents that are accepted, detected by their first bytes, not by name or declared type. */
export const FILE_TYPES = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/heic',
  'image/webp',
] as const

export type FileType = (typeof FILE_TYPES)[number]

/** A PDF begins within so many bytes: viewers skip what mail programs and scanners put before it. */
const maxBeforePdf = 1024
const pdfStart = '%PDF-'

/** Enough to detect each of the types. */
export const SIGNATURE_BYTES = maxBeforePdf + pdfStart.length

const starts: readonly (readonly [FileType, readonly number[]])[] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
]

const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** The type of a file that starts with these bytes; null when it is not accepted. */
export function fileTypeOf(head: Uint8Array): FileType | null {
  const found = starts.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))
  if (found !== undefined) return found[0]
  if (asText(head, 4) === 'ftyp' && heicBrands.has(asText(head, 8))) return 'image/heic'
  if (asText(head, 0) === 'RIFF' && asText(head, 8) === 'WEBP') return 'image/webp'
  const beginning = Buffer.from(head.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  return beginning.includes(pdfStart) && !isProgram('', head) ? 'application/pdf' : null
}

function asText(head: Uint8Array, from: number): string {
  return String.fromCharCode(...head.subarray(from, from + 4))
}

/** Enough to detect a program. */
export const PROGRAM_BYTES = 64

/** ELF, Mach-O (four forms), Java class or universal Mach-O, script with an interpreter. */
const programStarts = ['7f454c46', 'cffaedfe', 'cefaedfe', 'feedface', 'feedfacf', 'cafebabe', '2321']
/** Names that systems run at a double click. */
const programName =
  /\.(exe|dll|com|scr|pif|bat|cmd|msi|msp|cpl|psm1|ps1|vbs|vbe|js|jse|wsf|hta|lnk|jar|sh|apk|app|dmg)\.*$/i

/** Whether a file is a program, by its name or its first bytes (`PROGRAM_BYTES`, fewer if it is shorter). */
export function isProgram(name: string, head: Uint8Array): boolean {
  const hex = Buffer.from(head.subarray(0, 4)).toString('hex')
  // The header of Windows has NUL bytes: a text may begin with these letters.
  const isWindows = hex.startsWith('4d5a') && head.includes(0)
  return isWindows || programStarts.some((start) => hex.startsWith(start)) || programName.test(name.trim())
}
