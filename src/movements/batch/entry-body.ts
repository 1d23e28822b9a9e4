import type { FieldError } from '#kernel/fields.ts'
import type { DocumentReference } from '#kernel/field-types.ts'
import { unknownField } from '#kernel/nearest.ts'
import { reference } from '#kernel/reference.ts'
import type { Intake } from '../rules/intake.ts'
import type { ReadOptions } from './read-options.ts'
import { maxDetails } from '#platform/core/errors.ts'
import { type BatchSummary, checkShape, parseBody, readIntake } from './parse-and-judge.ts'

/** A parsed body of a batch of exclusions or alterations, before the facts of its company are known. */
export interface ReadEntryBody<Entry> {
  readonly companyTaxId: string
  readonly reference: string | null
  readonly intake: Intake | null
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
  { companyTaxId, reference: ofRequest, intake, entries }: ReadEntryBody<Entry>,
  sentOf: (entry: Entry) => { readonly documents: readonly DocumentReference[]; readonly hasSandbox: boolean },
): BatchSummary {
  const documents = entries.flatMap((entry) => sentOf(entry).documents)
  return {
    companyTaxId,
    reference: ofRequest,
    taxIds: [...new Set(entries.flatMap(({ taxId }) => taxId ?? []))],
    primaryTaxIds: [],
    documentIds: [...new Set([...documents.map((document) => document['document-id']), ...(intake?.documents ?? [])])],
    intake,
    sandboxAt: entries.find((entry) => sentOf(entry).hasSandbox || entry.offenses.some(isOfSandbox))?.index,
    size: entries.length,
  }
}

/**
 * Parses a body and reads its entries one by one.
 * @param parseEntry gets `intake` of the body.
 * @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`.
 */
export function readEntryBody<Entry>(
  body: Buffer,
  { limits, typedAt }: ReadOptions,
  parseEntry: (sent: Readonly<Record<string, unknown>>, index: number, intake: Intake | null) => Entry,
): ReadEntryBody<Entry> {
  const sent = parseBody(body, limits)
  const details: FieldError[] = []
  const { intake, rest } = readIntake(sent, typedAt, details)
  const { 'company-tax-id': _, members: __, reference: sentReference, ...others } = rest
  const ownReference = reference.parse(sentReference)
  const known = ['company-tax-id', 'members', 'reference', ...(typedAt === undefined ? [] : ['intake'])]
  for (const key of Object.keys(others).slice(0, maxDetails)) details.push(unknownField(key, known))
  if (ownReference === null) details.push({ field: 'reference', code: 'invalid' })
  const { companyTaxId, members } = checkShape(sent, details)
  const entries = members.map((member, index) => parseEntry(member, index, intake))
  return { companyTaxId, reference: ownReference ?? null, intake, entries }
}
