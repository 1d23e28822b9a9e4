import type { ClientActor } from '../core/actor.ts'
import type { Role } from '../domain/enums.ts'
import { type Tx, write } from '../core/write.ts'
import type { Context } from '../http/context.ts'

/** Audits a file with data of people before it is sent. @param may the roles of the route. @throws ApiError 401, 403. */
export async function auditDownload(
  context: Context,
  actor: ClientActor,
  may: readonly Role[],
  row: Parameters<Tx['audit']>[0],
): Promise<void> {
  await write(context, actor, { may }, async (tx) => tx.audit(row))
}
