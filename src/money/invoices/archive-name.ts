import { withoutSeparators } from '#platform/http/content-disposition.ts'

/**
 * Unique names of files in a ZIP, in their order: slashes, backslashes and control characters become `_`, and a repeated name
 * (ignoring case) gets a number before its extension.
 */
export function archiveNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((original) => {
    const name = entryName(original)
    const dot = name.lastIndexOf('.')
    const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    let unique = name
    for (let number = 1; used.has(keyOf(unique)); number += 1) unique = `${base} (${number})${extension}`
    used.add(keyOf(unique))
    return unique
  })
}

/** `.` and `..` would be folders. */
function entryName(original: string): string {
  const name = withoutSeparators(original)
  return name === '.' || name === '..' ? '_'.repeat(name.length) : name
}

/** Equal for names that a file system may treat as equal, ignoring case and Unicode normalization. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
