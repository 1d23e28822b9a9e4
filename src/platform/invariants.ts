import type { Invariant } from './core/invariant.ts'

/** What must always hold of the rows of this district. */
export const invariants: readonly Invariant[] = [
  {
    name: 'work-client',
    description: 'The client of a row of work is one that the workers serve.',
    violations: `select work.id from work where client_id is not null and not exists (select 1 from work_client where client_id = work.client_id)`,
  },
  {
    name: 'work-waiting',
    description: 'No work waits longer than the age given, unless it is put aside with its reason.',
    violations: `select work.id from work, given where work.client_id is not null and work.created_at < given.since and work.run_at < 'infinity'`,
  },
  {
    name: 'step-reason',
    description: 'No step that was begun is older than an hour without a reason.',
    violations: `select work.id from work where attempts > 0 and reason is null and created_at < now() - interval '1 hour'`,
  },
  {
    name: 'orphan-waiting',
    description: 'No file that nothing refers to stays longer than the sweep leaves it.',
    violations: `select orphan_file.key as id from orphan_file, given where orphan_file.delete_after < given.since - interval '2 hours'`,
  },
  {
    name: 'stored-response-usage',
    description: "The counted bytes of a client's stored responses equal the bytes that are stored.",
    violations: `select coalesce(stored.client_id, usage.client_id) as id
      from (select client_id, sum(octet_length(encrypted_response)) as bytes from idempotency_key where encrypted_response is not null
        group by client_id) stored
      full join (select client_id, bytes from stored_response_usage where bytes > 0) usage on usage.client_id = stored.client_id
      where stored.bytes is distinct from usage.bytes`,
  },
  {
    name: 'file-removal',
    description: 'No file that something refers to is noted for removal.',
    violations: `select orphan_file.key as id from orphan_file
      where orphan_file.key in (select storage_key from document) or orphan_file.key in (select storage_key from invoice_file)
        or orphan_file.key in (select storage_key from onboarding_document)`,
  },
]
