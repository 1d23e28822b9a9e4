import { termOf } from '../../../src/texts/texts.ts'
import { currentLanguage } from '../language/language.ts'

/** The name of a field of the API: its term in Portuguese, its own words in English. */
export function fieldName(name: string): string {
  const words = name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())
  return currentLanguage() === 'pt-BR' ? (termOf(name) ?? words) : words
}
