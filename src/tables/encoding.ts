export type Encoding = 'utf-8' | 'windows-1252'

/** What decodes parts of a text that is in this encoding as a whole. */
export function decoderOf(encoding: Encoding): (bytes: Buffer) => string {
  if (encoding === 'utf-8') return (bytes) => bytes.toString('utf8')
  const decoder = new TextDecoder('windows-1252')
  return (bytes) => decoder.decode(bytes)
}

/** A whole text: UTF-8, with a byte order mark or without, or else Windows-1252, as older spreadsheets save it. */
export function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
