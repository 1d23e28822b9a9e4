import { writeAudit } from '../audit/audit-log.ts'
import type { Database, Sql } from '../platform/database.ts'
import { writeEvents } from '../webhooks/outbox.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { invoiceStatus } from '../domain/invoice.ts'
import { invoiceEvent } from './write.ts'
import { readNewlyOverdue, claimOverdue } from './write-queries.ts'

const batchSize = 500

/**
 * Writes `invoice.overdue` events for invoices that have become overdue, also on earlier days. Their status itself is derived when it
 * is read. Several processes may run this at once: each invoice is claimed by an update of its row, once.
 */
export async function writeOverdueEvents(database: Database, today: LocalDate, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const overdue = await readNewlyOverdue(database, today, batchSize)
    for (const [companyId, invoices] of Map.groupBy(overdue, (invoice) => invoice.companyId)) {
      const ids = invoices.map((invoice) => invoice.id)
      await database.transaction((sql) => writeEventsOf(sql, companyId, ids, today))
    }
    if (overdue.length < batchSize) return
  }
}

async function writeEventsOf(sql: Sql, companyId: string, ids: readonly string[], today: LocalDate): Promise<void> {
  const claimed = await claimOverdue(sql, companyId, ids, today)
  const type = 'invoice.overdue'
  const events = claimed.map(({ id, dueDate, slips }) => invoiceEvent(type, id, invoiceStatus(dueDate, slips, today)))
  await writeEvents(sql, companyId, sql.now(), events)
  await writeAudit(
    sql,
    claimed.map(({ id }) => ({ actor: 'clock', action: type, target: id, companyId, origin: null })),
  )
}
