import type { ClientActor } from '#platform/core/actor.ts'
import { mayRequest } from '#platform/core/may-request.ts'
import { type SaveResponse, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import { readSyncFor, requireSync, syncNotFound } from './queries.ts'
import { ownCompany, wrongStatus } from './receive.ts'
import { deleteWork, endSync, lockSync } from './rows.ts'

/** Ends a roster sync that is not compared yet. @returns `{ "result": RosterSync }`. @throws ApiError 404, and 409 when it has ended. */
export async function cancelSync(
  context: Context,
  actor: ClientActor,
  id: string,
  saveResponse: SaveResponse,
): Promise<string> {
  const { companyId } = await requireSync(context.database, actor, id)
  return write(
    context,
    actor,
    { may: mayRequest(actor), companies: ownCompany(companyId), saveResponse },
    async (tx) => {
      const sync = await lockSync(tx, companyId, id)
      if (sync === null) throw syncNotFound()
      if (!['open', 'reading', 'comparing'].includes(sync.status)) throw wrongStatus(sync.status)
      await endSync(tx, companyId, id, 'cancelled')
      await deleteWork(tx, id)
      tx.audit({ action: 'roster-sync.cancelled', target: id, companyId })
      const response = await readSyncFor(tx, actor, id)
      tx.respond(response, [companyId])
      return response
    },
  )
}
