import type { AcceptedExclusion } from '../../domain/exclusion-batch.ts'
import type { BenefitFacts } from '../../domain/exclusion.ts'
import { idsInOrder } from '../../core/uuid.ts'
import { copyLine, escaped } from './stage.ts'

/** The COPY statement of `stagedExclusionRows`. */
export const copyStagedExclusions = `copy staged_exclusion (company_id, request_id, chunk, enrollment_id, primary_enrollment_id, member_index,
  tax_id, type, product_name, benefit_id, end_date, scheduled_action_date, reference, data) from stdin`

/** Bound of a chunk, one step of the worker. The entries of one family are never divided. */
const maxEnrollments = 500

export interface StagedRequest {
  readonly companyId: string
  readonly requestId: string
  readonly today: string
  /** Of the entries that have none of their own. */
  readonly reference: string | null
}

/** A row of `staged_exclusion` for each part of the accepted entries and each dependent's that goes along, in COPY's text format. */
export function stagedExclusionRows(accepted: readonly AcceptedExclusion[], request: StagedRequest): Uint8Array {
  const ids = idsInOrder(sizeOf(accepted)).values()
  const nextId = () => ids.next().value ?? ''
  const rows: string[] = []
  let [chunk, enrollments] = [0, 0]
  for (const family of Map.groupBy(accepted, (one) => one.family).values()) {
    const size = sizeOf(family)
    if (enrollments > 0 && enrollments + size > maxEnrollments) {
      chunk += 1
      enrollments = 0
    }
    enrollments += size
    for (const entry of family) {
      const rowOf = rowsOf(entry, chunk, request)
      for (const { benefit, cascaded } of entry.parts) {
        const id = nextId()
        rows.push(rowOf(id, null, benefit))
        for (const dependent of cascaded) rows.push(rowOf(nextId(), id, dependent))
      }
    }
  }
  return new TextEncoder().encode(rows.join(''))
}

function sizeOf(accepted: readonly AcceptedExclusion[]): number {
  return accepted.reduce((sum, { parts }) => parts.reduce((all, { cascaded }) => all + 1 + cascaded.length, sum), 0)
}

function rowsOf({ index, details, reference }: AcceptedExclusion, chunk: number, request: StagedRequest) {
  const { companyId, requestId, today } = request
  const { documents, ...otherDetails } = details
  const endDate = details['end-date']
  const ownReference = reference ?? request.reference
  const ofEntry = [
    endDate,
    endDate > today ? endDate : null,
    ownReference === null ? null : escaped(ownReference),
    escaped(JSON.stringify({ 'exclusion-details': otherDetails, documents })),
  ]
  return (id: string, primaryId: string | null, { id: benefitId, taxId, type, productName }: BenefitFacts): string => {
    const ofBenefit = [taxId, type, escaped(productName), benefitId]
    return copyLine([companyId, requestId, chunk, id, primaryId, index, ...ofBenefit, ...ofEntry])
  }
}
