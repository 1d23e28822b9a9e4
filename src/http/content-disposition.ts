import type { FileType } from './file-type.ts'
import { trimEnd } from '../platform/trim-end.ts'

const maxCharacters = 200
const maxExtensionLength = 10

// The first of each is given to a file whose name has none of them.
const endings: Record<FileType, readonly string[]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/tiff': ['tif', 'tiff'],
  'image/heic': ['heic', 'heif', 'hif'],
}

/**
 * The name under which a file is shown and saved: without path parts, control characters, direction marks and what file
 * systems or headers read as syntax, at most 200 characters. It ends as its content does, so that a file saved from here opens
 * as what was checked, whatever it was called.
 * @param fallback for a name that is absent, or of which nothing is left.
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

/** The name as it came, but for what would make it a path or break a line: separators and control characters become `_`. */
export function withoutSeparators(name: string): string {
  return name.toWellFormed().replaceAll(/[/\\]|\p{Cc}/gu, '_')
}

/**
 * `Content-Disposition` of a download (RFC 6266): an ASCII name for old clients, and beside it (RFC 5987) the name as it came, without
 * path separators and control characters.
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
    // How browsers write a quote or a line break of a name into a form.
    .replaceAll(/%(?:22|0D|0A)/gi, '_')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[. ]+/, '')
  return trimEnd(name, '. ')
}

function cut(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : characters.slice(0, most).join('').trimEnd()
}
