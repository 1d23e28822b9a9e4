import type { Invariant } from '#platform/core/invariant.ts'

/** What must always hold of how requests came to the broker. */
export const invariants: readonly Invariant[] = [
  {
    name: 'request-intake',
    description:
      'The requests of operators, and only they, have an alteration kind or an intake. It came before the request, and its documents are those of the request.',
    violations: `with asked as materialized (
        select request.id, request.company_id, request.draft_id, request.alteration_kind, request.created_at, request.accepted_on, client.api,
          request_intake.request_id is not null as has_intake, request_intake.received_at, request_intake.documents
        from request join client on client.id = request.client_id
        left join request_intake on request_intake.company_id = request.company_id and request_intake.request_id = request.id
      )
      select asked.id from asked
      where case when asked.api = 'operator' then (asked.alteration_kind is null) <> asked.has_intake
          else asked.alteration_kind is not null or asked.has_intake end
        -- The business day may be ahead of the clock.
        or asked.received_at > asked.created_at and (asked.received_at at time zone 'America/Sao_Paulo')::date > asked.accepted_on
        or exists (select 1 from unnest(asked.documents) as evidence(id) where not exists (select 1 from document where document.id = evidence.id
          and document.company_id = asked.company_id and document.request_id in (asked.id, asked.draft_id)))`,
  },
]
