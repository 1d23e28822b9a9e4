import type { Invariant } from '#platform/core/invariant.ts'

/** What must always hold of movement drafts. */
export const invariants: readonly Invariant[] = [
  {
    name: 'draft-status',
    description:
      'A movement draft is closed exactly when no item waits for somebody or is confirmed, and requests exactly when one is confirmed.',
    violations: `select movement_draft.id from movement_draft
      left join movement_draft_item on movement_draft_item.company_id = movement_draft.company_id and movement_draft_item.draft_id = movement_draft.id
      group by movement_draft.company_id, movement_draft.id
      having movement_draft.status <> case when count(*) filter (where movement_draft_item.status = 'confirmed') > 0 then 'requesting'
        when count(*) filter (where movement_draft_item.status in ('proposed', 'approval')) > 0 then 'open' else 'closed' end`,
  },
  {
    name: 'draft-work',
    description: 'A movement draft with confirmed items has one row of work.',
    violations: `with requesting as materialized (select id from movement_draft where status = 'requesting')
      select requesting.id from requesting
      left join (select target_id from work where kind = 'movement-draft') work on work.target_id = requesting.id
      group by requesting.id having count(work.target_id) <> 1`,
  },
  {
    name: 'draft-requests',
    description:
      'A request that was made of a movement draft has an audit row of a confirmation before, and items of it, until they are deleted.',
    violations: `with made as materialized (
        select request.id, request.draft_id, movement_draft.id is null
          or exists (select 1 from movement_draft_item where movement_draft_item.company_id = request.company_id
            and movement_draft_item.draft_id = request.draft_id)
          and not exists (select 1 from movement_draft_item where movement_draft_item.company_id = request.company_id
            and movement_draft_item.draft_id = request.draft_id and movement_draft_item.request_id = request.id) as is_without
        from request left join movement_draft on movement_draft.company_id = request.company_id and movement_draft.id = request.draft_id
        where request.draft_id is not null
      )
      select made.id from made
      where made.is_without or not exists (select 1 from audit where audit.target = made.draft_id::text
        and audit.action in ('movement-draft.confirmed', 'movement-draft.approved'))
      union all
      select movement_draft_item.draft_id from movement_draft_item
      left join request on request.company_id = movement_draft_item.company_id and request.id = movement_draft_item.request_id
        and request.draft_id = movement_draft_item.draft_id
      where movement_draft_item.status = 'requested' and movement_draft_item.class <> 'company-data' and request.id is null`,
  },
  {
    name: 'draft-data',
    description: 'Data that a draft wrote to a person have an audit row.',
    violations: `with written as materialized (
        select draft_id, member_id from movement_draft_item where status = 'requested' and class = 'company-data'
      )
      select written.draft_id as id from written
      where not exists (select 1 from audit where audit.action = 'member.updated' and audit.target = written.member_id::text)`,
  },
  {
    name: 'draft-scope',
    description: 'Of the lists of the same people only the newest one proposes anything.',
    violations: `select distinct movement_draft.id from movement_draft
      join movement_draft newer on newer.company_id = movement_draft.company_id and newer.scope_key = movement_draft.scope_key
        and newer.created_at > movement_draft.created_at
      join movement_draft_item on movement_draft_item.company_id = movement_draft.company_id and movement_draft_item.draft_id = movement_draft.id
        and movement_draft_item.status = 'proposed'`,
  },
  {
    name: 'draft-needs',
    description: 'What is confirmed or requested lacks nothing.',
    violations: `select movement_draft_item.draft_id as id from movement_draft_item
      where movement_draft_item.status in ('confirmed', 'requested') and movement_draft_item.needs <> '{}'`,
  },
]
