import { type Static, Type } from 'typebox'
import type { Detail } from '#platform/core/errors.ts'
import { ACKNOWLEDGEMENT_OUTCOMES, type Acknowledgement, carrierMessage } from '#registry/rules/acknowledgement.ts'
import { readCardNumber } from '#kernel/cell-values.ts'
import { MAX_TEXT_CHARACTERS, uuid } from '#kernel/field-types.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { isScientificNotation } from '#kernel/spreadsheet-cell.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { Closed, Code, DateOnly, noControls, Nullable, OneOf, Text, Uuid } from '#platform/http/schemas.ts'
import { validator } from '#platform/http/validation.ts'
import { detailOfLine, type SentLine } from '#movements/decide/sent-lines.ts'

const optional = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema) => Type.Optional(Nullable(schema))

/** A line of an acknowledgement, as NDJSON has it. */
const AcknowledgementLine = Closed({
  'enrollment-id': optional(Uuid),
  position: optional(Type.Integer({ minimum: 1, description: 'Of the item in the shipment.' })),
  'tax-id': optional(Type.String({ format: 'cpf' })),
  'product-name': optional(Text),
  'carrier-plan-code': optional(Type.String({ minLength: 1, maxLength: 30 })),
  outcome: OneOf(ACKNOWLEDGEMENT_OUTCOMES),
  'card-number': optional(Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, ...noControls })),
  'start-date': optional(DateOnly),
  'end-date': optional(DateOnly),
  code: optional(Code(30, 'Of the refusal, as the carrier has it.', ['17'])),
  message: optional(Type.String({ description: 'Control characters are removed; 500 characters are stored.' })),
  protocol: optional(Code(60, 'What the carrier calls the movement by.', ['2026-118840'])),
})

/** What a line says of which item it is. */
export interface LineKeys {
  readonly enrollmentId: string | null
  readonly position: number | null
  readonly taxId: string | null
  /** As product names are compared. */
  readonly product: string | null
  readonly planCode: string | null
}

export interface ReadLine {
  readonly line: number
  readonly keys: LineKeys
  /** What it says, or why it cannot be used. */
  readonly says: Acknowledgement | { readonly details: readonly Detail[] }
}

const validate = validator(AcknowledgementLine, 'body')

const unreadable: readonly Detail[] = [{ field: 'line', code: 'invalid' }]

/** Reads a line that was sent. */
export function readLine(sentLine: SentLine): ReadLine {
  const { line, sent, details: refused = unreadable } = sentLine
  if (sent === null) return { line, keys: keysOf({}), says: { details: refused } }
  const keys = keysOf(sent)
  const result = validate(sent)
  if ('value' in result)
    return { line, keys, says: acknowledgementOf(result.value as Static<typeof AcknowledgementLine>) }
  const details = ((result.error.extra['details'] ?? []) as Detail[]).map((detail) => detailOfLine(sentLine, detail))
  return { line, keys, says: { details } }
}

function acknowledgementOf(sent: Static<typeof AcknowledgementLine>): ReadLine['says'] {
  const cardNumber = readCardNumber(sent['card-number']?.trim() ?? '') || null
  if (cardNumber !== null && isScientificNotation(cardNumber)) {
    return { details: [{ field: 'card-number', code: 'invalid', message: { key: 'scientific-notation' } }] }
  }
  return {
    outcome: sent.outcome,
    cardNumber,
    startDate: sent['start-date'] ?? null,
    endDate: sent['end-date'] ?? null,
    code: sent.code ?? null,
    message: carrierMessage(sent.message ?? ''),
    protocol: sent.protocol ?? null,
  }
}

/** Also of a line that cannot be used: the others of its item are not used either. */
function keysOf(sent: Readonly<Record<string, unknown>>): LineKeys {
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
  const product = text(sent['product-name'])
  return {
    enrollmentId: uuid.parse(sent['enrollment-id']) ?? null,
    position: typeof sent['position'] === 'number' ? sent['position'] : null,
    taxId: parseCpf(sent['tax-id']),
    product: product === null ? null : productNameKey(product),
    planCode: text(sent['carrier-plan-code']),
  }
}
