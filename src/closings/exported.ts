import type { Month } from '../domain/cut-off.ts'
import { ApiError } from '../core/errors.ts'
import { auditActor } from '../core/actor.ts'
import type { Tx } from '../core/write.ts'

/** Records that the payroll of a closed month is exported. The company is locked. @throws ApiError 409 when the month is open. */
export async function markMonthExported(tx: Tx, companyId: string, month: Month): Promise<void> {
  const act = { act: 'exported', at: tx.at().toISOString(), by: auditActor(tx.actor), reason: null }
  const changed = await tx.execute(
    `update closing set status = 'exported', acts = acts || $3::jsonb, updated_at = $4
     where company_id = $1 and reference_month = $2 and status in ('closed', 'exported')`,
    [companyId, month, JSON.stringify([act]), tx.at()],
  )
  if (changed === 0) throw new ApiError('month-not-closed')
}
