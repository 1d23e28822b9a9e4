import type { FieldError } from '#kernel/fields.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import { unknownField } from '#kernel/nearest.ts'
import { reference } from '#kernel/reference.ts'
import type { JsonLimits } from '#platform/http/strict-json.ts'
import { maxDetails } from '#platform/core/errors.ts'
import { type BatchSummary, checkShape, parseBody } from './parse-and-judge.ts'

/** A parsed body of a batch of exclusions or alterations, before the facts of its company are known. */
export interface ReadEntryBody<Entry> {
  readonly companyTaxId: string
  readonly reference: string | null
  readonly entries: readonly Entry[]
}

/** Whether the offense is one of `sandbox`. */
const isOfSandbox = ({ code }: { readonly code: string }): boolean => code === 'invalid-sandbox'

/**
 * What is read for a body before its entries are judged.
 * @param sentOf what the entry sends: its documents, and whether it has a `sandbox`.
 */
export function summarizeEntries<
  Entry extends {
    readonly index: number
    readonly taxId: string | null
    readonly offenses: readonly { readonly code: string }[]
  },
>(
  { companyTaxId, reference: ofRequest, entries }: ReadEntryBody<Entry>,
  sentOf: (entry: Entry) => { readonly documents: readonly DocumentReference[]; readonly hasSandbox: boolean },
): BatchSummary {
  const documents = entries.flatMap((entry) => sentOf(entry).documents)
  return {
    companyTaxId,
    reference: ofRequest,
    taxIds: [...new Set(entries.flatMap(({ taxId }) => taxId ?? []))],
    primaryTaxIds: [],
    documentIds: [...new Set(documents.map((document) => document['document-id']))],
    sandboxAt: entries.find((entry) => sentOf(entry).hasSandbox || entry.offenses.some(isOfSandbox))?.index,
    size: entries.length,
  }
}

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
    .map((key): FieldError => unknownField(key, ['company-tax-id', 'members', 'reference']))
  if (ownReference === null) details.push({ field: 'reference', code: 'invalid' })
  const { companyTaxId, members } = checkShape(sent, details)
  return { companyTaxId, reference: ownReference ?? null, entries: members.map(parseEntry) }
}
