import { withoutSeparators } from '../http/content-disposition.ts'

/**
 * The names under which files stand in a ZIP, in their order: slashes, backslashes and control characters become `_`,
 * and a name that was there before, in any case, gets a number before its ending.
 */
export function archiveNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((sent) => {
    const name = entryName(sent)
    const dot = name.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    let free = name
    for (let number = 1; taken.has(keyOf(free)); number += 1) free = `${stem} (${number})${ending}`
    taken.add(keyOf(free))
    return free
  })
}

/** A name of dots alone is a folder. */
function entryName(sent: string): string {
  const name = withoutSeparators(sent)
  return name === '.' || name === '..' ? '_'.repeat(name.length) : name
}

/** By which file systems that do not tell case, or the way accents are written, compare names. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
