/*
 * The fenced blocks of the pages in Portuguese. They are those of the English page, so a page of docs/pt-BR has only their places: a link to the
 * English page, one for each group of blocks that follow each other.
 */

const place = /^\[Exemplo\]\([^)]+\)\n/gm
const blocks = /(?:^(?: *<!-- .*-->\n+)? *```[^]*?^ *```\n+)+/gm

/** The Portuguese page with the blocks of the English one. @throws when it has fewer places than the English page has groups, or more. */
export function withSamplesOf(english: string, portuguese: string): string {
  const groups = `${english}\n`.match(blocks) ?? []
  const places = portuguese.match(place) ?? []
  if (places.length !== groups.length) throw new Error(`${places.length} places for ${groups.length} groups of blocks`)
  let next = 0
  return portuguese.replaceAll(place, () => `${groups[next++]?.trimEnd()}\n`)
}
