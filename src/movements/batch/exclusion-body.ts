import { judgeExclusionBatch, type ExclusionBatchFacts } from '../../domain/exclusion-batch.ts'
import { type ExclusionEntry, parseExclusionEntry } from '../../domain/exclusion-entries.ts'
import { batchLimits, type JsonLimits } from '../../http/strict-json.ts'
import { type ReadEntryBody, readEntryBody } from './entry-body.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'
import { stagedExclusionRows } from './stage-exclusions.ts'

export type ReadExclusionBody = ReadEntryBody<ExclusionEntry>

/** @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`. */
export const readExclusionBody = (body: Buffer, limits: JsonLimits = batchLimits): ReadExclusionBody =>
  readEntryBody(body, limits, parseExclusionEntry)

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
