import { idsInOrder } from '#platform/core/uuid.ts'
import { type AcceptedExclusion, type ExclusionBatchFacts, judgeExclusionBatch } from '../rules/exclusion-batch.ts'
import { type ExclusionEntry, parseExclusionEntry } from '../rules/exclusion-entries.ts'
import type { BenefitFacts } from '../rules/exclusion.ts'
import { type ReadEntryBody, readEntryBody, summarizeEntries } from './entry-body.ts'
import type { MovementItem } from './items.ts'
import type { ReadOptions } from './read-options.ts'
import { type BatchSummary, finishBatch, type FinishedBatch, type FinishOptions } from './parse-and-judge.ts'

type ReadExclusionBody = ReadEntryBody<ExclusionEntry>

/** @throws BatchShapeError, and TooManyValuesError above limits other than `batchLimits`. */
export const readExclusionBody = (body: Buffer, options: ReadOptions = {}): ReadExclusionBody =>
  readEntryBody(body, options, parseExclusionEntry)

export const summarizeExclusions = (body: ReadExclusionBody): BatchSummary =>
  summarizeEntries(body, ({ details, sandbox }) => ({
    documents: details?.documents ?? [],
    hasSandbox: sandbox !== null,
  }))

/** Judges a body by the facts of its company. */
export function finishExclusionBody(
  { entries, reference }: ReadExclusionBody,
  facts: ExclusionBatchFacts,
  options: FinishOptions,
): FinishedBatch {
  return finishBatch(judgeExclusionBatch(entries, facts), options, {
    kind: 'exclusion',
    documentsOf: ({ details }) => details.documents,
    familiesOf: (accepted) => exclusionFamilies(accepted, facts.today, reference),
  })
}

/** An item for each benefit of the entries, and for each dependent's that ends with it. */
function exclusionFamilies(
  accepted: readonly AcceptedExclusion[],
  today: string,
  ofRequest: string | null,
): MovementItem[][] {
  const size = accepted.reduce(
    (sum, { parts }) => parts.reduce((all, { cascaded }) => all + 1 + cascaded.length, sum),
    0,
  )
  const ids = idsInOrder(size).values()
  const families = Map.groupBy(accepted, ({ family }) => family).values()
  return [...families].map((family) =>
    family.flatMap((entry) => {
      const itemOf = itemsOfEntry(entry, today, ofRequest)
      return entry.parts.flatMap(({ benefit, cascaded }) => {
        const id = ids.next().value
        return [itemOf(id, null, benefit), ...cascaded.map((dependent) => itemOf(ids.next().value, id, dependent))]
      })
    }),
  )
}

function itemsOfEntry(
  { index, details, reference, sandbox, pendingItems }: AcceptedExclusion,
  today: string,
  ofRequest: string | null,
) {
  const { documents, ...otherDetails } = details
  const endDate = details['end-date']
  const ofEntry = {
    entry: index,
    end_date: endDate,
    scheduled_action_date: endDate > today ? endDate : null,
    sandbox: sandbox ?? undefined,
    data: { 'exclusion-details': otherDetails, documents },
  }
  return (
    id: string | undefined,
    primaryId: string | null | undefined,
    { id: benefitId, taxId, type, productId, productName }: BenefitFacts,
  ): MovementItem => ({
    subject: benefitId,
    requires: null,
    taxId,
    type,
    reference: reference ?? ofRequest,
    payload: {
      ...ofEntry,
      enrollment_id: id,
      primary_enrollment_id: primaryId,
      benefit_id: benefitId,
      product_id: productId,
      product_name: productName,
      pending_items: pendingItems.get(benefitId),
    },
  })
}
