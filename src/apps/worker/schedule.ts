import { Lanes } from '#platform/core/lanes.ts'
import { runPeriodically } from '#platform/core/run-periodically.ts'
import { type Context } from '#platform/http/context.ts'
import { noted } from '#platform/steps/attempts.ts'
import { districts } from '../districts.ts'
import type { District, PeriodicTask } from '#platform/http/district.ts'

const tasks: readonly PeriodicTask[] = districts.flatMap(({ tasks: own }: District) => own ?? [])

/** Shipments that are delivered, or folders that are read, at once. */
const maxLanes = 16

/** Runs each task in a loop of its own until the signal: a file storage that is slow must not delay due work. */
export function runSchedule(context: Context, signal: AbortSignal): Promise<void>[] {
  return tasks.map(async ({ kind, everyMs, errorMessage, run }) => {
    const lanes = new Lanes(maxLanes)
    const task = { errorMessage, intervalMs: everyMs }
    await runPeriodically(
      context,
      signal,
      task,
      noted(context, kind, () => run(context, signal, lanes)),
    )
    await lanes.ended()
  })
}
