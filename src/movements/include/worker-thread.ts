import { parentPort } from 'node:worker_threads'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { BatchShapeError, finishBody, prepareBody, readBody, summarise } from './parse-and-judge.ts'
import type { FieldError } from '../../domain/field-types.ts'
import type { BatchIds, BatchSummary, FinishedBatch, ReadBody } from './parse-and-judge.ts'

/** What the thread is asked for; `batch` names a body from its opening to its end. */
export type ThreadTask =
  | { kind: 'open'; batch: number; body: ArrayBuffer }
  | { kind: 'prepare'; batch: number; memberKey: Uint8Array }
  | { kind: 'finish'; batch: number; facts: InclusionFacts; ids: BatchIds }
  | { kind: 'close'; batch: number }

/** The answer to `open` and `finish`; the others have none. */
export type ThreadAnswer = { batch: number } & (
  | { opened: BatchSummary }
  | { finished: FinishedBatch }
  | { details: readonly FieldError[] }
  | { failure: string }
)

const bodies = new Map<number, ReadBody>()

function answer(task: ThreadTask): ThreadAnswer | null {
  const { batch } = task
  try {
    if (task.kind === 'open') {
      const body = readBody(Buffer.from(task.body))
      bodies.set(batch, body)
      return { batch, opened: summarise(body) }
    }
    const body = bodies.get(batch)
    if (task.kind === 'prepare') {
      if (body !== undefined) prepareBody(body, task.memberKey)
      return null
    }
    bodies.delete(batch)
    if (task.kind === 'close') return null
    if (body === undefined) return { batch, failure: 'the batch is not open' }
    return { batch, finished: finishBody(body, task.facts, task.ids) }
  } catch (error) {
    if (error instanceof BatchShapeError) return { batch, details: error.details }
    return { batch, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', (task: ThreadTask) => {
  const told = answer(task)
  if (told === null) return
  // The texts are given away, not copied: nothing of them is read here again.
  const texts = 'finished' in told ? told.finished.chunks.flatMap(({ members, entries }) => [members, entries]) : []
  parentPort?.postMessage(
    told,
    texts.map((text) => text.buffer as ArrayBuffer),
  )
})
