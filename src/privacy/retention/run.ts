import { write } from '#platform/core/write.ts'
import { deleteOrphan } from '#registry/documents/orphans.ts'
import { addDays, businessDate, type LocalDate } from '#kernel/calendar.ts'
import { RETENTION_CLASSES, type RetentionClass } from '#kernel/retention-classes.ts'
import { retentionDays } from '#kernel/retention-days.ts'
import { insertDueOrphans } from '../erasures/queries.ts'
import type { Context } from '#platform/http/context.ts'
import { type Attempts, counted, uncounted } from '#platform/steps/attempts.ts'
import { type DueRow, readDue, type RetentionStep, retentionSteps } from './steps.ts'

/** What is deleted of a class, or was. */
export interface RetainedClass {
  readonly class: RetentionClass
  readonly days: number
  /** What is from before this day. */
  readonly before: LocalDate
  /** The first of them in full. */
  readonly ids: readonly string[]
}

const rowsPerRead = 100
const service = { kind: 'service' } as const

/** People last: their erasure also deletes files, which are due by themselves. */
const inOrder = [...RETENTION_CLASSES.filter((name) => name !== 'benefit'), 'benefit'] as const

/** The classes with something to delete and a period that ends. */
function periods(context: Context) {
  return inOrder.flatMap((name) => {
    const days = retentionDays(context.config.retention, name)
    const steps = retentionSteps[name]
    if (steps === null || days === null) return []
    const today = 'task' in steps ? businessDate(context.database.now()) : context.today()
    return [{ class: name, days, before: addDays(today, -days), steps }]
  })
}

/** What `applyRetention` would delete now. */
export async function reportRetention(context: Context): Promise<RetainedClass[]> {
  const report: RetainedClass[] = []
  for (const { steps, ...period } of periods(context)) {
    const ids: string[] = []
    for (const step of [steps].flat()) {
      for (const { id } of await readDue(context.database, step, period.before, null)) ids.push(id)
    }
    report.push({ ...period, ids })
  }
  return report
}

/** Deletes what was kept for long enough, row by row: one that breaks off goes on with the rest. @returns what it deleted. */
export async function applyRetention(
  context: Context,
  signal: AbortSignal,
  attempts: Attempts = uncounted,
): Promise<RetainedClass[]> {
  const report: RetainedClass[] = []
  for (const { steps, ...period } of periods(context)) {
    const ids: string[] = []
    if ('task' in steps) {
      for (const { id } of await readDue(context.database, steps, period.before, null)) ids.push(id)
      await steps.task(context, signal)
    } else for (const step of steps) ids.push(...(await applyStep(context, signal, attempts, step, period)))
    report.push({ ...period, ids })
  }
  return report
}

async function applyStep(
  context: Context,
  signal: AbortSignal,
  attempts: Attempts,
  step: RetentionStep,
  period: Omit<RetainedClass, 'ids'>,
): Promise<string[]> {
  const deleted: string[] = []
  for (;;) {
    const rows = await readDue(context.database, step, period.before, rowsPerRead)
    let count = 0
    for (const row of rows) {
      if (signal.aborted) return deleted
      const key = { kind: 'retention', targetId: row.id, companyId: row.companyId, part: period.class } as const
      if ((await attempts.run(key, () => deleteRow(context, step, period.class, row))) !== true) continue
      deleted.push(row.id)
      count += 1
    }
    // What was not deleted, as after a movement meanwhile, would be read again.
    if (rows.length < rowsPerRead || count === 0) return deleted
  }
}

async function deleteRow(context: Context, step: RetentionStep, name: RetentionClass, row: DueRow): Promise<boolean> {
  if (step.erase !== undefined) return step.erase(context, row)
  const keys = await write(context, service, { may: 'service' }, async (tx) => {
    const found = await step.remove(tx, row)
    if (found === null) return null
    await insertDueOrphans(tx, found)
    tx.audit({ action: 'retention.deleted', target: `${name} ${row.id}`, companyId: row.companyId })
    return found
  })
  for (const key of keys ?? []) await deleteOrphan(context, key)
  return keys !== null
}

/** The same, in the hours of the setting. */
export async function applyRetentionAtNight(context: Context, signal: AbortSignal): Promise<void> {
  const { retentionHours } = context.config
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Sao_Paulo', hour: '2-digit' }).format())
  if (retentionHours === null || hour < retentionHours.from || hour >= retentionHours.until) return
  await applyRetention(context, signal, counted(context))
}
