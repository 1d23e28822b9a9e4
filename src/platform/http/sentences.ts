import { type FieldError, isObject } from '#kernel/fields.ts'
import { isOffense } from '#kernel/offenses.ts'
import { detailOfCode, englishDetail, explainOffenseDetail, type OffenseDetail } from '#kernel/texts/explain.ts'
import { detailMessage, sentenceOf, warningMessage } from '#kernel/texts/messages.ts'
import { type Language, PORTUGUESE } from '#kernel/texts/texts.ts'

type Element = Readonly<Record<string, unknown>>

/** The lists of `SentenceWriter`: the text of a response without them is not parsed, which for thousands of parts would keep the event loop. */
export const sentenceLists = /"(?:details|offense-details|offenses|warnings)" ?: ?\[[^\]]/

/**
 * Writes the JSON of a response whose lists have codes and parameters: each element of `details`, `offense-details` and `warnings` gets a sentence,
 * that of an offense also what its field may be, and `offenses` get `offense-details`.
 */
export class SentenceWriter {
  readonly #language: Language
  #hasSentences = false

  constructor(language: Language) {
    this.#language = language
  }

  /** Whether what was written has sentences in the language. */
  get hasSentences(): boolean {
    return this.#hasSentences
  }

  /** The text in parts: each element of a list by itself. Changes the value. @param depth how many levels of objects are divided. */
  *write(value: unknown, depth = 3): Generator<string> {
    if (Array.isArray(value)) {
      let separator = '['
      for (const one of value as readonly unknown[]) {
        yield separator + this.textOf(one)
        separator = ','
      }
      yield separator === '[' ? '[]' : ']'
    } else if (isObject(value) && depth > 0) {
      let separator = '{'
      this.#addOffenseDetails(value)
      for (const [key, one] of Object.entries(value)) {
        yield `${separator}${JSON.stringify(key)}:`
        const list = this.#list(key, one)
        if (list === null) yield* this.write(one, depth - 1)
        else yield JSON.stringify(list)
        separator = ','
      }
      yield separator === '{' ? '{}' : '}'
    } else yield this.textOf(value)
  }

  /** The text as a whole. Changes the value. */
  textOf(value: unknown): string {
    this.#complete(value)
    return JSON.stringify(value)
  }

  #complete(value: unknown): void {
    if (Array.isArray(value)) for (const one of value as readonly unknown[]) this.#complete(one)
    else if (isObject(value)) {
      this.#addOffenseDetails(value)
      for (const [key, one] of Object.entries(value)) {
        const list = this.#list(key, one)
        if (list === null) this.#complete(one)
        else value[key] = list
      }
    }
  }

  /** The list with sentences; null for another value. */
  #list(key: string, value: unknown): unknown[] | null {
    if (!Array.isArray(value)) return null
    const elements = value as readonly unknown[]
    switch (key) {
      case 'details':
        return elements.map((one) => (isDetail(one) ? this.#detail(one) : one))
      case 'offense-details':
        return elements.map((one) => (isOffenseDetail(one) ? this.#offense(one) : one))
      case 'warnings':
        return elements.map((one) => (isObject(one) ? this.#warning(one) : one))
      default:
        return null
    }
  }

  #detail({ field, code, message, ...others }: FieldError): Element {
    const added = detailMessage({ field, code, ...(message === undefined ? {} : { message }) }, this.#language)
    const sentence = added ?? englishDetail(code)
    this.#hasSentences = true
    return { field, code, message: sentence + this.#valuesOf(code, others.allowed, sentence), ...others }
  }

  /** In Portuguese the rule of a field has words in the place of its values. */
  #valuesOf(code: string, allowed: readonly string[] = [], sentence: string): string {
    if (this.#language === 'en' || code !== 'invalid' || allowed.some((value) => sentence.includes(value))) return ''
    return allowed.length === 0 ? '' : ` ${sentenceOf({ key: 'one-of', values: allowed }, 'pt-BR')}`
  }

  #offense(offense: OffenseDetail): Element {
    this.#hasSentences = true
    return { ...offense, ...explainOffenseDetail(offense, this.#language) }
  }

  #warning(one: Element): Element {
    const message = typeof one['warning'] === 'string' ? warningMessage(one['warning'], this.#language) : undefined
    if (message === undefined) return one
    this.#hasSentences = true
    return { ...one, message }
  }

  /** Parts of requests and lines of imports have codes alone. */
  #addOffenseDetails(value: Record<string, unknown>): void {
    const { offenses } = value
    if (!Array.isArray(offenses) || offenses.length === 0 || 'offense-details' in value) return
    this.#hasSentences = true
    const codes = (offenses as unknown[]).filter((code) => typeof code === 'string').filter(isOffense)
    value['offense-details'] = codes.map((code) => detailOfCode(code, this.#language))
  }
}

function isOffenseDetail(one: unknown): one is OffenseDetail {
  return isObject(one) && typeof one['code'] === 'string' && isOffense(one['code']) && typeof one['field'] === 'string'
}

function isDetail(one: unknown): one is FieldError {
  return (
    isObject(one) &&
    typeof one['field'] === 'string' &&
    typeof one['code'] === 'string' &&
    Object.hasOwn(PORTUGUESE.details, one['code'])
  )
}
