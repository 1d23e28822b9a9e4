import type { AcceptedAlteration } from '../../domain/alteration-batch.ts'
import type { AlterationRequest } from '../../domain/alteration-data.ts'
import type { StagedRequest } from './stage-exclusions.ts'
import { copyLine, escaped } from './stage.ts'

/** The COPY statement of `stagedAlterationRows`. */
export const copyStagedAlterations = `copy staged_alteration (company_id, request_id, chunk, member_index, member_id, tax_id,
  destination_company_id, reference, alteration, parts) from stdin`

/** Bound of a chunk, one step of the worker. */
const maxEntries = 50

/** A row of `staged_alteration` for each accepted entry, in COPY's text format. */
export function stagedAlterationRows(accepted: readonly AcceptedAlteration[], request: StagedRequest): Uint8Array {
  const { companyId, requestId, today } = request
  const rows = accepted.map((one, position) => {
    const reference = one.request.reference ?? request.reference
    // processed on another day, it takes effect as judged
    const requestedStartDate = one.request.requestedStartDate ?? today
    const alteration: AlterationRequest = { ...one.request, requestedStartDate, reference }
    const parts = one.parts.map(({ benefit, name }) => ({ type: benefit.type, 'product-name': name }))
    return copyLine([
      companyId,
      requestId,
      Math.floor(position / maxEntries),
      one.index,
      one.memberId,
      one.taxId,
      one.destinationCompanyId,
      reference === null ? null : escaped(reference),
      escaped(JSON.stringify(alteration)),
      escaped(JSON.stringify(parts)),
    ])
  })
  return new TextEncoder().encode(rows.join(''))
}
