import type { FieldError } from '../../domain/fields.ts'
import { MAX_KEY_LENGTH } from '../../domain/field-types.ts'
import { reference } from '../../domain/reference.ts'
import type { JsonLimits } from '../../http/strict-json.ts'
import { maxDetails } from '../../core/errors.ts'
import { checkShape, parseBody } from './parse-and-judge.ts'

/** A parsed body of a batch of exclusions or alterations, before the facts of its company are known. */
export interface ReadEntryBody<Entry> {
  readonly companyTaxId: string
  readonly reference: string | null
  readonly entries: readonly Entry[]
}

/** Whether the offense is one of `sandbox`. */
export const isOfSandbox = ({ code }: { readonly code: string }): boolean => code === 'invalid-sandbox'

/**
 * Parses a body and reads its entries one by one.
 * @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`.
 */
export function readEntryBody<Entry>(
  body: Buffer,
  limits: JsonLimits,
  parseEntry: (sent: Readonly<Record<string, unknown>>, index: number) => Entry,
): ReadEntryBody<Entry> {
  const sent = parseBody(body, limits)
  const { 'company-tax-id': _, members: __, reference: sentReference, ...others } = sent
  const ownReference = reference.parse(sentReference)
  const details = Object.keys(others)
    .slice(0, maxDetails)
    .map((key): FieldError => ({ field: key.slice(0, MAX_KEY_LENGTH), code: 'unknown' }))
  if (ownReference === null) details.push({ field: 'reference', code: 'invalid' })
  const { companyTaxId, members } = checkShape(sent, details)
  return { companyTaxId, reference: ownReference ?? null, entries: members.map(parseEntry) }
}
