import type { FileType } from './file-type.ts'
import { trimEnd } from '../core/trim-end.ts'

const maxCharacters = 200
const maxExtensionLength = 10

// The first of each is appended to a name that ends in none of them.
const endings: Record<FileType, readonly string[]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/tiff': ['tif', 'tiff'],
  'image/heic': ['heic', 'heif', 'hif'],
  'image/webp': ['webp'],
}

/**
 * The name under which a file is shown and saved: without path segments, control characters, direction marks and syntax of file systems and
 * headers, at most 200 characters. Its extension is that of the content type that was verified.
 * @param fallback for a name that is absent or becomes empty.
 */
export function displayName(sent: string | null, type: FileType, fallback: string): string {
  const [usual = ''] = endings[type]
  const name = clean(sent ?? '') || fallback
  const dot = name.lastIndexOf('.')
  const isFitting = dot > 0 && endings[type].includes(name.slice(dot + 1).toLowerCase())
  const stem = isFitting ? name.slice(0, dot) : name
  const ending = isFitting ? name.slice(dot) : `.${usual}`
  return `${cut(stem, maxCharacters - ending.length)}${ending}`
}

/** The name as sent, with `_` for path separators and control characters. */
export function withoutSeparators(name: string): string {
  return name.toWellFormed().replaceAll(/[/\\]|\p{Cc}/gu, '_')
}

/**
 * `Content-Disposition` of a download (RFC 6266): an ASCII name for old clients, and the name as sent (RFC 5987) without path
 * separators and control characters.
 */
export function attachmentOf(sent: string): string {
  const name = withoutSeparators(sent)
  const ascii = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

function clean(sent: string): string {
  const name = (sent.split(/[/\\]/).at(-1) ?? '')
    .slice(0, 2 * maxCharacters + maxExtensionLength)
    .normalize('NFC')
    .replaceAll(/(?!\s)\p{C}|\uFEFF/gu, '')
    .replaceAll(/[\s\p{Z}]+/gu, ' ')
    // Browsers encode quotes and line breaks of a name in a form so.
    .replaceAll(/%(?:22|0D|0A)/gi, '_')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[. ]+/, '')
  return trimEnd(name, '. ')
}

function cut(text: string, max: number): string {
  const characters = Array.from(text)
  return characters.length <= max ? text : characters.slice(0, max).join('').trimEnd()
}
