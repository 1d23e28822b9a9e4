import type { ClientActor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import type { MovementKind } from '#kernel/enums.ts'
import type { Database } from '#platform/core/database.ts'

/**
 * Audits a response that discloses whether a CPF exists (403 or 404 of a member), without the CPF.
 * @param movement that was requested, such as `exclusion`.
 */
export async function auditDenial(database: Database, caller: ClientActor, movement: MovementKind): Promise<void> {
  await write({ database }, caller, { may: 'partner' }, async (tx) => {
    tx.audit({ action: 'member.denied', target: movement, companyId: null })
  })
}
