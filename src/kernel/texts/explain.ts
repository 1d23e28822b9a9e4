/* What errors and offenses say beside their code, in sentences: for responses of the API. */
import type { DetailCode } from '../enums.ts'
import type { ErrorCode } from '../error-codes.ts'
import type { JsonSchema } from '../fields.ts'
import { type FieldFormat, FIELD_FORMATS, type Message } from '../messages.ts'
import { columnOfOffense } from '../import-offenses.ts'
import { INCLUSION_FIELDS, type InclusionField, startOption, VALUES_OF_OFFENSES } from '../inclusion-fields.ts'
import type { AnyOffense, ImportOffense, Offense } from '../offenses.ts'
import { detailMessage, englishOf, offenseMessage, sentenceOf } from './messages.ts'
import { explainOffense } from './offenses.ts'
import { ENGLISH, type Explanation, type Language, ownValue, PORTUGUESE, TEXTS } from './texts.ts'
import texts from '../../../texts/errors.json' with { type: 'json' }

/** What leads to an error, and what mends it. */
export interface Cause {
  readonly cause: string
  readonly mend: string
}

export const CAUSES: Readonly<Record<ErrorCode, Cause>> = texts.errors
export const DETAILS: Readonly<Record<DetailCode, Explanation>> = texts.details

/** The `message` of an error body: what its code means and what to do. */
export function errorMessage(code: ErrorCode, language: Language): string {
  if (language === 'pt-BR') return PORTUGUESE.errors[code]
  const { cause, mend } = CAUSES[code]
  return `${cause} ${mend}`
}

/** The page of the guides that explains a code, with the anchor of the code. */
export function helpPath(code: ErrorCode, language: Language): string {
  return `/docs/guides/${language === 'en' ? '' : 'pt-BR/'}reference/errors#${code}`
}

/** An element of `offense-details` as the rules make it. */
export interface OffenseDetail {
  readonly code: AnyOffense
  /** A path within the member. */
  readonly field: string
  readonly reason?: DetailCode | undefined
  readonly message?: Message | undefined
  readonly suggestion?: string | undefined
  /** Where the closed set is a product's or a detail's own. */
  readonly allowed?: unknown
}

interface OffenseExplanation {
  readonly message: string
  readonly allowed?: unknown
  readonly expected?: string
}

/** What an element of `offense-details` says in a language: a sentence, the values of a closed set, or the form of a value. */
export function explainOffenseDetail(detail: OffenseDetail, language: Language): OffenseExplanation {
  const { code, suggestion } = detail
  const values = VALUES_OF_OFFENSES[code.replace('missing-', 'invalid-')]
  const allowed = detail.allowed ?? values
  // The English rule of a field names its values.
  const named = language === 'pt-BR' ? 'invalid' : undefined
  const listed = Array.isArray(detail.allowed) && [undefined, named].includes(detail.reason)
  const sentences = [
    language === 'en' ? englishOffense(detail) : portugueseOffense(detail, values),
    // That of a reason is in its sentence.
    detail.message === undefined || detail.reason !== undefined ? null : sentenceOf(detail.message, language),
    listed ? sentenceOf({ key: 'one-of', values: detail.allowed as string[] }, language) : null,
    suggestion === undefined ? null : sentenceOf({ key: 'did-you-mean', name: suggestion }, language),
  ]
  const expected = allowed === undefined && detail.reason === undefined ? expectedOf(code, language) : null
  return {
    message: sentences.filter((sentence) => sentence !== null).join(' '),
    ...(allowed !== undefined && { allowed }),
    ...(expected !== null && { expected }),
  }
}

function portugueseOffense(
  { code, field, reason, message }: OffenseDetail,
  values: readonly string[] | undefined,
): string {
  if (isAboutDocuments(message)) return sentenceOf(message, 'pt-BR') ?? ''
  if (reason === undefined) return offenseMessage(code, field, code.startsWith('missing-') ? undefined : values)
  return detailMessage({ field, code: reason, ...(message !== undefined && { message }) }, 'pt-BR') ?? ''
}

/** The sentence of such a message says all. */
const isAboutDocuments = (message: Message | undefined): message is Message => message?.key === 'unusable-document'

/** The offenses that several kinds of movements have, each with an explanation of its own. */
const shared: Readonly<Record<string, Explanation>> = texts.offenses
const others: Readonly<Record<string, Explanation>> = {
  ...ENGLISH['alteration-offenses'],
  ...ENGLISH['exclusion-offenses'],
}

function englishOffense({ code, field, reason, message }: OffenseDetail): string {
  if (isAboutDocuments(message)) return englishOf(message)
  if (reason !== undefined) return `\`${field}\`: ${englishReason(reason, message)}`
  const own = shared[code] ?? ownExplanation(ENGLISH.offenses, code)
  if (own !== undefined) return `${own.meaning} ${own.fix}`
  const ofInclusion = code === 'invalid-start-option' ? 'start-option' : inclusionField(code)
  if (ofInclusion !== null) {
    const { meaning, fix } = explainOffense(code as Offense)
    return code.startsWith('missing-')
      ? `\`${field}\` is missing. ${expectedRule(ofInclusion) ?? fix}`
      : `\`${field}\` is not valid: ${uncapitalized(meaning)} ${fix}`
  }
  const ofMovement = ownExplanation(others, code)
  if (ofMovement !== undefined) return `${ofMovement.meaning} ${ofMovement.fix}`
  return `\`${field}\`: ${ownValue(ENGLISH['import-offenses'], code) ?? ''}`
}

/** What the code of a detail means, and what to do where that does not refer to what a message adds. */
export function englishDetail(code: DetailCode): string {
  const { meaning, fix } = DETAILS[code]
  return code === 'invalid' || code === 'unknown' ? meaning : `${meaning} ${fix}`
}

function englishReason(reason: DetailCode, message: Message | undefined): string {
  return message === undefined ? englishDetail(reason) : `${DETAILS[reason].meaning} ${englishOf(message)}`
}

const uncapitalized = (sentence: string): string =>
  sentence.replace(/^(?:An?|One|Not|The)\b/, (word) => word.toLowerCase())

function ownExplanation(table: Readonly<Record<string, Explanation>>, code: string): Explanation | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

/** The field whose value an offense of an inclusion concerns. */
function inclusionField(code: string): InclusionField | null {
  const field = /^(?:missing|invalid)-(.+)$/.exec(code)?.[1] ?? ''
  return Object.hasOwn(INCLUSION_FIELDS, field) ? (field as InclusionField) : null
}

/** The form of a value of the field: null where it has a closed set, or the offense is none of a value. */
function expectedOf(code: string, language: Language): string | null {
  const field = inclusionField(code)
  if (field === null) return null
  const { schema } = INCLUSION_FIELDS[field]
  const format = formatOf(schema)
  if (format !== null) return TEXTS[language].formats[format]
  const rule = expectedRule(field)
  return language === 'en' || rule === null ? rule : PORTUGUESE.rules[field]
}

/** Texts that have no form. */
const formless: ReadonlySet<string> = new Set(['rule-text', 'rule-name', 'rule-reference'])

/** What a value of the field must be, in English; null: any text. */
function expectedRule(field: InclusionField | 'start-option'): string | null {
  const { rule } = field === 'start-option' ? startOption : INCLUSION_FIELDS[field]
  return formless.has(rule.key) ? null : englishOf(rule)
}

function formatOf({ format }: JsonSchema): FieldFormat | null {
  return FIELD_FORMATS.find((known) => known === format) ?? null
}

/** For `offenses` that have codes alone: the element of `offense-details` of a code. */
export function detailOfCode(code: AnyOffense, language: Language): OffenseExplanation & { readonly code: AnyOffense } {
  return { code, ...explainOffenseDetail({ code, field: columnOfOffense(code as ImportOffense) }, language) }
}
