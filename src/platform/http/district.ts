import type { TaskKind, WorkKind } from '#kernel/steps.ts'
import type { WorkSlots } from '../core/work-slots.ts'
import type { Tx } from '../core/write.ts'
import type { App, Context } from './context.ts'

/* What a district contributes to what runs: each has a `district.ts`, and src/apps collects them. */

/** Adds the operations of a folder. */
export type Routes = (app: App, context: Context) => Promise<void> | void

/** What runs by the clock. Several processes may run it: row locks make each change happen once. */
export interface PeriodicTask {
  readonly kind: TaskKind
  readonly everyMs: number
  /** For the log. */
  readonly errorMessage: string
  /** @param slots of this task: what it starts there goes on after the run. */
  readonly run: (context: Context, signal: AbortSignal, slots: WorkSlots) => Promise<unknown>
}

/** What a step of queued work needs to know of it. */
export interface QueuedWork {
  readonly targetId: string
  /** @throws Error when the work is of no company. */
  readonly company: () => string
  /** How often it failed before. */
  readonly failures: number
}

/** Whether a step leaves more to do. */
export type Progress = 'more' | 'done'

/** A step of queued work, in the transaction of the worker. */
export type Step = (context: Context, tx: Tx, work: QueuedWork) => Promise<Progress>

/**
 * A step of queued work that reads a file without a transaction, for up to a minute: other work does not wait for it.
 * @param commit runs what is stored in the transaction of the worker.
 */
export type FileStep = (
  context: Context,
  work: { readonly companyId: string; readonly targetId: string },
  signal: AbortSignal,
  commit: (store: (tx: Tx) => Promise<Progress>) => Promise<void>,
) => Promise<void>

export interface District {
  readonly routes?: readonly Routes[]
  readonly tasks?: readonly PeriodicTask[]
  readonly steps?: Partial<Record<WorkKind, Step>>
  readonly fileSteps?: Partial<Record<WorkKind, FileStep>>
}
