import { parentPort } from 'node:worker_threads'
import { BatchShapeError } from './parse-and-judge.ts'
import type { BatchSummary, FinishedBatch, FinishOptions } from './parse-and-judge.ts'
import { type BatchFacts, type BatchMovement, type ReadBatch, readers } from './readers.ts'
import type { FieldError } from '../../domain/field-types.ts'

/** A task of the thread; `batch` identifies a body from its opening to its end. */
export type ThreadTask =
  | { kind: 'open'; batch: number; movement: BatchMovement; body: ArrayBuffer }
  | { kind: 'finish'; batch: number; facts: BatchFacts[BatchMovement]; options: FinishOptions }
  | { kind: 'close'; batch: number }

/** The response to `open` and `finish`; `close` has none. */
export type ThreadResponse = { batch: number } & (
  | { opened: BatchSummary }
  | { finished: FinishedBatch }
  | { details: readonly FieldError[] }
  | { failure: string }
)

const bodies = new Map<number, ReadBatch<never>>()

function run(task: ThreadTask): ThreadResponse | null {
  const { batch } = task
  try {
    if (task.kind === 'open') {
      const body = readers[task.movement](Buffer.from(task.body))
      bodies.set(batch, body)
      return { batch, opened: body.summary }
    }
    const body = bodies.get(batch)
    bodies.delete(batch)
    if (task.kind === 'close') return null
    if (body === undefined) return { batch, failure: 'the batch is not open' }
    return { batch, finished: body.finish(task.facts as never, task.options) }
  } catch (error) {
    if (error instanceof BatchShapeError) return { batch, details: error.details }
    return { batch, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', (task: ThreadTask) => {
  const response = run(task)
  if (response === null) return
  const staged = 'finished' in response ? response.finished.staged : null
  // Transferred, not copied: the thread does not read it again.
  parentPort?.postMessage(response, staged === null ? [] : [staged.buffer as ArrayBuffer])
})
