import { writeAudit } from '../audit/audit-log.ts'
import type { Database, Sql } from '../platform/database.ts'
import { writeEvents } from '../webhooks/outbox.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { invoiceStatus } from '../domain/invoice.ts'
import { invoiceEvent } from './write.ts'
import { readNewlyOverdue, claimOverdue } from './write-queries.ts'

const atOnce = 500

/**
 * Tells of the invoices that have fallen overdue, those of days that were missed included. Their status needs no moving: it is
 * derived at reading. Several processes may do so at once: each invoice is told once, because it is taken from its locked row.
 */
export async function writeOverdueEvents(database: Database, today: LocalDate, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const fallen = await readNewlyOverdue(database, today, atOnce)
    for (const [companyId, invoices] of Map.groupBy(fallen, (invoice) => invoice.companyId)) {
      const ids = invoices.map((invoice) => invoice.id)
      await database.transaction((sql) => tell(sql, companyId, ids, today))
    }
    if (fallen.length < atOnce) return
  }
}

async function tell(sql: Sql, companyId: string, ids: readonly string[], today: LocalDate): Promise<void> {
  const taken = await claimOverdue(sql, companyId, ids, today)
  const type = 'invoice.overdue'
  const events = taken.map(({ id, dueDate, slips }) => invoiceEvent(type, id, invoiceStatus(dueDate, slips, today)))
  await writeEvents(sql, companyId, new Date(), events)
  const origin = null
  await writeAudit(
    sql,
    taken.map(({ id }) => ({ actor: 'clock', action: type, target: id, companyId, origin })),
  )
}
