import { trimEnd } from './trim-end.ts'

/**
 * The names under which files stand in a ZIP, in their order: slashes, backslashes and what Windows takes for syntax become
 * `_`, and a name that was there before, in any case, gets a number before its ending.
 */
export function archiveNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((sent) => {
    const name = plainName(sent)
    const dot = name.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    let free = name
    for (let number = 1; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${ending}`
    taken.add(free.toLowerCase())
    return free
  })
}

/** A name without path parts, for whoever saves the file under it: what a file system reads as syntax becomes `_`. */
export function plainName(sent: string): string {
  const name = sent
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[/\\<>:"|?*]|\p{Cc}/gu, '_')
  // Windows drops these at the end of a name, and a name of dots alone is a folder.
  return trimEnd(name, '. ').padEnd(name.length, '_')
}
