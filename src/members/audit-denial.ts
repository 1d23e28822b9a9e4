import { writeAudit } from '../audit/audit-log.ts'
import type { RequestType } from '../domain/enums.ts'
import type { Caller, Origin } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'

/**
 * Audits a response that discloses whether a CPF exists (403 or 404 of a member), without the CPF.
 * @param movement that was requested, such as `exclusion`.
 */
export async function auditDenial(sql: Sql, caller: Caller, origin: Origin, movement: RequestType): Promise<void> {
  await writeAudit(sql, { actor: caller.clientId, action: 'member.denied', target: movement, companyId: null, origin })
}
