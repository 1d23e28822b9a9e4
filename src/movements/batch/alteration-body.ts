import { type AcceptedAlteration, type AlterationBatchFacts, judgeAlterationBatch } from '../rules/alteration-batch.ts'
import type { AlterationRequest } from '../rules/alteration-data.ts'
import { type AlterationEntry, parseAlterationEntry } from '../rules/alteration-entries.ts'
import { type ReadEntryBody, readEntryBody, summarizeEntries } from './entry-body.ts'
import type { MovementItem } from './items.ts'
import type { ReadOptions } from './read-options.ts'
import { type BatchSummary, finishBatch, type FinishedBatch, type FinishOptions } from './parse-and-judge.ts'

type ReadAlterationBody = ReadEntryBody<AlterationEntry>

/** @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`. */
export const readAlterationBody = (body: Buffer, options: ReadOptions = {}): ReadAlterationBody =>
  readEntryBody(body, options, parseAlterationEntry)

export function summarizeAlterations(body: ReadAlterationBody): BatchSummary {
  const summary = summarizeEntries(body, ({ request }) => ({
    documents: request?.documents ?? [],
    hasSandbox: request?.sandbox != null,
  }))
  const alterations = body.entries.flatMap(({ index, taxId, request }) => {
    if (taxId === null) return []
    const newTaxId = (request?.registration['tax-id'] as string | undefined) ?? null
    return [{ index, taxId, newTaxId, newCompanyTaxId: request?.newCompanyTaxId ?? null }]
  })
  return { ...summary, alterations }
}

/** Judges a body by the facts of its company. */
export function finishAlterationBody(
  { entries, reference }: ReadAlterationBody,
  facts: AlterationBatchFacts,
  options: FinishOptions,
): FinishedBatch {
  return finishBatch(judgeAlterationBatch(entries, facts), options, {
    kind: 'alteration',
    documentsOf: ({ request }) => request.documents,
    familiesOf: (accepted) => accepted.map((entry) => entryItems(entry, facts.today, reference)),
  })
}

/** An item for each enrollment of an entry. */
function entryItems(entry: AcceptedAlteration, today: string, ofRequest: string | null): MovementItem[] {
  const { index, taxId, memberId, destinationCompanyId, request, parts } = entry
  const reference = request.reference ?? ofRequest
  // processed on another day, it takes effect as judged
  const requestedStartDate = request.requestedStartDate ?? today
  const alteration: AlterationRequest = { ...request, requestedStartDate, reference }
  const ofEntry = { entry: index, member_id: memberId, destination_company_id: destinationCompanyId, alteration }
  return parts.map(({ benefit, name, destinationProductId, pendingItems }) => ({
    subject: memberId,
    requires: null,
    taxId,
    type: benefit.type,
    reference,
    payload: {
      ...ofEntry,
      product_id: destinationProductId ?? benefit.productId,
      product_name: name,
      benefit_id: benefit.id,
      pending_items: pendingItems,
    },
  }))
}
