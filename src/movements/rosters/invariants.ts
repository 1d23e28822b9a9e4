import type { Invariant } from '#platform/core/invariant.ts'

/** What must always hold of lists of people. */
export const invariants: readonly Invariant[] = [
  {
    name: 'roster-work',
    description: 'A list that is read or compared has one row of work, and no other list has any.',
    violations: `select coalesce(roster_sync.id, work.target_id) as id
      from (select id from roster_sync where status in ('reading', 'comparing')) roster_sync
      full join (select target_id, count(*) as count from work where kind = 'roster-sync' group by target_id) work on work.target_id = roster_sync.id
      where roster_sync.id is null or work.target_id is null or work.count <> 1`,
  },
  {
    name: 'roster-staged',
    description: 'Lines, people and items of a list are kept only until it is compared.',
    violations: `select distinct staged.sync_id as id from (
        select sync_id from roster_line union select sync_id from roster_person union select sync_id from roster_item) staged
      left join roster_sync on roster_sync.id = staged.sync_id and roster_sync.status in ('reading', 'comparing')
      where roster_sync.id is null`,
  },
  {
    name: 'roster-draft',
    description:
      'A draft of a list is of a list that was compared, and an exclusion by absence is requested only after somebody confirmed it.',
    violations: `with excluded as materialized (
        select distinct draft_id from movement_draft_item where class in ('exclusion', 'tax-id-correction') and status = 'requested'
      )
      select movement_draft.id from movement_draft
      left join roster_sync on roster_sync.company_id = movement_draft.company_id and roster_sync.id = movement_draft.id
      where movement_draft.source = 'roster-sync' and roster_sync.status is distinct from 'compared'
      union all
      select excluded.draft_id from excluded
      where not exists (select 1 from audit where audit.target = excluded.draft_id::text
          and audit.action in ('movement-draft.confirmed', 'movement-draft.approved'))`,
  },
]
