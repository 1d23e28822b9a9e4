import { judgeExclusionBatch, type ExclusionBatchFacts } from '../../domain/exclusion-batch.ts'
import { type ExclusionEntry, parseExclusionEntry } from '../../domain/exclusion-entries.ts'
import { type FieldError, MAX_KEY_LENGTH } from '../../domain/field-types.ts'
import { reference } from '../../domain/reference.ts'
import { batchLimits, type JsonLimits } from '../../http/strict-json.ts'
import { maxDetails } from '../../platform/errors.ts'
import { type BatchSummary, checkShape, type FinishedBatch, type FinishOptions, parseBody } from './parse-and-judge.ts'
import { stagedExclusionRows } from './stage-exclusions.ts'

/** A parsed body of a batch of exclusions, before the facts of its company are known. */
export interface ReadExclusionBody {
  readonly companyTaxId: string
  readonly reference: string | null
  readonly entries: readonly ExclusionEntry[]
}

/**
 * Parses a body and reads its entries one by one.
 * @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`.
 */
export function readExclusionBody(body: Buffer, limits: JsonLimits = batchLimits): ReadExclusionBody {
  const sent = parseBody(body, limits)
  const { 'company-tax-id': _, members: __, reference: sentReference, ...others } = sent
  const ownReference = reference.parse(sentReference)
  const details = Object.keys(others)
    .slice(0, maxDetails)
    .map((key): FieldError => ({ field: key.slice(0, MAX_KEY_LENGTH), code: 'unknown' }))
  if (ownReference === null) details.push({ field: 'reference', code: 'invalid' })
  const { companyTaxId, members } = checkShape(sent, details)
  return { companyTaxId, reference: ownReference ?? null, entries: members.map(parseExclusionEntry) }
}

export function summarizeExclusions({ companyTaxId, reference, entries }: ReadExclusionBody): BatchSummary {
  const documents = entries.flatMap(({ details }) => details?.documents ?? [])
  return {
    companyTaxId,
    reference,
    taxIds: [...new Set(entries.flatMap(({ taxId }) => taxId ?? []))],
    primaryTaxIds: [],
    documentIds: [...new Set(documents.map((document) => document['document-id']))],
    size: entries.length,
  }
}

/** Judges a body by the facts of its company. */
export function finishExclusionBody(
  { entries, reference }: ReadExclusionBody,
  facts: ExclusionBatchFacts,
  { lenient, request }: FinishOptions,
): FinishedBatch {
  const judgement = judgeExclusionBatch(entries, facts)
  const { rejected } = judgement
  const accepted = rejected.length > 0 && !lenient ? [] : judgement.accepted
  const isStaged = request !== null && accepted.length > 0
  return {
    rejected: rejected.length > 0 ? JSON.stringify(rejected) : null,
    warnings: null,
    acceptedCount: accepted.length,
    staged: isStaged ? stagedExclusionRows(accepted, { ...request, today: facts.today, reference }) : null,
    documents: [
      ...new Set(accepted.flatMap(({ details }) => details.documents.map((document) => document['document-id']))),
    ],
  }
}
