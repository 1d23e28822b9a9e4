import { reopenRefused, withdrawCredits } from '#money/claims/credits.ts'
import { requireOpenMonth } from '#money/months/open-month.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { insertOrphan } from '#registry/documents/queries.ts'
import type { Context } from '#platform/http/context.ts'
import { deleteAside } from '#platform/steps/queries.ts'
import { deleteFileRows, lockFile, requireFile } from './queries.ts'
import { mayWriteFiles } from './upload.ts'

/**
 * Deletes a file with its lines and its comparison.
 * @throws ApiError 404, 409 while it is read, and when an operator worked with its discrepancies.
 */
export async function deleteCarrierFile(context: Context, actor: ClientActor, id: string): Promise<void> {
  const { companyId, referenceMonth } = await requireFile(context.database, id)
  await write(context, actor, { may: mayWriteFiles }, async (tx) => {
    const locked = await lockFile(tx, companyId, id)
    if (locked === null) throw new ApiError('carrier-file-not-found')
    // One whose reading is put aside is read no more.
    if (locked.status === 'reading' && !(await deleteAside(tx, 'carrier-file', id))) {
      throw new ApiError('carrier-file-status', { status: locked.status })
    }
    await requireOpenMonth(tx, companyId, referenceMonth)
    const { reconciliationId } = await requireFile(tx, id)
    if (reconciliationId !== null) await deleteComparison(tx, companyId, reconciliationId)
    await reopenRefused(tx, companyId, await withdrawCredits(tx, companyId, [id]), tx.at())
    await deleteFileRows(tx, companyId, id)
    if (locked.storageKey !== null) await insertOrphan(tx, locked.storageKey)
    tx.audit({ action: 'carrier-file.deleted', target: id, companyId })
  })
}

/** Whether an operator did something with a discrepancy of a comparison. */
async function isTouched(sql: Sql, companyId: string, id: string): Promise<boolean> {
  const rows = await sql.query(
    `select from discrepancy where company_id = $1 and reconciliation_id = $2
       and (status in ('claimed', 'corrected', 'accepted') or explanation = 'by-hand')
     union all select from claim where company_id = $1 and reconciliation_id = $2 limit 1`,
    [companyId, id],
  )
  return rows.length > 0
}

/** Deletes a comparison, with its work. @throws ApiError 409 when an operator worked with its discrepancies. */
export async function deleteComparison(sql: Sql, companyId: string, id: string): Promise<void> {
  // A worker may be computing it.
  await sql.query('select from reconciliation where company_id = $1 and id = $2 for update', [companyId, id])
  if (await isTouched(sql, companyId, id)) throw new ApiError('carrier-file-in-use')
  await sql.execute('delete from discrepancy where company_id = $1 and reconciliation_id = $2', [companyId, id])
  await sql.execute('delete from reconciliation where company_id = $1 and id = $2', [companyId, id])
  await deleteAside(sql, 'reconciliation', id)
}
