import { v7 as uuidv7 } from 'uuid'
import { auditFrom } from '../../audit/audit-log.ts'
import type { Resolution } from '../../domain/enums.ts'
import type { Caller, Origin } from '../../http/caller.ts'
import type { Transaction } from '../../platform/database.ts'
import type { BatchMovement } from './readers.ts'
import { copyStagedAlterations } from './stage-alterations.ts'
import { copyStagedExclusions } from './stage-exclusions.ts'
import { copyStagedEnrollments } from './stage.ts'

/** A judged batch. */
export interface Acceptance {
  readonly movement: BatchMovement
  readonly companyId: string
  readonly requestId: string
  readonly resolution: Resolution | null
  readonly reference: string | null
  /** The business day. */
  readonly acceptedOn: string
  /** Rows of the accepted members, as `copyStatements` take them. */
  readonly staged: Uint8Array
  readonly origin: Origin
}

const copyStatements: Readonly<Record<BatchMovement, string>> = {
  inclusion: copyStagedEnrollments,
  exclusion: copyStagedExclusions,
  alteration: copyStagedAlterations,
}

/**
 * Saves an accepted batch: the request, the work row with the notification of a worker, and the audit row, in one statement that locks the caller's
 * client and entitlement as `requireActiveClient` does; then its staged rows.
 * @returns false when the entitlement or the client ended since the facts were read; nothing is saved then.
 */
export async function insertAccepted(sql: Transaction, caller: Caller, accepted: Acceptance): Promise<boolean> {
  const { movement, companyId, requestId, resolution, reference, staged, origin } = accepted
  const auditRow = `select $6::uuid as id, client_id::text as actor, '${movement}.requested' as action, id::text as target, company_id,
    $7::text as address, $8::text as request_trace_id from accepted`
  const saved = await sql.query<{ id: string }>(
    `with accepted as (
       insert into request (company_id, id, client_id, request_type, status, resolution, reference, accepted_on, created_at)
       select t.company_id, $3, k.id, $9, 'processing', $4, $10, $11, $5
       from client k join entitlement t on t.client_id = k.id and t.company_id = $2
       -- named last, as in requireActiveClient
       left join company on false
       where k.id = $1 and k.revoked_at is null
       for share of k, t
       returning company_id, id, client_id, created_at
     ), new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select client_id, created_at from accepted a
       where not exists (select 1 from work_client t where t.client_id = a.client_id)
       on conflict do nothing
     ), ${auditFrom(auditRow, '$5')}
     insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
     select id, $9, client_id, company_id, id, created_at, created_at from accepted
     returning id, pg_notify('vigencia_work', '')`,
    [
      caller.clientId,
      companyId,
      requestId,
      resolution,
      sql.now(),
      uuidv7(),
      origin.address,
      origin.traceId,
      movement,
      reference,
      accepted.acceptedOn,
    ],
  )
  if (saved.length === 0) return false
  await sql.copy(copyStatements[movement], staged)
  return true
}
