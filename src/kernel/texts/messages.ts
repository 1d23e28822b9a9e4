/* The sentences of messages, details, offenses and warnings. */
import type { FieldError } from '../fields.ts'
import { type Message, MESSAGES, type ParameterTypes } from '../messages.ts'
import type { AnyOffense } from '../offenses.ts'
import { inSentence } from './in-sentence.ts'
import { type Language, ownValue, PORTUGUESE, termOf, TEXTS } from './texts.ts'

/** The sentence of a message; null where the language adds nothing to the sentence of the code. */
export function sentenceOf({ key, ...parameters }: Message, language: Language): string | null {
  const template = TEXTS[language].messages[key]
  if (template === null) return null
  const kinds: Readonly<Record<string, keyof ParameterTypes>> = MESSAGES[key]
  return template.replaceAll(/\{([a-z]+)\}/g, (_whole, name: string) =>
    wordsOf(kinds[name] ?? 'text', (parameters as Readonly<Record<string, unknown>>)[name], language),
  )
}

/** The sentence in English: every message has one. */
export function englishOf(message: Message): string {
  return sentenceOf(message, 'en') ?? ''
}

/** A parameter in words. */
function wordsOf<Kind extends keyof ParameterTypes>(kind: Kind, value: unknown, language: Language): string {
  const texts = TEXTS[language]
  const format: { readonly [Key in keyof ParameterTypes]: (value: ParameterTypes[Key]) => string } = {
    text: String,
    field: (path) => (language === 'en' ? path : fieldTerm(path)),
    number: String,
    count: (number) => number.toLocaleString(language),
    list: (items) => items.join(', '),
    codes: (items) => items.map((item) => (language === 'en' ? `\`${item}\`` : item)).join(', '),
    status: (status) => (language === 'en' ? status : inSentence(PORTUGUESE.terms.status[status])),
    statuses: (items) => items.map((status) => format.status(status)).join(', '),
    types: (items) => typesOf(items, language),
    format: (name) => texts.formats[name],
    file: (type) => texts.files[type],
    message: (message) => sentenceOf(message, language) ?? '',
  }
  return format[kind](value as ParameterTypes[Kind])
}

/** The term of a source of a layout; of the primary’s it says whose it is. */
function fieldTerm(path: string): string {
  const term = termOf(path.split('.').at(-1) ?? path)
  if (term === undefined) return path
  return path.startsWith('primary.') ? `${term} (${inSentence(PORTUGUESE.terms.beneficiaryType.primary)})` : term
}

function typesOf(types: ParameterTypes['types'], language: Language): string {
  const words = types.map((type) => TEXTS[language].types[type])
  if (language === 'pt-BR') return words.join(' ou ')
  return `${words.length > 1 ? 'either ' : ''}${words.join(' or ')}`
}

/**
 * The `message` of a detail: in English what the message adds to the code, if anything; in Portuguese the sentence of the code, followed by that
 * or else by the rule of the field.
 */
export function detailMessage(
  { code, field, message }: Pick<FieldError, 'code' | 'field' | 'message'>,
  language: Language,
): string | null {
  const added = message === undefined ? null : sentenceOf(message, language)
  if (language === 'en') return added
  const name = nameOf(field)
  // What does not exist may have the name of something else.
  const isOwnName = code === 'unknown' && ownValue(PORTUGUESE.places, name) === undefined
  const sentence = isOwnName
    ? PORTUGUESE.details.unknown.replace('{field}', () => name)
    : withTerm(PORTUGUESE.details[code], field)
  const addition = added ?? (code === 'invalid' ? ownValue(PORTUGUESE.rules, name) : undefined)
  return addition === undefined ? sentence : `${sentence} ${addition}`
}

/**
 * The Portuguese sentence of an offense. @param field a path within the member, such as `products.health-insurance[0].start-option`.
 * @param values of the field in JSON, where the sentence names them in words.
 */
export function offenseMessage(code: AnyOffense, field: string, values?: readonly string[]): string {
  const ofField = /^invalid-(.+)$/.exec(code)?.[1] ?? ''
  const rule = ownValue(PORTUGUESE.rules, ofField)
  const own = ownValue(PORTUGUESE.offenses, code)
  const sentence = withTerm(own ?? `${PORTUGUESE.details.invalid} ${rule}`, field)
  return values === undefined ? sentence : `${sentence} Em JSON: ${values.join(', ')}.`
}

/** The sentence of a warning; undefined for another code. */
export function warningMessage(code: string, language: Language): string | undefined {
  return ownValue(TEXTS[language].warnings, code)
}

function withTerm(sentence: string, field: string): string {
  const name = nameOf(field)
  // A function, because a name sent by the client may hold `$`.
  return sentence.replace('{field}', () => termOf(name) ?? ownValue(PORTUGUESE.places, name) ?? name)
}

/** The last name of a path, without an index. */
const nameOf = (field: string): string => (field.split('.').at(-1) ?? field).replace(/\[\d+\]$/, '')
