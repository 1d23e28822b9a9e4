/* The columns of carriers' files, by the words that carriers write above them. */
import { foldHeading } from '#kernel/heading.ts'
import { nearest } from '#kernel/nearest.ts'
import type { Words } from '#movements/rules/import-words.ts'

/** Words between those that name a column: `Nº da Carteirinha` is `Carteirinha`. */
const fillers = new Set(['a', 'da', 'das', 'de', 'do', 'dos', 'e', 'n', 'no', 'nr', 'nro', 'num', 'numero', 'o'])
const abbreviations: Readonly<Record<string, string>> = {
  benef: 'beneficiario',
  cod: 'codigo',
  comp: 'competencia',
  dep: 'dependente',
  dt: 'data',
  func: 'funcionario',
  ini: 'inicio',
  lanc: 'lancamento',
  mat: 'matricula',
  matr: 'matricula',
  msg: 'mensagem',
  nasc: 'nascimento',
  parent: 'parentesco',
  sit: 'situacao',
  tit: 'titular',
  vig: 'vigencia',
  vl: 'valor',
  vlr: 'valor',
}

/** A heading without case, accents, punctuation and fillers. */
function keyOf(heading: string): string {
  const words = foldHeading(heading).split(' ')
  const kept = words.filter((word) => !fillers.has(word)).map((word) => abbreviations[word] ?? word)
  return (kept.length > 0 ? kept : words).join(' ')
}

/** The values of a set by its words. */
export function byWord<Value extends string>(
  words: Partial<Words<Value>>,
  key: (word: string) => string = foldHeading,
): Map<string, Value> {
  const entries = Object.entries(words) as [Value, readonly string[]][]
  return new Map(entries.flatMap(([value, own]) => [value, ...own].map((word) => [key(word), value] as const)))
}

/** What headings stand for. */
export interface HeadingWords<Name extends string> {
  /** What a heading is known to name. */
  readonly known: (heading: string) => Name | undefined
  /** What the nearest known heading names; null when none is near. */
  readonly proposed: (heading: string) => Name | null
}

/** @param words the headings that carriers use for each name, beside the name itself. */
export function headingWords<Name extends string>(words: Partial<Words<Name>>): HeadingWords<Name> {
  const byHeading = byWord(words, keyOf)
  const headings = [...byHeading.keys()]
  return {
    known: (heading) => byHeading.get(keyOf(heading)),
    proposed: (heading) => byHeading.get(nearest(keyOf(heading), headings) ?? '') ?? null,
  }
}
