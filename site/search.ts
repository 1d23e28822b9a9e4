/*
 * How the search of the guides compares words: alike for the index, which the build makes, and for what a reader types. The browser loads this file
 * too. The policy of the pages refuses functions that a text is compiled to, so that these cannot be options in VitePress's configuration.
 */

/** As data, in VitePress's configuration. */
export const indexOptions = { fields: ['title', 'titles', 'keywords', 'text'], storeFields: ['title', 'titles'] }

/** Words of questions, which say nothing of their subject. */
const ignored = new Set(
  (
    'a an and are as at be by can do does for from has have how i if in is it its long me must my need of on or our so someone somebody that the ' +
    'their there they this to we what when where which who why will with you your ' +
    'ao aos as até com como da das de devo do dos e é em eu faz faço fazer já la lo me meu meus minha na nas no nos não o os ou para pela pelo por ' +
    'porque posso precisa preciso qual quais quando quanto que quem se sem ser seu seus sua tem tenho um uma'
  )
    .split(' ')
    .map(folded),
)

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** A word without case, accents and its plural; null for one that is not searched. */
export function processTerm(word: string): string | null {
  const term = folded(word)
  if (ignored.has(term)) return null
  if (term.length < 4) return term
  return term
    .replace(/oes$/, 'ao')
    .replace(/(?<=[a-z])ais$/, 'al')
    .replace(/(?<!s)s$/, '')
}

/** A page is found before what the sources have of the same words. The first that matches. */
const weights: readonly (readonly [page: RegExp, weight: number])[] = [
  [/\/index(#|$)/, 0.3],
  [/\/reference\/(errors|offenses)#[a-z-]+$/, 0.7],
  [/\/how-to\/(run-|runbook|upgrade|back-up)/, 0.6],
  [/\/(tutorial|how-to)\//, 1.3],
  [/\/sdk\/README/, 1.2],
  [/\/(sdk\/examples|examples|security|decisions)(\/|$)/, 0.3],
  [/\/reference\/(glossary|records-of-processing|endpoints|import-columns)/, 0.35],
  [/\/reference\/api\//, 0.9],
  [/\/reference\/cli\//, 0.6],
  [/\/explanation\/(performance|architecture|testing|the-shapes|life-of)/, 0.4],
]

/** The weight of a section, by its address. */
export function weightOf(address: string): number {
  return weights.find(([page]) => page.test(address))?.[1] ?? 1
}

export const searchOptions = {
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  prefix: (term: string) => term.length > 2,
  boost: { title: 4, keywords: 6, text: 2, titles: 1 },
  boostDocument: weightOf,
}
