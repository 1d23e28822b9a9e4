import { coverDay } from './contracts/retroactive-limits.ts'
import { draftOf, isDocumentOf } from './documents/queries.ts'
import type { Invariant } from '#platform/core/invariant.ts'

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
  {
    name: 'document-unused',
    description: 'No document that was never used stays longer than the sweep leaves it.',
    violations: `select document.id from document, given
      where document.used_at is null and document.created_at < given.since - interval '7 days 2 hours'`,
  },
  {
    name: 'document-request',
    // The request may be of any client: another client of the company may answer the movement.
    description: 'A used document has a request, a movement draft or a roster sync.',
    violations: `select document.id from document
      left join request on request.company_id = document.company_id and request.id = document.request_id
      left join movement_draft on movement_draft.company_id = document.company_id and movement_draft.id = document.request_id
      left join roster_sync on roster_sync.company_id = document.company_id and roster_sync.id = document.request_id
      where document.request_id is not null and request.id is null and movement_draft.id is null and roster_sync.id is null`,
  },
  {
    name: 'document-once',
    description:
      'A document that a movement names was used by the request of that movement or by its draft, and by no other.',
    violations: `with sent as materialized (
        select item ->> 'document-id' as id, enrollment.company_id, enrollment.request_id, ${draftOf('enrollment.company_id', 'enrollment.request_id')} as draft_id
        from enrollment cross join lateral jsonb_array_elements(
          case jsonb_typeof(enrollment.data -> 'documents') when 'array' then enrollment.data -> 'documents' else '[]' end) named(item)
      )
      select sent.id from sent
      left join document on document.id::text = sent.id and ${isDocumentOf('sent.company_id', 'sent.request_id', 'sent.draft_id')}
      where document.id is null`,
  },
  {
    name: 'contract-carrier',
    description: 'A product of an active contract names the carrier of the contract.',
    violations: `select contract.id from contract join carrier on carrier.id = contract.carrier_id
      join contract_plan on contract_plan.company_id = contract.company_id and contract_plan.contract_id = contract.id
      join product on product.company_id = contract.company_id and product.id = contract_plan.active_product_id
      where product.carrier_key <> carrier.key`,
  },
  {
    name: 'retroactive-limit',
    description: 'An open inclusion or exclusion has the limit of its contract, from its day where it counts days.',
    violations: `select enrollment.id from open_movement
      join enrollment on enrollment.company_id = open_movement.company_id and enrollment.id = open_movement.id
      left join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id
      left join contract_plan on contract_plan.company_id = enrollment.company_id and contract_plan.active_product_id = enrollment.product_id
      left join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
      cross join lateral (select case when enrollment.enrollment_type = 'exclusion' then contract.retroactive_exclusion
        else contract.retroactive_inclusion end as setting) own
      where enrollment.enrollment_type in ('inclusion', 'exclusion') and case
        when setting ->> 'unit' = 'days' then enrollment.retroactive_until is distinct from ${coverDay} + (setting ->> 'count')::integer
        else (enrollment.retroactive_until is null) <> (setting is null or contract.calendar is null) end`,
  },
]
