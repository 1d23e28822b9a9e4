import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { invoiceEvent } from '#platform/core/events.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { Database } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { invoiceStatus } from '../rules/invoice.ts'
import { type Attempts, uncounted } from '#platform/steps/attempts.ts'
import { readNewlyOverdue, claimOverdue } from './rows.ts'

/**
 * Writes `invoice.overdue` events for invoices that have become overdue, also on earlier days. Their status itself is derived when it
 * is read. Several processes may run this at once: each invoice is claimed by an update of its row, once.
 * @returns how many.
 */
export async function writeOverdueEvents(
  database: Database,
  today: LocalDate,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<number> {
  const kind = 'overdue-invoices'
  let written = 0
  while (!signal.aborted) {
    const overdue = await readNewlyOverdue(database, today, CHUNK_SIZE, await attempts.waiting(kind))
    for (const [companyId, invoices] of Map.groupBy(overdue, (invoice) => invoice.companyId)) {
      const ids = invoices.map((invoice) => invoice.id)
      const done = await attempts.run({ kind, targetId: companyId, companyId }, () =>
        write({ database }, { kind: 'clock' }, { may: 'service' }, (tx) => reportOverdue(tx, companyId, ids, today)),
      )
      written += done ?? 0
    }
    if (overdue.length < CHUNK_SIZE) break
  }
  return written
}

async function reportOverdue(tx: Tx, companyId: string, ids: readonly string[], today: LocalDate): Promise<number> {
  const claimed = await claimOverdue(tx, companyId, ids, today)
  const type = 'invoice.overdue'
  tx.emit(
    companyId,
    claimed.map(({ id, dueDate, slips }) => invoiceEvent(type, id, invoiceStatus(dueDate, slips, today))),
  )
  tx.audit(claimed.map(({ id }) => ({ action: type, target: id, companyId })))
  return claimed.length
}
