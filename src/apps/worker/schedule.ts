import { WorkSlots } from '#platform/core/work-slots.ts'
import { runPeriodically } from '#platform/core/run-periodically.ts'
import { type Context } from '#platform/http/context.ts'
import { noted } from '#platform/steps/attempts.ts'
import { districts } from '../districts.ts'
import type { District, PeriodicTask } from '#platform/http/district.ts'

const tasks: readonly PeriodicTask[] = districts.flatMap(({ tasks: own }: District) => own ?? [])

/** Shipments that are delivered, or folders that are read, at once. */
const maxSlots = 16

/** Runs each task in a loop of its own until the signal: a file storage that is slow must not delay due work. */
export function runSchedule(context: Context, signal: AbortSignal): Promise<void>[] {
  return tasks.map(async ({ kind, everyMs, errorMessage, run }) => {
    const slots = new WorkSlots(maxSlots)
    const task = { errorMessage, intervalMs: everyMs }
    await runPeriodically(
      context,
      signal,
      task,
      noted(context, kind, () => run(context, signal, slots)),
    )
    await slots.ended()
  })
}
