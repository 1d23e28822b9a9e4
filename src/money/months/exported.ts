import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { Tx } from '#platform/core/write.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { findClosedMonth, putClosing } from './queries.ts'

/** Records that the payroll of a closed month is exported. The company is locked. @throws ApiError 409 when the month is open. */
export async function markMonthExported(tx: Tx, actor: ClientActor, companyId: string, month: Month): Promise<void> {
  const closing = await findClosedMonth(tx, companyId, month)
  if (closing === null) throw new ApiError('month-open')
  const act = { act: 'exported', at: tx.at().toISOString(), by: actor.clientId, reason: null }
  await putClosing(tx, { ...closing, status: 'exported' }, act, tx.at())
}
