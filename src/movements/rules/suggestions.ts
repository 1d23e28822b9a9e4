import { invalidValue } from '#kernel/fields.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { INCLUSION_FIELDS, type InclusionField, VALUES_OF_OFFENSES } from '#kernel/inclusion-fields.ts'
import type { Message } from '#kernel/messages.ts'
import { nearest } from '#kernel/nearest.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { IMPORT_WORDS, type Words } from './import-words.ts'

/** Words of a batch that are looked up: each is compared with every candidate. */
const MAX_LOOKED_UP = 200

/** What words that were sent most likely stand for; each word is looked up once. */
export class Suggestions {
  readonly #find: (word: string, field: string) => string | null
  readonly #found = new Map<string, string | null>()

  constructor(find: (word: string, field: string) => string | null) {
    this.#find = find
  }

  /** undefined: nothing is near, the value is no text of the length of a field, or the batch has too many such words. */
  of(word: unknown, field = ''): string | undefined {
    if (typeof word !== 'string' || word.length > MAX_TEXT_CHARACTERS) return undefined
    const key = `${field}=${word}`
    const known = this.#found.get(key)
    if (known !== undefined) return known ?? undefined
    if (this.#found.size === MAX_LOOKED_UP) return undefined
    const found = this.#find(word, field)
    this.#found.set(key, found)
    return found ?? undefined
  }
}

const wordsOfFields: Readonly<Record<string, Words<string>>> = {
  'beneficiary-type': IMPORT_WORDS.beneficiaryType,
  'dependent-type': IMPORT_WORDS.dependentType,
  gender: IMPORT_WORDS.gender,
  'marital-status': IMPORT_WORDS.maritalStatus,
  'work-contract-type': IMPORT_WORDS.workContractType,
}

/** The values by their Portuguese words, folded. */
const valuesOfFields = new Map(
  Object.entries(wordsOfFields).map(([field, words]) => [
    field,
    new Map(
      Object.entries(words).flatMap(([value, list]) => list.map((word) => [productNameKey(word), value] as const)),
    ),
  ]),
)

/** What may mend a value that is not of its field. */
export interface Hint {
  readonly suggestion?: string
  /** What is wrong with one of a list of documents. */
  readonly reason?: 'invalid'
  readonly 'document-index'?: number
  readonly allowed?: readonly string[]
  readonly message?: Message
}

/** @param values looks up `suggestedValue`. */
export function hintOf(field: InclusionField, value: unknown, values: Suggestions): Hint | null {
  const { schema } = INCLUSION_FIELDS[field]
  if (typeof value === 'number' && schema['type'] === 'string') return { message: { key: 'send-as-text' } }
  const place = INCLUSION_FIELDS[field].locate?.(value)?.path
  if (place !== undefined) {
    const { code: reason, message, allowed } = invalidValue(field, INCLUSION_FIELDS[field], value)
    const index = Number(/^\[(\d+)\]/.exec(place)?.[1] ?? 0)
    return { reason, 'document-index': index, ...(message && { message }), ...(allowed && { allowed }) } as Hint
  }
  if (schema['format'] === 'cpf') return lacksZeros(value) ? { message: { key: 'leading-zeros' } } : null
  const suggestion = schema['enum'] === undefined ? undefined : values.of(value, field)
  return suggestion === undefined ? null : { suggestion }
}

/** Whether a text is a CPF without its leading zeros, as spreadsheets and numbers write it. */
const lacksZeros = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{6,10}$/.test(value) && parseCpf(value.padStart(11, '0')) !== null

/** The value of a closed set of an inclusion that a word stands for: a Portuguese word of the spreadsheets, or a misspelt value. */
export function suggestedValue(word: string, field: string): string | null {
  const key = productNameKey(word)
  return valuesOfFields.get(field)?.get(key) ?? nearest(key, VALUES_OF_OFFENSES[`invalid-${field}`] ?? [])
}
