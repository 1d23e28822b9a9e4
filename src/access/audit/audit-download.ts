import type { ClientActor } from '#platform/core/actor.ts'
import type { Role } from '#kernel/enums.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'

/** Audits a file with data of people before it is sent. @param may the roles of the route. @throws ApiError 401, 403. */
export async function auditDownload(
  context: Context,
  actor: ClientActor,
  may: readonly Role[],
  row: Parameters<Tx['audit']>[0],
): Promise<void> {
  await write(context, actor, { may }, async (tx) => tx.audit(row))
}
