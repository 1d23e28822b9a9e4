import { nameLengthOf } from '../carrier-files/process.ts'
import { reconciliationOpened } from '#platform/core/events.ts'
import { required } from '#platform/core/log.ts'
import type { Tx } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type CutOffCalendar, cutOffsOf } from '#registry/rules/cut-off.ts'
import type { Context } from '#platform/http/context.ts'
import { findLayout } from '#registry/layouts/queries.ts'
import type { Progress } from '#platform/http/district.ts'
import { compareInvoice } from './invoice.ts'
import { lockReconciliation, openReconciliation, readShown } from './queries.ts'
import { compareRoster } from './roster.ts'

/** Compares the file of a reconciliation in the worker's transaction. Safe to run twice: it finds the same. */
export async function processReconciliation(
  _context: Context,
  tx: Tx,
  companyId: string,
  id: string,
): Promise<Progress> {
  const reconciliation = await lockReconciliation(tx, companyId, id)
  if (reconciliation?.status !== 'computing') return 'done'
  const { kind, contractId, fileId, invoiceKind, asOf, calendar, layoutId, layoutVersion, isShown, wasComputed } =
    reconciliation
  const before = isShown && wasComputed ? await readShown(tx, companyId, id) : null
  switch (kind) {
    case 'roster': {
      const layout = required(await findLayout(tx, layoutId, layoutVersion), 'layout')
      await compareRoster(tx, {
        companyId,
        reconciliationId: id,
        contractId,
        fileId,
        asOf,
        cutOff: calendar === null ? null : lastCutOff(calendar, asOf),
        nameLength: nameLengthOf(layout.definition),
        at: tx.at(),
      })
      break
    }
    case 'invoice': {
      const cutOff = calendar === null ? null : lastCutOff(calendar, asOf)
      const month = reconciliation.referenceMonth
      const key = { companyId, reconciliationId: id, contractId, fileId, invoiceKind, month }
      await compareInvoice(tx, { ...key, cutOff, at: tx.at() })
      break
    }
    default:
      kind satisfies never
  }
  await openReconciliation(tx, companyId, id, tx.at())
  if (isShown) {
    const { counts, digest } = await readShown(tx, companyId, id)
    const { referenceMonth } = reconciliation
    if (digest !== before?.digest) tx.emit(companyId, reconciliationOpened({ id, kind, referenceMonth, counts }))
  }
  return 'done'
}

/** The last cut-off whose cover has started on a day. */
function lastCutOff(calendar: CutOffCalendar, asOf: LocalDate): LocalDate | null {
  const month = asOf.slice(0, 7)
  const days = cutOffsOf(calendar, addMonths(month, -14), addMonths(month, 2))
    .filter((cutOff) => cutOff['coverage-start'] <= asOf)
    .map((cutOff) => cutOff['cut-off-date'])
  return days.toSorted().at(-1) ?? null
}
