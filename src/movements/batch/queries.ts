import type { MovementKind, Resolution } from '#kernel/enums.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Intake } from '../rules/intake.ts'
import { copyItems } from './items.ts'

/** A judged batch. */
export interface Acceptance {
  readonly movement: MovementKind
  readonly companyId: string
  readonly requestId: string
  readonly resolution: Resolution | null
  readonly reference: string | null
  /** The business day. */
  readonly acceptedOn: string
  /** The items of the accepted members: `itemRows`. */
  readonly items: Uint8Array
  /** Unique ids of the documents of the accepted members. */
  readonly documents: readonly string[]
  /** How the request came; null: a partner's. */
  readonly intake: Intake | null
  /** The movement draft that it is made of. */
  readonly draftId?: string
}

/** Saves an accepted batch: the request, the work row with the notification of a worker, and the items. */
export async function insertAccepted(tx: Tx, { clientId }: Client, accepted: Acceptance): Promise<void> {
  const { movement, companyId, requestId, resolution, reference, items, draftId = null } = accepted
  await tx.query(
    `with accepted as (
       insert into request (company_id, id, client_id, request_type, status, resolution, reference, accepted_on, draft_id, created_at)
       values ($2, $3, $1, $6, 'processing', $4, $7, $8, $9, $5)
     ), new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select $1, $5 where not exists (select 1 from work_client where client_id = $1)
       on conflict do nothing
     )
     insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
     -- on Citus no values with a function that is not immutable
     select $3, $6, $1, $2, $3, $5, $5
     returning pg_notify('vigencia_work', '')`,
    [clientId, companyId, requestId, resolution, tx.at(), movement, reference, accepted.acceptedOn, draftId],
  )
  await tx.copy(copyItems, items)
}
