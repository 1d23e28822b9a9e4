/*
 * The fenced blocks of the pages in Portuguese. They are those of the English page, so a page of docs/pt-BR has only their places: a link to the
 * English page, one for each group of blocks that follow each other.
 */

const isPlace = (line: string) => line.startsWith('[Exemplo](') && line.endsWith(')')
const isFence = (line = '') => line.trimStart().startsWith('```')
const isEnd = (line: string) => line.trim() === '```'
const isComment = (line = '') => line.trimStart().startsWith('<!-- ') && line.endsWith('-->')

/** The Portuguese page with the blocks of the English one. @throws when it has fewer places than the English page has groups, or more. */
export function withSamplesOf(english: string, portuguese: string): string {
  const groups = groupsOf(english.split('\n'))
  const lines = portuguese.split('\n')
  const places = lines.filter(isPlace).length
  if (places !== groups.length) throw new Error(`${places} places for ${groups.length} groups of blocks`)
  let next = 0
  return lines.map((line) => (isPlace(line) ? groups[next++] : line)).join('\n')
}

/** The groups of blocks, each block with the comment before it. */
function groupsOf(lines: readonly string[]): string[] {
  const skipBlank = (from: number) => {
    let index = from
    while (lines[index] === '') index += 1
    return index
  }
  const groups: string[] = []
  let index = 0
  while (index < lines.length) {
    const start = index
    let end = start
    for (;;) {
      const fence = isComment(lines[index]) ? skipBlank(index + 1) : index
      if (!isFence(lines[fence])) break
      end = fence + 1
      while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1
      index = skipBlank(end + 1)
    }
    if (end > start) groups.push(lines.slice(start, end + 1).join('\n'))
    else index += 1
  }
  return groups
}
