import portuguese from '../../../texts/cli-pt-BR.json' with { type: 'json' }
import type { Message } from '#kernel/messages.ts'
import { englishOf, sentenceOf } from '#kernel/texts/messages.ts'
import { type Language, LANGUAGES } from '#kernel/texts/texts.ts'

/* The language of sentences: questions, messages, errors and progress. Help, fields and values are those of the API. */

const inPortuguese: Readonly<Record<string, string>> = portuguese
let chosen: Language = 'en'

export const language = (): Language => chosen

/** Takes the language of `--language`, else of the locale: `LC_ALL`, `LC_MESSAGES`, `LANG`. English where they name another one. */
export function chooseLanguage(words: readonly string[], environment: NodeJS.ProcessEnv = process.env): void {
  const at = words.findIndex((word) => /^--language(=|$)/.test(word))
  const option = words[at]?.split('=')[1] ?? words[at + 1]
  const { LC_ALL, LC_MESSAGES, LANG } = environment
  const locale = (LC_ALL || LC_MESSAGES || LANG) ?? ''
  chosen = (at < 0 ? undefined : LANGUAGES.find((one) => one === option)) ?? (/^pt(_|$)/i.test(locale) ? 'pt-BR' : 'en')
}

/** The sentence in the language: texts/cli-pt-BR.json has the Portuguese ones by the English, with `{0}` for the first value. */
export function say(parts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const english = parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`)
  return translated(english).replaceAll(/\{(\d)\}/g, (_all, index: string) => String(values[Number(index)]))
}

/** A sentence of openapi.json, which has names in braces. */
export function translated(english: string): string {
  return chosen === 'en' ? english : (inPortuguese[english] ?? english)
}

/** What the rules of the service say, in the language. */
export function sentenceOfMessage(message: Message): string {
  return sentenceOf(message, chosen) ?? englishOf(message)
}
