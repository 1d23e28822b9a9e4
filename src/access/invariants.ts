import type { Invariant } from '#platform/core/invariant.ts'

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
  {
    name: 'audit-waiting',
    description: 'No audit row is pending for longer than the age given.',
    violations: `select audit_pending.id from audit_pending, given where audit_pending.at < given.since`,
  },
  {
    name: 'audit-chain',
    description: 'The blocks of the audit chain follow each other without a gap, and the head is the last one.',
    violations: `select block.position::text as id from (
        select position, previous, row_number() over in_order as n,
          lag(hash, 1, decode(repeat('00', 32), 'hex')) over in_order as before
        from audit_block window in_order as (order by position)) block
      where block.position <> block.n or block.previous <> block.before
      union all
      select 'head' from (select audit_block.position, audit_block.hash from audit_block order by audit_block.position desc limit 1) audit_block
      full join audit_head on audit_head.position = audit_block.position and audit_head.hash = audit_block.hash
      where audit_head.position is null or audit_block.position is null
      group by 1`,
  },
  {
    name: 'audit-rows',
    description: 'Every audit row is in the chain or pending, and no row of either is missing.',
    violations: `select coalesce(audit.id, kept.id) as id from audit
      full join (
        select unnest(row_ids) as id from audit_block union all select id from audit_pending) kept on kept.id = audit.id
      group by audit.id, kept.id having audit.id is null or count(kept.id) <> 1`,
  },
  {
    name: 'client-kind',
    description: 'Only clients of the partner API have entitlements and webhook endpoints.',
    violations: `select client.id from client where client.api <> 'partner' and (
      client.id in (select client_id from entitlement) or client.id in (select client_id from webhook_endpoint))`,
  },
  {
    name: 'client-secret',
    description:
      'A client that is not revoked has a secret without an end, unless it is a person or signs in at the identity provider.',
    violations: `select client.id from client
      where client.revoked_at is null and client.id not like 'oidc-%'
        and not exists (select 1 from person where person.client_id = client.id)
        and not exists (select 1 from client_secret where client_id = client.id and ends_at is null)`,
  },
  {
    name: 'active-admin',
    description: 'Of the operators at least one admin is not revoked.',
    violations: `select 'none' as id from client where api = 'operator'
      having count(*) > 0 and count(*) filter (where role = 'admin' and revoked_at is null) = 0`,
  },
]
