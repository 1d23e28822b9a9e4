import { type AlterationBatchFacts, judgeAlterationBatch } from '../../domain/alteration-batch.ts'
import { type AlterationEntry, parseAlterationEntry } from '../../domain/alteration-entries.ts'
import { batchLimits, type JsonLimits } from '../../http/strict-json.ts'
import { type ReadEntryBody, readEntryBody } from './entry-body.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'
import { stagedAlterationRows } from './stage-alterations.ts'

export type ReadAlterationBody = ReadEntryBody<AlterationEntry>

/** @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`. */
export const readAlterationBody = (body: Buffer, limits: JsonLimits = batchLimits): ReadAlterationBody =>
  readEntryBody(body, limits, parseAlterationEntry)

const documentIdsOf = (entries: readonly Pick<AlterationEntry, 'request'>[]): string[] => [
  ...new Set(entries.flatMap(({ request }) => request?.documents.map((document) => document['document-id']) ?? [])),
]

export function summarizeAlterations({ companyTaxId, reference, entries }: ReadAlterationBody): BatchSummary {
  return {
    companyTaxId,
    reference,
    taxIds: [...new Set(entries.flatMap(({ taxId }) => taxId ?? []))],
    primaryTaxIds: [],
    documentIds: documentIdsOf(entries),
    size: entries.length,
    alterations: entries.flatMap(({ index, taxId, request }) => {
      if (taxId === null) return []
      const newTaxId = (request?.registration['tax-id'] as string | undefined) ?? null
      return [{ index, taxId, newTaxId, newCompanyTaxId: request?.newCompanyTaxId ?? null }]
    }),
  }
}

/** Judges a body by the facts of its company. */
export function finishAlterationBody(
  { entries, reference }: ReadAlterationBody,
  facts: AlterationBatchFacts,
  { lenient, request }: FinishOptions,
): FinishedBatch {
  const judgement = judgeAlterationBatch(entries, facts)
  const { rejected } = judgement
  const accepted = rejected.length > 0 && !lenient ? [] : judgement.accepted
  const isStaged = request !== null && accepted.length > 0
  return {
    rejected: rejected.length > 0 ? JSON.stringify(rejected) : null,
    warnings: null,
    acceptedCount: accepted.length,
    staged: isStaged ? stagedAlterationRows(accepted, { ...request, today: facts.today, reference }) : null,
    documents: documentIdsOf(accepted),
  }
}
