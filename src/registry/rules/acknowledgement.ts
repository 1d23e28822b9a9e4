/* What a carrier says of a movement that was sent to it. */
import type { ErrorCode } from '#kernel/error-codes.ts'
import type { FieldError } from '#kernel/fields.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { fitsNames } from '#kernel/name.ts'
import { headingKey } from '#kernel/heading.ts'

/** `in-analysis` decides nothing: the carrier has not said it yet. */
export const ACKNOWLEDGEMENT_OUTCOMES = ['accepted', 'refused', 'in-analysis'] as const
export type AcknowledgementOutcome = (typeof ACKNOWLEDGEMENT_OUTCOMES)[number]

/** What a column of an acknowledgement may be: the first five say of which item it is. */
export const ACKNOWLEDGEMENT_COLUMNS = [
  'enrollment-id',
  'position',
  'tax-id',
  'product-name',
  'carrier-plan-code',
  'outcome',
  'card-number',
  'start-date',
  'end-date',
  'code',
  'message',
  'protocol',
] as const
export type AcknowledgementColumn = (typeof ACKNOWLEDGEMENT_COLUMNS)[number]

/** How the spreadsheets of a carrier are read: the column of each heading, and what its words for the outcome mean. */
export interface AcknowledgementMapping {
  readonly columns: Readonly<Record<string, AcknowledgementColumn>>
  readonly outcomes: Readonly<Record<string, AcknowledgementOutcome>>
}

/** One line of an acknowledgement, also as it is stored. */
export interface Acknowledgement {
  readonly outcome: AcknowledgementOutcome
  readonly cardNumber: string | null
  readonly startDate: string | null
  readonly endDate: string | null
  readonly code: string | null
  readonly message: string | null
  readonly protocol: string | null
  /** The cards of dependents who move along with a primary, by their former benefit. Not stored in the item. */
  readonly dependentCards?: Readonly<Record<string, string>>
}

/** The columns that say of which item a line is; a product goes with the CPF. */
export const KEY_COLUMNS = ['enrollment-id', 'position', 'tax-id'] as const satisfies readonly AcknowledgementColumn[]

/** What is wrong with a mapping whose parts are valid each. */
export function mappingErrors(mapping: AcknowledgementMapping | null): FieldError[] {
  if (mapping === null) return []
  const field = 'acknowledgement-mapping.columns'
  const headings = Object.keys(mapping.columns).map(headingKey)
  const columns: readonly string[] = Object.values(mapping.columns)
  const isUnfit = [...Object.keys(mapping.columns), ...Object.keys(mapping.outcomes)].some(
    (word) => word.trim() === '' || word.length > MAX_TEXT_CHARACTERS,
  )
  const isRepeated = [headings, columns].some((names) => new Set(names).size < names.length)
  const isMissing = !columns.includes('outcome') || !KEY_COLUMNS.some((name) => columns.includes(name))
  return [
    ...(isUnfit ? [{ field, code: 'invalid' as const }] : []),
    ...(isRepeated ? [{ field, code: 'repeated' as const }] : []),
    ...(isMissing ? [{ field, code: 'missing' as const, message: { key: 'mapping-columns' } as const }] : []),
  ]
}

/** What a refusal with a code asks for. */
export const REFUSAL_STATUSES = ['pending-documents', 'pending-correction', 'rejected'] as const
export type RefusalStatus = (typeof REFUSAL_STATUSES)[number]

interface MeaningOfCode {
  readonly code: string
  readonly status: RefusalStatus
  readonly 'pending-items'?: readonly {
    readonly kind: 'document' | 'field'
    readonly 'document-type'?: string
    readonly field?: string
  }[]
}

/** What is wrong with the meanings of codes whose fields are valid each. */
export function codeMapErrors(meanings: readonly MeaningOfCode[]): FieldError[] {
  const seen = new Set<string>()
  return meanings.flatMap(({ code, status, 'pending-items': items = [] }, index): FieldError[] => {
    const field = `code-map[${index}]`
    const isRepeated = seen.size === seen.add(code).size
    const isFinal = status === 'rejected' && items.length > 0
    const mixed = items.flatMap((item, at): FieldError[] => {
      const other = item.kind === 'document' ? 'field' : 'document-type'
      return item[other] === undefined
        ? []
        : [{ field: `${field}.pending-items[${at}].${other}`, code: 'not-applicable' }]
    })
    return [
      ...(isRepeated ? [{ field: `${field}.code`, code: 'repeated' as const }] : []),
      ...(isFinal ? [{ field: `${field}.pending-items`, code: 'not-applicable' as const }] : mixed),
    ]
  })
}

/**
 * What the result of a line points out. `unmapped-code`: the contract does not say what the code of the refusal means; `unchanged`: the line says
 * what another one said before; `card-corrected`: it gives the card number that the acceptance lacked; `in-later-shipment`: the movement was sent
 * again, and the line has no effect.
 */
export const ACKNOWLEDGEMENT_FLAGS = ['unmapped-code', 'unchanged', 'card-corrected', 'in-later-shipment'] as const
export type AcknowledgementFlag = (typeof ACKNOWLEDGEMENT_FLAGS)[number]

/** Why a line of an acknowledgement is not used, beside the codes of decisions. */
export type AcknowledgementCode = Extract<
  ErrorCode,
  'unknown-line' | 'ambiguous-line' | 'conflicting-lines' | 'duplicate-card'
>

const decisive = ['outcome', 'cardNumber', 'startDate', 'endDate', 'code'] as const

/** Whether all that a line says was said before. */
export function saysTheSame(line: Acknowledgement, before: Acknowledgement): boolean {
  return decisive.every((key) => line[key] === null || line[key] === before[key])
}

const maxMessageCharacters = 500

/** A carrier's message as one line without control characters, cut to 500 characters; null: it is blank. */
export function carrierMessage(text: string): string | null {
  const fit = Array.from(text, (character) => (fitsNames(character) ? character : ' ')).join('')
  const line = fit.replaceAll(/\s+/g, ' ').trim().slice(0, maxMessageCharacters).toWellFormed().trim()
  return line === '' ? null : line
}
